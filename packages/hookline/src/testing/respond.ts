import type { ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { AnswerPace, ModelAnswer, SpokenAnswer } from './model-answer.ts'
import type { ModelRequest } from './model-request.ts'
import type { AnswerFacts, Wire } from './wire.ts'

/** Connection that an answer goes to, and what may end it early. */
export interface ResponseLine {
  readonly request: ModelRequest
  readonly response: ServerResponse
  readonly wire: Wire
  /** Aborts when the connection closes. */
  readonly signal: AbortSignal
}

/** Gives a scripted answer; resolves when all is said that will be. */
export async function respond(line: ResponseLine, answer: ModelAnswer): Promise<void> {
  if ('silent' in answer) return
  await waitForTurn(answer, line.signal)
  if (line.signal.aborted) return
  if ('raw' in answer) return send(line, 200, { 'content-type': answer.contentType ?? 'application/json' }, answer.raw)
  if ('status' in answer) {
    const message = answer.message ?? `The script answers with ${answer.status}.`
    const body = answer.body === undefined ? line.wire.error(answer.status, message) : answer.body
    return send(line, answer.status, { ...JSON_TYPE, ...answer.headers }, toBodyText(body))
  }
  if (!line.wire.customTools && answer.tools?.some(({ input }) => typeof input === 'string'))
    return refuse(line, 400, `There are no custom tools in the protocol ${line.request.format}.`)
  return line.request.streaming ? sendAnswer(line, answer) : sendWholeAnswer(line, answer)
}

/** Refuses a request in the words of its protocol. */
export function refuse(line: Pick<ResponseLine, 'response' | 'wire'>, status: number, message: string): void {
  send(line, status, JSON_TYPE, JSON.stringify(line.wire.error(status, message)))
}

/** The headers of a JSON body. */
export const JSON_TYPE = { 'content-type': 'application/json' }

async function waitForTurn({ delayMs = 0, until }: AnswerPace, signal: AbortSignal): Promise<void> {
  const closed = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
  if (delayMs > 0) await pause(delayMs, undefined, { signal }).catch(() => {}) // the client did not wait
  if (until !== undefined) await Promise.race([until, closed])
}

function sendWholeAnswer(line: ResponseLine, answer: SpokenAnswer): void {
  const { ends } = answer
  const text = JSON.stringify(line.wire.whole(makeWording(line, answer)))
  if (ends === undefined) send(line, 200, JSON_TYPE, text)
  else if (typeof ends === 'object') refuse(line, 500, ends.error)
  else {
    line.response.writeHead(200, { ...JSON_TYPE, 'content-length': Buffer.byteLength(text) })
    truncateResponse(line, text.slice(0, text.length / 2), ends)
  }
}

function sendAnswer(line: ResponseLine, answer: SpokenAnswer): void {
  const { ends } = answer
  const events = line.wire.stream(makeWording(line, answer))
  const half = events.slice(0, Math.floor(events.length / 2))
  line.response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  for (const event of ends === undefined ? events : half.slice(0, -1)) line.response.write(event)
  if (ends === undefined) line.response.end()
  else if (typeof ends === 'object') line.response.end(half.at(-1) + line.wire.streamError(ends.error))
  else truncateResponse(line, half.at(-1) ?? '', ends)
}

function makeWording({ request: { body, index, model } }: ResponseLine, answer: SpokenAnswer): AnswerFacts {
  return { answer, body, index, model: answer.model ?? model }
}

/** Closes the connection once the half is on its way, or leaves it open. */
function truncateResponse({ response }: ResponseLine, half: string, ends: 'cut' | 'stalled'): void {
  response.write(half, () => {
    if (ends === 'cut') response.socket?.destroySoon()
  })
}

/** Sends a body as it is. */
export function send(
  { response }: Pick<ResponseLine, 'response'>,
  status: number,
  headers: Record<string, string>,
  text: string,
): void {
  response.writeHead(status, headers).end(text)
}

function toBodyText(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body)
}
