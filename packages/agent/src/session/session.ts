import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { CallMcpTool, Engine } from 'hookline'
import { openDebugLog, openOwnEngine } from 'hookline/internal'
import { findHiddenFiles } from 'hookline/rules'
import { fire, fireIfKnown, hasEvent } from '../hooks/fire.ts'
import { makeJudges } from '../hooks/judges.ts'
import { tellLateResult } from '../hooks/late-results.ts'
import { type OwnHooks, readOwnHooks, registerHooks } from '../hooks/register-hooks.ts'
import { isPrinted, listEndFailures } from '../hooks/words.ts'
import { type McpServers, openServers } from '../mcp/servers.ts'
import { AgentError } from '../output/agent-error.ts'
import type { AgentName } from '../output/events.ts'
import type { Message } from '../output/messages.ts'
import { openPermissions, type Permissions } from '../permission/permissions.ts'
import { makeSkillTool, restoreSkills } from '../skills/skill-tool.ts'
import { createWorktree, removeWorktree, type Worktree } from '../subagents/worktree.ts'
import { BackgroundCommands } from '../tools/background-commands.ts'
import { withLastingFolder } from '../tools/bash.ts'
import { exitPlanModeTool } from '../tools/exit-plan-mode.ts'
import type { Tool, ToolContext } from '../tools/tool.ts'
import { listPrompts } from '../transcript/conversation.ts'
import { makeLogPath, makeOncePath, makeTasksPath, makeTranscriptPath } from '../transcript/sessions.ts'
import { Transcript } from '../transcript/transcript.ts'
import { Instructions } from '../turn/instructions.ts'
import { findCaller, type Loop, makeLoop, type Session } from '../turn/loop-state.ts'
import { startSession } from '../turn/session-start.ts'
import { makeSystemPrompt } from '../turn/system-prompt.ts'
import { beginTurn } from '../turn/turn.ts'
import { BackgroundWork } from './background-work.ts'
import { type Collaboration, makeCollaborationTools, openCollaboration } from './collaboration.ts'
import { moveTo } from './current-folder.ts'
import type { EarlierSession } from './earlier-session.ts'
import { EditedSettings } from './edited-settings.ts'
import { type Extensions, offerSkills, readExtensions, readSkills } from './extensions.ts'
import { CACHE_MS, estimateWritingCost } from './model-switch.ts'
import type { SettledOptions } from './options.ts'
import { WatchedFiles } from './watched-files.ts'

/** Beginning of a session; one that goes on has an earlier one, and one that is forked goes on under another id. */
export type SessionOpening =
  | { readonly source: 'startup' | 'clear' }
  | { readonly source: 'resume' | 'fork'; readonly earlier: EarlierSession }

/** A session under way. */
export interface OpenSession {
  readonly session: Session
  readonly loop: Loop
  /** Slash commands that the project, the user and plugins bring, by name. */
  readonly commands: Extensions['commands']
  /** The MCP servers, whose prompts are commands too. */
  readonly servers: Pick<McpServers, 'prompts'>
  readonly team: Collaboration['team']
  /** Reason why a hook stopped it before the first prompt; null: none did. */
  halted: string | null
  /** Prompt that a hook wants to be asked first; null: nothing. */
  readonly firstPrompt: string | null
  readonly end: (reason: EndReason, ending?: SessionEnding) => Promise<void>
}

/** End of a session. */
export interface SessionEnding {
  /** Milliseconds that hooks in the background get to finish; without it they are ended at once. */
  readonly waitMs?: number
  /** Ends the waiting. */
  readonly signal?: AbortSignal
}

/** Reason why a session ends. */
export type EndReason = 'clear' | 'resume' | 'logout' | 'prompt_input_exit' | 'bypass_permissions_disabled' | 'other'

/** Opens a session: reads the hooks, starts MCP servers, and lets SessionStart hooks speak; the signal ends what waits. */
export async function openSession(
  options: SettledOptions,
  beginning: SessionOpening,
  signal: AbortSignal,
): Promise<OpenSession> {
  const id = beginning.source === 'resume' ? beginning.earlier.id : randomUUID()
  const closing = new AbortController()
  const background = new BackgroundCommands()
  let servers: McpServers | null = null
  const callMcpTool: CallMcpTool = (call) => {
    if (servers === null) throw new Error('the MCP servers of the session have not started yet')
    return servers.callForHook(call)
  }
  const work = new BackgroundWork()
  const parts = await openParts(options, { id, closing: closing.signal, background, callMcpTool, work })
  const { session, extensions, collaboration } = parts
  const { team } = collaboration
  const opened = await openServers(session, options, signal).catch(async (error: unknown) => {
    await session.engine.close()
    throw error // a file that the caller named does not exist
  })
  servers = opened
  const tools = [...listOwnTools(parts, options), ...opened.tools]
  const loop = makeMainLoop(session, options, { beginning, tools, notes: extensions.notes })
  session.loops.set(null, loop)
  const following = parts.follow(loop)
  await restoreSkills(loop.messages, { skills: extensions.skills, engine: session.engine })
  introduceSession(loop, beginning)
  session.engine.tellFaults() // with the first record
  let worktree: Worktree | null = null
  const close = async (ending: SessionEnding): Promise<void> => {
    following.close()
    closing.abort()
    await Promise.all([closeEngine(session, ending), background.close(), opened.close(), work.waitForEnd()])
    await loop.transcript.close()
  }
  const end = async (reason: EndReason, ending: SessionEnding = {}): Promise<void> => {
    await team.close()
    await waitAtMost(work.waitForEnd(), session.limits.endWithinMs, ending.signal)
    await tellEnd(loop, reason)
    if (worktree !== null) await leaveWorktree(loop, worktree)
    await close(ending)
  }
  if (beginning.source !== 'clear' && options.setup !== null)
    await fireIfKnown(loop, 'Setup', { trigger: options.setup }, { signal })
  if (options.worktree !== null) {
    worktree = await createWorktree(loop, options.worktree, signal).catch(async (error: Error) => {
      await close({})
      throw new AgentError(error.message) // of git, or of a hook
    })
    loop.cwd = worktree.path
  }
  const { halted, firstPrompt } = await startSession(loop, describeStart(loop, beginning), signal)
  session.inBackground(session.instructions.tell(loop))
  return { session, loop, commands: extensions.commands, servers: opened, team, halted, firstPrompt, end }
}

/** Describes how a session starts, beside its model, for hooks. */
function describeStart({ session, model }: Loop, beginning: SessionOpening): { readonly source: string } {
  const { source } = beginning
  const answered = 'earlier' in beginning ? beginning.earlier.answered : null
  const { inputFields = [] } = session.engine.profile.events.get('SessionStart') ?? {}
  if (answered === null || !inputFields.includes('context_tokens')) return { source }
  const sinceMs = Date.now() - answered.at.getTime()
  const about = {
    seconds_since_last_response: Math.max(0, Math.round(sinceMs / 1000)),
    context_tokens: answered.tokens,
    prompt_cache_likely_expired: sinceMs >= CACHE_MS,
    estimated_cache_write_usd: estimateWritingCost(model.name, answered.tokens) ?? 0,
  }
  return { source, ...about }
}

/** Removes the worktree of the session, unless it holds changes. */
async function leaveWorktree(loop: Loop, worktree: Worktree): Promise<void> {
  const stays = await removeWorktree(loop, worktree, AbortSignal.timeout(loop.session.limits.endWithinMs))
  if (stays !== null) loop.session.emit({ type: 'told', to: 'user', text: stays })
}

interface SessionParts {
  readonly id: string
  readonly closing: AbortSignal
  readonly background: BackgroundCommands
  /** Calls a tool for a hook, once the servers have started. */
  readonly callMcpTool: CallMcpTool
  readonly work: BackgroundWork
}

/** The session with what only its beginning needs. */
interface OpenedParts {
  readonly session: Session
  readonly extensions: Extensions
  readonly collaboration: Collaboration
  /** Follows what happens to files from now on, for the session's own loop. */
  readonly follow: (loop: Loop) => { readonly close: () => void }
}

async function openParts(
  options: SettledOptions,
  { id, closing, background, callMcpTool, work }: SessionParts,
): Promise<OpenedParts> {
  const { places, env, emit, dialog, limits } = options
  const path = makeTranscriptPath({ folder: options.sessionsFolder, project: places.project }, id)
  const loops = new Map<string | null, Loop>()
  const engine = await openOwnEngine({
    ...places,
    host: { client: 'hookline-agent' },
    sessionId: id,
    transcriptPath: path,
    trust: options.trust,
    callMcpTool,
    liveSettings: options.liveSettings,
    failClosed: options.failClosed,
    env,
    log: makeLogPath(path),
    onceFile: makeOncePath(path),
    models: makeJudges(env, (agent) => loops.get(agent)?.messages ?? []),
    ...(options.profile === undefined ? {} : { profile: options.profile }),
    ...(options.preset === undefined ? {} : { preset: options.preset }),
    ...(options.debug === undefined ? {} : { debug: options.debug }),
  })
  const { permissions, ownHooks } = await prepare(engine, options).catch(async (error: unknown) => {
    await engine.close()
    throw error // of the author of the options
  })
  const seen = new Map<string, number>()
  const readEnvironment = async (): Promise<NodeJS.ProcessEnv> => {
    const script = await engine.writeEnvironmentScript()
    return script === null ? env : { ...env, BASH_ENV: script }
  }
  const { project } = places
  const tell = (text: string): void => emit({ type: 'told', to: 'user', text })
  const instructions = new Instructions(places, tell)
  const extensions = await readExtensions(options, engine, instructions)
  const { notes } = extensions
  let watched: WatchedFiles | null = null
  let edited: EditedSettings | null = null
  const follow = (loop: Loop): { close: () => void } => {
    if (hasEvent(session, 'FileChanged')) watched = new WatchedFiles(loop)
    if (hasEvent(session, 'ConfigChange')) edited = new EditedSettings(loop, { ...places, engine })
    return {
      close: () => {
        watched?.close()
        edited?.close()
      },
    }
  }
  const makeFolderChange = (agent: AgentName | null): ToolContext['moveTo'] => {
    const files = watched
    if (agent !== null || files === null || !hasEvent(session, 'CwdChanged')) return null
    return (folder) => moveTo(findCaller(session, null), folder, files)
  }
  const findLead = () => ({ loop: findCaller(session, null), signal: session.turn.signal })
  const tasksFile = makeTasksPath(path)
  const collaboration = await openCollaboration(options, { lead: findLead, engine, notes, ownHooks, tasksFile })
  const session: Session = {
    ...{ id, engine, transcriptPath: path, project, permissions, dialog, limits, closing, emit, loops },
    apiLog: openDebugLog(options.debug, 'api'),
    title: null,
    late: [],
    instructions,
    asked: {
      watch: (paths) => watched?.watch(paths),
      reloadSkills: async () => offerSkills(session, await readSkills(options, engine), options),
    },
    inBackground: (task) => work.add(task),
    tellEdits: options.liveSettings ? async () => edited?.look() : null,
    signedIn: false,
    trusted: engine.trust.accepted,
    team: collaboration.team,
    turn: beginTurn(closing),
    toolContext: (agent, signal) => ({
      ...{
        cwd: findCaller(session, agent).cwd,
        project,
        agent,
        signal,
        environment: readEnvironment,
        seen,
        background,
      },
      moveTo: makeFolderChange(agent),
      hidden: (toolName, input) => findHiddenFiles({ toolName, input }, permissions.rules),
    }),
  }
  return { session, extensions, collaboration, follow }
}

/** Adds the agent's own hooks, and reads the rules that its calls are held against; what is wrong in them is told. */
async function prepare(
  engine: Engine,
  options: SettledOptions,
): Promise<{ permissions: Permissions; ownHooks: OwnHooks }> {
  const { places, settings, allow, deny, mode = null, emit } = options
  const ownHooks = await readOwnHooks(options)
  await registerHooks(engine, ownHooks, { emit })
  const permissions = await openPermissions({
    ...{ ...places, extra: settings, mode, allow, deny },
    settings: () => ({
      read: engine.configuration.files,
      trusted: engine.trust.accepted,
      get absentGuards() {
        return engine.absentGuards
      },
    }),
    edit: (scope, change) => engine.edit(scope, change),
    onChange: ({ problems, mode: next }) => {
      for (const text of problems) emit({ type: 'told', to: 'user', text })
      if (next !== null) emit({ type: 'mode', mode: next })
    },
  })
  const toldAnyway = new Set(engine.faults.map(({ text }) => text))
  for (const text of permissions.problems) if (!toldAnyway.has(text)) emit({ type: 'told', to: 'user', text })
  return { permissions, ownHooks }
}

/** The tools that a session has besides those of MCP servers. */
function listOwnTools({ session, extensions, collaboration }: OpenedParts, options: SettledOptions): readonly Tool[] {
  const { skills } = extensions
  const given = hasEvent(session, 'CwdChanged')
    ? options.tools.map((tool) => (tool.name === 'Bash' ? withLastingFolder(tool) : tool))
    : options.tools
  const planning = session.dialog === null ? [] : [exitPlanModeTool] // without a user there is no approval
  const own = [...given, ...planning, ...makeCollaborationTools(session, collaboration, options)]
  return skills.length === 0 || options.deny.includes('Skill') ? own : [...own, makeSkillTool(skills, session.engine)]
}

interface BegunSession {
  readonly beginning: SessionOpening
  readonly tools: readonly Tool[]
  readonly notes: string
}

function makeMainLoop(session: Session, options: SettledOptions, { beginning, tools, notes }: BegunSession): Loop {
  const earlier = 'earlier' in beginning ? beginning.earlier : null
  const isFork = beginning.source === 'fork'
  const transcript = new Transcript({
    path: session.transcriptPath,
    sessionId: session.id,
    cwd: session.project,
    after: isFork ? null : (earlier?.lastUuid ?? null),
    onProblem: (text) => session.emit({ type: 'told', to: 'user', text }),
  })
  const loop = makeLoop({
    ...{ session, agent: null, cwd: session.project, parent: null, teammate: null, transcript },
    model: options.model,
    system: makeSystemPrompt({ ...options, notes }),
    tools: new Map(tools.map((tool) => [tool.name, tool])),
  })
  loop.messages.push(...(earlier?.messages ?? []))
  loop.open = earlier?.open ?? []
  session.title = earlier?.title ?? null
  if (isFork) copyConversation(loop)
  return loop
}

/** Writes down all that was said so far: in a fork, which can be resumed without the session that it comes from, and behind a boundary. */
export function copyConversation({ transcript, messages, model, session }: Loop): void {
  const usage = { inputTokens: 0, outputTokens: 0 }
  for (const message of messages) {
    if (message.role === 'assistant')
      transcript.append({ kind: 'assistant', message, model: model.name, usage, cutShort: false })
    else transcript.append({ kind: 'user', message, origin: findMessageOrigin(message) })
  }
  if (session.title !== null) transcript.append({ kind: 'title', title: session.title })
}

function findMessageOrigin({ content }: Message): 'tool' | 'user' {
  return content.some(({ type }) => type === 'tool_result') ? 'tool' : 'user'
}

/** Says what the session is: in the transcript of a new one, and to the host. */
function introduceSession({ session, cwd, model, tools, transcript, messages }: Loop, beginning: SessionOpening): void {
  const { source } = beginning
  const { id, transcriptPath: path, permissions, emit, title } = session
  const facts = { model: model.name, tools: [...tools.keys()], permissionMode: permissions.mode }
  if (source !== 'resume') transcript.append({ kind: 'init', ...facts })
  emit({ type: 'session', sessionId: id, transcriptPath: path, source, cwd, title, ...facts })
  const responses = 'earlier' in beginning ? beginning.earlier.responses : new Map<string, unknown>()
  for (const message of messages) emit({ type: 'restored', message, responses })
  if (!('earlier' in beginning)) return
  const prompts = listPrompts(messages).map(({ text }) => text)
  emit({ type: 'resumed', title, prompts, answeredAt: beginning.earlier.answered?.at ?? null })
}

/** Fires SessionEnd within its time, whatever its hooks do. */
async function tellEnd(loop: Loop, reason: EndReason): Promise<void> {
  const signal = AbortSignal.timeout(loop.session.limits.endWithinMs)
  const known = loop.session.engine.profile.events.get('SessionEnd')?.values.includes(reason) === true
  const { record } = await fire(loop, 'SessionEnd', { reason: known ? reason : 'other' }, { signal, retold: isPrinted })
  for (const text of listEndFailures(record)) loop.session.emit({ type: 'told', to: 'user', text })
}

/**
 * Ends what still runs, at once or when the wait is over; what background hooks said and the model can no longer
 * read goes to the user.
 */
async function closeEngine(
  { engine, emit, late: taken }: Session,
  { waitMs = 0, signal }: SessionEnding,
): Promise<void> {
  const waits = waitMs > 0
  const finished = waits ? engine.drain() : Promise.resolve([])
  if (waits) await waitAtMost(finished, waitMs, signal)
  const ended = await engine.close()
  for (const late of [...taken.splice(0), ...(await finished), ...ended]) {
    tellLateResult(emit, late, { dropped: waits ? 'user' : 'verbose' })
    for (const text of late.context) emit({ type: 'told', to: 'verbose', text: `${late.hook} came too late: ${text}` })
  }
}

/** Waits for something, but no longer than so long, and not once the signal aborts. */
async function waitAtMost(work: Promise<unknown>, ms: number, signal: AbortSignal | undefined): Promise<void> {
  const over = new AbortController()
  const isOver = pause(ms, undefined, { signal: over.signal }).catch(() => {}) // the work was done first
  signal?.addEventListener('abort', () => over.abort(), { once: true })
  if (signal?.aborted) over.abort()
  await Promise.race([work, isOver])
  over.abort()
}
