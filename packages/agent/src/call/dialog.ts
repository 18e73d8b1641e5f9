import type { PermissionUpdate } from '../permission/update.ts'

/** What a person is asked before a call is made. */
export interface PermissionQuestion {
  readonly tool: string
  readonly input: unknown
  /** Why it is asked: a rule, a hook's reason, or nothing that allows it. */
  readonly reason: string
  /** Rules that would spare the person the question. */
  readonly suggestions: readonly PermissionUpdate[]
  readonly signal: AbortSignal
}

/** What the person says. */
export type PermissionAnswer =
  | { readonly behavior: 'allow'; readonly updatedPermissions?: readonly PermissionUpdate[] }
  | { readonly behavior: 'deny'; readonly message?: string; readonly interrupt?: boolean }

/** Asks a person; absent where there is none. */
export type PermissionDialog = (question: PermissionQuestion) => Promise<PermissionAnswer>
