import type { DispatchRecord, HookLine } from 'hookline'
import { readRuns } from 'hookline/internal'
import { isInterrupted } from '../../hooks/words.ts'
import { foldToOneLine, formatValue } from '../text/call-text.ts'
import type { DiffLine } from '../text/diff-lines.ts'

/** Work of hooks at an event, or at all events of a call. */
export interface HookWork {
  readonly events: readonly string[]
  readonly ran: number
  readonly failed: number
  /** Runs that the user interrupted, which is not a failure. */
  readonly interrupted: number
  readonly ms: number
  /** Names of hooks that go on in the background. */
  readonly background: readonly string[]
  /** Names of hooks that refused a call. */
  readonly refusedBy: readonly string[]
  /** Names of hooks that blocked something else. */
  readonly blockedBy: readonly string[]
  readonly rewrites: readonly Rewrite[]
}

/** An input that a hook replaced. */
interface Rewrite {
  readonly by: string
  readonly before: unknown
  readonly after: Readonly<Record<string, unknown>>
}

/** Events whose objection keeps a call from being made. */
const BEFORE_CALLS = ['PreToolUse', 'PermissionRequest']

/** Reads what hooks did at an event; null: none of them ran. `input` is that of the call it is about, before it. */
export function readHookWork({ event, hooks, decision, durationMs }: DispatchRecord, input: unknown): HookWork | null {
  const ran = hooks.filter(({ verdict }) => verdict === 'ran')
  const background = hooks.filter(({ verdict }) => verdict === 'backgrounded').map(nameForUser)
  if (ran.length + background.length === 0) return null
  const objecting = decision.blocked ? ran.filter(({ outcome }) => outcome === 'blocking').map(nameForUser) : []
  const refuses = BEFORE_CALLS.includes(event)
  return {
    events: [event],
    ran: ran.length,
    failed: ran.filter((line) => hasFailed(line)).length,
    interrupted: ran.filter((line) => isInterrupted(line)).length,
    ms: durationMs,
    background,
    refusedBy: refuses ? objecting : [],
    blockedBy: refuses ? [] : objecting,
    rewrites:
      decision.updatedInput === null ? [] : [{ by: findRewriter(ran), before: input, after: decision.updatedInput }],
  }
}

function hasFailed(line: HookLine): boolean {
  return line.outcome === 'non_blocking_error' || (line.outcome === 'cancelled' && !isInterrupted(line))
}

/** The work of several events as one. */
export function joinWork(one: HookWork | null, other: HookWork | null): HookWork | null {
  if (one === null || other === null) return one ?? other
  return {
    events: [...new Set([...one.events, ...other.events])],
    ran: one.ran + other.ran,
    failed: one.failed + other.failed,
    interrupted: one.interrupted + other.interrupted,
    ms: one.ms + other.ms,
    background: [...one.background, ...other.background],
    refusedBy: [...one.refusedBy, ...other.refusedBy],
    blockedBy: [...one.blockedBy, ...other.blockedBy],
    rewrites: [...one.rewrites, ...other.rewrites],
  }
}

/** True if hooks refused the call: its result is what they say, and is shown whole. */
export function isRefused(work: HookWork | null): boolean {
  return work !== null && work.refusedBy.length > 0
}

/** A line about the work of hooks. */
export interface WorkLine {
  readonly sign: 'done' | 'failed' | 'rewritten' | 'background'
  readonly text: string
  /** Lines of what was replaced. */
  readonly below: readonly DiffLine[]
}

/** The work of hooks in few lines. */
export function formatWork(work: HookWork): WorkLine[] {
  const { events, ran, failed, interrupted, ms, background, refusedBy, blockedBy, rewrites } = work
  const hooks = `${ran} ${ran === 1 ? 'hook' : 'hooks'}`
  const where = `${Math.round(ms)} ms (${events.join(', ')})`
  const makeWorkLine = (sign: WorkLine['sign'], text: string): WorkLine => ({ sign, text, below: [] })
  const objects = refusedBy.length + blockedBy.length > 0
  return [
    ...(refusedBy.length === 0 ? [] : [makeWorkLine('failed', `refused by ${refusedBy.join(', ')}, ${where}`)]),
    ...(blockedBy.length === 0 ? [] : [makeWorkLine('failed', `blocked by ${blockedBy.join(', ')}, ${where}`)]),
    ...(failed === 0 ? [] : [makeWorkLine('failed', `${failed} of ${hooks} failed, ${where}`)]),
    ...(interrupted === 0 ? [] : [makeWorkLine('done', `${interrupted} of ${hooks} interrupted, ${where}`)]),
    ...(ran === 0 || failed + interrupted > 0 || objects ? [] : [makeWorkLine('done', `${hooks} ${where}`)]),
    ...rewrites.map(({ by, before, after }): WorkLine => {
      return { sign: 'rewritten', text: `input rewritten by ${by}`, below: diffFields(before, after) }
    }),
    ...background.map((name) => makeWorkLine('background', `${name} in the background`)),
  ]
}

/** Characters of a command that names a hook which is no file. */
const MAX_HOOK_NAME_CHARS = 40

/** Names a hook as users do: its script, else what it runs. */
function nameForUser(line: HookLine): string {
  const script = line.command?.match(/[\w.-]+\.\w+(?=["']?(?:\s|$))/)?.[0]
  const runs = foldToOneLine(script ?? readRuns(line) ?? line.id)
  return runs.length > MAX_HOOK_NAME_CHARS ? `${runs.slice(0, MAX_HOOK_NAME_CHARS - 1)}…` : runs
}

/** The hook whose input counts: the last that gave one. */
function findRewriter(ran: readonly HookLine[]): string {
  const gives = ran.findLast(({ answer }) => JSON.stringify(answer ?? null).includes('"updatedInput"'))
  return gives === undefined ? 'a hook' : nameForUser(gives)
}

function diffFields(before: unknown, after: Readonly<Record<string, unknown>>): DiffLine[] {
  if (typeof before !== 'object' || before === null) return []
  const old: Readonly<Record<string, unknown>> = { ...before }
  const names = [...new Set([...Object.keys(old), ...Object.keys(after)])]
  return names.flatMap((name) => {
    const [was, is] = [old[name], after[name]].map((value) => (value === undefined ? null : formatValue(value)))
    if (was === is) return []
    return [
      ...(was === null || was === undefined ? [] : toFieldDiff('-', name, was)),
      ...(is === null || is === undefined ? [] : toFieldDiff('+', name, is)),
    ]
  })
}

function toFieldDiff(mark: '-' | '+', name: string, text: string): DiffLine[] {
  const tone = mark === '+' ? 'good' : 'bad'
  return text.split('\n').map((line, at) => ({ text: `${mark} ${at === 0 ? `${name}: ` : ''}${line}`, tone }))
}
