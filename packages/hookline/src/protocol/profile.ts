import { NO_EFFECT } from './effect.ts'
import type { EventRow } from './event-row.ts'
import type { ProtocolRules } from './rules.ts'

/** A version of the protocol. */
export interface Profile {
  readonly name: string
  /** What holds for all its events. */
  readonly rules: ProtocolRules
  /** The names of its hook types, those that only hosts register included. */
  readonly hookTypes: readonly string[]
  /** Its events, by name. */
  readonly events: ReadonlyMap<string, EventRow>
}

type OwnFacts = Omit<EventRow, 'canBlock' | 'rules' | 'noEffects' | 'knownAnswerFields'>

/** A profile, with what its rows share filled in. */
export function profileOf(profile: Omit<Profile, 'events'>, rows: readonly OwnFacts[]): Profile {
  const { rules } = profile
  const effects = rows.flatMap((row) => Object.entries(row.effects))
  const noEffects = Object.fromEntries(effects.map(([name, { merge }]) => [name, NO_EFFECT[merge]]))
  const knownAnswerFields = new Set([...DIALOG_FIELDS, ...rows.flatMap(({ answerFields }) => answerFields)])
  const events = rows.map((row): [string, EventRow] => [
    row.name,
    { ...row, canBlock: row.merges !== 'nothing', rules, noEffects, knownAnswerFields },
  ])
  return { ...profile, events: new Map(events) }
}

/** What stands inside the answer to a permission dialog. */
const DIALOG_FIELDS = ['behavior', 'updatedPermissions']
