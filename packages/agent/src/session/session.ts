import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type CallMcpTool, type Engine, openEngine } from 'hookline'
import { debugLog } from 'hookline/internal'
import { hiddenFiles } from 'hookline/rules'
import { fire } from '../hooks/fire.ts'
import { judges } from '../hooks/judges.ts'
import { tellLateResult } from '../hooks/late-results.ts'
import { type OwnHooks, readOwnHooks, registerHooks } from '../hooks/register-hooks.ts'
import { endFailures, haltReason, isPrinted } from '../hooks/words.ts'
import { type McpServers, openServers } from '../mcp/servers.ts'
import { openPermissions, type Permissions } from '../permission/permissions.ts'
import { type Component, findCommands, findSkills } from '../skills/component.ts'
import { restoreSkills, skillTool } from '../skills/skill-tool.ts'
import { BackgroundCommands } from '../tools/background-commands.ts'
import type { Tool } from '../tools/tool.ts'
import { inject } from '../transcript/conversation.ts'
import { logPath, oncePath, tasksPath, transcriptPath } from '../transcript/sessions.ts'
import { Transcript } from '../transcript/transcript.ts'
import { callerOf, type Loop, newLoop, type Session } from '../turn/loop-state.ts'
import { projectNotes, systemPrompt } from '../turn/system-prompt.ts'
import { beginTurn } from '../turn/turn.ts'
import { type Collaboration, collaborationTools, openCollaboration } from './collaboration.ts'
import type { EarlierSession } from './earlier-session.ts'
import type { SettledOptions } from './options.ts'

/** How a session comes about; one that is resumed has an earlier one. */
export type Beginning =
  | { readonly source: 'startup' | 'clear' }
  | { readonly source: 'resume'; readonly earlier: EarlierSession }

/** A session under way. */
export interface OpenSession {
  readonly session: Session
  readonly loop: Loop
  /** Slash commands that the project, the user and plugins bring, by name. */
  readonly commands: Extensions['commands']
  readonly team: Collaboration['team']
  /** Why a hook stopped it before the first prompt; null: none did. */
  halted: string | null
  readonly end: (reason: EndReason, ending?: Ending) => Promise<void>
}

/** How a session ends. */
export interface Ending {
  /** Milliseconds that hooks in the background get to finish; without it they are ended at once. */
  readonly waitMs?: number
  /** Ends the waiting. */
  readonly signal?: AbortSignal
}

/** Why a session ends. */
export type EndReason = 'clear' | 'resume' | 'logout' | 'prompt_input_exit' | 'bypass_permissions_disabled' | 'other'

/** Opens a session: reads the hooks, starts MCP servers, and lets SessionStart hooks speak; the signal ends what waits. */
export async function openSession(
  options: SettledOptions,
  beginning: Beginning,
  signal: AbortSignal,
): Promise<OpenSession> {
  const earlier = beginning.source === 'resume' ? beginning.earlier : null
  const id = earlier?.id ?? randomUUID()
  const closing = new AbortController()
  const background = new BackgroundCommands()
  let servers: McpServers | null = null
  const callMcpTool: CallMcpTool = (call) => {
    if (servers === null) throw new Error('the MCP servers of the session have not started yet')
    return servers.callForHook(call)
  }
  const parts = await sessionOf(options, { id, closing: closing.signal, background, callMcpTool })
  const { session, extensions, collaboration } = parts
  const { team } = collaboration
  const opened = await openServers(session, options, signal).catch(async (error: unknown) => {
    await session.engine.close()
    throw error // a file that the caller named does not exist
  })
  servers = opened
  const tools = [...ownTools(parts, options), ...opened.tools]
  const loop = mainLoop(session, options, { earlier, tools, notes: extensions.notes })
  session.loops.set(null, loop)
  await restoreSkills(loop.messages, { skills: extensions.skills, engine: session.engine })
  introduce(loop, beginning.source)
  session.engine.tellFaults() // with the record of SessionStart
  const halted = await start(loop, beginning.source, signal)
  const end = async (reason: EndReason, ending: Ending = {}): Promise<void> => {
    await team.close()
    await tellEnd(loop, reason)
    closing.abort()
    await Promise.all([closeEngine(session, ending), background.close(), opened.close()])
    await loop.transcript.close()
  }
  return { session, loop, commands: extensions.commands, team, halted, end }
}

interface Made {
  readonly id: string
  readonly closing: AbortSignal
  readonly background: BackgroundCommands
  /** Calls a tool for a hook, once the servers have started. */
  readonly callMcpTool: CallMcpTool
}

/** The session with what only its beginning needs. */
interface OpenedParts {
  readonly session: Session
  readonly extensions: Extensions
  readonly collaboration: Collaboration
}

async function sessionOf(
  options: SettledOptions,
  { id, closing, background, callMcpTool }: Made,
): Promise<OpenedParts> {
  const { places, env, emit, dialog, limits } = options
  const path = transcriptPath({ folder: options.sessionsFolder, project: places.project }, id)
  const loops = new Map<string | null, Loop>()
  const engine = await openEngine({
    ...places,
    host: { client: 'hookline-agent' },
    sessionId: id,
    transcriptPath: path,
    trust: options.trust,
    callMcpTool,
    failClosed: options.failClosed,
    env,
    log: logPath(path),
    onceFile: oncePath(path),
    models: judges(env, (agent) => loops.get(agent)?.messages ?? []),
    ...(options.profile === undefined ? {} : { profile: options.profile }),
    ...(options.preset === undefined ? {} : { preset: options.preset }),
    ...(options.debug === undefined ? {} : { debug: options.debug }),
  })
  const { permissions, ownHooks } = await prepare(engine, options).catch(async (error: unknown) => {
    await engine.close()
    throw error // of the author of the options
  })
  const seen = new Map<string, number>()
  const environment = async (): Promise<NodeJS.ProcessEnv> => {
    const script = await engine.environmentScript()
    return script === null ? env : { ...env, BASH_ENV: script }
  }
  const { project } = places
  const extensions = await readExtensions(options, engine)
  const { notes } = extensions
  const lead = () => ({ loop: callerOf(session, null), signal: session.turn.signal })
  const tasksFile = tasksPath(path)
  const collaboration = await openCollaboration(options, { lead, engine, notes, ownHooks, tasksFile })
  const session: Session = {
    ...{ id, engine, transcriptPath: path, cwd: project, permissions, dialog, limits, closing, emit, loops },
    apiLog: debugLog(options.debug, 'api'),
    signedIn: false,
    trusted: engine.trust.accepted,
    team: collaboration.team,
    turn: beginTurn(closing),
    toolContext: (agent, signal) => ({
      ...{ cwd: project, project, agent, signal, environment, seen, background },
      hidden: (toolName, input) => hiddenFiles({ toolName, input }, permissions.rules),
    }),
  }
  return { session, extensions, collaboration }
}

/** Adds the agent's own hooks, and reads the rules that its calls are held against; what is wrong in them is told. */
async function prepare(
  engine: Engine,
  options: SettledOptions,
): Promise<{ permissions: Permissions; ownHooks: OwnHooks }> {
  const { places, settings, allow, deny, mode = null, emit } = options
  const ownHooks = await readOwnHooks(options)
  await registerHooks(engine, ownHooks, { emit })
  const rules = { extra: settings, read: engine.configuration.files, trusted: engine.trust.accepted }
  const edit: Engine['edit'] = (scope, change) => engine.edit(scope, change)
  const permissions = await openPermissions({ ...places, ...rules, edit, mode, allow, deny })
  const toldAnyway = new Set(engine.faults.map(({ text }) => text))
  for (const text of permissions.problems) if (!toldAnyway.has(text)) emit({ type: 'told', to: 'user', text })
  return { permissions, ownHooks }
}

/** The tools that a session has besides those of MCP servers. */
function ownTools({ session, extensions, collaboration }: OpenedParts, options: SettledOptions): readonly Tool[] {
  const { skills } = extensions
  const own = [...options.tools, ...collaborationTools(session, collaboration, options)]
  return skills.length === 0 || options.deny.includes('Skill') ? own : [...own, skillTool(skills, session.engine)]
}

interface Begun {
  readonly earlier: EarlierSession | null
  readonly tools: readonly Tool[]
  readonly notes: string
}

function mainLoop(session: Session, options: SettledOptions, { earlier, tools, notes }: Begun): Loop {
  const transcript = new Transcript({
    path: session.transcriptPath,
    sessionId: session.id,
    cwd: session.cwd,
    after: earlier?.lastUuid ?? null,
    onProblem: (text) => session.emit({ type: 'told', to: 'user', text }),
  })
  const loop = newLoop({
    ...{ session, agent: null, parent: null, teammate: null, transcript },
    model: options.model,
    system: systemPrompt({ ...options, notes }),
    tools: new Map(tools.map((tool) => [tool.name, tool])),
  })
  loop.messages.push(...(earlier?.messages ?? []))
  loop.open = earlier?.open ?? []
  return loop
}

/** Says what the session is: in the transcript of a new one, and to the host. */
function introduce({ session, model, tools, transcript, messages }: Loop, source: Beginning['source']): void {
  const { id, cwd, transcriptPath: path, permissions, emit } = session
  const facts = { model: model.name, tools: [...tools.keys()], permissionMode: permissions.mode }
  if (source !== 'resume') transcript.append({ kind: 'init', ...facts })
  emit({ type: 'session', sessionId: id, transcriptPath: path, source, cwd, ...facts })
  for (const message of messages) emit({ type: 'restored', message })
}

/** Fires SessionStart; resolves with why a hook stopped the session, if one did. */
async function start(loop: Loop, source: string, signal: AbortSignal): Promise<string | null> {
  const fired = await fire(loop, 'SessionStart', { source, model: loop.model.name }, { signal })
  for (const text of fired.contexts) inject(loop, text)
  return fired.decision.halt ? haltReason(fired.record) : null
}

/** Fires SessionEnd within its time, whatever its hooks do. */
async function tellEnd(loop: Loop, reason: EndReason): Promise<void> {
  const signal = AbortSignal.timeout(loop.session.limits.endWithinMs)
  const known = loop.session.engine.profile.events.get('SessionEnd')?.values.includes(reason) === true
  const { record } = await fire(loop, 'SessionEnd', { reason: known ? reason : 'other' }, { signal, retold: isPrinted })
  for (const text of endFailures(record)) loop.session.emit({ type: 'told', to: 'user', text })
}

/**
 * Ends what still runs, at once or when the wait is over; what background hooks said and the model can no longer
 * read goes to the user.
 */
async function closeEngine({ engine, emit }: Session, { waitMs = 0, signal }: Ending): Promise<void> {
  const waits = waitMs > 0
  const finished = waits ? engine.drain() : Promise.resolve([])
  if (waits) await atMost(finished, waitMs, signal)
  const ended = await engine.close()
  for (const late of [...(await finished), ...ended]) {
    tellLateResult(emit, late, { dropped: waits ? 'user' : 'verbose' })
    for (const text of late.context) emit({ type: 'told', to: 'verbose', text: `${late.hook} came too late: ${text}` })
  }
}

/** Waits for something, but no longer than so long, and not once the signal aborts. */
async function atMost(work: Promise<unknown>, ms: number, signal: AbortSignal | undefined): Promise<void> {
  const over = new AbortController()
  const isOver = pause(ms, undefined, { signal: over.signal }).catch(() => {}) // the work was done first
  signal?.addEventListener('abort', () => over.abort(), { once: true })
  if (signal?.aborted) over.abort()
  await Promise.race([work, isOver])
  over.abort()
}

/** What the project, the user and plugins add to a session, besides hooks; read once, when it begins. */
interface Extensions {
  /** What the project wants agents to know; see `projectNotes`. */
  readonly notes: string
  /** The skills that the model may load. */
  readonly skills: readonly Component[]
  /** Slash commands of the project, the user and plugins, by name. */
  readonly commands: ReadonlyMap<string, Component>
}

/** Reads them; what is wrong in their files is told. */
async function readExtensions(
  { places, emit }: Pick<SettledOptions, 'places' | 'emit'>,
  engine: Engine,
): Promise<Extensions> {
  const [skills, commands] = await Promise.all([findSkills({ ...places, engine }), findCommands({ ...places, engine })])
  const tell = (text: string): void => emit({ type: 'told', to: 'user', text })
  for (const text of [...skills.problems, ...commands.problems]) tell(text)
  return {
    notes: await projectNotes(places.project, tell),
    skills: [...skills.components.values()].filter(({ forModel }) => forModel),
    commands: commands.components,
  }
}
