import { resolve } from 'node:path'
import { type Component, readComponent } from '../config/component.ts'
import type { ConfiguredHook } from '../config/hook.ts'
import { formatProblem, type Problem } from '../config/problem.ts'
import { readHooks } from '../config/read-hooks.ts'
import { makeValueNode } from '../config/source.ts'
import { judgeStanding } from '../config/standing.ts'
import { LoopHooks, MAIN_LOOP } from '../dispatch/loop-hooks.ts'
import type { Session } from '../dispatch/pipe.ts'
import { findHookProfile, forgetHooks, makePolicy } from '../dispatch/session.ts'
import { HooklineError } from '../files/error.ts'
import type { FunctionHook } from '../hook-types/function.ts'
import type { EventName, EventTypes, HookAnswer, HookSettingFor, ReceivedFor } from '../protocol/event-input.ts'
import { describeUnknownEvent } from '../protocol/other-profiles.ts'
import type { DefaultEvents } from '../protocol/profile-events.ts'
import { removeControls } from '../text/clean.ts'
import { digestValue } from '../text/fingerprint.ts'

/** Hooks registered in memory. */
export interface Registration {
  /** Problems with them; the sound ones run all the same. */
  readonly problems: readonly Problem[]
  /** Takes them away again. */
  readonly remove: () => void
}

/**
 * Hooks as a settings file has them under `hooks`: lists of groups by event. An event or a field that does not exist does
 * not compile.
 */
export type HooksSetting<Events extends EventTypes = DefaultEvents> = {
  readonly [Name in EventName<Events>]?: readonly HookGroup<HookSettingFor<Events[Name]>>[] | undefined
}

/** Hooks under one matcher. */
export interface HookGroup<Hook = HookSettingFor<object>> {
  /** Values of the event's field that they are for; all when left out. */
  readonly matcher?: string | undefined
  /** As the user reads it. */
  readonly description?: string | undefined
  /** Hooks to run, in this order of precedence. */
  readonly hooks: readonly Hook[]
}

/**
 * An in-process hook of one event: it answers with the object that a command would print, with plain text, or with nothing.
 * Where the name of the event is not known at compile time, it takes any event.
 */
export type HookFunction<Name extends string, Events extends EventTypes = DefaultEvents> = string extends Name
  ? FunctionHook
  : (
      input: ReceivedFor<Name, Events>,
      context: { readonly signal: AbortSignal },
    ) => FunctionAnswer<Name, Events> | Promise<FunctionAnswer<Name, Events>>

type FunctionAnswer<Name extends string, Events extends EventTypes> =
  | HookAnswer<Name, Events>
  | string
  | null
  | undefined
  // biome-ignore lint/suspicious/noConfusingVoidType: a function without a return statement answers nothing
  | void

/** An event that exists, or a name that is not known at compile time. */
export type KnownEvent<Name extends string, Events extends EventTypes = DefaultEvents> = string extends Name
  ? Name
  : EventName<Events>

/** The loop that hooks are for. */
export interface LoopOptions {
  /** The id of a subagent; the session's own loop when left out. */
  readonly agent?: string | undefined
}

/** Opening of a component. */
export interface Activation extends LoopOptions {
  /** `user`: who typed its name; the model, when left out. */
  readonly openedBy?: 'user' | 'model' | undefined
}

/** Options of an in-process hook. */
export interface FunctionHookOptions {
  /** Values of the event's field that it is for; all when left out. */
  readonly matcher?: string | undefined
  /** Seconds. */
  readonly timeout?: number | undefined
  readonly statusMessage?: string | undefined
}

/** The type of hooks that are functions of the host. */
const FUNCTION = 'function'

const IN_MEMORY = { scope: 'session', name: null, file: null, pluginRoot: null, needsTrust: false } as const

/** Registers hooks that are written as in a settings file. */
export async function registerHooks(session: Session, written: object, loop: string): Promise<Registration> {
  const { hooks, problems } = await readHooks(makeValueNode(written), IN_MEMORY, {
    profile: session.snapshot.profiles.own,
    counter: openLoopHooks(session).counter,
  })
  return { problems, remove: addToLoop(session, { loop, component: null, hooks }) }
}

/** Registers an in-process hook. */
export async function registerFunction(
  session: Session,
  event: string,
  call: FunctionHook,
  { agent = MAIN_LOOP, matcher, ...fields }: FunctionHookOptions & LoopOptions,
): Promise<Registration> {
  const profile = session.snapshot.profiles.own
  if (!profile.events.has(event)) throw new HooklineError(describeUnknownEvent(event, profile, { isUsers: true }))
  const group = { ...(matcher === undefined ? {} : { matcher }), hooks: [{ ...fields, type: FUNCTION, call }] }
  const { hooks, problems } = await readHooks(makeValueNode({ [event]: [group] }), IN_MEMORY, {
    profile,
    counter: openLoopHooks(session).counter,
    types: [FUNCTION],
  })
  return { problems, remove: addToLoop(session, { loop: agent, component: null, hooks }) }
}

/** Note on a hook with `once` that runs each time. */
const NOT_ONCE = 'once counts only when the model opens the skill; the user did, so the hook runs each time.'

/** Makes a component's hooks count for a loop. */
export async function activateComponent(
  session: Session,
  path: string,
  { agent: loop = MAIN_LOOP, openedBy = 'model' }: Activation,
): Promise<string[]> {
  const { options, snapshot } = session
  const loopHooks = openLoopHooks(session)
  const component = await readComponent(path, {
    ...options.places,
    profiles: snapshot.profiles,
    isMainAgent: loop === MAIN_LOOP,
  })
  loopHooks.removeComponent(component.path, loop)
  const withOpener = (hook: ConfiguredHook): ConfiguredHook => {
    if (!hook.once || openedBy === 'model' || findHookProfile(session, hook).rules.once.openedBy !== 'model')
      return hook
    return { ...hook, once: false, warnings: [...hook.warnings, NOT_ONCE] }
  }
  const trust = isShownForTrust(component, session) ? {} : ({ trust: 'unshown' } as const)
  addToLoop(session, { loop, component, hooks: component.hooks.map((hook) => ({ ...withOpener(hook), ...trust })) })
  session.notices.push(...component.problems.map(formatProblem))
  if (loop !== MAIN_LOOP) noteUnheard(session, component.hooks)
  return loopHooks.listActive()
}

/** Tells once of hooks for an event that a subagent's loop does not have: it ends with another one. */
function noteUnheard(session: Session, hooks: readonly ConfiguredHook[]): void {
  const { told, notices } = session
  for (const hook of hooks) {
    const profile = findHookProfile(session, hook)
    const row = profile.events.get(hook.event)
    const other = row?.inAgent ?? null
    if (!row || other === null || judgeStanding(hook, row, makePolicy(session, profile)).verdict !== 'active') continue
    const why = `that ends with ${other}. Write it into the agent's own file, or as ${other} into settings`
    const sentence = removeControls(
      `${hook.file}:${hook.line}  This ${row.name} hook does not run in a subagent: ${why}.`,
    )
    if (!told.has(sentence)) notices.push(sentence)
    told.add(sentence)
  }
}

/** Takes a component's hooks away from a loop. */
export function deactivateComponent(session: Session, path: string, loop: string): string[] {
  const { options, loopHooks, listeners } = session
  loopHooks?.removeComponent(resolve(options.places.project, path), loop)
  listeners.clear()
  return loopHooks?.listActive() ?? []
}

/** True if the user was shown these very hooks when trusting the project, or need not have been. */
function isShownForTrust({ needsTrust, path, definition }: Component, { options, snapshot }: Session): boolean {
  const shown = snapshot.configuration.components.find((component) => component.path === path)
  return (
    !needsTrust ||
    options.trust === 'accepted' ||
    (shown !== undefined && digestValue(shown.definition) === digestValue(definition))
  )
}

/** The hooks that loops brought; most sessions have none, and hold nothing for them. */
function openLoopHooks(session: Session): LoopHooks {
  session.loopHooks ??= new LoopHooks()
  return session.loopHooks
}

function addToLoop(session: Session, registered: Parameters<LoopHooks['add']>[0]): () => void {
  const remove = openLoopHooks(session).add(registered)
  session.listeners.clear()
  return () => {
    remove()
    forgetHooks(session, registered.hooks)
    session.listeners.clear()
  }
}
