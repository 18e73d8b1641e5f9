import type { Shape } from './checker.ts'
import { NO_EFFECT } from './effect.ts'
import type { EventRow } from './event-row.ts'
import type { HookType, HookTypes } from './hook-type.ts'
import type { ProtocolRules } from './rules.ts'
import type { GeneratedRow } from './usual.ts'

/** A version of the protocol. */
export interface Profile {
  readonly name: string
  /** What holds for all its events. */
  readonly rules: ProtocolRules
  /** Its hook types, by name. */
  readonly hookTypes: HookTypes
  /** Its events, by name. */
  readonly events: ReadonlyMap<string, EventRow>
}

/** A profile with the code of all its hook types, as the engine hands it to the rooms. */
export interface CompleteProfile<Type extends HookType = HookType> extends Profile {
  readonly hookTypes: Readonly<Record<string, Type>>
}

/** A profile as `npm run generate` writes it: its rows as plain data, and the shapes of what goes in and comes out. */
export interface GeneratedProfile extends Omit<Profile, 'events'> {
  readonly rows: Readonly<Record<string, GeneratedRow>>
  readonly shapes: {
    readonly commonInput: Shape
    readonly commonAnswer: Shape
    readonly inputs: Readonly<Record<string, Shape>>
    readonly answers: Readonly<Record<string, Shape>>
  }
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
