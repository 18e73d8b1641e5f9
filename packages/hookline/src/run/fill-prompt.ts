import type { SpokenMessage } from '../protocol/spoken-message.ts'
import { DATA_END, DATA_START } from './judge-policy.ts'
import type { Payload } from './payload.ts'

const PLACEHOLDER = '$ARGUMENTS'

/**
 * A hook's prompt with the event in it: wherever `$ARGUMENTS` stands, else at the end. The author's words are policy and
 * the event is data, and both stand in one user message so that a placeholder may be anywhere. Therefore the event is
 * delimited, and no `<` of it stays one, so nothing in it can pass for a delimiter or a tag of anybody's; what is put in is
 * not searched again.
 */
export function filledPrompt(prompt: string, { bytes }: Payload): string {
  const json = bytes.toString('utf8').trimEnd()
  const data = `${DATA_START}\n${escaped(json)}\n${DATA_END}`
  return prompt.includes(PLACEHOLDER) ? prompt.split(PLACEHOLDER).join(data) : `${prompt}\n\n${data}`
}

/** A conversation as a judge reads it: data too, in which no `<` stays one. */
export function asData(messages: readonly SpokenMessage[]): SpokenMessage[] {
  return messages.map(({ role, text }) => ({ role, text: escaped(text) }))
}

/** In JSON it means the same; in a text it is what JSON would write. */
const escaped = (text: string): string => text.replaceAll('<', '\\u003c')
