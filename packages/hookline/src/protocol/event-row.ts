import type * as z from 'zod'
import type { Check } from './check.ts'
import type { ProtocolRules } from './rules.ts'

/** How an answer decides: a key of `read/opinion.ts` and of `decide/merge.ts`. */
export type MergeName = 'permission' | 'dialog' | 'block' | 'exit-code' | 'nothing'

/** What varies from event to event, as plain data: the rooms ask these facts, never the name. */
export interface EventFacts {
  /** When it fires, as the end of the sentence "fires when …". */
  readonly when: string
  /** The input field a matcher is tested against; null: the event takes no matcher. */
  readonly matchOn: string | null
  /** Values of that field known today; a newer host may send others. */
  readonly values: readonly string[]
  /** Whether its input carries `permission_mode`. */
  readonly permissionMode: boolean
  readonly merges: MergeName
  /** One cell of the exit-code matrix: whether exit 2 blocks, and who reads the reason of a block. */
  readonly exit2: { readonly blocks: boolean; readonly to: 'model' | 'user' }
  /** `onFailure: "block"` of a hook counts: not where a hook that always fails would keep the event from ever ending. */
  readonly failureBlocks: boolean
  /** What a block means to the host, for people. */
  readonly onBlock: string
  /** What becomes of plain stdout of a hook that exits 0. */
  readonly plainStdout: 'verbose' | 'context' | 'instructions'
  /** The input field that `updatedInput` replaces, where the event takes one. */
  readonly rewrites: string | null
  /** The input field that a hook's output replaces; what it held is not written down then. */
  readonly replaces: string | null
  /** The input field of which nothing stays anywhere when the event is blocked or halted. */
  readonly erases: string | null
  /** The input field that says a hook has already sent the agent on: one that never looks at it may never let it end. */
  readonly loopField: string | null
  /** A block that gives no reason is worth a warning. */
  readonly reasonRequired: boolean
  /** `no-model`: only hooks that need no model run here; `command`: only commands do, as no loop is there to call a function in. */
  readonly handlers: 'all' | 'no-model' | 'command'
  /** Hooks that were registered for the session alone are gone after it. */
  readonly endsSession: boolean
  /** May stand in the frontmatter of a skill, agent or slash command. */
  readonly component: boolean
  /** The event it turns into when an agent's frontmatter names it. */
  readonly inAgent: string | null
  /** What `agent_id` names in its input: the loop that fires it, or the agent it is about. */
  readonly agentId: 'loop' | 'subject'
  /** Hooks get a file to write environment variables into. */
  readonly envFile: boolean
  /** A complete own input, for documentation and for `hookline fire`. */
  readonly example: Readonly<Record<string, unknown>>
}

/** One row of the event table: the facts, and the two schemas everything else is derived from. */
export interface EventDefinition extends EventFacts {
  /** Its own input fields, without the common ones. */
  readonly input: z.ZodObject
  /** What may stand under `hookSpecificOutput`, without `hookEventName`. */
  readonly answer: z.ZodObject
}

/** A row as the rooms get it: no schema library behind it. */
export interface EventRow extends EventFacts {
  readonly name: string
  /** The fields that count under `hookSpecificOutput`. */
  readonly answerFields: readonly string[]
  /** What holds for every event of its protocol. */
  readonly rules: ProtocolRules
  readonly checkInput: Check
  readonly checkAnswer: Check
}
