import type { AgentEvent } from '../../output/events.ts'
import { foldToOneLine } from '../text/call-text.ts'
import type { State } from './state.ts'

const MAX_NAME_LENGTH = 60

/** Says which session goes on: its title or first prompt, how long it is, and how old. */
export function formatResumed({ title, prompts, answeredAt }: Extract<AgentEvent, { type: 'resumed' }>): string {
  const name = foldToOneLine(title ?? prompts[0] ?? 'a session without a prompt')
  const short = name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH - 1)}…` : name
  const count = prompts.length === 1 ? '1 prompt' : `${prompts.length} prompts`
  const last = answeredAt === null ? '' : `, last answer ${answeredAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  return `Resumed: ${short} (${count}${last})`
}

/** Formats how to go on with the session that has ended; nothing for one in which nothing was said. */
export function formatResumeHint({ items, session }: Pick<State, 'items' | 'session'>): string {
  const isEmpty = !items.some(({ kind }) => kind === 'user')
  return session === null || isEmpty ? '' : `Resume this session: hookline-agent --resume ${session.id}\n`
}
