import type { EventRow } from './event-row.ts'
import { type Joins, joinFacts } from './join-facts.ts'
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

/** The way in which each fact of a row is joined; of `merges`, see `joinRows`. */
export const ROW_JOINS: Joins<EventRow> = {
  name: 'own',
  when: 'own',
  matchOn: 'own',
  matchValue: 'own',
  matcherNames: 'own',
  takesIf: 'own',
  values: 'own',
  unattended: 'own',
  permissionMode: 'own',
  merges: 'own',
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

/** The row of an event whose hooks are of two profiles: answers decide as in the first, unless only the second can be blocked. */
export function joinRows(own: EventRow, other: EventRow, joins: Joins<EventRow> = ROW_JOINS): EventRow {
  return { ...joinFacts(joins, own, other), merges: (own.canBlock ? own : other).merges }
}
