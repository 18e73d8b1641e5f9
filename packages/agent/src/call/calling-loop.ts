import type { Engine } from 'hookline'
import type { DebugLog } from 'hookline/internal'
import type { HookedLoop } from '../hooks/fire.ts'
import type { Model } from '../models/model.ts'
import type { Denial } from '../output/result.ts'
import type { Permissions } from '../permission/permissions.ts'
import type { Tool, ToolContext } from '../tools/tool.ts'
import type { Conversation } from '../transcript/conversation.ts'
import type { PermissionDialog } from './ask-user.ts'

/** Parts of the loop that a call needs. */
export interface CallingLoop extends HookedLoop, Conversation {
  /** By name; those of an MCP server come and go with it. */
  readonly tools: ReadonlyMap<string, Tool>
  /** Calls that the model has asked for. */
  toolCalls: number
  /** null: it is not a teammate. */
  readonly teammate: { readonly name: string } | null
  /** Model that answers, and judges calls in the mode `auto`. */
  readonly model: Model
  /** Notes that hooks want to be known where calls are judged. */
  readonly notes: string[]
  readonly session: HookedLoop['session'] & {
    readonly engine: Engine
    /** Log of what the model is asked and answers; null: it is not logged. */
    readonly apiLog: DebugLog | null
    readonly permissions: Permissions
    /** null: there is no user to ask. */
    readonly dialog: PermissionDialog | null
    readonly limits: { readonly endWithinMs: number; readonly notifyAfterMs: number }
    /** Maker of the surroundings for the calls of a turn. */
    readonly toolContext: (agent: CallingLoop['agent'], signal: AbortSignal) => ToolContext
    /** Instructions in files about the place that a call goes to. */
    readonly instructions: {
      readonly readConcerning: (loop: HookedLoop, toolName: string, input: unknown) => Promise<readonly string[]>
    }
    /** The turn under way. */
    readonly turn: HookedLoop['session']['turn'] & { readonly denials: Denial[] }
  }
}
