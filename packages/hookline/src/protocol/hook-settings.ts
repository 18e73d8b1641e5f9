import type { PromptFunction } from './spoken-message.ts'

/** Fields of every type of hook. */
export interface HookFields {
  /** Seconds. */
  readonly timeout?: number | undefined
  /** Message that a host shows while the hook runs. */
  readonly statusMessage?: string | undefined
  /** `block`: a failure of the hook blocks the event. */
  readonly onFailure?: 'continue' | 'block' | undefined
  /** Runs once per session; in skills and slash commands only. */
  readonly once?: boolean | undefined
}

/** A hook that runs a command. */
export interface CommandHookSetting extends HookFields {
  readonly type: 'command'
  /** Command that a shell runs; the event is on its stdin. */
  readonly command: string
  /** Starts in the background and cannot decide anything. */
  readonly async?: boolean | undefined
}

/** A hook that a model decides. */
export interface ModelHookSetting extends HookFields {
  readonly type: 'prompt' | 'agent'
  /** Question to the model; `$ARGUMENTS` stands for the event as JSON. Of an agent hook it may be a function of the conversation. */
  readonly prompt: string | PromptFunction
  /** The model that answers; the host's choice when left out. */
  readonly model?: string | undefined
}

/** A hook of any type that settings of `classic` may hold. */
export type ClassicHookSetting = CommandHookSetting | ModelHookSetting

/** Fields of every type of hook in `current`. */
interface CurrentFields {
  /** One permission rule that the call must match, such as `Bash(git *)`; on events of tools only. */
  readonly if?: string | undefined
}

/** A hook of `current` that runs a command. */
export interface CurrentCommandHookSetting extends CommandHookSetting, CurrentFields {
  /** The arguments of the command, one an element; no shell reads it then. */
  readonly args?: readonly string[] | undefined
  /** The shell that reads the command; `bash` when left out. */
  readonly shell?: 'bash' | 'powershell' | undefined
  /** With `async`: exit code 2 wakes the model. */
  readonly asyncRewake?: boolean | undefined
  /** Handed on with a late answer. */
  readonly rewakeMessage?: string | undefined
  /** Handed on with a late answer. */
  readonly rewakeSummary?: string | undefined
}

/** A hook of `current` that is a server: the event is sent to it by POST. */
export interface HttpHookSetting extends HookFields, CurrentFields {
  readonly type: 'http'
  /** Address that the event is sent to. */
  readonly url: string
  /** Headers of the request; `$NAME` stands for a variable that `allowedEnvVars` names. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The variables that `headers` may name. */
  readonly allowedEnvVars?: readonly string[] | undefined
}

/** A hook of `current` that is a tool of an MCP server; the host calls it. */
export interface McpToolHookSetting extends Omit<HookFields, 'onFailure'>, CurrentFields {
  readonly type: 'mcp_tool'
  /** The MCP server. */
  readonly server: string
  /** The tool of it that is called. */
  readonly tool: string
  /** Input, in which `${path.to.field}` stands for a part of the event. */
  readonly input?: unknown | undefined
}

/** A hook of `current` that a model decides in one go. */
export interface CurrentPromptHookSetting extends Omit<ModelHookSetting, 'type' | 'onFailure'>, CurrentFields {
  readonly type: 'prompt'
  /** The turn goes on after a condition that is not met. */
  readonly continueOnBlock?: boolean | undefined
}

/** A hook of `current` that a model decides after it has looked around. */
export interface CurrentAgentHookSetting extends Omit<ModelHookSetting, 'type' | 'onFailure'>, CurrentFields {
  readonly type: 'agent'
}

/** A hook of any type that settings of `current` may hold. */
export type CurrentHookSetting =
  | CurrentCommandHookSetting
  | HttpHookSetting
  | McpToolHookSetting
  | CurrentPromptHookSetting
  | CurrentAgentHookSetting
