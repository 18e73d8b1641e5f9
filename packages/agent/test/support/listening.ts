import { classic } from 'hookline/protocol'
import { current } from '../../../hookline/src/protocol/schemas/events/current.ts'
import type { AgentHooks } from '../../src/hooks/register-hooks.ts'
import type { AgentEvent } from '../../src/output/events.ts'

/** What notes every SessionStart, SessionEnd and PreCompact, and what it was about. */
export interface Listening {
  readonly heard: string[]
  readonly hooks: AgentHooks
  readonly onEvent: (event: AgentEvent) => void
}

const EVENTS = ['SessionStart', 'SessionEnd', 'PreCompact'] as const

/** Hooks of which one matches each event, and somebody who sees which: no function runs outside the loop. */
export function listening(): Listening {
  const heard: string[] = []
  const groups = EVENTS.map((name) => [
    name,
    [...new Set([...classic[name].values, ...current[name].values])].map((matcher) => ({
      matcher,
      hooks: [{ type: 'command', command: 'true' }],
    })),
  ])
  const onEvent = (event: AgentEvent): void => {
    if (event.type !== 'hook' || event.progress.type !== 'decision') return
    const { record } = event.progress
    const own = record.hooks.find(
      ({ verdict, scope, command }) => verdict === 'ran' && scope === 'session' && command === 'true',
    )
    if (own) heard.push(`${record.event} ${own.matcher}`)
  }
  return { heard, hooks: Object.fromEntries(groups), onEvent }
}
