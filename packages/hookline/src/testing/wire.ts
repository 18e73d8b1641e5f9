import type { SpokenAnswer } from './model-answer.ts'
import type { RequestBody } from './model-request.ts'

/** What a format has to know to word an answer. */
export interface Wording {
  readonly answer: SpokenAnswer
  readonly body: RequestBody
  /** Of the request on its server; ids are made of it. */
  readonly index: number
}

/** How one protocol words answers, errors and streams. */
export interface Wire {
  /** What is wrong with a request by the rules of the protocol; null: nothing. */
  readonly fault: (body: RequestBody) => string | null
  readonly whole: (wording: Wording) => object
  /** The events of a stream, as they go over the wire, in order. */
  readonly stream: (wording: Wording) => string[]
  readonly error: (status: number, message: string) => object
  readonly streamError: (message: string) => string
}

/** What a script says about tokens when it says nothing. */
export const USUAL_USAGE = { inputTokens: 10, outputTokens: 5 }

/** The model that an answer comes from. */
export function answeringModel({ answer, body }: Wording): string {
  return answer.model ?? String(body.model)
}

/** A text in three pieces, cut wherever it falls, as streams cut it; none of them is empty. */
export function pieces(text: string): string[] {
  const characters = [...text]
  const size = Math.max(1, Math.ceil(characters.length / 3))
  const starts = [...characters.keys()].filter((start) => start % size === 0)
  return starts.map((start) => characters.slice(start, start + size).join(''))
}

/** Messages of a request, as far as they are objects. */
export function messagesOf({ messages }: RequestBody): RequestBody[] {
  return Array.isArray(messages) ? messages.map((message) => Object(message)) : []
}

/** What both protocols demand of a request. */
export function commonFault({ model, messages }: RequestBody): string | null {
  if (typeof model !== 'string' || model === '') return 'model: Field required'
  if (!Array.isArray(messages) || messages.length === 0) return 'messages: at least one message is required'
  return null
}
