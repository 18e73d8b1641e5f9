import { resolve } from 'node:path'
import type { Launcher } from '../process/launcher.ts'
import { CLAUDE_CODE_PROFILE } from '../protocol/profiles.ts'
import { isObject } from '../text/json.ts'
import { type BridgeAnswer, makeNoOpinion } from './answer/answer.ts'
import type { Bridge, EventRule, JsonObject } from './bridge.ts'
import { findSession, readFolder } from './call/origin.ts'
import { findEvent, readEventName } from './call/payload.ts'
import { findSessionProject } from './call/project.ts'
import { listInstalledEvents } from './install/installed.ts'
import { SessionMemory } from './memory.ts'
import type { HookAnswers, OnlyHook } from './only-hook.ts'
import { openReadable } from './open-readable.ts'
import { runBridge } from './run.ts'

/** A hook of `.claude` that an agent calls by itself, through `hookline wrap`. */
export interface WrappedCall {
  /** Event in Claude Code; null: the payload says it. */
  readonly event: string | null
  readonly matcher: string | null
  readonly condition: string | null
  readonly words: readonly [string, ...string[]]
  /** True for a program and its arguments, not shell text. */
  readonly isProgram: boolean
  /** The `timeout` of its entry; null: it has none. */
  readonly seconds: number | null
  /** The host has gone on: what the hook decides does not count. */
  readonly decidesNothing: boolean
  /** Text that the agent wrote to stdin; null: more than any payload is. */
  readonly text: string | null
  readonly env: NodeJS.ProcessEnv
  readonly home: string
  /** Process that the agent started, and its folder; this one unless given. */
  readonly caller?: { readonly pid: number; readonly cwd: string }
  /** Launcher that keeps interpreters for the calls to come. */
  readonly keeper?: Launcher
  /** Ends the hook: the agent has given up. */
  readonly signal?: AbortSignal
  /** The same hook as a function of this process. */
  readonly answers?: HookAnswers
}

/** Seconds that hooks have in Claude Code, and that are left to us before the agent gives up. */
const USUAL_SECONDS = 600
const MARGIN = 1

/** Runs a hook for an agent that calls it by itself, with the rules of its bridge. Never rejects. */
export async function runWrapped(call: WrappedCall, agent: Bridge): Promise<BridgeAnswer> {
  const bridge = toCallingBridge(agent)
  const payload = parseWrapPayload(call.text)
  const hostEvent = findHostEvent(bridge, payload, call.event)
  const rule = hostEvent === null ? undefined : bridge.events[hostEvent]
  const event = call.event ?? rule?.as ?? null
  if (hostEvent === null || event === null)
    return {
      ...makeNoOpinion(bridge, hostEvent ?? ''),
      notes: [`${bridge.title} calls a hook for an event that hooks do not have.`],
    }
  if (await isServed(call, agent, { payload, event })) return { ...makeNoOpinion(bridge, hostEvent ?? ''), notes: [] }
  const given = call.seconds ?? bridge.capabilities.limit
  const seconds = call.seconds ?? USUAL_SECONDS
  const { matcher, condition, words, isProgram, decidesNothing } = call
  const asked = { event, matcher, condition, words, isProgram }
  const only: OnlyHook = {
    ...asked,
    ...{ decidesNothing, seconds, isCutShort: given < seconds },
    ...(call.answers === undefined ? {} : { answers: call.answers }),
  }
  return runBridge({
    bridge,
    hostEvent,
    text: call.text,
    env: call.env,
    attended: false,
    nativeTranscript: false,
    limit: decidesNothing ? null : given - Math.min(MARGIN, given / 3),
    handOver: null,
    engine: { home: call.home, ...(call.keeper === undefined ? {} : { keeper: call.keeper }) },
    ...(call.caller === undefined ? {} : { caller: call.caller }),
    ...(call.signal === undefined ? {} : { signal: call.signal }),
    only,
  })
}

/** The bridge with the events as an agent calls hooks of `.claude` for them. */
function toCallingBridge(bridge: Bridge): Bridge {
  const events = bridge.install.loadsClaude?.calls?.events ?? bridge.events
  // No other event of theirs tells such a hook of a tool of an MCP server.
  const all = Object.entries(events).map(([name, rule]): [string, EventRule] => {
    if (rule.as === null || rule.unless !== 'toolOfMcp') return [name, rule]
    const { unless: _, ...always } = rule
    return [name, always]
  })
  return { ...bridge, ...bridge.install.loadsClaude?.calls, events: Object.fromEntries(all) }
}

function parseWrapPayload(text: string | null): JsonObject {
  try {
    const value: unknown = JSON.parse((text ?? '').replace(/^\uFEFF/, ''))
    return isObject(value) ? value : {}
  } catch {
    return {} // the call is refused where the hook guards something
  }
}

/** The agent's name for the event: as the payload says, else the one that means the event of the entry. */
function findHostEvent({ events }: Bridge, payload: JsonObject, event: string | null): string | null {
  const named = findEvent({ events }, readEventName(payload))
  return named ?? Object.keys(events).find((name) => event !== null && events[name]?.as === event) ?? null
}

/** Events before and after which no other one of the session is certain to come. */
const AT_THE_EDGE: ReadonlySet<string> = new Set(['SessionStart', 'SessionEnd'])
/** Event that an agent may send without its session; it guards nothing, so an installed bridge is enough. */
const OF_NO_SESSION = 'SubagentStart'

/**
 * True if the bridge of the agent runs this hook as well: it is installed for the event, was called in this session, and the
 * hook is one that it runs. Then it alone does.
 */
async function isServed(
  { words: [command, ...args], isProgram, env, home, caller }: WrappedCall,
  bridge: Bridge,
  { payload, event }: { readonly payload: JsonObject; readonly event: string },
): Promise<boolean> {
  const calledAs = toCallingBridge(bridge)
  const session = findSession(calledAs, payload, home)
  if (session === null && event !== OF_NO_SESSION) return false
  const memory = session === null ? null : await SessionMemory.open(home, bridge.name, session)
  if (memory !== null && !AT_THE_EDGE.has(event) && !memory.kept.bridged) return false
  const cwd = resolve(readFolder(calledAs, payload) ?? caller?.cwd ?? process.cwd())
  const project = await findSessionProject(bridge, { cwd, home, env, memory })
  const installed = await Promise.all(
    (['user', 'project'] as const).map((scope) => listInstalledEvents({ bridge, scope, project, home, env })),
  )
  const told = event === 'PostToolUseFailure' ? 'PostToolUse' : event // agents have one event after a call
  if (!installed.flat().some((name) => bridge.events[name]?.as === told)) return false
  const options = { project, home, env, profile: CLAUDE_CODE_PROFILE, rehearsal: true } as const
  const opened = await openReadable({ ...options, warm: 'off' }).catch(() => null) // of a policy that cannot be read the bridge tells
  const meant = JSON.stringify([event, command, isProgram ? args : undefined])
  const engine = opened?.engine
  const isRun = engine?.listListeners(event).some(({ hook: { event, written }, verdict }) => {
    return verdict === 'active' && JSON.stringify([event, written.command, written.args]) === meant
  })
  await engine?.close()
  return isRun === true
}
