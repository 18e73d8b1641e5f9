import type { Decision, DispatchRecord, HookLine } from '../protocol/record.ts'

/** A record for people: every hook with what became of it, then what was decided, then who is told what. */
export function recordText({ event, hooks, decision, notices = [] }: DispatchRecord): string {
  const lines = [
    `${event}: ${inWords(decision)}`,
    ...hooks.flatMap(hookText),
    ...(hooks.length === 0 ? ['  no hook is configured for this event'] : []),
    ...(decision.updatedInput === null ? [] : [`  new input: ${JSON.stringify(decision.updatedInput)}`]),
    ...decision.context.map((text) => `  context: ${text}`),
    ...(decision.instructions === null ? [] : [`  instructions: ${decision.instructions}`]),
    ...decision.messages.map(({ to, text }) => `  to the ${to === 'verbose' ? 'verbose view' : to}: ${text}`),
    ...notices.map((notice) => `  note: ${notice}`),
  ]
  return `${lines.map(indented).join('\n')}\n`
}

/** Later lines of a text stand under its first, so that no hook can imitate ours. */
function indented(line: string): string {
  return line.replaceAll('\n', '\n    ')
}

function inWords({ halt, stopReason, blocked, permission, reason }: Decision): string {
  const words = [
    ...(halt ? [`halted${stopReason === null ? '' : ` (${stopReason})`}`] : []),
    ...(blocked ? [permission === 'deny' ? 'denied' : 'blocked'] : []),
    ...(permission !== null && permission !== 'deny' ? [permission] : []),
  ]
  const why = reason === null ? '' : `: ${reason}`
  return words.length === 0 ? 'nothing objected' : `${words.join(', ')}${why}`
}

function hookText({
  id,
  verdict,
  because,
  file,
  line,
  command,
  outcome,
  exitCode,
  signal,
  durationMs,
  warnings,
}: HookLine): string[] {
  const ended = signal ?? (exitCode === null || exitCode === undefined ? null : `exit ${exitCode}`)
  const facts = [outcome, ended, durationMs === undefined ? null : `${durationMs} ms`].filter(
    (fact) => fact !== undefined && fact !== null,
  )
  const place = file === null ? id : `${file}:${line}`
  return [
    `  ${verdict.padEnd(12)} ${place}  ${command ?? ''}`.trimEnd(),
    ...(facts.length > 0 ? [`               ${facts.join(', ')}`] : []),
    ...(because === undefined ? [] : [`               ${because}`]),
    ...warnings.map((warning) => `               warning: ${warning}`),
  ]
}
