import { answering } from '../../../hookline/test/support/project.ts'

/** A shell command that exits 2 with `not today` on its stderr. */
export const objecting = "echo 'not today' >&2; exit 2"

/** A shell command that prints a JSON answer for one event. */
export function answeringFor(hookEventName: string, fields: object): string {
  return answering({ hookSpecificOutput: { hookEventName, ...fields } })
}

/** A shell command that halts, with or without a reason. */
export function halting(stopReason?: string): string {
  return answering({ continue: false, ...(stopReason === undefined ? {} : { stopReason }) })
}

/** A command of a Stop hook, run only while no Stop hook has sent the agent on. */
export function unlessActive(command: string): string {
  return `grep -q '"stop_hook_active":true' || { ${command}; }`
}
