import { once } from 'node:events'
import { fire } from '../hooks/fire.ts'
import { haltReason } from '../hooks/words.ts'
import { inject } from '../transcript/conversation.ts'
import type { Loop } from '../turn/loop-state.ts'
import type { PermissionAnswer, PermissionDialog, PermissionQuestion } from './dialog.ts'

/** What the person said, or what ended the wait for it. */
export type PersonsWord = PermissionAnswer | { readonly behavior: 'interrupt' } | Halt

interface Halt {
  readonly behavior: 'halt'
  readonly reason: string
}

/** Asks the person. When the answer takes a while, a Notification says that a dialog waits. */
export async function askPerson(
  loop: Loop,
  dialog: PermissionDialog,
  question: PermissionQuestion,
): Promise<PersonsWord> {
  if (question.signal.aborted) return { behavior: 'interrupt' }
  const closing = new AbortController() // closes the dialog when a hook halts, and ends the waits below
  const signal = AbortSignal.any([question.signal, closing.signal])
  let notice: Promise<Halt | null> = Promise.resolve(null)
  const halted = new Promise<Halt>((resolve, reject) => {
    const timer = setTimeout(() => {
      notice = notify(loop, question)
      notice.then((halt) => halt && resolve(halt), reject)
    }, loop.session.limits.notifyAfterMs)
    signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
  })
  const interrupted = once(signal, 'abort').then(() => ({ behavior: 'interrupt' }) as const)
  const word = await Promise.race([dialog({ ...question, signal }), halted, interrupted]).finally(() => closing.abort())
  return (await notice) ?? word
}

/** Says that a dialog waits; resolves with the halt of a hook, or null. */
async function notify(loop: Loop, { tool, signal }: PermissionQuestion): Promise<Halt | null> {
  const fields = { message: `The agent needs your permission to use ${tool}`, notification_type: 'permission_prompt' }
  const { record, decision, contexts } = await fire(loop, 'Notification', fields, { signal })
  for (const text of contexts) inject(loop, text)
  return decision.halt ? { behavior: 'halt', reason: haltReason(record) } : null
}
