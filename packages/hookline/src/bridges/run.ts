import { appendFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { SETTINGS_FILES, USER_FOLDER_VARIABLE } from '../config/scopes.ts'
import { openEngine } from '../engine/engine.ts'
import type { Engine } from '../engine/engine-interface.ts'
import type { EngineOptions, KeptEngineOptions } from '../engine/options.ts'
import type { HooksSetting, Registration } from '../engine/register.ts'
import { HooklineError } from '../files/error.ts'
import { findHome } from '../files/home.ts'
import { readText } from '../files/read.ts'
import { DESCRIPTORS_FOR_A_START, findDescriptorShortage } from '../process/descriptors.ts'
import { CLAUDE_CODE_PROFILE } from '../protocol/profiles.ts'
import { removeControls } from '../text/clean.ts'
import { isObject } from '../text/json.ts'
import { toWellFormed } from '../text/program-text.ts'
import {
  type AnswerSubject,
  answer,
  type HostAnswer,
  isAwaited,
  isGuarding,
  makeNoOpinion,
  refuseUnasked,
} from './answer.ts'
import type { Bridge, EventRule, JsonObject } from './bridge.ts'
import { decideParts } from './decide-parts.ts'
import { type FoldedDecision, fold } from './fold.ts'
import { reviewGuards } from './guards.ts'
import { findBridge } from './list.ts'
import { findMcpNames, type McpNames } from './mcp-names.ts'
import { formatExports, SessionMemory } from './memory.ts'
import { type OpenedEngine, openReadable } from './open-readable.ts'
import { findRule, findSession, readFolder } from './origin.ts'
import { readOwnValue } from './parts.ts'
import {
  findEvent,
  type HostCall,
  isOfCall,
  isSpurious,
  readEventName,
  type TranslatedPayload,
  translate,
} from './payload.ts'
import { findSessionProject } from './project.ts'
import { rewriteInput, writePrefixedInput } from './rewrite-input.ts'
import { followSubagents, isToldByCalls } from './subagent-calls.ts'

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

/** A hook that is wrapped, as its entry says. */
export interface OnlyHook {
  readonly event: string
  readonly matcher: string | null
  /** `if`. */
  readonly condition: string | null
  /** Shell text, or a program and its arguments. */
  readonly words: readonly [string, ...string[]]
  readonly isProgram: boolean
  /** Seconds that it may take; null: as long as hooks may by default. */
  readonly seconds: number | null
  /** The host gives it less than that. */
  readonly isCutShort: boolean
  /** True for a hook that decides nothing, and only says something: the host has gone on. */
  readonly decidesNothing: boolean
  /** The same hook as a function of this process, which is called in place of the command. */
  readonly answers?: HookAnswers
}

/** A hook of this process: it gets an event as Claude Code writes it; null is no opinion. */
export type HookAnswers = (event: JsonObject) => Promise<object | null>

/** Answer to the host, and what else there is to say. */
export interface BridgeAnswer extends HostAnswer {
  readonly notes: readonly string[]
}

/**
 * Shows a host's event to the hooks that were written for Claude Code, and answers in the host's form. Never rejects: what
 * cannot be done is a refusal where a hook guards it.
 */
export async function runBridge(request: HostRequest): Promise<BridgeAnswer> {
  const payload = parsePayload(request.text)
  const called = typeof payload === 'string' ? request : findCallingRequest(request, payload)
  const hostEvent = findAskedEvent(called, payload)
  return runFor({ ...called, hostEvent }, explainImpossible(called, payload) ?? payload)
}

/** Says why no hook can be asked about a payload; null: they can. */
function explainImpossible({ bridge, caller }: HostRequest, payload: JsonObject | string): string | null {
  if (typeof payload === 'string') return null
  if (!canBeFolder(readFolder(bridge, payload))) return 'the folder that it names is not a valid path'
  // In a process of its own no descriptor becomes free by waiting: the host would wait as long as hooks may take.
  const isShort = caller === undefined && findDescriptorShortage(DESCRIPTORS_FOR_A_START) !== null
  return isShort ? 'the limit of open files is too low to start a hook: raise it (ulimit -n)' : null
}

/** Bytes of a path, more of which no system takes. */
const MAX_PATH_BYTES = 4096

/** True for a path that a folder can have, there or not: hooks are started in it, and told of it by a variable. */
const canBeFolder = (path: string | null): boolean =>
  path === null || (!path.includes('\0') && Buffer.byteLength(path) < MAX_PATH_BYTES)

/**
 * The event that is asked about, as the agent's table writes it: a slip in the agent's file is no reason to ask no hook. A
 * payload that is of a call is never taken for another event.
 */
function findAskedEvent({ bridge, hostEvent }: HostRequest, payload: JsonObject | string): string {
  const given = findEvent(bridge, hostEvent)
  const said = typeof payload === 'string' ? null : findEvent(bridge, readEventName(payload))
  if (given === null) return said ?? hostEvent
  return said !== null && isGuarding(bridge, said) && !isGuarding(bridge, given) ? said : given
}

/** The request as one of the agent that made it: others may read the file that has our entries. */
function findCallingRequest(request: HostRequest, payload: JsonObject): HostRequest {
  for (const { is, agent } of request.bridge.sharedWith ?? []) {
    const bridge = is.payload?.every((key) => Object.hasOwn(payload, key)) ? findBridge(agent) : null
    const hostEvent = bridge && findEvent(bridge, readEventName(payload))
    if (bridge !== null && hostEvent !== null) return { ...request, bridge, hostEvent }
  }
  return request
}

async function runFor(request: HostRequest, payload: JsonObject | string): Promise<BridgeAnswer> {
  const { bridge, hostEvent, limit } = request
  const until = limit === null ? null : performance.now() + limit * 1000
  const rule = findRule(bridge, hostEvent, typeof payload === 'string' ? {} : payload)
  if (rule === undefined) return recordUnknownEvent(request, payload)
  if (rule === null) return { ...makeNoOpinion(bridge, hostEvent), notes: [] }
  if (rule.as === null)
    return { ...makeNoOpinion(bridge, hostEvent), notes: [`Nothing is done for ${hostEvent}: ${rule.why}.`] }
  const { home, said, cwd, named, session } = readCallPlace(request, payload)
  // Some hosts go on to the next call while hooks still look at the last one, which may end the turn.
  const afterOthers =
    isToldByCalls(rule) || (rule.as === 'PreToolUse' && Object.values(bridge.events).some(isGoingOnAfterTool))
  const startsAnew = named === null && rule.as === 'SessionStart'
  const { only } = request
  const memory = await SessionMemory.open(home, bridge.name, session, {
    afterOthers,
    startsAnew,
    hook: only === undefined ? null : JSON.stringify([only.matcher, only.words]),
  })
  if (only === undefined && bridge.install.loadsClaude !== null && !memory.kept.bridged)
    memory.change((kept) => ({ ...kept, bridged: true }))
  followSubagents(bridge, rule, said, memory)
  const asked: ShownEvent = {
    bridge,
    hostEvent,
    event: rule.as,
    attended: request.attended,
    observes: rule.observes === true || only?.decidesNothing === true,
    memory,
    ...(only === undefined ? {} : { only: only.event }),
  }
  // A payload that names no folder says nothing about where its command runs.
  const isMoved = bridge.call.folderOfCommand === true && readFolder(bridge, said) !== null
  if (isMoved && memory.kept.began === null && !isOfCall(rule.as)) memory.change((kept) => ({ ...kept, began: cwd }))
  let engine: Engine | null = null
  const shown = isGoingOnAfterTool(rule) ? memory.beginShowing(request.caller?.pid ?? process.pid) : null
  try {
    const asks = await makeEngineOptions(request, { cwd, home, session, payload: said, memory })
    const life = asks.keeper ? ({ warm: 'auto' } as const) : ({ warm: 'off', isShortLived: true } as const)
    const opened = await openReadable({ ...asks, ...countTimeLeft(until), ...life, home })
    engine = opened.engine
    request.signal?.addEventListener('abort', () => void opened.engine.close())
    const { options } = opened
    const registered = only && (await registerOnly(engine, only, said, bridge))
    const missing = await findMissing(request, opened, { memory, session, home, payload: said, options })
    if (missing.why !== null && (isAwaited(rule.as) || typeof payload === 'string'))
      return refuseUnguarded(asked, engine, missing.why)
    if (typeof payload === 'string') return makeBridgeRefusal(asked, engine, payload)
    if (isSpurious(bridge, rule, payload, memory)) return { ...makeNoOpinion(bridge, hostEvent), notes: [] }
    // nothing of the payload is looked into where no hook listens: it may name files that are none of our business.
    const isShown = isHeard(engine, asked) || (rule.as === 'PreToolUse' && memory.prefix !== null)
    const readAllowed = async (): Promise<ReadonlySet<string>> =>
      (await import('./unknown.ts')).readAllowedFields(bridge.name, home)
    const base = isMoved ? (memory.kept.began ?? options.project ?? cwd) : cwd
    const translated = isShown
      ? await translate(bridge, hostEvent, payload, {
          cwd,
          session: named,
          memory,
          base,
          readAllowed,
          readMcpNames: () => readMcpNames(request, engine, { home, cwd, project: options.project ?? cwd }),
        })
      : UNSEEN
    if (translated.kind === 'unreadable') return makeBridgeRefusal(asked, engine, translated.why, translated.tools)
    const agent = translated.parts[0]?.inputs[0].agent_id
    if (only !== undefined && only.answers === undefined && typeof agent === 'string') {
      registered?.remove() // hooks of the session's own loop see no call of a subagent
      await engine.register(makeHooksSetting(only, said, bridge), { agent })
    }
    const showing = { engine, until, cwd, base, request, options, missing }
    return await dispatchParts({ ...asked, event: translated.event ?? rule.as }, translated, showing)
  } catch (error) {
    const why =
      error instanceof HooklineError ? error.message.replace(/\.$/, '') : `a fault in Hookline itself (${error})`
    return makeBridgeRefusal(asked, engine, why)
  } finally {
    await Promise.allSettled([engine?.close(), memory.save()])
    shown?.()
    if (rule.as === 'SessionEnd') memory.forget()
    else if (memory.isNew) memory.forgetOld() // not every session ends with an event
  }
}

/** Loss of guards of a session, and what the user should hear. */
interface MissingGuards {
  /** Reason why calls are refused; null: they are not. */
  readonly why: string | null
  readonly news: readonly string[]
}

/** Looks for guards that cannot be read, or that are not those that the session began with. */
async function findMissing(
  { only }: HostRequest,
  { engine, unread }: OpenedEngine,
  { memory, session, home, payload, options }: Omit<HostSession, 'cwd'> & { readonly options: EngineOptions },
): Promise<MissingGuards> {
  if (only !== undefined) return { why: null, news: [] } // the host reads the files, and calls what it finds
  if (unread.length > 0) return { why: unread.join('. '), news: [] }
  if (session === NO_SESSION) return { why: null, news: [] }
  const isOld = payload.source === 'resume' || payload.source === 'compact'
  const { project = '' } = options
  const { refusal, news } = await reviewGuards(engine, { memory, project, home, isOld })
  return { why: refusal, news }
}

/** Refuses a call whose guards are missing; at any other event user and model are told. */
function refuseUnguarded(asked: ShownEvent, engine: Engine, why: string): BridgeAnswer {
  const note = `${asked.bridge.title}, ${asked.hostEvent}: ${why}.`
  engine.recordUnread(asked.event, { why: note, refused: isAwaited(asked.event) })
  return { ...refuseUnasked(asked, why), notes: [note] }
}

/** The time that hooks have, of which a part is gone when the engine opens. */
function countTimeLeft(until: number | null): Pick<EngineOptions, 'within'> {
  return until === null ? {} : { within: Math.max(0.001, (until - performance.now()) / 1000) }
}

/** Records an event that is not in the agent's table; the host goes on, since no hook can be configured for it. */
async function recordUnknownEvent(request: HostRequest, payload: JsonObject | string): Promise<BridgeAnswer> {
  const { bridge, hostEvent } = request
  const note = `Nothing is done for ${hostEvent}: ${bridge.title} has no event "${hostEvent}" that hooks know.`
  const { home, said, cwd, session } = readCallPlace(request, payload)
  try {
    const memory = await SessionMemory.open(home, bridge.name, session, {
      afterOthers: false,
      startsAnew: false,
      hook: null,
    })
    const options = await makeEngineOptions(request, { cwd, home, session, payload: said, memory })
    const engine = await openEngine({ ...options, warm: 'off' })
    engine.recordUnread(hostEvent, { why: note, refused: false })
    await engine.close()
  } catch {
    // a record that cannot be written changes nothing about the answer
  }
  return { ...makeNoOpinion(bridge, hostEvent), notes: [note] }
}

/** Reads what tells the names of tools of MCP servers; files of the host are read for calls that may be theirs alone. */
async function readMcpNames(
  { bridge, env, only }: HostRequest,
  engine: Engine | null,
  { home, cwd, project }: { readonly home: string; readonly cwd: string; readonly project: string },
): Promise<McpNames> {
  const { readServers } = await import('./mcp-servers.ts')
  const servers = await readServers(bridge, { home, env, folders: [...new Set([project, cwd])] })
  const texts = (engine?.hooks ?? []).flatMap(({ matcherText, condition }) => [matcherText, condition?.text])
  const wanted = [...texts, only?.matcher, only?.condition].flatMap((text) => findMcpNames(text ?? ''))
  return { servers, wanted }
}

/** The folder and the session that a payload is of. */
function readCallPlace({ bridge, engine, caller }: HostRequest, payload: JsonObject | string) {
  const said = typeof payload === 'string' ? {} : payload
  const cwd = resolve(readFolder(bridge, said) ?? caller?.cwd ?? process.cwd())
  const home = engine.home || findHome()
  const named = findSession(bridge, said, home)
  const session = named ?? (typeof payload === 'string' ? NO_SESSION : `folder ${cwd}`)
  return { home, said, cwd, named, session }
}

/** Name of a session whose payload cannot be read: nothing of it can be remembered for the next. */
const NO_SESSION = 'none'

const UNSEEN = { kind: 'events', event: null, parts: [], call: null } as const

/** True if a hook that can run listens to an event, or to what it may turn out to be. */
function isHeard(engine: Engine, { event, only }: ShownEvent): boolean {
  if (only !== undefined) return only === event || (event === 'PostToolUse' && only === 'PostToolUseFailure')
  return engine.listensTo(event) || (event === 'PostToolUse' && engine.listensTo('PostToolUseFailure'))
}

/** True where a hook of an event listens to one of these tools. */
function isListening(engine: Engine, { event }: ShownEvent, tools: readonly string[]): boolean {
  const names = tools.includes('Agent') ? [...tools, 'Task'] : tools
  if (event === null) return false
  return engine.listListeners(event).some(({ hook: { matcher }, verdict }) => {
    if (verdict !== 'active') return false
    if (matcher.kind === 'names') return names.some((name) => matcher.names.has(name))
    return matcher.kind !== 'regex' || names.some((name) => matcher.test(name))
  })
}

/** Subject that a hook is asked about; `only` is the event of the one that is. */
interface ShownEvent extends AnswerSubject {
  readonly only?: string
}

/** Registers the one hook that is asked. */
function registerOnly(engine: Engine, only: OnlyHook, said: JsonObject, bridge: Bridge): Promise<Registration> {
  const { answers } = only
  if (answers === undefined) return engine.register(makeHooksSetting(only, said, bridge))
  // The event is one of the profile, and answers are read as those of a command are.
  return engine.on(only.event as 'PreToolUse', (event) => answers({ ...event }) as Promise<null>)
}

/** The hook as a settings file would have it. */
function makeHooksSetting(
  { event, matcher, condition, words: [command, ...args], isProgram, seconds }: OnlyHook,
  payload: JsonObject,
  { call }: Bridge,
): HooksSetting {
  // A host that does not name the server of a tool has matched it already, and no matcher could do so again.
  const isNamed = typeof call.tool !== 'string' || !String(payload[call.tool]).startsWith('MCP:')
  const hook = {
    type: 'command' as const,
    command,
    ...(isProgram ? { args } : {}),
    ...(condition === null ? {} : { if: condition }),
    ...(seconds === null ? {} : { timeout: seconds }),
  }
  return { [event]: [{ ...(matcher === null || !isNamed ? {} : { matcher }), hooks: [hook] }] } as HooksSetting // read as any settings are
}

const isGoingOnAfterTool = (rule: EventRule): boolean => rule.as === 'PostToolUse' && rule.observes === true

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

/** Refuses where a hook would have been asked; elsewhere the host goes on. */
function makeBridgeRefusal(
  asked: ShownEvent,
  engine: Engine | null,
  why: string,
  tools?: readonly string[],
): BridgeAnswer {
  const isGuarded =
    engine === null || (isHeard(engine, asked) && (tools === undefined || isListening(engine, asked, tools)))
  const note = `${asked.bridge.title}, ${asked.hostEvent}: ${why}.`
  engine?.recordUnread(asked.only ?? asked.event, { why: note, refused: isGuarded })
  if (!isGuarded) return { ...makeNoOpinion(asked.bridge, asked.hostEvent), notes: [note] }
  return { ...refuseUnasked(asked, why), notes: [note] }
}

interface HostSession {
  readonly cwd: string
  readonly home: string
  readonly session: string
  readonly payload: JsonObject
  readonly memory: SessionMemory
}

async function makeEngineOptions(
  { bridge, env, nativeTranscript, engine, only }: HostRequest,
  { cwd, home, session, payload, memory }: HostSession,
): Promise<KeptEngineOptions> {
  const mode =
    (bridge.modes && readOwnValue(bridge.modes, payload.permission_mode ?? payload.permissionMode)) ?? 'default'
  const native = typeof payload.transcript_path === 'string' ? payload.transcript_path : null
  const transcriptPath = nativeTranscript ? native : join(memory.folder, 'transcript.jsonl')
  return {
    profile: CLAUDE_CODE_PROFILE,
    project: await findSessionProject(bridge, { cwd, home, env, memory: session === NO_SESSION ? null : memory }),
    host: engine.keeper === undefined ? { client: bridge.name } : { client: bridge.name, launcher: 'resident' },
    sessionId: session,
    permissionMode: mode,
    ...(transcriptPath === null ? {} : { transcriptPath }),
    onceFile: join(memory.folder, 'once.json'),
    env: { ...env, HOOKLINE_AGENT: bridge.name },
    ...engine,
    // configured hooks are not for us to run: the host calls the hook, and has asked the user about it.
    ...(only === undefined
      ? {}
      : { managedOnly: true, managed: join(memory.folder, 'no-policy.json'), plugins: [], rehearsal: true }),
  }
}

interface ShowContext {
  readonly engine: Engine
  /** `performance.now()` when the host waits no longer; null: it waits. */
  readonly until: number | null
  readonly cwd: string
  /** The folder that the session began in. */
  readonly base: string
  readonly request: HostRequest
  readonly options: KeptEngineOptions
  readonly missing: MissingGuards
}

/** Dispatches the events and answers with what all hooks decided together. */
async function dispatchParts(
  asked: ShownEvent,
  translated: TranslatedPayload | typeof UNSEEN,
  showing: ShowContext,
): Promise<BridgeAnswer> {
  const { engine, cwd, base } = showing
  const { bridge, memory, event } = asked
  const { call, parts } = translated
  // A host that does not tell of prompts tells of the end of a turn.
  if (event === 'UserPromptSubmit' || (event === 'Stop' && !isToldEvent(bridge, 'UserPromptSubmit'))) memory.startTurn()
  if (event === 'PreToolUse' && memory.kept.halted !== null)
    return { ...makeHaltedAnswer(asked, memory.kept.halted), notes: [] }
  if (event === 'PreToolUse' && memory.kept.stops > 0) memory.change((kept) => ({ ...kept, stops: 0 }))
  if (parts.length > MAX_PARTS)
    return makeBridgeRefusal(
      asked,
      engine,
      `one call does ${parts.length} things, and hooks are asked about ${MAX_PARTS}: do it in smaller steps`,
    )
  if (parts.length > 0) memory.makeTranscript()
  const { decided, left, isCutShort, shortage } = await decideParts(parts, {
    ...{ engine, event, memory, until: showing.until },
    isCutShort: showing.request.only?.isCutShort ?? null,
  })
  const all = fold(decided)
  const folded =
    asked.only !== undefined && asked.observes ? { ...fold([]), context: all.context, toUser: all.toUser } : all
  const isRefused = folded.halt !== null || folded.permission === 'deny' || folded.permission === 'defer'
  if ((isCutShort || shortage !== null) && isAwaited(event) && !isRefused) {
    if (call !== null) memory.refuse(call.id)
    const late = `the hooks did not end within the time that ${bridge.title} gives them`
    return makeBridgeRefusal(asked, engine, shortage === null ? late : `a hook could not be started: ${shortage}`)
  }
  if (left.length > 0) await runLater(asked, left, showing)
  const variables = await readKeptVariables(asked, showing)
  if (event === 'PreToolUse' && call !== null) await noteCall(asked, engine, call, folded)
  // In another hook of the event that the host calls, what the call was is still needed.
  if (event.startsWith('PostToolUse') && call !== null && asked.only === undefined) memory.callEnded(call.id)
  // Of several hooks that the host calls, one would undo what another one changed in the call.
  const input = await (asked.only === undefined
    ? writePrefixedInput(bridge, call, folded, { cwd, base, memory })
    : rewriteInput(bridge, call, folded, { cwd, base }))
  if (memory.hasWaiting && !asked.observes) await memory.claim()
  const told = variables === null ? asked : { ...asked, variables }
  const isStart = event === 'SessionStart' || (memory.isNew && !isToldEvent(bridge, 'SessionStart'))
  const { why, news } = showing.missing
  const unguarded = why === null ? [] : [`Hookline refuses every call: ${why}.`]
  const held = [
    ...(isStart && asked.only === undefined
      ? [
          ...(await listUntrustedNotices(engine, showing.options)),
          ...(await describeMovedUser(engine, showing.options)),
        ]
      : []),
    ...unguarded.filter((text) => !memory.hasQueued('toUser', text)),
    ...news,
    ...(call?.isUnlisted ? await tellUnlisted(asked, call, engine.home) : []),
  ]
  const toUser = isShownStderr(bridge) ? folded.toUser : [...folded.toUser, ...held]
  const context = [...folded.context, ...unguarded.filter((text) => !memory.hasQueued('context', text))]
  // A text for the model at the end of a turn would send the agent on.
  const isEnd = event === 'Stop' || event === 'SubagentStop'
  return { ...answer(told, { ...folded, toUser, context: isEnd ? folded.context : context }, input), notes: held }
}

/** Things that one call may do: more would take longer to ask about than any host waits. */
const MAX_PARTS = 100

/** Said once a session: a tool that the table of an agent does not have is shown by what its input suggests. */
async function tellUnlisted(
  { bridge, memory }: AnswerSubject,
  { tool, parts }: HostCall,
  home: string,
): Promise<string[]> {
  if (!memory.isFirstUnlisted(tool)) return []
  const { keepUnlistedTool } = await import('./unknown.ts')
  await keepUnlistedTool(bridge.name, tool, home)
  const shown = [...new Set(parts.flatMap(({ calls }) => calls.map((call) => call.tool)))].filter(
    (name) => name !== tool,
  )
  const as = shown.length === 0 ? 'by its own name' : `by its own name and as ${shown.join(', ')}`
  return [`${bridge.title} called "${tool}", a tool that Hookline does not know: hooks see it ${as}.`]
}

/** True if stderr is what a host shows its user; of a hook that succeeds, others hide it. */
const isShownStderr = ({ answers: { toUser } }: Bridge): boolean =>
  toUser.how === 'exact' && toUser.write === 'errorText'

function isToldEvent({ events }: Bridge, event: string): boolean {
  for (const name in events) if (events[name]?.as === event) return true
  return false
}

/** Hooks that the host does not wait for: what they say comes with a later event. */
async function runLater(
  { bridge, memory }: AnswerSubject,
  events: readonly (readonly JsonObject[])[],
  { request, options, engine }: ShowContext,
): Promise<void> {
  const { markLateWork: noteWork, runLate } = await import('./late.ts')
  const { env = {}, within: _within, keeper: _keeper, isShortLived: _life, ...settled } = options
  const marker = join(memory.folder, 'late', `${process.pid}-${Date.now()}`)
  const work = { agent: bridge.name, session: engine.sessionId, options: settled, events, marker }
  noteWork(work)
  if (request.handOver === null) await runLate(work, env)
  else await request.handOver(JSON.stringify(work))
}

/** Variables that hooks wrote for later commands; null when they wrote none. */
async function readKeptVariables(
  { bridge, memory }: AnswerSubject,
  { engine, request }: ShowContext,
): Promise<Readonly<Record<string, string>> | null> {
  if (engine.environmentFiles().length === 0) return null
  const variables = await engine.environment()
  const { environment } = bridge.answers
  if (environment.how === 'emulated') await memory.keepVariables(variables)
  const file = request.env.CLAUDE_ENV_FILE
  if (environment.how === 'exact' && environment.write === 'envFile' && file)
    await appendFile(file, formatExports(variables))
  return variables
}

/** A call of a turn that a hook has ended. */
function makeHaltedAnswer(asked: AnswerSubject, why: string): HostAnswer {
  return answer(asked, { ...fold([]), permission: 'deny', reason: why }, { rewrite: 'none' })
}

/** Notes what events after the call need to know of it. */
async function noteCall(
  { memory, only }: ShownEvent,
  engine: Engine,
  { id, parts }: HostCall,
  { permission, halt }: FoldedDecision,
): Promise<void> {
  if (permission === 'deny' || permission === 'defer' || halt !== null) memory.refuse(id)
  if (only === undefined && !engine.hooks.some(({ event }) => event === 'PostToolUse')) return
  const originals = await Promise.all(
    parts.map(async ({ calls: [{ tool, input }] }, index) => {
      if (tool !== 'Write' && tool !== 'Edit') return []
      const content = await readText(String(input.file_path), { largest: MAX_ORIGINAL_BYTES })
      return [[parts.length === 1 ? id : `${id}#${index + 1}`, content.read === 'text' ? content.text : null] as const]
    }),
  )
  if (parts.length > 1 || originals.flat().length > 0) memory.remember(id, parts, Object.fromEntries(originals.flat()))
}

/** Larger files are not kept for the event after the call. */
const MAX_ORIGINAL_BYTES = 256 * 1024

/** Said at every start: hooks in the home that are not read, since a variable says that the user's are elsewhere. */
async function describeMovedUser({ home }: Engine, { project = '' }: EngineOptions): Promise<string[]> {
  const [read, usual] = [SETTINGS_FILES.user({ project, home }), join(home, '.claude', 'settings.json')]
  if (read === usual) return []
  const content = await readText(usual)
  if (content.read !== 'text' || !content.text.includes('"hooks"')) return []
  return [`${USER_FOLDER_VARIABLE} is set, so your hooks are read from ${read}, and those in ${usual} do not run.`]
}

/** Said at every start: hooks of a folder that was not accepted, and of plugins that it enables, do not run. */
async function listUntrustedNotices(engine: Engine, options: EngineOptions): Promise<string[]> {
  const { accepted, wrongDigest } = engine.trust
  if (accepted) return []
  const held = engine.list().filter(({ standing }) => standing.verdict === 'untrusted').length
  const { listWaitingHooks } = await import('../engine/waiting-hooks.ts') // projects are trusted, as a rule
  const waiting = await listWaitingHooks(options).catch(() => []) // once they count, the call says why they cannot be read
  const ids = [...new Set(waiting.map(({ plugin }) => plugin))]
  if (held + ids.length === 0) return []
  const remedy = 'look at them with "hookline trust", then "hookline trust accept".'
  return [
    ...(held === 0 ? [] : [`${held === 1 ? 'A hook' : `${held} hooks`} of this project did not run: ${remedy}`]),
    ...(ids.length === 0
      ? []
      : [`Hooks of plugins that this project enables did not run (${ids.map(removeControls).join(', ')}): ${remedy}`]),
    ...(wrongDigest === null ? [] : [wrongDigest]),
  ]
}
