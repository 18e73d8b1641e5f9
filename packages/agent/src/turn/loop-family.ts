import type { AgentName } from '../output/events.ts'
import type { Session } from '../session/session.ts'
import type { Loop } from './loop-state.ts'

/** The loop of a subagent that another starts. */
export function childOf(
  parent: Loop,
  own: Pick<Loop, 'teammate' | 'model' | 'system' | 'tools' | 'transcript'> & { readonly agent: AgentName },
): Loop {
  return {
    ...own,
    session: parent.session,
    parent,
    inbox: [],
    messages: [],
    contextTokens: 0,
    spent: { inputTokens: 0, outputTokens: 0 },
    answers: 0,
    toolCalls: 0,
  }
}

/** How many agents stand above a loop; the session's own has none. */
export function depthOf({ parent }: Loop): number {
  return parent === null ? 0 : depthOf(parent) + 1
}

/** The loop that a call comes from. */
export function callerOf({ loops }: Session, agent: AgentName | null): Loop {
  const loop = loops.get(agent?.id ?? null)
  if (!loop) throw new TypeError(`no loop of the agent ${agent?.id} is under way`)
  return loop
}
