import type { HookLauncher } from '../process/launcher.ts'
import type { ProcessRun, ProgramOutput, TimedRun } from '../process/process-run.ts'
import type { HookTurn } from '../protocol/hook-type.ts'
import type { HookVariable, VerdictRules } from '../protocol/rules.ts'
import type { HostEnvironment, OwnVariables } from './environment.ts'
import type { Payload } from './payload.ts'
import type { CallMcpTool, ModelPorts, ModelUsage } from './ports.ts'
import type { StopSignal } from './stop-signal.ts'

/** Options of the host about running. */
export interface RunOptions {
  readonly project: string
  /** The host's own. */
  readonly env: NodeJS.ProcessEnv
  /** Environment for hooks, by the variables that their protocol adds. */
  readonly environment: (variables: readonly HookVariable[]) => HostEnvironment
  /** false: the command's words are its arguments, and no shell reads them. */
  readonly shell: boolean
  /** Bytes kept of each output stream. */
  readonly outputLimit: number
  /** Launcher of the hooks. */
  readonly launcher: HookLauncher
  /** Calls tools of MCP servers; null: the host has none. */
  readonly callMcpTool: CallMcpTool | null
}

/** One hook's turn at an event. */
export interface RunRequest extends HookTurn, OwnVariables {
  readonly payload: Payload
  /** false: the event goes on while it runs. */
  readonly waits: boolean
  /** Key that tells the hook from others, when it may run again in the session; null: it runs once. */
  readonly recurs: string | null
  /** null: no limit. */
  readonly timeoutMs: number | null
  /** Ends the run while the host waits for it. */
  readonly stop: StopSignal
  /** Ends the run once it is in the background. */
  readonly closing: StopSignal
  readonly options: RunOptions
}

/** Lists of what settings let hooks use that are servers; a value has to stand on every list there is. */
export interface AllowLists {
  /** Addresses, with `*` for anything. */
  readonly urls: readonly (readonly string[])[]
  /** Variables that headers may name. */
  readonly variables: readonly (readonly string[])[]
}

/** The same with what hooks need that ask others: models, or servers. */
export interface JudgeRequest extends RunRequest {
  readonly allowLists: AllowLists
  readonly models: ModelPorts
  /** Reason why a model's answer cannot be read, as the end of "it cannot be read: …"; null when it can. */
  readonly answerFault: (text: string) => string | null
  /** Rules by which its verdict is asked for. */
  readonly verdicts: Pick<VerdictRules, 'placeholders'>
  /** True if a verdict that the condition can never be met lets the event pass. */
  readonly mayBeImpossible: () => boolean
}

/** Cost of a model's judgement. */
export interface Spent extends TimedRun {
  /** The one that answered; null when none did. */
  readonly model: string | null
  readonly usage: ModelUsage
  /** Number of times that it was asked. */
  readonly attempts: number
  /** Number of turns that an agent took; null when it was asked without tools. */
  readonly turns: number | null
}

/** A model said something; an agent used up its turns; none answered, in the provider's own words. */
export type JudgeRun =
  | (Spent & { readonly ended: 'judged'; readonly text: string; readonly goesOn?: boolean })
  | (Spent & { readonly ended: 'undecided' })
  | (Spent & { readonly ended: 'unanswered'; readonly message: string })

/** A server answered, a tool of one did, or it could not be asked. What it said stands where a program's stdout does. */
export type ServerRun =
  | (ProgramOutput & { readonly ended: 'replied'; readonly status: number })
  | (ProgramOutput & { readonly ended: 'called'; readonly isError: boolean })
  | (TimedRun & { readonly ended: 'unreachable'; readonly reason: string })

/** The facts of a run that came to an end. What they mean is not known here. */
export type Run =
  | ProcessRun
  | (TimedRun & { readonly ended: 'returned'; readonly value: unknown })
  | (TimedRun & { readonly ended: 'threw'; readonly message: string })
  | JudgeRun
  | ServerRun

/** A run that goes on while the host does not wait for it. */
export interface BackgroundRun {
  readonly ended: 'backgrounded'
  readonly rest: Promise<Run>
}
