import type { EffectMerge } from './effect.ts'
import type { EventFacts } from './event-row.ts'

/** Facts that most events have in common; a row states only what is different about it. */
export const usual = {
  matchOn: null,
  matchValue: 'field',
  matcherNames: null,
  takesIf: false,
  values: [],
  unattended: true,
  permissionMode: true,
  blocksOn: 'exit-2',
  reasonTo: 'model',
  harmlessExit2To: 'user',
  onTimeout: 'cancel',
  missingFileIsHarmless: false,
  unmetPrompt: 'blocks',
  failureBlocks: true,
  canHalt: true,
  specificOnlyAtExit0: false,
  systemMessageTo: 'user',
  plainStdout: 'verbose',
  effects: {},
  rewrites: null,
  replaces: null,
  announces: null,
  erases: null,
  loopField: null,
  reasonRequired: false,
  noReason: 'Blocked by hook',
  hookTypes: 'all',
  seconds: {},
  secondsTogether: null,
  component: false,
  inAgents: true,
  inAgent: null,
  agentId: 'loop',
  envFile: null,
  endsSession: false,
} as const satisfies Partial<EventFacts>

/** A row of a table that is generated: its name, its facts that are not the usual ones, and the fields of its answers. */
export type GeneratedRow = Partial<EventFacts> &
  Omit<EventFacts, keyof typeof usual> & {
    readonly answerFields: readonly string[]
    /** Words that `permissionDecision` may be, where the event has it. */
    readonly permissionWords?: readonly string[]
  }

/** Facts that the rows of a generated table share, so that one of them can be made without the others. */
export interface SharedFacts {
  /** Merge rule of every effect there is, by its name. */
  readonly effects: Readonly<Record<string, EffectMerge>>
  /** The fields of all answers. */
  readonly answerFields: readonly string[]
}
