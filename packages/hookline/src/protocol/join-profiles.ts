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

/**
 * Ways to join a fact of two rows: `own`, that of the first; `either`, that of the second where the first has none; `both`, the members
 * of the two, of which the first's go first; `of-the-blocking`, that of the first unless only the second can be blocked.
 */
type Join<Fact> =
  | 'own'
  | (Fact extends readonly unknown[] | Readonly<Record<string, unknown>> ? 'both' : never)
  | (null extends Fact ? 'either' : Fact extends boolean ? 'either' : 'of-the-blocking')

/** The way in which each fact is joined: a new fact does not compile without one. */
const JOINS: { readonly [Fact in keyof Required<EventRow>]: Join<EventRow[Fact]> } = {
  name: 'own',
  when: 'own',
  matchOn: 'own',
  matchValue: 'own',
  matcherNames: 'own',
  takesIf: 'own',
  values: 'own',
  unattended: 'own',
  permissionMode: 'own',
  merges: 'of-the-blocking',
  blocksOn: 'own',
  reasonTo: 'own',
  harmlessExit2To: 'own',
  onTimeout: 'own',
  missingFileIsHarmless: 'own',
  unmetPrompt: 'own',
  failureBlocks: 'own',
  onBlock: 'own',
  canHalt: 'own',
  specificOnlyAtExit0: 'own',
  systemMessageTo: 'own',
  plainStdout: 'own',
  effects: 'both',
  noEffects: 'both',
  rewrites: 'either',
  replaces: 'either',
  announces: 'own',
  erases: 'either',
  loopField: 'own',
  reasonRequired: 'own',
  noReason: 'own',
  hookTypes: 'own',
  seconds: 'own',
  secondsTogether: 'either',
  endsSession: 'either',
  component: 'own',
  inAgents: 'own',
  inAgent: 'own',
  agentId: 'own',
  envFile: 'own',
  example: 'own',
  inputFields: 'both',
  answerFields: 'own',
  permissionWords: 'own',
  checkInput: 'own',
  checkAnswer: 'own',
  canBlock: 'either',
  rules: 'own',
  knownAnswerFields: 'own',
  readings: 'own',
}

/** The row of an event whose hooks are of two profiles. */
export function joinRows(own: EventRow, other: EventRow): EventRow {
  const joined: Record<string, unknown> = { ...own }
  const [first, second]: Readonly<Record<string, unknown>>[] = [{ ...own }, { ...other }]
  for (const [fact, join] of Object.entries(JOINS)) {
    const [mine, others] = [first?.[fact], second?.[fact]]
    if (join === 'either' && (mine === null || mine === false)) joined[fact] = others
    if (join === 'both') joined[fact] = joinMembers(mine, others)
    if (join === 'of-the-blocking' && !own.canBlock) joined[fact] = others
  }
  return joined as unknown as EventRow // the same facts, each of one row or of both
}

function joinMembers(own: unknown, other: unknown): unknown {
  return Array.isArray(own) && Array.isArray(other)
    ? [...new Set([...own, ...other])]
    : { ...Object(other), ...Object(own) }
}
