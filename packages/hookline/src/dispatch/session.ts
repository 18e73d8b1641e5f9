import { hostname } from 'node:os'
import { basename } from 'node:path'
import type { ConfiguredHook } from '../config/hook.ts'
import { sortByScope } from '../config/scopes.ts'
import type { Snapshot } from '../config/snapshot.ts'
import { judgeStanding, type Policy } from '../config/standing.ts'
import { describeDoubt } from '../config/trusted-worktree.ts'
import { indexListeners, type Listeners, makeOnceKey } from '../match/plan.ts'
import type { EventInput } from '../protocol/event-input.ts'
import type { EventRow } from '../protocol/event-row.ts'
import type { CompleteProfile } from '../protocol/profile.ts'
import type { RecordHost } from '../protocol/record/record.ts'
import type { RunnableType } from '../run/execute.ts'
import { removeControls } from '../text/clean.ts'
import { digestText } from '../text/digest.ts'
import { listLoops } from './loop-hooks.ts'
import type { Origin, Session } from './pipe.ts'

/** The origin of an engine's records. */
export function makeOrigin(project: string, host: RecordHost | null): Origin {
  machine ??= digestText(hostname()).slice(0, 12) // tells machines apart, and names none
  // the epoch has to be unique, not secret.
  const epoch = Date.now().toString(36) + Math.floor(Math.random() * 36 ** 8).toString(36)
  const start = `${machine}/${epoch}/`
  let last = 0
  return {
    host,
    project: { name: basename(project), pathHash: digestText(project) },
    nextId: () => `${start}${++last}`,
  }
}

let machine: string | undefined

/** The profile that a hook was read under. */
export function findHookProfile({ options }: Session, { reading, id }: ConfiguredHook): CompleteProfile<RunnableType> {
  const loaded = options.profiles.loaded.get(reading)
  if (loaded === undefined) throw new TypeError(`${id} was read under ${reading}, which was never loaded`)
  return loaded
}

/** The row of an event in the profile that a hook was read under. */
export function findHookRow(session: Session, hook: ConfiguredHook, event: EventRow): EventRow {
  return findHookProfile(session, hook).events.get(event.name) ?? event
}

/** Makes what decides about the standing of the session's hooks of a profile. */
export function makePolicy(
  { options, snapshot, switchedOff }: Session,
  { hookTypes }: CompleteProfile<RunnableType>,
): Policy {
  const { switches, trust } = snapshot
  return {
    hostChoice: options.hostChoice,
    switches,
    trusted: trust.accepted,
    hookTypes,
    provided: options.models as Readonly<Record<string, unknown>>, // hook types name the port that they need
    switchedOff,
  }
}

const NO_LOOPS: readonly string[] = []

/** The hooks that listen to an event, by the profile that they were read under; those of the session's own come first. */
export function findListeners(session: Session, row: EventRow, input: EventInput): readonly Listeners[] {
  const { snapshot, loopHooks } = session
  // Subagents come and go; most have no hooks.
  const loops = loopHooks === null ? NO_LOOPS : listLoops(row, input).filter((loop) => loopHooks.has(loop))
  const key = loops.length === 0 ? row.name : [row.name, ...loops].join(' ')
  const known = session.listeners.get(key)
  if (known) return known
  const listening = [...(loopHooks?.listVisible(loops, row.name) ?? [])]
  for (const hook of snapshot.hooks) if (hook.event === row.name) listening.push(hook)
  const hooks = sortHooks(listening, snapshot.profiles)
  const found = new Set<string>()
  for (const { reading } of hooks) found.add(reading)
  const readings = [...found]
  const made =
    readings.length < 2
      ? [indexProfileListeners(session, row, hooks)]
      : readings.map((one) => {
          const places = hooks.flatMap(({ reading }, at) => (reading === one ? [at] : []))
          return indexProfileListeners(
            session,
            row,
            hooks.filter(({ reading }) => reading === one),
            places,
          )
        })
  session.listeners.set(key, made)
  return made
}

/** The listeners of one profile. */
function indexProfileListeners(
  session: Session,
  event: EventRow,
  hooks: readonly ConfiguredHook[],
  places: readonly number[] | null = null,
): Listeners {
  const [first] = hooks
  const profile = first === undefined ? session.snapshot.profiles.own : findHookProfile(session, first)
  const row = profile.events.get(event.name) ?? event
  const policy = makePolicy(session, profile)
  return indexListeners(row, hooks, {
    standing: (hook) => judgeStanding(hook, row, policy),
    spent: session.spent.keys,
    folders: session.options.places,
    places,
  })
}

/** Every configured hook of every event and loop, in configuration order. */
export function listHooksInOrder({ loopHooks, snapshot }: Session): ConfiguredHook[] {
  return sortHooks([...(loopHooks?.listAll() ?? []), ...snapshot.hooks], snapshot.profiles)
}

/**
 * Sorts hooks as the user's profile has their scopes speak. Where no one chose a profile for the project, its hooks stand
 * among themselves as its own files lead.
 */
function sortHooks(
  hooks: readonly ConfiguredHook[],
  { own, project }: Session['snapshot']['profiles'],
): ConfiguredHook[] {
  if (hooks.length < 2) return [...hooks]
  const sorted = sortByScope(hooks, own.rules.scopes)
  if (project.twin === undefined || project === own) return sorted
  const isOfProject = ({ trust }: ConfiguredHook): boolean => trust === 'project'
  const ofProject = sortByScope(sorted.filter(isOfProject), project.rules.scopes)
  let next = 0
  return sorted.map((hook) => (isOfProject(hook) ? (ofProject[next++] ?? hook) : hook))
}

/** True if the project's own hooks wait for trust, and the host does not know: it leaves that to what was stored. */
export function isUntrusted({ snapshot, options }: Session): boolean {
  return !snapshot.trust.accepted && options.trust === 'stored'
}

const MAX_FILES_NAMED = 5

/** Says that nothing of the project runs, and what to do about it. */
export function formatUntrustedNotice({ trust }: Snapshot): string {
  const files = Object.keys(trust.request.files).map(removeControls)
  const shown = files.length > MAX_FILES_NAMED ? [...files.slice(0, MAX_FILES_NAMED), '…'] : files
  return (
    `This folder is not trusted yet, or has changed since: nothing that it configures runs (${shown.join(', ')}). ` +
    (trust.worktree === null ? '' : `${describeDoubt(trust.worktree)} `) +
    'Review it with "hookline trust show", then run "hookline trust accept".'
  )
}

/** Notes that a hook has had its one run, at once for the events of this session; resolves when it is kept. */
export function spend({ spent, listeners }: Session, hook: ConfiguredHook): Promise<void> {
  spent.keys.add(makeOnceKey(hook))
  listeners.clear()
  return spent.keep()
}

/** Takes the hooks away that were registered for the session, which has ended. */
export function endSessionHooks(session: Session): void {
  const ended = session.loopHooks?.endSession() ?? []
  if (ended.length === 0) return
  forgetHooks(session, ended)
  session.listeners.clear()
}

/** Forgets what was noted of hooks that are gone: their ids, which are numbered through, never come again. */
export function forgetHooks({ told }: Session, hooks: readonly ConfiguredHook[]): void {
  for (const { id } of hooks) told.delete(id)
}
