const FAMILIES: readonly { readonly name: RegExp; readonly tokens: number }[] = [{ name: /claude/i, tokens: 200_000 }]
const USUAL = 128_000

/** Tokens that fit into one request, by the model's family. */
export function contextWindowOf(model: string): number {
  return FAMILIES.find(({ name }) => name.test(model))?.tokens ?? USUAL
}
