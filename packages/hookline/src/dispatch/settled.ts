import type { ProfileSource } from '../config/profile-choice.ts'
import type { ConfigPlaces } from '../config/scopes.ts'
import type { HostChoice } from '../config/standing.ts'
import type { TrustAnswer } from '../config/trust.ts'
import type { CompleteProfile } from '../protocol/profile.ts'
import type { RecordHost } from '../protocol/record/record.ts'
import type { Scope } from '../protocol/scope.ts'
import type { RecordSink, SettledLog } from '../record/log-options.ts'
import type { RunnableType } from '../run/execute.ts'
import type { ModelPorts } from '../run/ports.ts'
import type { RunOptions } from '../run/run.ts'
import type { UntrustedListener } from './host-listeners.ts'

/** The span of a host that an event happens in, as W3C Trace Context writes it. */
export interface TraceContext {
  /** `00-<trace>-<span>-<flags>`. */
  readonly traceparent: string
  readonly tracestate?: string | undefined
}

/** The span of all events, or a function that is asked at each one; nothing: there is none. */
export type TraceSource = TraceContext | (() => TraceContext | null | undefined)

/** The host's options with nothing left open. */
export interface SettledOptions {
  readonly places: ConfigPlaces
  readonly trust: TrustAnswer
  /** The scopes that run; null: all. */
  readonly hostChoice: HostChoice | null
  /** Edits of settings files outside of the project count at once. */
  readonly liveSettings: boolean
  readonly profiles: ProfileSource<CompleteProfile<RunnableType>>
  readonly rehearsal: boolean
  /** The session is over after one call. */
  readonly isShortLived: boolean
  readonly order: 'parallel' | 'sequential'
  readonly defaultTimeout: number | null | undefined
  /** Time at which every hook that is waited for has ended, by the clock of `performance`; null: each has its own timeout alone. */
  readonly until: number | null
  readonly failClosed: ReadonlySet<Scope>
  /** null: records are not kept. */
  readonly log: SettledLog | RecordSink | null
  /** Characters that a record has of the end of each output of a hook. */
  readonly outputTail: number
  /** The program that opened the engine; null: it does not say. */
  readonly host: RecordHost | null
  /** The span that events happen in; null: the host names none. */
  readonly trace: TraceSource | null
  /** Told that the project is not trusted; null: the host does not listen. */
  readonly onUntrusted: UntrustedListener | null
  readonly models: ModelPorts
  readonly run: RunOptions
}
