import type { TrustRequest } from '../config/trust.ts'
import type { EventInput } from '../protocol/event-input.ts'
import type { DispatchRecord } from '../protocol/record.ts'
import { thrownMessage } from '../run/execute.ts'
import { cleaned } from '../text/clean.ts'
import type { Session } from './session.ts'

/** Gets every record with its event, without what was erased. What it throws reaches no dispatch. */
export type RecordListener = (record: DispatchRecord, input: EventInput) => unknown

/** Gets what a project asks to be trusted with, and is not. */
export type UntrustedListener = (request: TrustRequest) => unknown

/** Passes a record on to the host. */
export function passOn(session: Session, record: DispatchRecord, input: EventInput): void {
  for (const listener of session.recordListeners)
    faultless(session, 'onRecord', () => watched(session, 'onRecord', listener(record, input)))
}

/** Tells the host, once, that its project is not trusted. */
export function passOnUntrusted(session: Session): void {
  const { onUntrusted } = session.options
  if (onUntrusted === null || !isFirst(session, 'onUntrusted, called')) return
  const { request } = session.snapshot.trust
  faultless(session, 'onUntrusted', () => watched(session, 'onUntrusted', onUntrusted(request)))
}

/** What a function of the host answers; null when it throws, which is told once and decides nothing. */
export function faultless<Answer>(session: Session, name: string, call: () => Answer): Answer | null {
  try {
    return call()
  } catch (error) {
    tellFault(session, name, error)
    return null
  }
}

/** What the host promises may fail too. */
function watched(session: Session, name: string, answer: unknown): void {
  if (answer instanceof Promise) answer.catch((error: unknown) => tellFault(session, name, error))
}

function tellFault(session: Session, name: string, error: unknown): void {
  session.log?.('ERROR', () => `The host's ${name} failed: ${thrownMessage(error)}`)
  tellOnce(session, name, `The host's ${name} failed: ${thrownMessage(error)}`)
}

/** Tells the user of something about the host itself, with one record. */
export function tellOnce(session: Session, what: string, sentence: string): void {
  if (isFirst(session, what)) session.notices.push(cleaned(sentence))
}

/** Whether this is told for the first time. */
function isFirst({ told }: Session, what: string): boolean {
  const isNew = !told.has(what) // the ids of hooks, which stand there too, have a colon
  told.add(what)
  return isNew
}
