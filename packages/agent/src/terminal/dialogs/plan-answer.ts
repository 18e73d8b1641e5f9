import type { PermissionAnswer } from '../../call/ask-user.ts'
import type { PermissionMode } from '../../permission/modes.ts'

/** Ways to approve a plan: in which mode it is carried out. */
export const APPROVALS: readonly { readonly mode: PermissionMode; readonly text: string }[] = [
  { mode: 'acceptEdits', text: 'Yes, and accept edits' },
  { mode: 'default', text: 'Yes, and ask before each edit' },
]

/** The plan is approved. */
export function makeApproval(mode: PermissionMode): PermissionAnswer {
  return { behavior: 'allow', updatedPermissions: [{ type: 'setMode', mode, destination: 'session' }] }
}

/** The plan is not approved; the model reads what the user typed. */
export function makePlanRefusal(typed: string): PermissionAnswer {
  const says = typed.trim() === '' ? 'Ask what to change.' : `The user says: ${typed.trim()}`
  return { behavior: 'deny', message: `The user did not approve the plan, and plan mode stays on. ${says}` }
}
