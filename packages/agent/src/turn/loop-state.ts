import type { Model, Usage } from '../models/model.ts'
import type { AgentName } from '../output/events.ts'
import type { Message } from '../output/messages.ts'
import type { Session } from '../session/session.ts'
import type { Tool } from '../tools/tool.ts'
import type { Transcript } from '../transcript/transcript.ts'

/** Who somebody is in a team. */
export interface TeammateName {
  readonly name: string
  readonly team: string
}

/** One conversation with a model: the session's own, or a subagent's. */
export interface Loop {
  readonly session: Session
  /** null: the session's own. */
  readonly agent: AgentName | null
  /** The loop that started it; null: the session's own. */
  readonly parent: Loop | null
  /** null: it is no teammate. */
  readonly teammate: TeammateName | null
  readonly model: Model
  readonly system: string
  /** By name; those of an MCP server come and go with it. */
  readonly tools: Map<string, Tool>
  readonly transcript: Transcript
  /** What others wrote to it and it has not read. */
  readonly inbox: string[]
  /** What was said so far; compaction replaces it. */
  messages: Message[]
  /** Tokens that the last request took up; 0 when nobody said. */
  contextTokens: number
  /** Tokens of its requests and of those that subagents made for it. */
  spent: Usage
  /** How often the model has answered. */
  answers: number
  /** Calls that the model has asked for. */
  toolCalls: number
}

/** Why a turn ends before the model was done. */
export type EarlyEnd =
  | { readonly ended: 'halted'; readonly reason: string }
  | { readonly ended: 'interrupted' }
  | { readonly ended: 'model-error'; readonly message: string }
  | { readonly ended: 'max-turns'; readonly turns: number }
  | { readonly ended: 'prompt-blocked'; readonly text: string }

/** How a turn ended. */
export type TurnEnd = { readonly ended: 'answered'; readonly text: string } | EarlyEnd
