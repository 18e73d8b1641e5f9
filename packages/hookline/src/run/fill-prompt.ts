import { DATA_END, DATA_START } from './judge-policy.ts'
import type { Payload } from './payload.ts'

const PLACEHOLDER = '$ARGUMENTS'

/**
 * A hook's prompt with the event in it: wherever `$ARGUMENTS` stands, else at the end. The author's words are policy and
 * the event is data, and both stand in one user message so that a placeholder may be anywhere. Therefore the event is
 * delimited, and no `<` is left in it: nothing inside can close the delimiter, and what is put in is not searched again.
 */
export function filledPrompt(prompt: string, { bytes }: Payload): string {
  const json = bytes.toString('utf8').trimEnd()
  const data = `${DATA_START}\n${json.replace(/[<>&]/g, unicodeEscape)}\n${DATA_END}`
  return prompt.includes(PLACEHOLDER) ? prompt.split(PLACEHOLDER).join(data) : `${prompt}\n\n${data}`
}

/** Means the same inside a JSON text, where these letters stand in strings alone. */
function unicodeEscape(letter: string): string {
  return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`
}
