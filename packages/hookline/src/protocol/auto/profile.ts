import type { Check } from '../check.ts'
import type { EventRow } from '../event-row.ts'
import type { HookType } from '../hook-type.ts'
import { type Joins, joinFacts } from '../join-facts.ts'
import { joinRows, ROW_JOINS } from '../join-profiles.ts'
import { type CompleteProfile, LateRows, type Profile } from '../profile.ts'
import { RULE_JOINS } from './rules.ts'

/** The name of the choice where no one chose a profile. */
export const AUTO = 'auto'

/**
 * Makes the two readings of hooks for which no one chose a profile, by the name of the profile that leads: its order, texts
 * and merges hold. Both know what either profile knows, match where either matches and read answers both ways; each is the
 * twin of the other. The first profile is the one that leads where files say nothing.
 */
export function joinReadings<P extends CompleteProfile>(usual: P, other: P): ReadonlyMap<string, P> {
  const names = [...new Set([...usual.events.keys(), ...other.events.keys()])]
  const joinUnder = (lead: P, second: P): P => {
    const rules = joinFacts(RULE_JOINS, lead.rules, second.rules)
    const make = (name: string): EventRow => {
      const twins = lead.events.has(name) ? undefined : joined.twin?.events.get(name)
      if (twins !== undefined) return twins // the other profile alone has the event
      return { ...joinReading(name, [lead, second], usual), rules }
    }
    const joined: P = { ...lead, rules, hookTypes: joinTypes(lead, second), events: new LateRows(names, make) }
    return joined
  }
  const [one, two] = [joinUnder(usual, other), joinUnder(other, usual)]
  return new Map([
    [usual.name, Object.assign(one, { twin: two })],
    [other.name, Object.assign(two, { twin: one })],
  ])
}

/** The profile that an event of a reading is of: its own, unless the other one alone has the event. */
export function findProfileOfEvent<P extends Profile>(profile: P, name: string): P | Profile {
  const { twin } = profile
  return twin !== undefined && profile.events.get(name)?.rules === twin.rules ? twin : profile
}

/** The hook types of the leading profile, each with the fields that it has in either; and those of the other one alone. */
function joinTypes<P extends CompleteProfile>({ hookTypes }: P, other: P): P['hookTypes'] {
  const joined: Record<string, HookType> = { ...other.hookTypes }
  for (const [name, type] of Object.entries(hookTypes))
    joined[name] = { ...type, fields: { ...other.hookTypes[name]?.fields, ...type.fields } }
  return joined as P['hookTypes'] // each is one of theirs, with more fields
}

/** The way in which each fact of a row is joined where hooks are read both ways. */
const READING_JOINS: Joins<EventRow> = {
  ...ROW_JOINS,
  takesIf: 'either',
  values: 'both',
  noEffects: 'own', // an effect of the other reading is there where a hook asks for it
  hookTypes: 'both',
  component: 'either',
  inAgents: 'either',
  inAgent: 'either',
  envFile: 'either',
}

/** The row of an event under two profiles, of which the first leads, and perhaps alone has it. */
function joinReading(name: string, [lead, other]: readonly [Profile, Profile], usual: Profile): EventRow {
  const [row, second] = [lead.events.get(name), other.events.get(name)]
  if (row === undefined) throw new TypeError(`"${name}" is not an event of ${lead.name}`)
  if (second === undefined) return row
  const joined = joinRows(row, second, READING_JOINS)
  const first = usual === lead ? row : second
  return {
    ...joined,
    blocksOn: row.blocksOn === 'never' ? second.blocksOn : row.blocksOn,
    checkInput: makeEitherCheck(row.checkInput, second.checkInput),
    seconds: joinSeconds(first, first === row ? second : row, { longest: joined.canBlock }),
    secondsTogether: first.secondsTogether,
    readings: [
      { profile: lead.name, row },
      { profile: other.name, row: second },
    ],
  }
}

/** Lets a value pass that fits either check; of one that fits neither, the first says why. */
function makeEitherCheck(own: Check, other: Check): Check {
  return (value) => {
    const misfits = own(value)
    return misfits.length === 0 || other(value).length === 0 ? [] : misfits
  }
}

/** Default times by hook type: the longer of the two where hooks can refuse, else those of the first row. */
function joinSeconds(first: EventRow, second: EventRow, { longest }: { longest: boolean }): EventRow['seconds'] {
  const own: EventRow['seconds'] = { ...first.rules.seconds, ...first.seconds }
  const other: EventRow['seconds'] = { ...second.rules.seconds, ...second.seconds }
  const joined: Record<string, number> = { ...other, ...own }
  if (longest) for (const type in joined) joined[type] = Math.max(own[type] ?? 0, other[type] ?? 0)
  return joined
}
