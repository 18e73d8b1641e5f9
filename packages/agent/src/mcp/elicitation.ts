import { fire, type HookedLoop } from '../hooks/fire.ts'
import type { AgentEvent } from '../output/events.ts'

/** A form that a server wants a user to fill in. */
export interface ElicitationQuestion {
  readonly server: string
  /** What the server says it is about. */
  readonly message: string
  /** A JSON Schema: an object of texts, numbers, booleans and choices. */
  readonly schema: Readonly<Record<string, unknown>>
  /** Aborts when the answer is not needed any more. */
  readonly signal: AbortSignal
}

/** What the user says: the filled-in form, no, or nothing. */
export type ElicitationAnswer =
  | { readonly action: 'accept'; readonly content: Readonly<Record<string, string | number | boolean | string[]>> }
  | { readonly action: 'decline' }
  | { readonly action: 'cancel' }

/** Shows a form to a user; absent where there is none. */
export type ElicitationDialog = (question: ElicitationQuestion) => Promise<ElicitationAnswer>

/** What a form needs of the session. */
export interface ElicitationHost {
  /** By the id of their agents; Notification hooks are asked in the session's own loop, which has none. */
  readonly loops: ReadonlyMap<string | null, HookedLoop>
  readonly emit: (event: AgentEvent) => void
}

/** Asks the user, and lets Notification hooks know that a form is open. Without a user the answer is no. */
export async function elicit(
  { loops, emit }: ElicitationHost,
  dialog: ElicitationDialog | null,
  question: ElicitationQuestion,
): Promise<ElicitationAnswer> {
  const { server, message, signal } = question
  const loop = loops.get(null)
  if (dialog === null || loop === undefined) {
    emit({ type: 'told', to: 'user', text: `The MCP server "${server}" asked and nobody could answer: ${message}` })
    return { action: 'decline' }
  }
  const fields = { message: `${server} asks: ${message}`, notification_type: 'elicitation_dialog' }
  const told = fire(loop, 'Notification', fields, { signal })
  const answer = await dialog(question).catch(() => ({ action: 'cancel' }) as const) // a dialog that was closed
  await told
  return signal.aborted ? { action: 'cancel' } : answer
}
