import type { AgentOptions } from '../session/options.ts'

/** How a terminal is opened. */
export interface HostOptions {
  /** Without the model and what the terminal itself is asked. */
  readonly agent: Omit<AgentOptions, 'model' | 'trust'>
  /** The name of a model; null: the usual one. */
  readonly model: string | null
  /** The folder counts as accepted. */
  readonly trusted: boolean
  /** Absolute, as the home is. */
  readonly project: string
  readonly home: string
  readonly env: NodeJS.ProcessEnv
  /** Categories of the debug log, which is part of the verbose view. */
  readonly debug: readonly string[]
  /** What is asked first; empty: nothing. */
  readonly prompt: string
  readonly version: string
  /** Milliseconds without a key before hooks hear that the person is waited for. */
  readonly idleAfterMs: number
}
