import type { Bridge } from './bridge.ts'

/** Facts that follow from all events of an agent's table. */
export interface AgentFacts {
  /** The events of Claude Code that it tells of. */
  readonly tells: ReadonlySet<string>
  /** True if the next call comes while hooks still look at the last one. */
  readonly goesOnAfterTools: boolean
  /** True if an event of it is dropped where a subagent fired it, and only the calls under way tell that from the user's. */
  readonly isToldByCalls: boolean
}

const known = new WeakMap<Bridge['events'], AgentFacts>()

/** Finds what follows from the events of an agent, once for each table. */
export function findAgentFacts({ events }: Bridge): AgentFacts {
  const found = known.get(events)
  if (found !== undefined) return found
  const tells = new Set<string>()
  let [goesOnAfterTools, isToldByCalls] = [false, false]
  for (const rule of Object.values(events)) {
    if (rule.as === null) continue
    tells.add(rule.as)
    goesOnAfterTools ||= rule.as === 'PostToolUse' && rule.observes === true
    isToldByCalls ||= rule.unless === 'endOfSubagent'
  }
  const facts = { tells, goesOnAfterTools, isToldByCalls }
  known.set(events, facts)
  return facts
}
