import type { Delivery } from '../../dispatch/background.ts'
import type { Decision, HookLine, Message, PastRecord } from '../../protocol/record/record.ts'
import { toSafeJson } from '../../text/visible.ts'
import { formatHanging, formatHook, type TrustedOutcome } from './hook-view.ts'
import { clipText, indentText } from './layout.ts'
import type { Terminal } from './terminal.ts'

/** A record for people: every hook with what became of it, then what was decided, then who reads what. */
export function formatRecord(
  record: PastRecord,
  terminal: Terminal,
  /** Outcomes of hooks that wait to be trusted, by their ids. */
  otherwise: ReadonlyMap<string, TrustedOutcome> = new Map(),
): string[] {
  const { event, hooks, decision, notices = [] } = record
  const { paint, width } = terminal
  const colour = decision.blocked || decision.halt ? paint.red : paint.green
  return [
    `${paint.bold(event)}  ${colour(clipText(describeDecision(decision, hooks), width - event.length - 2))}`,
    ...(hooks.length === 0 ? ['  no hook is configured for this event'] : []),
    ...hooks.flatMap((line) => [
      ...formatHook(line, terminal, { otherwise: otherwise.get(line.id) }),
      ...(hooks.length < 2 ? [] : formatHookTime(line, hooks)),
      ...(line.answer == null ? [] : [`    answer   ${clipText(toSafeJson(line.answer), width - 13)}`]),
      ...(line.stdoutTail || line.stderrTail ? formatTails(line, width) : []),
    ]),
    ...formatMerged(decision, terminal),
    ...(decision.messages.length === 0 ? [] : formatReaders(decision, terminal)),
    ...(notices.length === 0 ? [] : ['', paint.bold('Notes')]),
    ...notices.map((notice) => paint.yellow(indentText(notice, '    ', width))),
  ]
}

/** Formats what background hooks said, for people. */
export function formatDeliveries(deliveries: readonly Delivery[], { width, paint }: Terminal): string[] {
  if (deliveries.length === 0) return []
  const lines = deliveries.flatMap(({ hook, context, messages, dropped }) => [
    `  ${hook}`,
    ...context.map((text) => formatHanging('context', text, width)),
    ...messages.map(({ to, text }) => formatHanging(to, text, width)),
    ...dropped.map((text) => formatHanging('dropped', text, width)),
  ])
  return ['', paint.bold('Later, from the background'), ...lines]
}

/** A decision in a few words. */
function describeDecision(
  { halt, blocked, permission, reason, stopReason }: Decision,
  hooks: readonly HookLine[],
): string {
  const verdicts: string[] = halt ? ['halted'] : []
  if (blocked) verdicts.push(permission === 'deny' ? 'denied' : 'blocked')
  else if (permission !== null)
    verdicts.push({ allow: 'allowed', ask: 'asks', defer: 'deferred', deny: 'denied' }[permission])
  const reasons: string[] = halt && stopReason !== null ? [stopReason] : []
  if (reason !== null) reasons.push(reason)
  const why = reasons.join('; ')
  if (verdicts.length === 0 && hooks.some(({ outcome }) => outcome !== undefined)) return 'allowed (no hook objected)'
  if (verdicts.length === 0)
    return hooks.some(({ verdict }) => verdict === 'backgrounded') ? 'hooks run in the background' : 'no hook ran'
  return why === '' ? verdicts.join(', ') : `${verdicts.join(', ')}: ${why}`
}

const BAR = 30

/** Formats where in the event's time a hook ran, if others did so too. */
function formatHookTime({ startMs: from, durationMs = 0 }: HookLine, hooks: readonly HookLine[]): string[] {
  if (from === undefined) return []
  const ends = hooks.flatMap((line) => (line.startMs === undefined ? [] : [line.startMs + (line.durationMs ?? 0)]))
  if (ends.length < 2) return []
  const total = Math.max(1, ...ends)
  const start = Math.floor((from / total) * (BAR - 1))
  const length = Math.min(BAR - start, Math.max(1, Math.round((durationMs / total) * BAR)))
  const bar = `${'·'.repeat(start)}${'━'.repeat(length)}${'·'.repeat(BAR - start - length)}`
  return [`    time     ${bar}  ${from.toFixed(0)} to ${(from + durationMs).toFixed(0)} ms`]
}

/** The end of what a hook wrote, where the record has it. */
function formatTails({ stdoutTail = '', stderrTail = '' }: HookLine, width: number): string[] {
  const tails = [
    ['stdout', stdoutTail],
    ['stderr', stderrTail],
  ] as const
  return tails.flatMap(([name, text]) => (text.trim() === '' ? [] : [formatHanging(name, text.trimEnd(), width)]))
}

/** Formats what the host acts on, and whose word it was. */
function formatMerged(decision: Decision, { width, paint }: Terminal): string[] {
  const { halt, stopReason, permission, blocked, reason, interrupt, updatedInput, updatedPermissions } = decision
  const { updatedToolOutput, instructions, context, contextFrom } = decision
  const parts: [string, string][] = [
    ...(halt ? [['halt', stopReason ?? 'no reason given'] as [string, string]] : []),
    ...(blocked ? [['block', reason ?? ''] as [string, string]] : []),
    ...(permission === null ? [] : [['permission', permission] as [string, string]]),
    ...(interrupt ? [['interrupt', 'the turn ends as by Ctrl+C'] as [string, string]] : []),
    ...(updatedInput === null ? [] : [['input', toSafeJson(updatedInput)] as [string, string]]),
    ...(updatedPermissions === null ? [] : [['rules', toSafeJson(updatedPermissions)] as [string, string]]),
    ...(updatedToolOutput === null ? [] : [['output', toSafeJson(updatedToolOutput)] as [string, string]]),
    ...(instructions === null ? [] : [['compact', instructions] as [string, string]]),
    ...context.map((text, at): [string, string] => [
      'context',
      `${text}\n(${contextFrom[at]?.kind} of ${contextFrom[at]?.hook})`,
    ]),
    ...listEffects(decision),
  ]
  if (parts.length === 0) return []
  const widest = Math.max(...parts.map(([word]) => word.length))
  return ['', paint.bold('Decided'), ...parts.map(([word, text]) => formatHanging(word.padEnd(widest), text, width))]
}

/** The fields that only some profiles have. */
type EffectName = Exclude<
  { [Name in keyof Decision]-?: undefined extends Decision[Name] ? Name : never }[keyof Decision],
  'updatedToolOutput'
>

/** Effects that profiles add to a decision, and their names in the view. */
const EFFECTS: Readonly<Record<EffectName, string>> = {
  retry: 'retry',
  sessionTitle: 'title',
  initialUserMessage: 'prompt',
  displayContent: 'shown',
  worktreePath: 'path',
  watchPaths: 'watch',
  reloadSkills: 'skills',
  suppressOriginalPrompt: 'hide',
  elicitation: 'answer',
  terminalSequences: 'bytes',
  classifierContext: 'judge',
}

/** Lists the effects that a hook asked for: what is null, false or an empty list of sequences was not. */
function listEffects(decision: Decision): [string, string][] {
  const effects: [string, string][] = []
  for (const [name, word] of Object.entries(EFFECTS)) {
    const value = decision[name as EffectName] // one of its keys
    if (value === undefined || value === null || value === false) continue
    if (name === 'terminalSequences' && Array.isArray(value) && value.length === 0) continue
    if (typeof value === 'string') effects.push([word, value])
    else effects.push([word, value === true ? 'yes' : toSafeJson(value)])
  }
  return effects
}

const MESSAGE_READERS: readonly (readonly [Message['to'], string])[] = [
  ['model', 'The model reads (the user sees it too)'],
  ['user', 'The user reads'],
  ['verbose', 'In the verbose view'],
]

function formatReaders({ messages }: Decision, { width, paint }: Terminal): string[] {
  return MESSAGE_READERS.flatMap(([reader, title]) => {
    const texts = messages.filter(({ to }) => to === reader)
    return texts.length === 0
      ? []
      : ['', paint.bold(title), ...texts.map(({ text }) => indentText(text, '    ', width))]
  })
}
