/** One word to a POSIX shell, whatever is in it. */
export function quotedWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
