import type { Check } from './check.ts'
import type { Effect } from './effect.ts'
import type { NameList, ProtocolRules } from './rules.ts'

/** Way in which an answer decides: a key of `read/opinion.ts` and of `decide/merge.ts`. */
export type MergeName = 'permission' | 'dialog' | 'block' | 'exit-code' | 'nothing'

/** Facts that vary from event to event, as plain data: the rooms ask these facts, never the name. */
export interface EventFacts {
  /** Moment at which it fires, as the end of the sentence "fires when …". */
  readonly when: string
  /** The input field a matcher is tested against; null: the event takes no matcher. */
  readonly matchOn: string | null
  /** Part of that field that is tested: a key of `match/plan.ts`. */
  readonly matchValue: 'field' | 'basename'
  /** Way in which its matchers list names; null: as the rules say. */
  readonly matcherNames: NameList | null
  /** Hooks may have a condition, `if`, that the call has to fit; elsewhere one that has it never runs. */
  readonly takesIf: boolean
  /** Values of that field known today; a newer host may send others. */
  readonly values: readonly string[]
  /** True for an event that fires also where there is no user to ask. */
  readonly unattended: boolean
  /** True if its input carries `permission_mode`. */
  readonly permissionMode: boolean
  readonly merges: MergeName
  /** Exit codes that block; where none does, an answer may still. */
  readonly blocksOn: 'exit-2' | 'any-failure' | 'never'
  /** Reader of the reason of a block. */
  readonly reasonTo: 'model' | 'user' | 'none'
  /** Reader of stderr of a hook that exits 2 where that blocks nothing. */
  readonly harmlessExit2To: 'user' | 'none'
  /** Effect on the event of a hook that takes too long. */
  readonly onTimeout: 'cancel' | 'block'
  /** Exit 2 of an interpreter that cannot find its script is a failure, not an objection. */
  readonly missingFileIsHarmless: boolean
  /** Effect of a prompt hook whose condition is not met: a key of `read/judgement.ts`. */
  readonly unmetPrompt: 'blocks' | 'halts' | 'blocks-and-halts' | 'has-no-effect'
  /** `onFailure: "block"` of a hook counts: not where a hook that always fails would keep the event from ever ending. */
  readonly failureBlocks: boolean
  /** Meaning of a block to the host, for people. */
  readonly onBlock: string
  /** `continue: false` counts. */
  readonly canHalt: boolean
  /** `hookSpecificOutput` counts beside exit code 0 alone, whatever the rules say of answers. */
  readonly specificOnlyAtExit0: boolean
  /** Reader of `systemMessage`. */
  readonly systemMessageTo: 'user' | 'model' | 'none'
  /** Use of plain stdout of a hook that exits 0: a key of `read/answer.ts`. */
  readonly plainStdout: 'verbose' | 'context' | 'instructions' | 'path'
  /** Effects that hooks may ask for beyond the decision that all events have, by name. */
  readonly effects: Readonly<Record<string, Effect>>
  /** The input field that `updatedInput` replaces, where the event takes one. */
  readonly rewrites: string | null
  /** The input field that a hook's output replaces; what it held is not written down then. */
  readonly replaces: string | null
  /** The input field that names a settings file which was edited: a block keeps the edit from counting, unless it is policy's. */
  readonly announces: string | null
  /** The input field of which nothing stays anywhere when the event is blocked or halted. */
  readonly erases: string | null
  /** The input field that says a hook has already sent the agent on: one that never looks at it may never let it end. */
  readonly loopField: string | null
  /** A block that gives no reason is worth a warning. */
  readonly reasonRequired: boolean
  /** The reason of a block that gives none. */
  readonly noReason: string
  /** The hook types that run here; `all` of the profile. */
  readonly hookTypes: 'all' | readonly string[]
  /** Seconds that a hook may take here which sets no timeout, by its type, where that is not as the rules say. */
  readonly seconds: Readonly<Record<string, number>>
  /** Seconds that all its hooks together may take, unless the timeout of one in a settings file is longer; null: they do not share their time. */
  readonly secondsTogether: number | null
  /** Hooks that were registered for the session alone are gone after it. */
  readonly endsSession: boolean
  /** May stand in the frontmatter of a skill, agent or slash command. */
  readonly component: boolean
  /** May stand in the frontmatter of an agent too, where it may stand in any. */
  readonly inAgents: boolean
  /** The event it turns into when an agent's frontmatter names it. */
  readonly inAgent: string | null
  /** Meaning of `agent_id` in its input: the loop that fires it, or the agent it is about. */
  readonly agentId: 'loop' | 'subject'
  /** Lifetime of what hooks write into a file of environment variables; null: they get none. */
  readonly envFile: 'kept' | 'until-next' | null
  /** A complete own input, for documentation and for `hookline fire`. */
  readonly example: Readonly<Record<string, unknown>>
}

/** A row as the rooms get it: no schema library behind it. */
export interface EventRow extends EventFacts {
  readonly name: string
  /** The fields of its own that its input may have. */
  readonly inputFields: readonly string[]
  /** The fields that count under `hookSpecificOutput`. */
  readonly answerFields: readonly string[]
  /** Words that `permissionDecision` may be, where the event has it. */
  readonly permissionWords?: readonly string[] | undefined
  readonly checkInput: Check
  readonly checkAnswer: Check
  /** Some hook can block it, by exit code or by answer. */
  readonly canBlock: boolean
  /** Rules for every event of its protocol. */
  readonly rules: ProtocolRules
  /** Values of effects that no hook asked for. */
  readonly noEffects: Readonly<Record<string, unknown>>
  /** The fields that mean something in an answer to some event of its protocol. */
  readonly knownAnswerFields: ReadonlySet<string>
  /** Rows that matchers and answers are read by, the leading one first, where no one chose a profile; absent: this one alone. */
  readonly readings?: readonly [ProfileRow, ProfileRow] | undefined
}

/** A row with the name of the profile that it is of. */
export interface ProfileRow {
  readonly profile: string
  readonly row: EventRow
}

/** True for events by which hooks guard calls: their answers are permissions. */
export function isGuardingCalls({ merges }: Pick<EventRow, 'merges'>): boolean {
  return merges === 'permission' || merges === 'dialog'
}
