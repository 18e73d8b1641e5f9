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
  type EngineFlags,
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
import { formatDeliveries, formatRecord } from '../../view/record-view.ts'

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
    const { record: fired, interrupted } = await fireEvent(engine, input)
    const isPlain = fired.hooks.every(({ verdict, outcome }) => verdict === 'ran' && outcome === 'success')
    const record = isPlain ? fired : withReasons(fired, engine, input)
    if (!isPlain) tellMissingModel(engine, values, ({ event }) => event === input.hook_event_name)
    const otherwise = isPlain ? undefined : findBehindTrust(engine, input, record)
    if (values.json) printJson(record)
    else printLines(formatRecord(record, openCommandTerminal(values), otherwise))
    if (!isPlain) await printDeliveries(engine, record, values)
    if (interrupted) return 130
    if (record.decision.blocked || record.decision.halt) return 2
    if (!isPlain && (await tellUnable(engine, { record, input, otherwise }, values))) return 1
    return engine.problems.some(isUnreadFile) ? 1 : 0
  }
  return withEngine(values, act, { isShortLived: true })
}

type FireFlags = EngineFlags & { readonly json?: boolean | undefined }

/** Prints what hooks in the background say, once they have ended. */
async function printDeliveries(engine: Engine, { hooks }: DispatchRecord, flags: FireFlags): Promise<void> {
  if (!hooks.some(({ verdict }) => verdict === 'backgrounded')) return
  const deliveries = await drainWithin(engine, MAX_BACKGROUND_MS)
  if (!flags.json) printLines(formatDeliveries(deliveries, openCommandTerminal(flags)))
  else for (const delivered of deliveries) tellJson({ delivered })
}

/** Longest wait for hooks in the background: their own timeouts may be a day. */
const MAX_BACKGROUND_MS = 60_000

/** Takes what hooks in the background said, within a time; those that still run are told, and end with the session. */
export async function drainWithin(
  engine: Pick<Engine, 'drain' | 'takeDeliveries'>,
  maxMs: number,
): Promise<Delivery[]> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), maxMs)
  })
  const drained = await Promise.race([engine.drain(), late])
  clearTimeout(timer)
  if (drained !== null) return drained
  tell(`hookline fire: a hook in the background still runs after ${maxMs / 1000} s, and is ended with this command.\n`)
  return engine.takeDeliveries()
}

const UNTRUSTED =
  'hookline fire: every hook that matches belongs to this project, which is not trusted yet, so none has run. ' +
  'Look at them with "hookline trust", then run "hookline trust accept", or use --trust for this run.'

/** True if hooks match and could not run; tells readers of JSON of them, since only the record for people says it. */
async function tellUnable(
  engine: Engine,
  { record, input, otherwise }: { record: DispatchRecord; input: EventInput; otherwise: TrustedLines | undefined },
  flags: FireFlags,
): Promise<boolean> {
  if (isAllHeldBack(record, otherwise)) {
    if (flags.json) tell(`${UNTRUSTED}\n`)
    return true
  }
  const unable = [
    ...listUnrunnableHooks(engine, record, input),
    ...(await listUnstartedHooks(engine, record, toEngineOptions(flags))),
  ]
  if (flags.json) for (const { id, because } of unable) tell(`hookline fire: ${id} cannot run: ${because}.\n`)
  return unable.length > 0
}

/** A record in which every hook whose matcher did not match says why, as `explain` does: the engine does not take the time. */
function withReasons(record: DispatchRecord, engine: Engine, input: EventInput): DispatchRecord {
  const isMiss = ({ verdict, because }: HookLine): boolean => verdict === 'matcher-miss' && because === undefined
  if (!record.hooks.some(isMiss)) return record
  const reasons = new Map(engine.explain(input).hooks.map(({ id, because }) => [id, because]))
  const hooks = record.hooks.map((line) => (isMiss(line) ? { ...line, because: reasons.get(line.id) } : line))
  return { ...record, hooks }
}

/** Lines of hooks as they would be if the project were trusted, by their ids. */
type TrustedLines = ReadonlyMap<string, HookLine>

/** Finds what would have become of the hooks that wait for the project to be trusted; undefined: none does. */
function findBehindTrust(engine: Engine, input: EventInput, { hooks }: DispatchRecord): TrustedLines | undefined {
  const held = new Set(hooks.filter(({ verdict }) => verdict === 'untrusted').map(({ id }) => id))
  if (held.size === 0) return undefined
  const trusted = engine.explain(input, { trusted: true }).hooks
  return new Map(
    trusted.filter(({ id, verdict }) => held.has(id) && verdict !== 'untrusted').map((line) => [line.id, line]),
  )
}

/** True if hooks match the event, and all of them wait for the project to be trusted. */
function isAllHeldBack({ hooks }: DispatchRecord, otherwise: TrustedLines | undefined): boolean {
  if (otherwise === undefined || hooks.some(({ verdict }) => verdict === 'ran' || verdict === 'backgrounded'))
    return false
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
  readonly interrupted: boolean
}

/** Fires an event; its hooks, if there are any, find a transcript, and an interrupt ends them. */
async function fireEvent(engine: Engine, input: EventInput): Promise<FiredRecord> {
  const isHeard = engine.hooks.some(({ event }) => event === input.hook_event_name)
  if (!isHeard) return { record: await engine.dispatch(input), interrupted: false }
  if (input.transcript_path !== undefined) return fireInterruptibly(engine, input)
  return withTranscript(engine.sessionId, (path) =>
    fireInterruptibly(engine, path === null ? input : { ...input, transcript_path: path }),
  )
}

/** Fires an event; the record says which hooks an interrupt ended. */
async function fireInterruptibly(engine: Engine, input: EventInput): Promise<FiredRecord> {
  const { result: record, interrupted } = await runInterruptible((signal) =>
    process.stderr.isTTY ? fireWithStatus(engine, input, signal) : engine.dispatch(input, { signal }),
  )
  return { record, interrupted }
}

/** Tells a user who waits what hooks say they are doing. */
async function fireWithStatus(engine: Engine, input: EventInput, signal: AbortSignal): Promise<DispatchRecord> {
  for await (const progress of engine.stream(input, { signal })) {
    if (progress.type === 'hook_progress') tell(`… ${progress.statusMessage}\n`)
    if (progress.type === 'decision') return progress.record
  }
  throw new TypeError('an event ended without a record')
}
