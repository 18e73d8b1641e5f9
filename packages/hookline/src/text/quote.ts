/** One word to a POSIX shell, whatever is in it. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** The same, without quotes where a word needs none. */
export function toShellWord(text: string): string {
  return /^[\w./:@%+=-]+$/.test(text) ? text : quoteForShell(text)
}
