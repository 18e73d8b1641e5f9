import type { Launcher } from '../process/launcher.ts'
import type { ProcessRun, Timed } from '../process/process-run.ts'
import type { HookTurn } from '../protocol/hook-type.ts'
import type { HostEnvironment } from './environment.ts'
import type { Payload } from './payload.ts'
import type { ModelPorts, ModelUsage } from './ports.ts'
import type { StopSignal } from './stop-signal.ts'

/** What the host's options say about running. */
export interface RunOptions {
  readonly project: string
  /** The host's own. */
  readonly env: NodeJS.ProcessEnv
  /** What hooks get of it. */
  readonly environment: HostEnvironment
  /** false: the command's words are its arguments, and no shell reads them. */
  readonly shell: boolean
  /** Bytes kept of each output stream. */
  readonly outputLimit: number
  /** Who starts the hooks. */
  readonly launcher: Launcher
}

/** One hook's turn at an event. */
export interface RunRequest extends HookTurn {
  readonly payload: Payload
  readonly pluginRoot: string | null
  /** What hooks of that plugin get besides; null: nothing. */
  readonly plugin: { readonly data: string; readonly options: Readonly<Record<string, string>> } | null
  readonly envFile: string | null
  /** false: the event goes on while it runs. */
  readonly waits: boolean
  /** null: no limit. */
  readonly timeoutMs: number | null
  /** Ends the run while the host waits for it. */
  readonly stop: StopSignal
  /** Ends the run once it is in the background. */
  readonly closing: StopSignal
  readonly options: RunOptions
}

/** The same with what a hook that a model decides needs. */
export interface JudgeRequest extends RunRequest {
  readonly models: ModelPorts
  /** Why a model's answer cannot be read, as the end of "it cannot be read: …"; null when it can. */
  readonly answerFault: (text: string) => string | null
}

/** What a model's judgement cost. */
export interface Spent extends Timed {
  /** The one that answered; null when none did. */
  readonly model: string | null
  readonly usage: ModelUsage
  /** How often it was asked. */
  readonly attempts: number
  /** How many turns an agent took; null when it was asked without tools. */
  readonly turns: number | null
}

/** A model said something; an agent used up its turns; none answered, in the provider's own words. */
export type JudgeRun =
  | (Spent & { readonly ended: 'judged'; readonly text: string })
  | (Spent & { readonly ended: 'undecided' })
  | (Spent & { readonly ended: 'unanswered'; readonly message: string })

/** The facts of a run that came to an end. What they mean is not known here. */
export type Run =
  | ProcessRun
  | (Timed & { readonly ended: 'returned'; readonly value: unknown })
  | (Timed & { readonly ended: 'threw'; readonly message: string })
  | JudgeRun

/** A run that goes on while the host does not wait for it. */
export interface BackgroundRun {
  readonly ended: 'backgrounded'
  readonly rest: Promise<Run>
}
