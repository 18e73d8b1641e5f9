import type { HiddenFiles } from 'hookline/rules'
import type { ZodType } from 'zod'
import type { AgentName } from '../output/events.ts'
import type { BackgroundCommands } from './background-commands.ts'

/** Surroundings of a call. */
export interface ToolContext {
  /** The session's current folder; relative paths count from it. */
  readonly cwd: string
  /** The project's folder. */
  readonly project: string
  /** The subagent that calls; null: the session's own loop. */
  readonly agent: AgentName | null
  /** Aborts when the user interrupts, or the session ends. */
  readonly signal: AbortSignal
  /** The environment of the session's commands; bash finds in BASH_ENV what hooks put into env files. */
  readonly environment: () => Promise<NodeJS.ProcessEnv>
  /** Lets a command's folder be the session's from now on; answers why it cannot. null: a `cd` does not last. */
  readonly moveTo: ((folder: string) => string | null) | null
  /** Files that were read or written in this session, by absolute path: a file is edited only after it was seen. */
  readonly seen: Map<string, number>
  /** Test for what a search of a tool must not show; null: there is no rule about that. */
  readonly hidden: (toolName: string, input: unknown) => Promise<HiddenFiles | null>
  /** Commands that go on in the background; the session closes it. */
  readonly background: BackgroundCommands
  /** Shows the user what is printed while the tool runs. */
  readonly onOutput?: (text: string) => void
}

/** Outcome of a call that succeeded. */
export interface ToolOutcome {
  /** Content for the model. */
  readonly content: string
  /** The `tool_response` of hooks. */
  readonly response: unknown
}

/** A call that failed; its message is what the model and hooks read. */
export class ToolError extends Error {
  override readonly name = 'ToolError'
  /** Reason why a hook that spoke during the call stopped the turn; null: none did. */
  readonly halted: string | null

  constructor(message: string, { halted = null }: { readonly halted?: string | null } = {}) {
    super(message)
    this.halted = halted
  }
}

/** Ability of a model. */
export interface Tool<Input = unknown> {
  readonly name: string
  /** The MCP server that offers it, as it stands in the tool's name. */
  readonly server?: string
  /** Source of that server's configuration. */
  readonly serverSource?: string
  readonly description: string
  /** Inputs are checked by it before any hook or rule sees them, and again when a hook rewrote them. */
  readonly input: ZodType<Input>
  /** Schema of the input for the model, a JSON Schema; made from `input` when left out. */
  readonly inputSchema?: Readonly<Record<string, unknown>>
  /** True for a tool that changes nothing and starts nothing. */
  readonly readOnly: boolean
  /** True for a tool that changes files, and nothing else: the mode that accepts edits lets it run. */
  readonly edits: boolean
  /** In the mode `plan` the user approves each of its calls, unless a hook does. */
  readonly isApproved?: boolean
  /** True if several of them may run at once; when left out, those that are read-only may. */
  readonly sideBySide?: boolean
  /** The input with every path absolute, as hooks and rules see it. */
  readonly normalise?: (input: Input, context: Pick<ToolContext, 'cwd'>) => Input
  /** Reader of a response that a hook put in the place of the tool's own, for the model; null: it is not in the tool's shape. */
  readonly shown?: (response: unknown) => string | null
  /** Fails with the ToolError of a call that cannot succeed, before the user is asked about it. Changes nothing. */
  readonly check?: (input: Input, context: Pick<ToolContext, 'cwd' | 'seen'>) => Promise<unknown>
  /** Fails with a ToolError. */
  readonly run: (input: Input, context: ToolContext) => Promise<ToolOutcome>
}
