import { once } from 'node:events'
import { fire, type HookedLoop, hasValue } from '../hooks/fire.ts'
import { describeHalt } from '../hooks/words.ts'
import type { PermissionUpdate } from '../permission/update.ts'
import { type Conversation, inject } from '../transcript/conversation.ts'

/** Question to the user before a call is made. */
export interface PermissionQuestion {
  readonly tool: string
  readonly input: unknown
  /** Reason why it is asked: a rule, a hook's reason, or nothing that allows it. */
  readonly reason: string
  /** Rules that would spare the user the question. */
  readonly suggestions: readonly PermissionUpdate[]
  readonly signal: AbortSignal
}

/** Answer of the user. */
export type PermissionAnswer =
  | { readonly behavior: 'allow'; readonly updatedPermissions?: readonly PermissionUpdate[] }
  | { readonly behavior: 'deny'; readonly message?: string; readonly interrupt?: boolean }

/** Asks the user; absent where there is none. */
export type PermissionDialog = (question: PermissionQuestion) => Promise<PermissionAnswer>

/** A loop whose user can be asked. */
interface AskingLoop extends HookedLoop, Conversation {
  /** null: it does not work beside another agent. */
  readonly teammate: { readonly name: string } | null
  readonly session: HookedLoop['session'] & { readonly limits: { readonly notifyAfterMs: number } }
}

/** Answer of the user, or what ended the wait for it. */
export type UserAnswer = PermissionAnswer | { readonly behavior: 'interrupt' } | Halt

interface Halt {
  readonly behavior: 'halt'
  readonly reason: string
}

/** Asks the user. When the answer takes a while, a Notification says that a dialog waits. */
export async function askUser(
  loop: AskingLoop,
  dialog: PermissionDialog,
  question: PermissionQuestion,
): Promise<UserAnswer> {
  if (question.signal.aborted) return { behavior: 'interrupt' }
  const closing = new AbortController() // closes the dialog when a hook halts, and ends the waits below
  const signal = AbortSignal.any([question.signal, closing.signal])
  let notice: Promise<Halt | null> = Promise.resolve(null)
  const halted = new Promise<Halt>((resolve, reject) => {
    const timer = setTimeout(() => {
      notice = notifyWaiting(loop, question)
      notice.then((halt) => halt && resolve(halt), reject)
    }, loop.session.limits.notifyAfterMs)
    signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
  })
  const interrupted = once(signal, 'abort').then(() => ({ behavior: 'interrupt' }) as const)
  const answer = await Promise.race([dialog({ ...question, signal }), halted, interrupted]).finally(() =>
    closing.abort(),
  )
  return (await notice) ?? answer
}

/** Says that a dialog waits; resolves with the halt of a hook, or null. */
async function notifyWaiting(loop: AskingLoop, { tool, signal }: PermissionQuestion): Promise<Halt | null> {
  const { session, teammate } = loop
  const ofTeammate = teammate && hasValue(session, 'Notification', 'agent_needs_input')
  const type = ofTeammate ? 'agent_needs_input' : 'permission_prompt'
  const who = ofTeammate ? teammate.name : 'The agent'
  const fields = { message: `${who} needs your permission to use ${tool}`, notification_type: type }
  const { record, decision, contexts } = await fire(loop, 'Notification', fields, { signal })
  for (const text of contexts) inject(loop, text)
  return decision.halt ? { behavior: 'halt', reason: describeHalt(record) } : null
}
