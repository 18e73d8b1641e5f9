import { isFault } from '../config/hook.ts'
import { findRewriteConflicts } from '../decide/conflicts.ts'
import type { PlannedRun } from '../match/plan.ts'
import type { CompleteProfile } from '../protocol/profile.ts'
import { shareTime } from '../run/deadline.ts'
import type { RunnableType } from '../run/execute.ts'
import { Payload } from '../run/payload.ts'
import { linkStopSignals, type StopSignal } from '../run/stop-signal.ts'
import { carryWriting } from '../text/written-json.ts'
import { listResults } from './decide-event.ts'
import { type EndedHook, type EventPlan, type FiredEvent, passStages, type Session } from './pipe.ts'
import { makeUnreadLine } from './record.ts'
import { type RunningEvent, runHook } from './run-hook.ts'
import { findHookProfile } from './session.ts'

/**
 * Runs the hooks of an event and reads what came of each. Their ends stand in configuration order, whichever finished first, with
 * those of guards that could not run among them.
 */
export function runHooks(
  session: Session,
  event: FiredEvent,
  plan: EventPlan,
): readonly EndedHook[] | Promise<readonly EndedHook[]> {
  if (plan.runs.length > 0) {
    const { dispatching } = session
    const running = runPlanned(session, event, plan)
    const release = (): boolean => dispatching.delete(running)
    dispatching.add(running) // the closing of the session waits for them
    running.then(release, release)
    return running
  }
  for (const stage of event.stages) stage.leave?.(session, event)
  return noteEditedFiles(session)?.then(() => plan.closed) ?? plan.closed
}

async function runPlanned(session: Session, event: FiredEvent, plan: EventPlan): Promise<readonly EndedHook[]> {
  event.started = performance.now() - (Date.now() - event.began)
  const places = listRunPlaces(session, plan.runs)
  const onlyFunctions = places.size === 1 && places.has('host')
  const { stop, unlink } = linkStopSignals(event.following.signal, session.closing)
  try {
    const running = startEvent(session, event, { plan, onlyFunctions, stop })
    // Processes take a while to begin, and a look at the disk is over by then; functions may edit a file at once.
    const isNotedFirst = places.size > 1 || !places.has('process')
    const early = isNotedFirst ? noteEditedFiles(session) : undefined
    // After that look hooks start in the next turn, so that both together do not keep the host's loop.
    if (early !== undefined && !onlyFunctions) await new Promise(setImmediate)
    const isSequence = session.options.order === 'sequential'
    const ending = isSequence ? runInSequence(session, plan.runs, running) : runTogether(session, plan.runs, running)
    const noted = isNotedFirst ? early : noteEditedFiles(session)
    const ended = noted === undefined ? await ending : (await Promise.all([ending, noted]))[0]
    if (!onlyFunctions && (session.watch !== null || event.row.envFile)) await noteEdits(session, ended, event)
    if (ended.length > 1 && !isSequence) warnOfConflicts(ended, event)
    return plan.closed.length === 0 ? ended : [...ended, ...plan.closed].sort((one, other) => one.at - other.at)
  } catch (error) {
    event.erasure?.decide(true) // late answers do not wait for a decision that never comes
    throw error
  } finally {
    unlink?.()
    for (const stage of event.stages) stage.leave?.(session, event)
  }
}

/** Looks whether files were edited, when that may be. */
function noteEditedFiles(session: Session): Promise<unknown> | undefined {
  const { notices, watch, snapshot, news } = session
  const looking = watch?.isDue() ? watch.addNews(snapshot, notices) : undefined
  if (news === null) return looking
  session.news = null
  return Promise.all([looking, news.noted()]) // only now: a session that fires no event leaves the notice to the next one
}

/** Places in which hooks run. */
function listRunPlaces(session: Session, runs: readonly PlannedRun[]): ReadonlySet<RunnableType['runsIn'] | undefined> {
  const places = new Set<RunnableType['runsIn'] | undefined>()
  for (const { hook } of runs) {
    const { handler } = hook
    places.add(isFault(handler) ? undefined : findHookProfile(session, hook).hookTypes[handler.type]?.runsIn)
  }
  return places
}

/** Prepares what the hooks of an event have in common, of the host as it is now. */
function startEvent(
  session: Session,
  event: FiredEvent,
  { plan, onlyFunctions, stop }: { plan: EventPlan; onlyFunctions: boolean; stop: StopSignal },
): RunningEvent {
  const { options, snapshot } = session
  const { row, input } = event
  const { own } = snapshot.profiles
  // Only commands have an environment, and reading that of a process is slow.
  let env: NodeJS.ProcessEnv | null = onlyFunctions ? {} : null
  const readHookEnvironment = (profile: CompleteProfile): NodeJS.ProcessEnv => {
    if (env !== null && (onlyFunctions || profile === own)) return env
    const host = options.run.environment(profile.rules.environment).makeForEvent(input)
    return passStages('environment', session, event, host)
  }
  env ??= readHookEnvironment(own)
  return {
    event,
    stop,
    configured: plan.configured,
    input,
    payload: new Payload(input, { onlyFunctions }),
    environment: readHookEnvironment,
    shared:
      row.secondsTogether === null
        ? null
        : shareTime(
            plan.runs.flatMap(({ twins }) => twins),
            { row, options },
          ),
  }
}

/** Notes what programs may have left: edits of files, which the next event looks for, and files of variables. */
async function noteEdits(
  { watch, envFiles }: Session,
  ended: readonly EndedHook[],
  { row }: FiredEvent,
): Promise<void> {
  watch?.noteHooksRan()
  // In configuration order too: what a later one says of a variable counts.
  for (const { hook, envFile } of ended) {
    if (row.envFile === 'until-next') envFiles?.forget(hook.id)
    if (envFile !== null) await envFiles?.keep(hook.id, envFile)
  }
}

/** To start a process takes a while, and the host's loop has other work: the rest of many are started in later turns. */
const STARTED_IN_A_TURN = 4

async function runTogether(session: Session, runs: readonly PlannedRun[], running: RunningEvent): Promise<EndedHook[]> {
  const [only] = runs
  if (only !== undefined && runs.length === 1) return [await runHook(session, only, running)]
  let turn: Promise<unknown> | undefined
  const started = runs.map((planned, at) => {
    if (at > 0 && at % STARTED_IN_A_TURN === 0) turn = (turn ?? Promise.resolve()).then(() => new Promise(setImmediate))
    return turn === undefined ? runHook(session, planned, running) : turn.then(() => runHook(session, planned, running))
  })
  return Promise.all(started)
}

/** One after the other, until one halts; a rewritten input reaches the next. */
async function runInSequence(session: Session, runs: readonly PlannedRun[], first: RunningEvent): Promise<EndedHook[]> {
  const { rewrites } = first.event.row
  const ended: EndedHook[] = []
  let running = first
  for (const planned of runs) {
    const halted = ended.some(({ result }) => result?.opinion.halt)
    const one = halted ? makeUnreached(planned) : await runHook(session, planned, running)
    ended.push(one)
    const rewritten = one.result?.opinion.updatedInput
    if (rewritten && rewrites !== null) {
      const input = Object.freeze({ ...running.input, [rewrites]: rewritten })
      carryWriting(input, running.input)
      running = { ...running, input, payload: new Payload(input, { onlyFunctions: false }) }
    }
  }
  return ended
}

function makeUnreached({ at, hook, row }: PlannedRun): EndedHook {
  const line = makeUnreadLine(hook, 'not-reached', 'an earlier hook halted')
  return { at, hook, row, line, result: null, envFile: null }
}

/** Warns hooks that ran beside each other and rewrote the same field differently. */
function warnOfConflicts(ended: readonly EndedHook[], { row, input }: FiredEvent): void {
  const results = listResults(ended)
  if (results.length < 2) return
  for (const { hook, warning } of findRewriteConflicts(results, row, input)) {
    ended.find(({ line }) => line.id === hook)?.line.warnings.push(warning)
  }
}
