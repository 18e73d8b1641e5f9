import { type FiredEvent, fire, fireIfKnown, type HookedLoop, hasValue } from '../hooks/fire.ts'
import type { AgentEvent } from '../output/events.ts'

/** Question of a server to a user: a form that is filled in, or a page that is opened. */
export interface ElicitationQuestion {
  readonly server: string
  /** Subject in the server's words. */
  readonly message: string
  /** A JSON Schema: an object of texts, numbers, booleans and choices; one without fields where a page is to be opened. */
  readonly schema: Readonly<Record<string, unknown>>
  /** The page, and the id under which the server says that it is done; missing: it is a form. */
  readonly page?: { readonly url: string; readonly id: string }
  /** Aborts when the answer is not needed any more. */
  readonly signal: AbortSignal
}

/** Answer of the user: the filled-in form, no, or nothing. */
export type ElicitationAnswer =
  | { readonly action: 'accept'; readonly content: Readonly<Record<string, string | number | boolean | string[]>> }
  | { readonly action: 'decline' }
  | { readonly action: 'cancel' }

/** Shows a form to a user; absent where there is none. */
export type ElicitationDialog = (question: ElicitationQuestion) => Promise<ElicitationAnswer>

/** Parts of the session that a form needs. */
export interface ElicitationHost {
  /** By the id of their agents; hooks are asked in the session's own loop, which has none. */
  readonly loops: ReadonlyMap<string | null, HookedLoop>
  readonly emit: (event: AgentEvent) => void
}

/** Answers a server: hooks first, then the user. What is about to be sent is shown to hooks again. */
export async function answerElicitation(
  host: ElicitationHost,
  dialog: ElicitationDialog | null,
  question: ElicitationQuestion,
): Promise<ElicitationAnswer> {
  const { server, message, schema, page, signal } = question
  const loop = host.loops.get(null)
  if (loop === undefined) return { action: 'decline' }
  const mode = { mode: page === undefined ? 'form' : 'url' }
  const place = page === undefined ? {} : { elicitation_id: page.id }
  const wanted = page === undefined ? { requested_schema: schema } : { url: page.url }
  const fields = { mcp_server_name: server, message, ...mode, ...place, ...wanted }
  const asked = await fireIfKnown(loop, 'Elicitation', fields, { signal })
  const answer = readHookAnswer(asked) ?? (await askUserForm(host, loop, dialog, question))
  const content = answer.action === 'accept' ? { content: answer.content } : {}
  const result = { mcp_server_name: server, ...mode, ...place, action: answer.action, ...content }
  const shown = await fireIfKnown(loop, 'ElicitationResult', result, { signal })
  return signal.aborted ? { action: 'cancel' } : (readHookAnswer(shown) ?? answer)
}

/** Says that a page which the user was sent to is done with. */
export async function tellComplete({ loops }: ElicitationHost, server: string): Promise<void> {
  const loop = loops.get(null)
  const type = 'elicitation_complete'
  if (loop === undefined || !hasValue(loop.session, 'Notification', type)) return
  const fields = { message: `${server} has what it asked for`, notification_type: type }
  await fire(loop, 'Notification', fields, { signal: loop.session.closing })
}

/** Reads what hooks answer in the user's place; null: they leave it to the user. */
function readHookAnswer(fired: FiredEvent | null): ElicitationAnswer | null {
  const { action, content } = fired?.decision.elicitation ?? {}
  if (action === undefined) return null
  if (action !== 'accept') return { action }
  const entries = Object.entries(content ?? {}).flatMap(([name, value]) => (isField(value) ? [[name, value]] : []))
  return { action, content: Object.fromEntries(entries) }
}

type Field = string | number | boolean | string[]

function isField(value: unknown): value is Field {
  if (Array.isArray(value)) return value.every((each) => typeof each === 'string')
  return ['string', 'number', 'boolean'].includes(typeof value)
}

/** Asks the user, and lets Notification hooks know that a form is open. Without a user there is no answer. */
async function askUserForm(
  { emit }: ElicitationHost,
  loop: HookedLoop,
  dialog: ElicitationDialog | null,
  question: ElicitationQuestion,
): Promise<ElicitationAnswer> {
  const { server, message, page, signal } = question
  const isKnownType = (type: string): boolean => hasValue(loop.session, 'Notification', type)
  if (dialog === null) {
    emit({ type: 'told', to: 'user', text: `The MCP server "${server}" asked and nobody could answer: ${message}` })
    return { action: isKnownType('elicitation_response') ? 'cancel' : 'decline' } // as each profile has it
  }
  const type =
    page !== undefined && isKnownType('elicitation_url_dialog') ? 'elicitation_url_dialog' : 'elicitation_dialog'
  const told = fire(
    loop,
    'Notification',
    { message: `${server} asks: ${message}`, notification_type: type },
    { signal },
  )
  const answer = await dialog(question).catch(() => ({ action: 'cancel' }) as const) // a dialog that was closed
  await told
  if (signal.aborted) return { action: 'cancel' }
  const response = { message: `You answered ${server}: ${answer.action}`, notification_type: 'elicitation_response' }
  if (isKnownType('elicitation_response')) await fire(loop, 'Notification', response, { signal })
  return answer
}
