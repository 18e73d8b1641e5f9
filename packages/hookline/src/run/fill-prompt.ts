import { DATA_END, DATA_START, DATA_TAG } from './judge-policy.ts'
import type { Payload } from './payload.ts'

const PLACEHOLDER = '$ARGUMENTS'
/** What begins, or looks as if it began, one of our delimiters. */
const DELIMITER = new RegExp(`<(?=[\\s/]*${DATA_TAG})`, 'gi')

/**
 * A hook's prompt with the event in it: wherever `$ARGUMENTS` stands, else at the end. The author's words are policy and
 * the event is data, and both stand in one user message so that a placeholder may be anywhere. Therefore the event is
 * delimited, and nothing in it can close the delimiter; the rest of it stands there letter for letter, and what is put in
 * is not searched again.
 */
export function filledPrompt(prompt: string, { bytes }: Payload): string {
  const json = bytes.toString('utf8').trimEnd()
  const data = `${DATA_START}\n${json.replace(DELIMITER, '\\u003c')}\n${DATA_END}`
  return prompt.includes(PLACEHOLDER) ? prompt.split(PLACEHOLDER).join(data) : `${prompt}\n\n${data}`
}
