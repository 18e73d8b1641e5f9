import { readRuns } from '../../protocol/record/hook-line.ts'
import type { HookLine } from '../../protocol/record/record.ts'
import { clipText, indentText } from './layout.ts'
import type { Paint, Terminal } from './terminal.ts'

/** Words for verdicts, with their colours. */
const VERDICTS: Readonly<Record<HookLine['verdict'], readonly [string, keyof Paint]>> = {
  ran: ['ran', 'green'],
  backgrounded: ['in background', 'cyan'],
  'matcher-miss': ['matcher-miss', 'dim'],
  'once-spent': ['once-spent', 'dim'],
  duplicate: ['duplicate', 'dim'],
  'not-reached': ['not-reached', 'dim'],
  untrusted: ['untrusted', 'yellow'],
  'policy-off': ['policy-off', 'yellow'],
  disabled: ['disabled', 'yellow'],
  unsupported: ['unsupported', 'yellow'],
  invalid: ['invalid', 'red'],
}

const PLANNED = { ran: ['would run', 'green'], backgrounded: ['would run in background', 'cyan'] } as const

const CANNOT_START = ['cannot start', 'red'] as const

function chooseVerdictWord({
  planned,
  verdict,
}: Pick<HookLine, 'planned' | 'verdict'>): readonly [string, keyof Paint] {
  return planned ? PLANNED[verdict === 'ran' ? 'ran' : 'backgrounded'] : VERDICTS[verdict]
}

const INDENT = '    '

/** Outcome for a hook that waits to be trusted. */
export interface TrustedOutcome extends Pick<HookLine, 'verdict' | 'planned' | 'because'> {
  readonly cannotStart?: string
}

function describeOtherwise({ cannotStart, because, ...line }: TrustedOutcome): string {
  const [word] = cannotStart === undefined ? chooseVerdictWord(line) : CANNOT_START
  const why = cannotStart ?? because
  return `not trusted in Hookline yet; otherwise: ${word}${why === undefined ? '' : ` (${why})`}`
}

/** Formats whose trust hooks wait for, and how it is given: with the commands that show the hooks and trust them. */
export function trustHint({ show, accept }: { readonly show: string; readonly accept: string }): string {
  return `Trust here is Hookline's own, which Claude Code does not know of. Look at the hooks: ${show}. Trust them: ${accept}, or add --trust for this run.`
}

/** Facts that can be told before a hook runs. */
interface Foreseen {
  /** Reason why it cannot start. */
  readonly cannotStart?: string
  /** Outcome if it were trusted. */
  readonly otherwise?: TrustedOutcome | undefined
  /** The rule that the call fits, and why it does. */
  readonly condition?: { readonly rule: string; readonly because: string } | undefined
}

/** A hook of a record or of a plan, for people: what became of it, where it stands, what it runs, what is odd about it. */
export function formatHook(
  line: HookLine,
  terminal: Terminal,
  { cannotStart, condition, otherwise }: Foreseen = {},
): string[] {
  const { width, paint } = terminal
  const [word, colour] = cannotStart === undefined ? chooseVerdictWord(line) : CANNOT_START
  const place = line.file === null ? line.id : `${line.file}:${line.line}`
  const head = `  ${paint[colour](word)}  ${paint.bold(clipText(place, width - 20))}  ${paint.dim(line.scope)}`
  const runs = readRuns(line) ?? line.type ?? 'nothing'
  const because = otherwise === undefined ? line.because : describeOtherwise(otherwise)
  return [
    head,
    ...(line.matcher === null ? [] : [`${INDENT}matcher  ${clipText(line.matcher, width - 13)}`]),
    ...(condition === undefined
      ? []
      : [formatHanging('if', `${condition.rule}  (matches: ${condition.because})`, width)]),
    `${INDENT}${(line.type ?? 'hook').padEnd(7)}  ${clipText(line.wrapped ? `(wrapped) ${runs}` : runs, width - 13)}`,
    ...listRunFacts(line),
    ...(line.model === undefined ? [] : [describeJudgement(line)]),
    ...(cannotStart === undefined ? [] : [paint.red(formatHanging('because', cannotStart, width))]),
    ...(because === undefined ? [] : [paint.yellow(formatHanging('because', because, width))]),
    ...line.warnings.map((warning) => paint.yellow(formatHanging('warning', warning, width))),
  ]
}

/** A word and what it says, with later lines below the first. */
export function formatHanging(word: string, text: string, width: number): string {
  const start = `${INDENT}${word.padEnd(7)}  `
  const blank = ' '.repeat(start.length)
  return `${start}${indentText(text, blank, width).slice(start.length)}`
}

function listRunFacts({ outcome, exitCode, signal, timedOut, durationMs, failed }: HookLine): string[] {
  if (outcome === undefined) return []
  const ended = [
    timedOut ? 'timed out' : null,
    signal ?? null,
    exitCode === null || exitCode === undefined ? null : `exit ${exitCode}`,
  ].filter((fact) => fact !== null)
  const how = ended.length === 0 ? '' : ` (${ended.join(', ')})`
  const words = [`${OUTCOMES[outcome]}${how}`, `${durationMs} ms`, ...(failed === undefined ? [] : ['failed closed'])]
  return [`${INDENT}result   ${words.join(', ')}`]
}

const OUTCOMES: Readonly<Record<NonNullable<HookLine['outcome']>, string>> = {
  success: 'success',
  blocking: 'blocked',
  non_blocking_error: 'failed, not blocking',
  cancelled: 'cancelled',
}

/** Describes which model decided, and what it took. */
function describeJudgement({ model, inputTokens, outputTokens, turns, attempts }: HookLine): string {
  const spent = [
    inputTokens === undefined ? null : `${inputTokens} tokens read`,
    outputTokens === undefined ? null : `${outputTokens} written`,
    turns === undefined ? null : `${turns} ${turns === 1 ? 'turn' : 'turns'}`,
    attempts === undefined ? null : `asked ${attempts} times`,
  ].filter((fact) => fact !== null)
  return `${INDENT}model    ${[model, ...spent].join(', ')}`
}
