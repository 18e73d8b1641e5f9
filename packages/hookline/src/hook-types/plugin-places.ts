/** The folders of a plugin, as settings write them into shell text. */
const PLUGIN_FOLDER = /\$\{CLAUDE_PLUGIN_(?:ROOT|DATA)\}/y
const HERE_DOCUMENT = /<<-?[ \t]*(['"\\]?)([\w.-]+)\1/y
const COMMENT = /#[^\n]*/y

/** A part of shell text that ends at a character: quotes, backquotes, or a command inside of `$(…)`. */
type Part = '"' | '`' | ')' | '}'

/**
 * Puts double quotes around every folder of a plugin that stands outside of quotes in shell text, so that it is one word
 * whatever its name; a shell has the folder in its environment. A text that ends inside of quotes is left as it is.
 */
export function quotePluginPlaces(text: string): string {
  const inside: Part[] = []
  const pending: string[] = []
  let quoted = ''
  let at = 0
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found) at += found[0].length
    return found
  }
  while (at < text.length) {
    const start = at
    const letter = text.charAt(at)
    const isPlain = inside.at(-1) !== '"'
    const place = take(PLUGIN_FOLDER)
    if (place) {
      quoted += isPlain ? `"${place[0]}"` : place[0]
      continue
    }
    if (letter === '\\') at += 2
    else if (letter === "'" && isPlain) {
      const end = text.indexOf("'", at + 1)
      if (end < 0) return text
      at = end + 1
    } else if (isPlain && letter === '#' && /^$|[\s;&|(]$/.test(text.slice(0, at))) take(COMMENT)
    else if (isPlain && text.startsWith('<<<', at)) at += 3
    else if (isPlain && letter === '<') {
      const here = take(HERE_DOCUMENT)
      if (here) pending.push(here[2] ?? '')
      else at++
    } else if (letter === '\n' && pending.length > 0) at = endOfHereDocuments(text, at, pending.splice(0))
    else {
      const opened = letter === '(' && inside.at(-1) === ')' ? ')' : findOpening(text, at)
      if (letter === inside.at(-1)) inside.pop()
      else if (opened !== null && (isPlain || opened !== '"')) inside.push(opened)
      at += opened !== null && letter === '$' ? 2 : 1
    }
    quoted += text.slice(start, at)
  }
  return inside.length === 0 ? quoted : text
}

function findOpening(text: string, at: number): Part | null {
  const letter = text.charAt(at)
  if (letter === '"' || letter === '`') return letter
  if (text.startsWith('$(', at)) return ')'
  return text.startsWith('${', at) ? '}' : null
}

/** The offset behind the bodies of here-documents, which begin at a line break. */
function endOfHereDocuments(text: string, start: number, delimiters: readonly string[]): number {
  let at = start + 1
  for (const delimiter of delimiters) {
    while (at < text.length) {
      const end = text.indexOf('\n', at)
      const line = text.slice(at, end < 0 ? text.length : end)
      at = end < 0 ? text.length : end + 1
      if (line.replace(/^\t+/, '') === delimiter) break
    }
  }
  return at
}
