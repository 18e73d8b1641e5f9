import type { EventRow } from './event-row.ts'
import type { Profile } from './profile.ts'

/**
 * Joins what holds for events whose hooks are of two profiles. Each hook is matched, run and read by the row of its own profile, so
 * this one says only which events there are, what their inputs carry and how the answers come together: what hooks of either
 * profile can do to an event counts, and wherever the two differ otherwise the first holds.
 */
export function joinProfiles<P extends Profile>(own: P, other: P): P {
  const shared = [...own.events].map(([name, row]): [string, EventRow] => {
    const another = other.events.get(name)
    return [name, another ? joinRows(row, another) : row]
  })
  const hostFields = [...new Set([...own.rules.hostFields, ...other.rules.hostFields])]
  return { ...own, events: new Map([...other.events, ...shared]), rules: { ...own.rules, hostFields } }
}

/** The row of an event whose hooks are of two profiles. */
export function joinRows(own: EventRow, other: EventRow): EventRow {
  return {
    ...own,
    merges: own.canBlock ? own.merges : other.merges,
    canBlock: own.canBlock || other.canBlock,
    inputFields: [...new Set([...own.inputFields, ...other.inputFields])],
    effects: { ...other.effects, ...own.effects },
    noEffects: { ...other.noEffects, ...own.noEffects },
    rewrites: own.rewrites ?? other.rewrites,
    replaces: own.replaces ?? other.replaces,
    erases: own.erases ?? other.erases,
    endsSession: own.endsSession || other.endsSession,
    secondsTogether: own.secondsTogether ?? other.secondsTogether,
  }
}
