import { resolve } from 'node:path'
import type { KeptEngineOptions } from '../engine/options.ts'
import { findHome } from '../files/home.ts'
import { DESCRIPTORS_FOR_A_START, findDescriptorShortage } from '../process/descriptors.ts'
import { isObject } from '../text/json.ts'
import { toWellFormed } from '../text/program-text.ts'
import { isGuarding } from './answer/answer.ts'
import type { Bridge, EventRule, JsonObject } from './bridge.ts'
import { findRule, findSession, readFolder } from './call/origin.ts'
import { findEvent, readEventName } from './call/payload.ts'
import { findBridge } from './list.ts'
import type { OnlyHook } from './only-hook.ts'

/** Request of a host. */
export interface HostRequest {
  readonly bridge: Bridge
  readonly hostEvent: string
  /** Text that it wrote to stdin; null: more than any payload is. */
  readonly text: string | null
  readonly env: NodeJS.ProcessEnv
  /** Process that the host started, and its folder; this one unless given. */
  readonly caller?: { readonly pid: number; readonly cwd: string }
  /** A person sits in front of the host. */
  readonly attended: boolean
  /** Hooks get the host's own transcript, whatever its form. */
  readonly nativeTranscript: boolean
  /** Seconds by which the hooks must have ended, so that the host still waits for the answer; null: no limit. */
  readonly limit: number | null
  /** Has work that the host does not wait for run by another process; null: it is waited for. */
  readonly handOver: ((work: string) => Promise<void>) | null
  readonly engine: KeptEngineOptions
  /** The one hook that the host calls by itself; without it, all that are configured. */
  readonly only?: OnlyHook
  /** Ends the hooks: the host has given up. */
  readonly signal?: AbortSignal
}

/** Payload of a host: what it asks about, and the agent, session and folder that it is of. */
export interface AcceptedPayload {
  /** The request as one of the agent that made it. */
  readonly request: HostRequest
  /** Payload, or why hooks cannot be asked about it. */
  readonly payload: JsonObject | string
  /** Fields of the payload, as far as there are any. */
  readonly said: JsonObject
  /** Treatment of the event; null: it means nothing to hooks here, undefined: no table has it. */
  readonly rule: EventRule | null | undefined
  readonly home: string
  /** The folder that the payload names; null: it names none. */
  readonly folder: string | null
  readonly cwd: string
  /** The session that the payload names; null: it names none. */
  readonly named: string | null
  readonly session: string
  /** `performance.now()` when the host waits no longer; null: it waits. */
  readonly until: number | null
}

/** Name of a session whose payload cannot be read: nothing of it can be remembered for the next. */
export const NO_SESSION = 'none'

/** Reads what a host asks. Never throws: what cannot be read is a sentence in the place of the payload. */
export function acceptPayload(given: HostRequest): AcceptedPayload {
  const { limit } = given
  const until = limit === null ? null : performance.now() + limit * 1000
  const read = parsePayload(given.text)
  const isRead = typeof read !== 'string'
  const called = isRead && given.bridge.sharedWith !== undefined ? findCallingRequest(given, read) : given
  const request = { ...called, hostEvent: findAskedEvent(called, read) }
  const { bridge, engine, caller } = request
  const named = isRead ? readFolder(bridge, read) : null
  const payload = isRead ? (explainImpossible(named, caller) ?? read) : read
  const isShown = typeof payload !== 'string'
  const said = isShown ? payload : {}
  const folder = isShown ? named : null
  const cwd = resolve(folder ?? caller?.cwd ?? process.cwd())
  const home = engine.home || findHome()
  const ofSession = findSession(bridge, said, home)
  return {
    ...{ request, payload, said, home, folder, cwd, until },
    rule: findRule(bridge, request.hostEvent, said),
    named: ofSession,
    session: ofSession ?? (isShown ? `folder ${cwd}` : NO_SESSION),
  }
}

/** The payload, or why there is none. */
function parsePayload(text: string | null): JsonObject | string {
  if (text === null) return 'the payload is longer than any event'
  try {
    const value: unknown = JSON.parse(
      text.replace(/^\uFEFF/, ''),
      HALF_CHARACTER.test(text) ? replaceHalves : undefined,
    )
    return isObject(value) ? value : 'the payload is not a JSON object'
  } catch {
    return text.trim() === '' ? 'the payload is empty' : 'the payload is not JSON'
  }
}

const HALF_CHARACTER = /\\u[dD][89a-fA-F]/

/** Half a character reaches no program: what is started gets a replacement, and a hook that reads strictly could not read the event. */
const replaceHalves = (_: string, value: unknown): unknown => (typeof value === 'string' ? toWellFormed(value) : value)

/** The request as one of the agent that made it: others may read the file that has our entries. */
function findCallingRequest(request: HostRequest, payload: JsonObject): HostRequest {
  for (const { is, agent } of request.bridge.sharedWith ?? []) {
    const bridge = is.payload?.every((key) => Object.hasOwn(payload, key)) ? findBridge(agent) : null
    const hostEvent = bridge && findEvent(bridge, readEventName(payload))
    if (bridge !== null && hostEvent !== null) return { ...request, bridge, hostEvent }
  }
  return request
}

/**
 * The event that is asked about, as the agent's table writes it: a slip in the agent's file is no reason to ask no hook. A
 * payload that is of a call is never taken for another event.
 */
function findAskedEvent({ bridge, hostEvent }: HostRequest, payload: JsonObject | string): string {
  const given = findEvent(bridge, hostEvent)
  const said = typeof payload === 'string' ? null : findEvent(bridge, readEventName(payload))
  if (given === null) return said ?? hostEvent
  return said !== null && said !== given && isGuarding(bridge, said) && !isGuarding(bridge, given) ? said : given
}

/** Bytes of a path, more of which no system takes. */
const MAX_PATH_BYTES = 4096

/** Says why no hook can be asked about a payload; null: they can. Hooks are started in its folder, and told of it by a variable. */
function explainImpossible(folder: string | null, caller: HostRequest['caller']): string | null {
  if (folder !== null && (folder.includes('\0') || Buffer.byteLength(folder) >= MAX_PATH_BYTES))
    return 'the folder that it names is not a valid path'
  // In a process of its own no descriptor becomes free by waiting: the host would wait as long as hooks may take.
  const isShort = caller === undefined && findDescriptorShortage(DESCRIPTORS_FOR_A_START) !== null
  return isShort ? 'the limit of open files is too low to start a hook: raise it (ulimit -n)' : null
}
