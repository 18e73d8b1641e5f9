import { isUnreadFile } from '../../../config/problem.ts'
import type { Delivery } from '../../../dispatch/background.ts'
import type { Engine } from '../../../engine/engine-interface.ts'
import { isAccepting } from '../../../pattern/matcher.ts'
import type { EventInput } from '../../../protocol/event-input.ts'
import type { DispatchRecord, HookLine } from '../../../protocol/record/record.ts'
import { INPUT_FLAGS, INPUT_USAGE, readEventInput } from '../../input/event-argument.ts'
import { runInterruptible } from '../../start/call.ts'
import {
  CLOSING_FLAGS,
  CLOSING_USAGE,
  ENGINE_FLAGS,
  ENGINE_USAGE,
  MODEL_FLAGS,
  MODEL_USAGE,
  RUNNING_FLAGS,
  RUNNING_USAGE,
  readArguments,
  SOURCE_FLAGS,
  SOURCE_USAGE,
  toEngineOptions,
} from '../../start/flags.ts'
import { tellMissingModel } from '../../start/models.ts'
import { openCommandTerminal, tellProblems, tellProjectAbove, withEngine, withTranscript } from '../../start/opening.ts'
import { printJson, printLines, tell, tellJson } from '../../start/print.ts'
import { formatDeliveries, formatRecord, type Timeline } from '../../view/record-view.ts'

export const isVerdict = true

export const usage = `hookline fire <Event> [field=value …] [--input FILE|-] [flags]

Dispatches one event to the configured hooks and prints what happened: every
hook with its result, what was decided, and who sees which text.
Fields are set by name, nested ones with dots; what is left out has a default.

  hookline fire PreToolUse tool_name=Bash tool_input.command='rm -rf /'
  hookline fire Stop stop_hook_active=true --json
  hookline fire PostToolUse --input event.json --trust

${INPUT_USAGE}${MODEL_USAGE}${CLOSING_USAGE}${SOURCE_USAGE}${ENGINE_USAGE}${RUNNING_USAGE}
Exit codes: 0 no hook objected; 2 blocked, denied or halted; 1 a mistake in the
call, a settings file that cannot be read, a hook that matches and cannot run,
or every hook that matches waits for the project to be trusted; 130 interrupted;
3 a fault of Hookline.
`

/** Runs `hookline fire`. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, {
    ...ENGINE_FLAGS,
    ...RUNNING_FLAGS,
    ...MODEL_FLAGS,
    ...CLOSING_FLAGS,
    ...SOURCE_FLAGS,
    ...INPUT_FLAGS,
  })
  const act = async (engine: Engine): Promise<number> => {
    const input = await readEventInput(positionals, values, engine.profiles)
    tellProblems(engine)
    await tellProjectAbove(engine, values)
    tellMissingModel(engine, values, ({ event }) => event === input.hook_event_name)
    const { record: dispatched, timeline, interrupted } = await fireEvent(engine, input)
    const record = withReasons(dispatched, engine, input)
    const otherwise = findBehindTrust(engine, input, record)
    if (values.json) printJson(record)
    else printLines(formatRecord(record, { timeline, otherwise }, openCommandTerminal(values)))
    const deliveries = await drainWithin(engine, MAX_BACKGROUND_MS)
    if (!values.json) printLines(formatDeliveries(deliveries, openCommandTerminal(values)))
    else for (const delivered of deliveries) tellJson({ delivered })
    if (interrupted) return 130
    if (record.decision.blocked || record.decision.halt) return 2
    if (isAllHeldBack(record, otherwise)) {
      if (values.json) tell(`${UNTRUSTED}\n`) // otherwise the notes of the record have said it
      return 1
    }
    const unable = [
      ...listUnrunnableHooks(engine, record, input),
      ...(await listUnstartedHooks(engine, record, toEngineOptions(values))),
    ]
    if (values.json) for (const { id, because } of unable) tell(`hookline fire: ${id} cannot run: ${because}.\n`)
    return unable.length > 0 || engine.problems.some(isUnreadFile) ? 1 : 0
  }
  return withEngine(values, act)
}

/** Longest wait for hooks in the background: their own timeouts may be a day. */
const MAX_BACKGROUND_MS = 60_000

/** Takes what hooks in the background said, within a time; those that still run are told, and end with the session. */
export async function drainWithin(engine: Pick<Engine, 'drain' | 'delivered'>, maxMs: number): Promise<Delivery[]> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), maxMs)
  })
  const drained = await Promise.race([engine.drain(), late])
  clearTimeout(timer)
  if (drained !== null) return drained
  tell(`hookline fire: a hook in the background still runs after ${maxMs / 1000} s, and is ended with this command.\n`)
  return engine.delivered()
}

const UNTRUSTED =
  'hookline fire: every hook that matches belongs to this project, which is not trusted yet, so none has run. ' +
  'Look at them with "hookline trust", then run "hookline trust accept", or use --trust for this run.'

/** A record in which every hook whose matcher did not match says why, as `explain` does: the engine does not take the time. */
function withReasons(record: DispatchRecord, engine: Engine, input: EventInput): DispatchRecord {
  const isMiss = ({ verdict, because }: HookLine): boolean => verdict === 'matcher-miss' && because === undefined
  if (!record.hooks.some(isMiss)) return record
  const reasons = new Map(engine.explain(input).hooks.map(({ id, because }) => [id, because]))
  const hooks = record.hooks.map((line) => (isMiss(line) ? { ...line, because: reasons.get(line.id) } : line))
  return { ...record, hooks }
}

/** Finds what would have become of the hooks that wait for the project to be trusted, by their ids. */
function findBehindTrust(engine: Engine, input: EventInput, { hooks }: DispatchRecord): ReadonlyMap<string, HookLine> {
  const held = new Set(hooks.filter(({ verdict }) => verdict === 'untrusted').map(({ id }) => id))
  if (held.size === 0) return new Map()
  const trusted = engine.explain(input, { trusted: true }).hooks
  return new Map(
    trusted.filter(({ id, verdict }) => held.has(id) && verdict !== 'untrusted').map((line) => [line.id, line]),
  )
}

/** True if hooks match the event, and all of them wait for the project to be trusted. */
function isAllHeldBack({ hooks }: DispatchRecord, otherwise: ReadonlyMap<string, HookLine>): boolean {
  if (hooks.some(({ verdict }) => verdict === 'ran' || verdict === 'backgrounded')) return false
  return [...otherwise.values()].some(({ planned }) => planned === true)
}

/** The lines of hooks that match the event, or whose matcher cannot be read, and that cannot run as they are written. */
function listUnrunnableHooks(engine: Engine, { hooks, event }: DispatchRecord, input: EventInput): HookLine[] {
  const row = engine.profile.events.get(event)
  return hooks.filter(({ id, verdict }) => {
    if (row === undefined || (verdict !== 'unsupported' && verdict !== 'invalid')) return false
    const hook = engine.hooks.find((one) => one.id === id)
    return hook !== undefined && isAccepting(hook.matcher, row, input)
  })
}

/**
 * The lines of hooks whose program could not be started, although they are written well: the system or the shell that reads the
 * command says so, or they failed and a look at the disk tells why, as it does in `explain`. A program that started and ended
 * with 126 or 127 by itself is not among them.
 */
async function listUnstartedHooks(
  engine: Engine,
  { hooks }: DispatchRecord,
  { project }: { readonly project: string },
): Promise<HookLine[]> {
  const failed = hooks.filter(({ outcome, verdict }) => outcome === 'non_blocking_error' || verdict === 'backgrounded')
  if (failed.length === 0) return []
  const { startFaultsById } = await import('../../../check/programs.ts') // with a parser that only a look at programs needs
  const asked = engine.hooks.filter(({ id }) => failed.some((line) => line.id === id)).map((hook) => ({ hook }))
  const faults = await startFaultsById(asked, { project })
  return failed.flatMap((line) => {
    const because = faults.get(line.id) ?? line.notStarted
    return because === undefined ? [] : [{ ...line, because }]
  })
}

interface FiredRecord {
  readonly record: DispatchRecord
  readonly timeline: Timeline
  readonly interrupted: boolean
}

/** Fires an event; its hooks, if there are any, find a transcript and are watched. */
async function fireEvent(engine: Engine, input: EventInput): Promise<FiredRecord> {
  const isHeard = engine.hooks.some(({ event }) => event === input.hook_event_name)
  if (!isHeard) return { record: await engine.dispatch(input), timeline: new Map(), interrupted: false }
  if (input.transcript_path !== undefined) return follow(engine, input)
  return withTranscript(engine.sessionId, (path) =>
    follow(engine, path === null ? input : { ...input, transcript_path: path }),
  )
}

/** Fires an event and watches its hooks; an interrupt ends them, and the record says so. */
async function follow(engine: Engine, input: EventInput): Promise<FiredRecord> {
  const started = process.uptime()
  const timeline = new Map<string, { from: number; to: number }>()
  const { result: record, interrupted } = await runInterruptible(async (signal) => {
    for await (const progress of engine.stream(input, { signal })) {
      const now = (process.uptime() - started) * 1000
      if (progress.type === 'hook_started') timeline.set(progress.hook, { from: now, to: now })
      if (progress.type === 'hook_progress') tellStatus(progress.statusMessage)
      if (progress.type === 'hook_result')
        timeline.set(progress.hook, { from: timeline.get(progress.hook)?.from ?? now, to: now })
      if (progress.type === 'decision') return progress.record
    }
    throw new TypeError('an event ended without a record')
  })
  return { record, timeline, interrupted }
}

/** Tells what a hook says it is doing, for a user who waits. */
function tellStatus(message: string): void {
  if (process.stderr.isTTY) tell(`… ${message}\n`)
}
