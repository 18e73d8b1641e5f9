const ARGUMENT_PLACEHOLDER = /\$ARGUMENTS\b|\$([1-9])(?!\d)/g
const ARGUMENT = /"([^"]*)"|'([^']*)'|\S+/g

/**
 * A text with `$ARGUMENTS` and `$1` to `$9` replaced by what was typed; without a place for them they stand at its end.
 * What is put in is not searched again.
 */
export function fillArguments(text: string, typed: string): string {
  if (text.search(ARGUMENT_PLACEHOLDER) < 0) return typed === '' ? text : `${text}\n\nARGUMENTS: ${typed}`
  const words = [...typed.matchAll(ARGUMENT)].map(([word, double, single]) => double ?? single ?? word)
  return text.replaceAll(ARGUMENT_PLACEHOLDER, (_, number: string | undefined) =>
    number === undefined ? typed : (words[Number(number) - 1] ?? ''),
  )
}
