import type { Launcher } from '../process/launcher.ts'
import type { HostEnvironment } from './environment.ts'
import type { Payload } from './payload.ts'
import type { ModelPorts } from './ports.ts'
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
export interface RunRequest {
  readonly payload: Payload
  /** What every hook of the event finds in its environment. */
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
  readonly pluginRoot: string | null
  readonly envFile: string | null
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
