import type { DebugLog } from 'hookline/internal'
import type { CallingLoop } from '../call/calling-loop.ts'
import type { Model } from '../models/model.ts'
import type { AgentName } from '../output/events.ts'
import type { ToolUse, Usage } from '../output/messages.ts'
import type { Tool } from '../tools/tool.ts'
import type { Turn } from './turn.ts'

/** What the loops of a session share. */
export interface Session extends Omit<Readonly<CallingLoop['session']>, 'turn' | 'limits'> {
  readonly limits: Limits
  /** Aborts when the session ends. */
  readonly closing: AbortSignal
  /** What the model is asked and answers; null: it is not logged. */
  readonly apiLog: DebugLog | null
  /** Every loop under way, by its agent's id; the session's own has none. */
  readonly loops: Map<string | null, Loop>
  /** Waits for news from teammates at work; resolves with those who have none within the time. */
  readonly team: { readonly listen: (withinMs: number) => Promise<readonly string[]> }
  /** The user accepted what the folder allows. */
  readonly trusted: boolean
  /** The turn under way, or the last one. */
  turn: Turn
  /** The user has been told that the provider accepted the key. */
  signedIn: boolean
}

/** How often and how long something may happen; `AgentOptions` explains each. */
export interface Limits {
  readonly maxTurns: number
  readonly maxStopBlocks: number
  readonly maxAgentDepth: number
  readonly teamWaitMs: number
  readonly notifyAfterMs: number
  readonly endWithinMs: number
  readonly mcpStartWithinMs: number
}

/** The name of a teammate and of its team. */
export interface TeammateName {
  readonly name: string
  readonly team: string
}

/** One conversation with a model: the session's own, or a subagent's. */
export interface Loop extends CallingLoop {
  readonly session: Session
  /** The loop that started it; null: the session's own. */
  readonly parent: Loop | null
  /** null: it is not a teammate. */
  readonly teammate: TeammateName | null
  readonly model: Model
  readonly system: string
  readonly tools: Map<string, Tool>
  /** Calls that hooks put off: they have no result yet. */
  open: readonly ToolUse[]
  /** What others wrote to it and it has not read. */
  readonly inbox: string[]
  /** Tokens that the last request took up; 0 when the provider did not say. */
  contextTokens: number
  /** Tokens of its requests and of those that subagents made for it. */
  spent: Usage
  /** How often the model has answered. */
  answers: number
}

/** A loop that nothing was said in yet. */
export function newLoop(
  own: Pick<Loop, 'session' | 'agent' | 'parent' | 'teammate' | 'model' | 'system' | 'tools' | 'transcript'>,
): Loop {
  const spent = { inputTokens: 0, outputTokens: 0 }
  return { ...own, open: [], inbox: [], messages: [], contextTokens: 0, spent, answers: 0, toolCalls: 0 }
}

/** How many agents stand above a loop; the session's own has none. */
export function depthOf({ parent }: Loop): number {
  return parent === null ? 0 : depthOf(parent) + 1
}

/** The loop that a call comes from. */
export function callerOf({ loops }: Pick<Session, 'loops'>, agent: AgentName | null): Loop {
  const loop = loops.get(agent?.id ?? null)
  if (!loop) throw new TypeError(`no loop of the agent ${agent?.id} is under way`)
  return loop
}
