import type { Progress } from 'hookline'
import type { Usage } from '../output/messages.ts'
import type { Message } from './messages.ts'
import type { Denial } from './result.ts'

/** Loop that something happened in; null: the session's own. */
export interface AgentName {
  readonly id: string
  readonly type: string
}

/** Event of an agent at work, for the host that shows it. */
export type AgentEvent =
  /** A session began; everything after it belongs to it. */
  | {
      readonly type: 'session'
      readonly sessionId: string
      readonly transcriptPath: string
      readonly source: string
      readonly cwd: string
      readonly model: string
      readonly tools: readonly string[]
      readonly permissionMode: string
      /** Title that hooks gave it in an earlier run; null: nothing. */
      readonly title: string | null
    }
  /** A message is complete and part of the conversation. */
  | {
      readonly type: 'message'
      readonly message: Message
      readonly injected: boolean
      readonly agent: AgentName | null
      /** Text that a hook wants shown in place of its own. */
      readonly shown?: string
    }
  /** A message of the earlier session that is resumed, and what tools answered in it, by the ids of their calls. */
  | { readonly type: 'restored'; readonly message: Message; readonly responses: ReadonlyMap<string, unknown> }
  /** An earlier session goes on; all of its messages were restored. */
  | {
      readonly type: 'resumed'
      readonly title: string | null
      /** The user's prompts in it, the oldest first. */
      readonly prompts: readonly string[]
      /** Time of the model's last answer; null: unknown. */
      readonly answeredAt: Date | null
    }
  /** The model is speaking; the whole message follows. */
  | { readonly type: 'text'; readonly text: string; readonly agent: AgentName | null }
  | { readonly type: 'usage'; readonly usage: Usage; readonly agent: AgentName | null }
  /** A subagent begins; `name` is what a teammate is called. */
  | {
      readonly type: 'agent_started'
      readonly agent: AgentName
      readonly name: string | null
      readonly description: string
      readonly transcriptPath: string
    }
  | { readonly type: 'agent_ended'; readonly agent: AgentName }
  | { readonly type: 'tool_started'; readonly id: string; readonly name: string; readonly input: unknown }
  /** A tool that runs has printed something; at the latest its result says all of it. */
  | { readonly type: 'tool_output'; readonly id: string; readonly text: string }
  /** `response` is what hooks get to see; missing when the call failed. */
  | {
      readonly type: 'tool_ended'
      readonly id: string
      readonly name: string
      readonly failed: boolean
      readonly response?: unknown
    }
  /** A call was not made, since it was refused; the result has it too. */
  | { readonly type: 'tool_refused'; readonly denial: Denial }
  /** `call` is the id of the call that the event is about; null: it is about none. */
  | { readonly type: 'hook'; readonly event: string; readonly progress: Progress; readonly call: string | null }
  /** A text for the user: always, or in the verbose view only. */
  | { readonly type: 'told'; readonly to: 'user' | 'verbose'; readonly text: string }
  | { readonly type: 'compacted'; readonly trigger: string }
  | { readonly type: 'mode'; readonly mode: string }
  /** A hook gave the session a title. */
  | { readonly type: 'title'; readonly title: string }
  /** Sequence that a hook sends to the terminal, as it is: a title, a notification or a bell, and nothing else. */
  | { readonly type: 'terminal'; readonly sequence: string }
