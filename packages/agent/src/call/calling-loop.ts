import type { Engine } from 'hookline'
import type { HookedLoop } from '../hooks/fire.ts'
import type { Denial } from '../output/result.ts'
import type { Permissions } from '../permission/permissions.ts'
import type { Tool, ToolContext } from '../tools/tool.ts'
import type { Conversation } from '../transcript/conversation.ts'
import type { PermissionDialog } from './ask-user.ts'

/** What a call needs of the loop that makes it. */
export interface CallingLoop extends HookedLoop, Conversation {
  /** By name; those of an MCP server come and go with it. */
  readonly tools: ReadonlyMap<string, Tool>
  /** Calls that the model has asked for. */
  toolCalls: number
  readonly session: HookedLoop['session'] & {
    readonly engine: Engine
    readonly permissions: Permissions
    /** null: there is no user to ask. */
    readonly dialog: PermissionDialog | null
    readonly limits: { readonly endWithinMs: number; readonly notifyAfterMs: number }
    /** Where the calls of a turn happen. */
    readonly toolContext: (agent: CallingLoop['agent'], signal: AbortSignal) => ToolContext
    /** The turn under way. */
    readonly turn: HookedLoop['session']['turn'] & { readonly denials: Denial[] }
  }
}
