import type { Content, World } from '../../../hookline/test/support/project.ts'
import type { AgentEventName } from '../../src/hooks/fire.ts'
import type { ScriptSource } from '../../src/models/script.ts'
import type { Agent } from '../../src/session/agent.ts'
import type { Opening } from '../support/opened-agent.ts'

/** How an event comes about, and what a hook that objects to it brings about. */
export interface Scenario {
  readonly event: AgentEventName
  /** What a matcher is tested against here; null: the event takes none. */
  readonly value: string | null
  /** What is different from another scenario of the same value. */
  readonly variant?: string
  /** What happens, in words. */
  readonly when: string
  readonly through: CommandRuns | Library | Host
  /** null: the same as with another value of the event. */
  readonly block: Block | null
}

/** Calls of the command, one after the other, in one project. */
export interface CommandRuns {
  readonly by: 'command'
  readonly runs: readonly (readonly string[])[]
  /** What the model says; a provider's server says it instead where one is named. */
  readonly script?: ScriptSource
  readonly provider?: 'anthropic'
  readonly files?: Readonly<Record<string, Content>>
}

/** Prompts to an agent that has somebody to ask. */
export interface Library {
  readonly by: 'library'
  readonly script: ScriptSource
  /** What the user does: answers a dialog at once, or only after a Notification, fills in a form, or nothing at all. */
  readonly person: 'answers' | 'answers-when-notified' | 'fills-in-a-form' | 'is-away'
}

/** What a host does that uses the agent as a library. */
export interface Host {
  readonly by: 'host'
  /** In words, as the end of "Through the library: …". */
  readonly how: string
  readonly script?: ScriptSource
  readonly files?: Readonly<Record<string, Content>>
  readonly options?: Opening
  /** Options with a model of its own, made when the scenario is played. */
  readonly model?: () => Promise<Opening>
  /** Done with the world before the agent is opened. */
  readonly prepare?: (world: World) => Promise<void>
  /** What it does; it sends a prompt when this is left out. A text is what it shows to the user. */
  readonly act?: (agent: Agent, world: World) => Promise<unknown>
  /** The user answers dialogs only after a Notification. */
  readonly notified?: boolean
}

/** What a hook that exits 2 with `not today` on its stderr does here. */
export interface Block {
  /** In words. */
  readonly does: string
  /** The exit code of the last call of the command; null: the event is fired through the library. */
  readonly code: number | null
  /** In what the user reads; `H` stands for the hook's command. */
  readonly person?: string
  /** In what the model reads, and the transcript keeps. */
  readonly model?: string
  /** No one reads the hook's reason. */
  readonly quiet?: true
  /** Neither of them reads it. */
  readonly nowhere?: string
  /** Files of the project that are there afterwards, or not. */
  readonly files?: Readonly<Record<string, boolean>>
}
