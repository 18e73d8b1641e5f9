import type { Decision, DispatchRecord } from '../protocol/record/record.ts'

/** Answer that a hook of Claude Code prints, or a hook callback of its SDK returns. */
export interface ClaudeAnswer {
  readonly continue?: false | undefined
  readonly stopReason?: string | undefined
  readonly decision?: 'block' | undefined
  readonly reason?: string | undefined
  readonly systemMessage?: string | undefined
  readonly hookSpecificOutput?: { readonly hookEventName: string } & Readonly<Record<string, unknown>>
}

/**
 * Writes what hooks decided as the answer of one hook: for hosts that take hooks as callbacks of their own. An event that only
 * an exit code can block says `decision: 'block'` as the others do.
 */
export function toClaudeAnswer({ event, decision }: DispatchRecord): ClaudeAnswer {
  const { halt, stopReason, blocked, permission, reason, messages } = decision
  const toUser = messages.filter(({ to, text }) => to === 'user' && !reason?.includes(text)).map(({ text }) => text) // the reason is told anyway
  const specific = { ...toPermissionFields(event, decision), ...toContextFields(decision), ...toEffectFields(decision) }
  return {
    ...(halt ? { continue: false as const, ...(stopReason === null ? {} : { stopReason }) } : {}),
    ...(blocked && permission === null ? { decision: 'block' as const, reason: reason ?? 'Blocked by hook' } : {}),
    ...(toUser.length === 0 ? {} : { systemMessage: toUser.join('\n') }),
    ...(Object.keys(specific).length === 0 ? {} : { hookSpecificOutput: { hookEventName: event, ...specific } }),
  }
}

/** The two events about a permission have words of their own for it. */
function toPermissionFields(event: string, decision: Decision): Readonly<Record<string, unknown>> {
  const { permission, reason, updatedInput, updatedPermissions, interrupt } = decision
  const input = updatedInput === null ? {} : { updatedInput }
  if (event !== 'PermissionRequest') {
    const why = reason === null ? {} : { permissionDecisionReason: reason }
    return { ...(permission === null ? {} : { permissionDecision: permission, ...why }), ...input }
  }
  if (permission === 'allow') {
    const rules = updatedPermissions === null ? {} : { updatedPermissions }
    return { decision: { behavior: 'allow', ...input, ...rules } }
  }
  if (permission === null) return {}
  return {
    decision: {
      behavior: 'deny',
      ...(reason === null ? {} : { message: reason }),
      ...(interrupt ? { interrupt } : {}),
    },
  }
}

function toContextFields({ context }: Decision): Readonly<Record<string, unknown>> {
  return context.length === 0 ? {} : { additionalContext: context.join('\n\n') }
}

/** Effects whose name in the answer of hooks is the same. */
const SAME_NAME = [
  'retry',
  'sessionTitle',
  'initialUserMessage',
  'displayContent',
  'worktreePath',
  'watchPaths',
  'reloadSkills',
  'suppressOriginalPrompt',
  'classifierContext',
] as const satisfies readonly (keyof Decision)[]

function toEffectFields(decision: Decision): Readonly<Record<string, unknown>> {
  const { updatedToolOutput, elicitation } = decision
  const asked = SAME_NAME.filter(
    (name) => decision[name] !== undefined && decision[name] !== null && decision[name] !== false,
  )
  return {
    ...Object.fromEntries(asked.map((name) => [name, decision[name]])),
    ...(updatedToolOutput === null ? {} : { updatedToolOutput, updatedMCPToolOutput: updatedToolOutput }), // each client knows one
    ...(elicitation
      ? { action: elicitation.action, ...(elicitation.content === null ? {} : { content: elicitation.content }) }
      : {}),
  }
}
