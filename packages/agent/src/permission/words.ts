import type { Because } from './decide.ts'

/** Formats what the model reads of a call that was refused. A hook's refusal has words of its own, which the caller knows. */
export function formatRuleRefusal(toolName: string, because: Because): string {
  return `Permission to use ${toolName} was denied ${describeCause(because)}.`
}

/** Formats what the model reads of a call that would have to be asked for, while no user is there to answer. */
export function formatNobodyToAsk(toolName: string, because: Because, hookReason: string | null = null): string {
  return [
    `Permission to use ${toolName} was denied: approval is required ${describeCause(because)}, and there is no user to answer.`,
    ...(because.by === 'hook' && hookReason !== null ? [`The hook says: ${hookReason}`] : []),
    REMEDIES[because.by],
  ].join(' ')
}

/** An allow rule lifts the question of a mode; not that of a hook or of another rule. */
const REMEDIES: Readonly<Record<Because['by'], string>> = {
  mode: 'The user can allow it with a rule in "permissions.allow" of a settings file, or with --allowed-tools.',
  rule: 'No rule that allows it lifts that: the user has to change that rule, or run the agent in a terminal and answer.',
  hook: 'No rule that allows it lifts that: the user has to change the hook, or run the agent in a terminal and answer.',
}

/** Describes who decided, as the end of a sentence. */
export function describeCause(because: Because): string {
  if (because.by === 'hook') return 'by a hook'
  if (because.by === 'mode') return `in the mode ${because.mode}`
  const { text, file } = because.rule
  const place = file === null ? '' : ` of ${file}`
  return because.certain ? `by the rule ${text}${place}` : `since the rule ${text}${place} may apply to it`
}
