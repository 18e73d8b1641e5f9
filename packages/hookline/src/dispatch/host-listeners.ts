import type { TrustRequest } from '../config/folder-request.ts'
import type { EventInput } from '../protocol/event-input.ts'
import type { DispatchRecord } from '../protocol/record/record.ts'
import { toThrownMessage } from '../run/execute.ts'
import { removeControls } from '../text/clean.ts'
import type { DebugLog } from './debug-log.ts'

/** Gets every record with its event, without what was erased. What it throws reaches no dispatch. */
export type RecordListener = (record: DispatchRecord, input: EventInput) => unknown

/** Gets what a project asks to be trusted with, and is not. */
export type UntrustedListener = (request: TrustRequest) => unknown

/** Notes that are told once of the host itself, and where. */
export interface HostNotes {
  readonly told: Set<string>
  readonly notices: string[]
  readonly log: DebugLog | null
}

/** Passes a record on to the host. */
export function tellHost(
  session: HostNotes & { readonly recordListeners: ReadonlySet<RecordListener> },
  record: DispatchRecord,
  input: EventInput,
): void {
  for (const listener of session.recordListeners)
    callHost(session, 'onRecord', () => watchPromise(session, 'onRecord', listener(record, input)))
}

/** Tells the host, once, that its project is not trusted. */
export function tellUntrusted(
  session: HostNotes & {
    readonly options: { readonly onUntrusted: UntrustedListener | null }
    readonly snapshot: { readonly trust: { readonly request: TrustRequest } }
  },
): void {
  const { onUntrusted } = session.options
  if (onUntrusted === null || !isFirst(session, 'onUntrusted, called')) return
  const { request } = session.snapshot.trust
  callHost(session, 'onUntrusted', () => watchPromise(session, 'onUntrusted', onUntrusted(request)))
}

/** Calls a function of the host; null when it throws, which is told once and decides nothing. */
export function callHost<Answer>(notes: HostNotes, name: string, call: () => Answer): Answer | null {
  try {
    return call()
  } catch (error) {
    reportHostFault(notes, name, error)
    return null
  }
}

/** Watches a promise of the host, which may fail too. */
function watchPromise(notes: HostNotes, name: string, answer: unknown): void {
  if (answer instanceof Promise) answer.catch((error: unknown) => reportHostFault(notes, name, error))
}

function reportHostFault(notes: HostNotes, name: string, error: unknown): void {
  notes.log?.('ERROR', () => `The host's ${name} failed: ${toThrownMessage(error)}`)
  tellOnce(notes, name, `The host's ${name} failed: ${toThrownMessage(error)}`)
}

/** Tells the user of something about the host itself, with one record. */
export function tellOnce(notes: HostNotes, what: string, sentence: string): void {
  if (isFirst(notes, what)) notes.notices.push(removeControls(sentence))
}

/** True if this is told for the first time. */
function isFirst({ told }: HostNotes, what: string): boolean {
  const isNew = !told.has(what) // the ids of hooks, which stand there too, have a colon
  told.add(what)
  return isNew
}
