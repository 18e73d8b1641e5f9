const PLACE = /\$ARGUMENTS\b|\$([1-9])(?!\d)/g
const WORD = /"([^"]*)"|'([^']*)'|\S+/g

/**
 * A text with `$ARGUMENTS` and `$1` to `$9` replaced by what was typed; without a place for them they stand at its end.
 * What is put in is not searched again.
 */
export function fillArguments(text: string, typed: string): string {
  if (text.search(PLACE) < 0) return typed === '' ? text : `${text}\n\nARGUMENTS: ${typed}`
  const words = [...typed.matchAll(WORD)].map(([word, double, single]) => double ?? single ?? word)
  return text.replaceAll(PLACE, (_, number: string | undefined) =>
    number === undefined ? typed : (words[Number(number) - 1] ?? ''),
  )
}
