import type { SpokenCall, SpokenMessage, SpokenResult } from '../protocol/spoken-message.ts'
import type { Payload } from '../run/payload.ts'
import { CALL, DATA_END, DATA_START, LEFT_OUT, RESULT } from './judge.ts'

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

/** Characters of an input or an output that a judge reads, and of all of them together. */
const LONGEST_PART = 2000
const MOST_IN_ALL = 60_000

/**
 * A conversation as a judge reads it: data too, in which no `<` stays one. So nobody who speaks in it can make up a call or a
 * result, which stand between tags. Of many the latest are kept.
 */
export function asData(messages: readonly SpokenMessage[]): SpokenMessage[] {
  const read: SpokenMessage[] = []
  let room = MOST_IN_ALL
  let leftOut = 0
  for (const { role, text, tools = [] } of messages.toReversed()) {
    const done = tools.map(toolAsData)
    const kept = done.toReversed().filter((one) => {
      room -= one.length
      return room >= 0
    })
    leftOut += done.length - kept.length
    const whole = [...(text === '' ? [] : [escaped(text)]), ...kept.toReversed()].join('\n')
    if (whole !== '') read.push({ role, text: whole })
  }
  if (leftOut > 0) read.push({ role: 'user', text: between(LEFT_OUT, `${leftOut} earlier calls and results`) })
  return read.toReversed()
}

function toolAsData(part: SpokenCall | SpokenResult): string {
  const { id } = part
  if (part.type === 'call')
    return between(CALL, JSON.stringify({ id, name: part.name, input: inputAsData(part.input) }))
  return between(RESULT, JSON.stringify({ id, isError: part.isError, output: clipped(part.output) }))
}

/** The input itself, or as much of its JSON as a judge reads. */
function inputAsData(input: unknown): unknown {
  try {
    const json = JSON.stringify(input) ?? 'null'
    return json.length <= LONGEST_PART ? input : clipped(json)
  } catch {
    return 'It cannot be written as JSON.' // it refers to itself, or is too deep
  }
}

/** The beginning and the end: what a program came to stands at the end. */
function clipped(text: string): string {
  if (text.length <= LONGEST_PART) return text
  const half = LONGEST_PART / 2
  return `${text.slice(0, half)} … (${text.length - 2 * half} characters left out) … ${text.slice(-half)}`
}

const between = (tag: string, data: string): string => `<${tag}>${escaped(data)}</${tag}>`

/** In JSON it means the same; in a text it is what JSON would write. */
const escaped = (text: string): string => text.replaceAll('<', '\\u003c')
