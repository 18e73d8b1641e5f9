import { fire } from '../hooks/fire.ts'
import { describeHalt } from '../hooks/words.ts'
import { inject } from '../transcript/conversation.ts'
import type { Loop } from './loop-state.ts'
import { makeTitleField, setTitle } from './title.ts'

/** Wishes of SessionStart hooks for the session besides what was done at once. */
export interface SessionStart {
  /** Reason why one stopped it; null: none did. */
  readonly halted: string | null
  /** A first prompt; null: none. */
  readonly firstPrompt: string | null
}

/** Fires SessionStart, and does what its hooks ask of the host. */
export async function startSession(
  loop: Loop,
  fields: { readonly source: string } & Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<SessionStart> {
  const { session, model } = loop
  const { source, ...about } = fields
  const input = { source, model: model.name, ...makeTitleField(session), ...about }
  const { record, decision, contexts } = await fire(loop, 'SessionStart', input, { signal })
  for (const text of contexts) inject(loop, text)
  setTitle(loop, decision.sessionTitle)
  if (decision.watchPaths) session.asked.watch(decision.watchPaths)
  if (decision.reloadSkills) await session.asked.reloadSkills()
  return { halted: decision.halt ? describeHalt(record) : null, firstPrompt: decision.initialUserMessage ?? null }
}
