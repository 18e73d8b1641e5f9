import type { SpokenAnswer } from './model-answer.ts'
import type { RequestBody, RequestFacts } from './model-request.ts'

/** Facts that a format needs to word an answer. */
export interface AnswerFacts {
  readonly answer: SpokenAnswer
  readonly body: RequestBody
  /** The model that says it has answered. */
  readonly model: string
  /** Of the request on its server; ids are made of it. */
  readonly index: number
}

/** Wording of answers, errors and streams in one protocol. */
export interface Wire {
  /** Pattern of the paths that its requests go to. */
  readonly path: RegExp
  readonly asked: (body: RequestBody, path: string) => RequestFacts
  /** Finder of what is wrong with a request by the rules of the protocol; null: nothing. */
  readonly fault: (body: RequestBody) => string | null
  /** True if it has tools whose input is a text. */
  readonly customTools: boolean
  readonly whole: (wording: AnswerFacts) => object
  /** The events of a stream, as they go over the wire, in order. */
  readonly stream: (wording: AnswerFacts) => string[]
  readonly error: (status: number, message: string) => object
  readonly streamError: (message: string) => string
}

/** Tokens of a script that says nothing of them. */
export const USUAL_USAGE = { inputTokens: 10, outputTokens: 5 }

/** A text in three pieces, cut wherever it falls, as streams cut it; none of them is empty. */
export function splitPieces(text: string): string[] {
  const characters = [...text]
  const size = Math.max(1, Math.ceil(characters.length / 3))
  const starts = [...characters.keys()].filter((start) => start % size === 0)
  return starts.map((start) => characters.slice(start, start + size).join(''))
}

/** The objects of a list in a request; none when there is no such list. */
export function listObjects(list: unknown): RequestBody[] {
  return Array.isArray(list) ? list.map((one) => Object(one)) : []
}

/** The names that are strings. */
export function listStringNames(names: readonly unknown[]): string[] {
  return names.filter((name) => typeof name === 'string')
}

/** An event of a stream without a name. */
export function formatDataEvent(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`
}

/** An event of a stream that is named after the type of its data. */
export function formatTypedEvent<Data extends { type: string }>(data: Data): string {
  return `event: ${data.type}\n${formatDataEvent(data)}`
}

/** Finds what the protocols with messages demand of a request. */
export function findCommonFault({ model, messages }: RequestBody): string | null {
  if (typeof model !== 'string' || model === '') return 'model: Field required'
  if (!Array.isArray(messages) || messages.length === 0) return 'messages: at least one message is required'
  return null
}
