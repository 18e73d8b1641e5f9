import type { ObjectShape, Shape } from './checker.ts'
import { type EffectMerge, NO_EFFECT } from './effect.ts'
import type { EventRow } from './event-row.ts'
import type { HookType, HookTypes } from './hook-type.ts'
import type { ProtocolRules } from './rules.ts'
import { type GeneratedRow, type SharedFacts, usual } from './usual.ts'

/** A version of the protocol. */
export interface Profile {
  readonly name: string
  /** Rules for all its events. */
  readonly rules: ProtocolRules
  /** Hook types, by name. */
  readonly hookTypes: HookTypes
  /** Events, by name. */
  readonly events: ReadonlyMap<string, EventRow>
  /** The other protocol that hooks are read by as well, where no one chose between the two. */
  readonly twin?: Profile | undefined
}

/** Tells profiles apart that a session has loaded: one that was chosen from the reading of that name where none was. */
export function makeProfileKey({ name, twin }: Profile): string {
  return twin === undefined ? name : `${name} or ${twin.name}`
}

/** A profile with the code of all its hook types, as the engine hands it to the rooms. */
export interface CompleteProfile<Type extends HookType = HookType> extends Profile {
  readonly hookTypes: Readonly<Record<string, Type>>
  readonly twin?: CompleteProfile<Type> | undefined
}

/** A profile as `npm run generate` writes it: its rows as plain data, and the shapes of what goes in and comes out. */
export interface GeneratedProfile extends Omit<Profile, 'events'> {
  readonly rows: Readonly<Record<string, GeneratedRow>>
  readonly shared: SharedFacts
  readonly shapes: {
    readonly commonInput: Shape
    readonly commonAnswer: Shape
    readonly inputs: Readonly<Record<string, ObjectShape>>
    readonly answers: Readonly<Record<string, Shape>>
  }
}

type SharedParts = Pick<EventRow, 'rules' | 'noEffects' | 'knownAnswerFields'>
type OwnFacts = Omit<EventRow, 'canBlock' | keyof SharedParts>

/** A profile, with what its rows share filled in. */
export function makeProfile(profile: Omit<Profile, 'events'>, rows: readonly OwnFacts[]): Profile {
  const effects = rows.flatMap((row) => Object.entries(row.effects).map(([name, { merge }]) => [name, merge] as const))
  const shared = makeShared(profile, {
    effects: Object.fromEntries(effects),
    answerFields: rows.flatMap(({ answerFields }) => answerFields),
  })
  return { ...profile, events: new Map(rows.map((row) => [row.name, makeRow(row, shared)])) }
}

/** The row of an event that no profile has: no hook can be configured for it, so nothing decides about it. */
export function makeUnknownRow(profile: Pick<Profile, 'rules'>, name: string): EventRow {
  return makeRow(
    {
      ...usual,
      name,
      when: 'an agent says so',
      onBlock: 'nothing',
      merges: 'nothing',
      blocksOn: 'never',
      inputFields: [],
      answerFields: [],
      checkInput: () => [],
      checkAnswer: () => [],
      example: {},
    },
    makeShared(profile, { effects: {}, answerFields: [] }),
  )
}

/** The same of rows that are made when they are asked for: most sessions know few events, and a call of `fire` one. */
export function makeLateProfile(
  profile: Omit<Profile, 'events'>,
  { names, make, facts }: { names: readonly string[]; make: (name: string) => OwnFacts; facts: SharedFacts },
): Profile {
  const shared = makeShared(profile, facts)
  return { ...profile, events: new LateRows(names, (name) => makeRow(make(name), shared)) }
}

function makeShared({ rules }: Pick<Profile, 'rules'>, { effects, answerFields }: SharedFacts): SharedParts {
  const noEffects: Record<string, unknown> = {}
  for (const name in effects) noEffects[name] = NO_EFFECT[effects[name] as EffectMerge] // a key of it
  return {
    rules,
    noEffects,
    knownAnswerFields: new Set([...DIALOG_FIELDS, ...answerFields]),
  }
}

function makeRow(row: OwnFacts, shared: SharedParts): EventRow {
  return { ...row, canBlock: row.merges !== 'nothing', ...shared }
}

/** Fields inside the answer to a permission dialog. */
const DIALOG_FIELDS = ['behavior', 'updatedPermissions']

/** Rows by name, each made once. */
export class LateRows implements ReadonlyMap<string, EventRow> {
  readonly #names: ReadonlySet<string>
  readonly #make: (name: string) => EventRow
  readonly #made = new Map<string, EventRow>()

  constructor(names: readonly string[], make: (name: string) => EventRow) {
    this.#names = new Set(names)
    this.#make = make
  }

  get size(): number {
    return this.#names.size
  }

  has(name: string): boolean {
    return this.#names.has(name)
  }

  get(name: string): EventRow | undefined {
    const known = this.#made.get(name)
    if (known !== undefined || !this.#names.has(name)) return known
    const row = this.#make(name)
    this.#made.set(name, row)
    return row
  }

  keys(): ReturnType<ReadonlyMap<string, EventRow>['keys']> {
    return this.#names.values()
  }

  values(): ReturnType<ReadonlyMap<string, EventRow>['values']> {
    return this.#loadAll().values()
  }

  entries(): ReturnType<ReadonlyMap<string, EventRow>['entries']> {
    return this.#loadAll().entries()
  }

  [Symbol.iterator](): ReturnType<ReadonlyMap<string, EventRow>['entries']> {
    return this.entries()
  }

  forEach(act: (row: EventRow, name: string, rows: ReadonlyMap<string, EventRow>) => void): void {
    for (const [name, row] of this) act(row, name, this)
  }

  #loadAll(): Map<string, EventRow> {
    return new Map([...this.#names].flatMap((name) => [[name, this.get(name) as EventRow] as const])) // a row of each name
  }
}
