/** What a pattern is made of: quoted text, an escape, a class, a counted repeat, a bracket, or a character. */
const TOKEN = /\\Q.*?(?:\\E|$)|\\[pPx]\{[^}]*\}|\\.|\[\^?\]?(?:\\.|\[:\w+:\]|[^\]\\])*\]|\{(\d+)(?:,(\d*))?\}|./gsu

/** How many characters and classes a pattern has about when its counted repeats are written out, as they are to compile it. */
export function sizeWrittenOut(pattern: string): number {
  const outer: number[] = []
  let size = 0
  let last = 0
  for (const [token, least, most] of pattern.matchAll(TOKEN)) {
    if (token === '(') {
      outer.push(size)
      size = 0
    } else if (token === ')') {
      last = size
      size += outer.pop() ?? 0
    } else if (least !== undefined) {
      const times = Math.max(Number(least), Number(most ?? 0), 1)
      size += last * (times - 1)
      last *= times
    } else {
      last = token.startsWith('\\Q') ? token.length : 1
      size += last
    }
  }
  return size
}
