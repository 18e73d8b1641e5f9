/** The session, an event on its way, what each step makes of it, and the stages that hang on the steps. */
import type { ChangeWatch } from '../config/changes.ts'
import type { ConfiguredHook } from '../config/hook.ts'
import type { Snapshot } from '../config/snapshot.ts'
import type { UserHooksNews } from '../config/user-hooks.ts'
import type { PrivateFolder } from '../files/temp-folder.ts'
import type { Listeners, Plan } from '../match/plan.ts'
import type { EventInput } from '../protocol/event-input.ts'
import type { EventRow } from '../protocol/event-row.ts'
import type { CompleteProfile } from '../protocol/profile.ts'
import type {
  Decision,
  DispatchRecord,
  HookLine,
  Mutable,
  RecordHost,
  RecordProject,
} from '../protocol/record/record.ts'
import type { Result } from '../read/result.ts'
import type { ConfiguredLines } from '../record/log-line.ts'
import type { OutputTail } from '../record/output-tail.ts'
import type { RecordLog } from '../record/record-log.ts'
import type { EnvFiles } from '../run/env-files.ts'
import type { RunnableType } from '../run/execute.ts'
import type { StopSignal } from '../run/stop-signal.ts'
import type { Erase } from '../text/erase.ts'
import type { Background, Delivery } from './background.ts'
import type { DebugLog } from './debug-log.ts'
import type { Erasure } from './erasure.ts'
import type { RecordListener } from './host-listeners.ts'
import type { LoopHooks } from './loop-hooks.ts'
import type { Emit } from './progress.ts'
import type { SettledOptions, TraceContext } from './settled.ts'
import type { Slots } from './slots.ts'
import type { SpentHooks } from './spent-hooks.ts'

/** Origin of the records of a session. */
export interface Origin {
  readonly host: RecordHost | null
  readonly project: RecordProject
  /** The id of the next one. */
  readonly nextId: () => string
}

/** Keeper of records that has each of them before the host has its decision. */
export interface SessionSpool {
  /** Keeps a record. Returns it, or one that refuses its call where a record that cannot be kept must. Never throws. */
  readonly keep: (event: RecordedEvent, row: EventRow) => DispatchRecord
  readonly close: () => Promise<void>
}

/** An event as it is written down. */
export interface RecordedEvent {
  readonly record: DispatchRecord
  readonly input: EventInput
  readonly configured: ConfiguredLines
}

/** State that lives as long as a session does. */
export interface Session {
  readonly options: SettledOptions
  /** Origin of its records. */
  readonly origin: Origin
  readonly common: { readonly session_id: string; readonly transcript_path?: string; readonly permission_mode?: string }
  snapshot: Snapshot<CompleteProfile<RunnableType>>
  /** Hooks that loops brought; null: none has brought any yet. */
  loopHooks: LoopHooks | null
  /** `once` hooks that have run. */
  readonly spent: SpentHooks
  /** Keys of hooks that the user switched off for the session. */
  readonly switchedOff: Set<string>
  /** Indexed hooks by event and loops; emptied whenever one of them changes. */
  readonly listeners: Map<string, readonly Listeners[]>
  readonly slots: Slots
  readonly backgroundSlots: Slots
  /** Hooks that run while the host goes on; null: none has yet. */
  background: Background | null
  /** Folder of the session's temp files; null: a session of one event has needed none yet. */
  folder: PrivateFolder | null
  /** Files that hooks write variables into; null: no hook has had one. */
  envFiles: EnvFiles | null
  /** null: the session is over after one call, and no later event tells of edits. */
  readonly watch: ChangeWatch | null
  /** Stages that all its events take, as the host asked for them. */
  readonly ownStages: readonly Stage[]
  /** Stages of the events that it has had, by their rows. */
  readonly stages: WeakMap<EventRow, readonly Stage[]>
  /** Notes that the user has been told and is told once: ids of hooks that lack support, the lack of trust, what a subagent does not run. */
  readonly told: Set<string>
  /** Listeners of the host that get every record. */
  readonly recordListeners: Set<RecordListener>
  /** Notices that the next record has beside its hooks. */
  readonly notices: string[]
  /** News of the first event about the user's own hooks; null: nothing to say, or it has been said. */
  news: UserHooksNews | null
  /** null: the host asked for none. */
  readonly log: DebugLog | null
  /** null: records are not kept. */
  readonly recordLog: RecordLog | null
  /** Spool of the fleet that the machine is in; null: it is in none. */
  readonly spool: SessionSpool | null
  /** null: records do not say what hooks wrote. */
  readonly tail: OutputTail | null
  readonly closing: StopSignal
  /** Events under way; closing waits for them. */
  readonly dispatching: Set<Promise<unknown>>
}

/** Wishes of a host that follows an event. */
export interface Following {
  readonly signal: AbortSignal | StopSignal | undefined
  /** null: the host does not follow its progress. */
  readonly emit: Emit | null
  /** Hooks that are left out, by id. */
  readonly except?: ReadonlySet<string> | undefined
  /** The hooks that run: those that the event waits for, or the others; undefined: all. */
  readonly only?: 'awaited' | 'background' | undefined
  /** True if its tool is one of an MCP server; undefined: the name says so. */
  readonly mcp?: boolean | undefined
  /** The span that it happens in; undefined: that of the engine's options. */
  readonly trace?: TraceContext | undefined
}

/** An event on its way through the pipe. */
export interface FiredEvent {
  readonly row: EventRow
  readonly input: EventInput
  /** The id of its record. */
  readonly id: string
  /** `Date.now()` of its beginning. */
  readonly began: number
  /** `performance.now()` of its beginning; null until a hook runs: where none does a finer clock has nothing to tell, and takes long to load. */
  started: number | null
  readonly following: Following
  /** Optional parts of the pipe that it takes. */
  readonly stages: readonly Stage[]
  /** Erasure of what may have to go from everything that is said before there is a decision; null: there is no such thing. */
  readonly erasure: Erasure | null
  /** Hooks that ended in the background before its record was there; null once it is. */
  early: LateEnd[] | null
}

/** The plan of an event, with what is known before a hook runs. */
export interface EventPlan extends Plan {
  /** The hooks that are configured for it. */
  readonly configured: ConfiguredLines
  /** Guards that cannot run here, and block for that. */
  readonly closed: readonly EndedHook[]
}

/** A hook whose turn is over. */
export interface EndedHook {
  readonly at: number
  readonly hook: ConfiguredHook
  /** Row of its profile. */
  readonly row: EventRow
  readonly line: Mutable<HookLine>
  /** null when there is nothing to read: it went to the background, or was not reached. */
  readonly result: Result | null
  /** File that it wrote variables into, when they are to be kept. */
  readonly envFile: string | null
}

/** End of a hook in the background. */
export interface LateEnd {
  /** The hooks that are configured for its event. */
  readonly configured: ConfiguredLines
  readonly line: HookLine
  readonly delivery: Delivery
  readonly durationMs: number
  /** null: nothing of the event has to go. */
  readonly erase: Erase | null
}

/** A record, and its event as it is written down. */
export interface RecordEntry {
  readonly record: DispatchRecord
  readonly input: EventInput
}

/** Products of the pipe that stages may change, each by the step that makes it. */
interface Products {
  readonly plan: Plan
  /** Environment of the hooks. */
  readonly environment: NodeJS.ProcessEnv
  readonly decision: Decision
  readonly record: RecordEntry
}

/** Step of a stage: the session, the event and a product of the pipe in, the product that counts out. */
type Step<Product> = (session: Session, event: FiredEvent, product: Product) => Product

type Steps = { readonly [Name in keyof Products]?: Step<Products[Name]> }

/** Behaviour that few events need: a step for each product that it changes. */
export interface Stage extends Steps {
  /** Called once the hooks of an event have ended, however they did. */
  readonly leave?: (session: Session, event: FiredEvent) => void
}

/** Takes a product of the pipe through the stages of its event. */
export function passStages<Name extends keyof Products>(
  name: Name,
  session: Session,
  event: FiredEvent,
  made: Products[Name],
): Products[Name] {
  let product = made
  for (const stage of event.stages) {
    const step: Steps[Name] = stage[name]
    if (step !== undefined) product = step(session, event, product)
  }
  return product
}
