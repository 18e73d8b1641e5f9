/** A text of which about `most` characters are shown: of a longer one the middle is left out, and the gap says how much. */
export function clip(text: string, most: number): string {
  if (text.length <= most) return text
  const start = takeStart(text, Math.ceil(most / 2))
  const end = takeEnd(text, Math.floor(most / 2))
  return `${start}\n\n[… ${text.length - start.length - end.length} characters left out …]\n\n${end}`
}

/** The first characters, without half of a pair. */
function takeStart(text: string, length: number): string {
  return text.slice(0, isHighHalf(text.charCodeAt(length - 1)) ? length - 1 : length)
}

function takeEnd(text: string, length: number): string {
  const from = text.length - length
  return text.slice(isHighHalf(text.charCodeAt(from - 1)) ? from + 1 : from)
}

function isHighHalf(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}
