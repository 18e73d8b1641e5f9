import type { Delivery } from 'hookline'
import type { CallingLoop } from '../call/calling-loop.ts'
import type { Model } from '../models/model.ts'
import type { AgentName } from '../output/events.ts'
import type { ToolUse, Usage } from '../output/messages.ts'
import type { Tool } from '../tools/tool.ts'
import type { Instructions } from './instructions.ts'
import type { Turn } from './turn.ts'

/** State that the loops of a session share. */
export interface Session extends Omit<Readonly<CallingLoop['session']>, 'turn' | 'limits'> {
  readonly limits: Limits
  /** The project's folder. */
  readonly project: string
  /** Aborts when the session ends. */
  readonly closing: AbortSignal
  /** Every loop under way, by its agent's id; the session's own has none. */
  readonly loops: Map<string | null, Loop>
  /** Waits for news from teammates at work; resolves with those who have none within the time. */
  readonly team: { readonly listen: (withinMs: number) => Promise<readonly string[]> }
  /** The user accepted what the folder allows. */
  readonly trusted: boolean
  /** The turn under way, or the last one. */
  turn: Turn
  /** Title that hooks gave the session; null: nothing. */
  title: string | null
  /** Does what SessionStart hooks may ask of the host. */
  readonly asked: {
    /** Watches these files, in place of those that hooks asked for before. */
    readonly watch: (paths: readonly string[]) => void
    /** Reads the skills again. */
    readonly reloadSkills: () => Promise<void>
  }
  /** Words of background hooks that the model has not been told yet. */
  readonly late: Delivery[]
  /** The files of instructions that the session has read. */
  readonly instructions: Instructions
  /** Takes care of what nothing waits for; the session's end does. */
  readonly inBackground: (work: Promise<unknown>) => void
  /** The user has been told that the provider accepted the key. */
  signedIn: boolean
}

/** Limits of how often and how long something may happen; `AgentOptions` explains each. */
export interface Limits {
  readonly maxTurns: number
  readonly maxStopBlocks: number
  readonly maxAgentDepth: number
  readonly teamWaitMs: number
  readonly notifyAfterMs: number
  readonly endWithinMs: number
  readonly mcpStartWithinMs: number
  readonly quotaWaitMs: number
  readonly quotaStaleMs: number
}

/** The name of a teammate and of its team. */
export interface TeammateName {
  readonly name: string
  readonly team: string
}

/** One conversation with a model: the session's own, or a subagent's. */
export interface Loop extends CallingLoop {
  readonly session: Session
  /** A command may change it. */
  cwd: string
  /** The loop that started it; null: the session's own. */
  readonly parent: Loop | null
  /** null: it is not a teammate. */
  readonly teammate: TeammateName | null
  model: Model
  readonly system: string
  readonly tools: Map<string, Tool>
  /** Calls that hooks put off: they have no result yet. */
  open: readonly ToolUse[]
  /** Messages of others that it has not read. */
  readonly inbox: string[]
  /** Tokens that the last request took up; 0 when the provider did not say. */
  contextTokens: number
  /** Time of the model's last answer, in milliseconds; null: not yet. */
  answeredAt: number | null
  /** Tokens of its requests and of those that subagents made for it. */
  spent: Usage
  /** Number of answers of the model. */
  answers: number
}

/** A loop that nothing was said in yet. */
export function makeLoop(
  own: Pick<Loop, 'session' | 'agent' | 'cwd' | 'parent' | 'teammate' | 'model' | 'system' | 'tools' | 'transcript'>,
): Loop {
  const spent = { inputTokens: 0, outputTokens: 0 }
  return {
    ...own,
    open: [],
    inbox: [],
    notes: [],
    messages: [],
    contextTokens: 0,
    answeredAt: null,
    spent,
    answers: 0,
    toolCalls: 0,
  }
}

/** Number of agents stand above a loop; the session's own has none. */
export function countDepth({ parent }: Loop): number {
  return parent === null ? 0 : countDepth(parent) + 1
}

/** The loop that a call comes from. */
export function findCaller({ loops }: Pick<Session, 'loops'>, agent: AgentName | null): Loop {
  const loop = loops.get(agent?.id ?? null)
  if (!loop) throw new TypeError(`no loop of the agent ${agent?.id} is under way`)
  return loop
}
