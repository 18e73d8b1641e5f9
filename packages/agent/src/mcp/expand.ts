const VARIABLE = /\$\{(?<name>[A-Za-z_]\w*)(?::-(?<fallback>[^}]*))?\}/g

/** A text with `${VAR}` and `${VAR:-default}` replaced, or the first variable that is not set and has no default. */
export function expand(text: string, env: NodeJS.ProcessEnv): { readonly text: string } | { readonly missing: string } {
  let missing: string | null = null
  const expanded = text.replaceAll(VARIABLE, (_, name: string, fallback: string | undefined) => {
    const value = env[name] || fallback // as in a shell: an empty value takes the default too
    if (value === undefined && env[name] === undefined) missing ??= name
    return value ?? ''
  })
  return missing === null ? { text: expanded } : { missing }
}
