const TAG = 'system-reminder'
const DELIMITER = new RegExp(`<(?=\\s*/?\\s*${TAG})`, 'gi')

/** Wraps text that the person did not write. */
export function reminder(text: string): string {
  return `<${TAG}>\n${escaped(text)}\n</${TAG}>`
}

/** A text of a hook in which nothing looks like that wrapping: no hook can forge the host's own words. */
export function escaped(text: string): string {
  return text.replace(DELIMITER, '&lt;')
}
