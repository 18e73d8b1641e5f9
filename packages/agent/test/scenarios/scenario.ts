import type { EventName } from 'hookline/protocol'
import type { Content } from '../../../hookline/test/support/project.ts'
import type { ScriptSource } from '../../src/models/script.ts'

/** How an event comes about, and what a hook that objects to it brings about. */
export interface Scenario {
  readonly event: EventName
  /** What a matcher is tested against here; null: the event takes none. */
  readonly value: string | null
  /** What happens, in words. */
  readonly when: string
  readonly through: CommandRuns | Library
  readonly block: Block
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
  /** Neither of them reads it. */
  readonly nowhere?: string
  /** Files of the project that are there afterwards, or not. */
  readonly files?: Readonly<Record<string, boolean>>
}
