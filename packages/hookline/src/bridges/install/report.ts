import type { ListedHook } from '../../engine/listing.ts'
import type { Answers, Bridge, ToolEffect } from '../bridge.ts'
import { listShownTools } from '../call/fields.ts'
import { isServer } from '../call/mcp-names.ts'
import { isCalled, type LoadedHook } from './loaded-file.ts'
import type { HostStanding } from './standing.ts'

type Hook = ListedHook['hook']

/** Share of a hook that holds in another agent. */
export type HoldingDegree = 'exact' | 'emulated' | 'partial' | 'lost'

/** Report about one hook. */
export interface ReportLine {
  readonly hook: string
  readonly event: string
  readonly matcher: string | null
  /** Command that it runs. */
  readonly runs: string
  readonly holds: HoldingDegree
  /** Reason why not exactly, as sentences. */
  readonly notes: readonly string[]
  /** A guard that would be weaker than in Claude Code. */
  readonly weaker: boolean
}

/** Statements that hooks of each event may make, and which of them is a guard's word. */
const SAYS: Readonly<
  Record<string, { readonly guards: readonly (keyof Answers)[]; readonly more: readonly (keyof Answers)[] }>
> = {
  PreToolUse: {
    guards: ['deny'],
    more: ['ask', 'defer', 'updatedInput', 'contextBeforeTool', 'haltBeforeTool', 'allow'],
  },
  PermissionRequest: { guards: ['dialog'], more: [] },
  UserPromptSubmit: { guards: ['promptBlock'], more: ['promptContext'] },
  PostToolUse: { guards: [], more: ['feedbackAfterTool', 'contextAfterTool', 'updatedToolOutput', 'halt'] },
  PostToolUseFailure: { guards: [], more: ['feedbackAfterTool', 'contextAfterTool'] },
  SessionStart: { guards: [], more: ['contextAtStart', 'environment'] },
  SubagentStart: { guards: [], more: ['contextAtStart'] },
  Stop: { guards: ['stopBlock'], more: [] },
  SubagentStop: { guards: ['stopBlock'], more: [] },
}

/** Reports what of these hooks holds in an agent, hook by hook; where the bridge is installed, with what the agent's own files say. */
export function makeLossReport(
  bridge: Bridge,
  hooks: readonly ListedHook[],
  host: HostStanding | null = null,
): ReportLine[] {
  const twice = findHooksRunTwice(
    bridge,
    hooks.map(({ hook }) => hook),
  )
  return hooks.map((listed) => {
    const { hook } = listed
    const { holds, notes, weaker } = judgeHolding(bridge, listed, host?.servers ?? null)
    const line = { hook: hook.id, event: hook.event, matcher: hook.matcherText, runs: hook.shown.text, weaker }
    if (listed.standing.verdict !== 'active') return { ...line, holds, notes }
    if (!twice.includes(hook)) return countObstacles({ ...line, holds, notes }, host)
    return countObstacles(
      { ...line, holds: holds === 'exact' ? 'emulated' : holds, notes: [...notes, formatTwiceNote(bridge, hook)] },
      host,
    )
  })
}

/** A tool that no tool of Claude Code stands for. */
export interface UnmappedTool {
  readonly tool: string
  /** Null where nobody knows. */
  readonly does: ToolEffect | null
  /** Ids of guards on tools of Claude Code that do the same, which are not asked about it. */
  readonly unasked: readonly string[]
  readonly note: string
}

/** Tools of Claude Code that do what an unmapped tool does. */
const DOING: Readonly<Record<ToolEffect, readonly string[]>> = {
  writes: ['Write', 'Edit', 'NotebookEdit'],
  runs: ['Bash'],
  reads: ['Read', 'Grep', 'Glob'],
}

/** Tools of an agent that write, run or read and are mapped to none of Claude Code, and those that it called which are in no table. */
export function findUnmappedTools(
  { title, tools, capabilities }: Bridge,
  hooks: readonly ListedHook[],
  unlisted: readonly string[],
): UnmappedTool[] {
  const guards = hooks.filter(({ hook, standing }) => hook.event === 'PreToolUse' && standing.verdict === 'active')
  const describeMissing = (does: ToolEffect, tool: string | null): string[] =>
    guards.flatMap(({ hook }) => {
      const isAskedAbout = (name: string): boolean => matchesTool(hook.matcher, name)
      return DOING[does].some(isAskedAbout) && !(tool !== null && isAskedAbout(tool)) ? [hook.id] : []
    })
  const shown = tools.flatMap((rule) => {
    if ('parts' in rule || rule.does === undefined) return []
    const note = `${title} has ${rule.host}, which ${rule.does} and is shown by its own name alone: a guard on ${DOING[rule.does].join(', ')} is asked about it where its matcher names ${rule.host} as well`
    return [{ tool: rule.host, does: rule.does, unasked: describeMissing(rule.does, rule.host), note }]
  })
  const unseen = Object.entries(capabilities.unseen ?? {}).map(([tool, does]) => {
    const note = `${title} has ${tool}, which ${does} and fires no event: no hook is asked about it`
    return { tool, does, unasked: describeMissing(does, null), note }
  })
  const called = unlisted.map((tool) => {
    const note = `${title} called ${tool}, which is in no table: hooks see it by its own name, and as what its input suggests`
    return { tool, does: null, unasked: [], note }
  })
  return [...shown, ...unseen, ...called]
}

function matchesTool(matcher: Hook['matcher'], name: string): boolean {
  if (matcher.kind === 'names') return matcher.names.has(name)
  return matcher.kind !== 'regex' || matcher.test(name)
}

/** A line with what keeps the agent from calling us for it: nothing is left of a hook that no installed entry reaches. */
function countObstacles(line: ReportLine, host: HostStanding | null): ReportLine {
  if (host === null || host.scopes.length + host.unread.length === 0) return line
  const events = listHostEvents(host.written, line.event)
  const open = host.scopes.map(({ running }) => events.filter((event) => running.includes(event)).length)
  if (open.includes(events.length)) return line
  const isLost = open.every((count) => count === 0)
  const met = [...host.scopes, ...host.unread].flatMap(({ obstacles }) =>
    obstacles.filter((one) => one.events?.some((event) => events.includes(event)) ?? true),
  )
  const notes = [...met.map(({ text }) => text), ...line.notes]
  const weaker = line.weaker || (SAYS[line.event]?.guards.length ?? 0) > 0
  return { ...line, holds: isLost || line.holds === 'lost' ? 'lost' : 'partial', notes, weaker }
}

/** Events of an agent by which hooks of an event are called. */
function listHostEvents(bridge: Bridge, event: string): string[] {
  const told = nameReportedEvent(bridge, event)
  return Object.keys(bridge.events).filter((name) => bridge.events[name]?.as === told)
}

/** Hooks of the files of Claude Code that an agent loads, and runs as they are beside its bridge. */
export function findHooksRunTwice(bridge: Bridge, hooks: readonly Hook[]): Hook[] {
  const loads = bridge.install.loadsClaude
  const loaded = loads === null ? [] : hooks.filter(({ scope }) => loads.scopes.includes(scope))
  const toLoaded = ({ written: { type, url }, matcherText: matcher }: Hook): LoadedHook => ({
    type: type ?? 'command',
    matcher,
    url,
  })
  return loaded.filter((hook) => {
    const ofFile = loaded.filter(({ file }) => file === hook.file).map(toLoaded)
    return hook.written.wrapped !== true && isCalled(bridge, toLoaded(hook), ofFile)
  })
}

/** True if `hookline wrap install` can wrap a hook. */
export const canBeWrapped = ({ written: { type, shell } }: Hook): boolean =>
  (type ?? 'command') === 'command' && shell !== 'powershell'

function formatTwiceNote({ title, install: { loadsClaude } }: Bridge, hook: Hook): string {
  const without = hook.written.args === undefined ? '' : ', and without its "args"'
  const refusing = loadsClaude?.failuresRefuse ? ', and refuses the call where it fails' : ''
  const remedy = canBeWrapped(hook) ? 'run "hookline wrap install"' : 'it cannot be wrapped'
  return `${title} also runs it by itself, as it is${without}${refusing}: ${remedy}`
}

/** Says what becomes of hooks that an agent loads from files of Claude Code, beside its bridge. */
export function describeTwice({ title, install: { loadsClaude } }: Bridge, hooks: readonly Hook[]): string {
  const differences = [
    'each runs twice',
    ...(hooks.some(({ written: { args } }) => args !== undefined) ? ['one with "args" runs without them'] : []),
    ...(loadsClaude?.failuresRefuse ? ['one that fails refuses the call'] : []),
  ]
  return `${title} also runs hooks of .claude by itself, as they are: ${new Intl.ListFormat('en').format(differences)}.`
}

function judgeHolding(
  bridge: Bridge,
  { hook, standing }: ListedHook,
  servers: readonly string[] | null,
): Pick<ReportLine, 'holds' | 'notes' | 'weaker'> {
  const { event, matcherText } = hook
  const isGuard = (SAYS[event]?.guards.length ?? 0) > 0
  if (standing.verdict === 'untrusted')
    return { holds: 'lost', notes: ['not trusted: look with "hookline trust"'], weaker: isGuard }
  if (standing.verdict !== 'active')
    return { holds: 'lost', notes: [`it does not run at all: ${standing.verdict}`], weaker: false }
  const rules = Object.values(bridge.events).filter(({ as }) => as === nameReportedEvent(bridge, event))
  if (rules.length === 0) return { holds: 'lost', notes: [`${bridge.title} has no event for it`], weaker: isGuard }
  const isOfTools = event.includes('Tool') || event === 'PermissionRequest'
  const unseen = isOfTools ? findUnseenTools(bridge, matcherText) : null
  const mcp = isOfTools ? explainMcpNames(bridge, matcherText, servers) : []
  if (unseen?.all)
    return { holds: 'lost', notes: [unseen.note, ...bridge.capabilities.blind.slice(0, 1)], weaker: isGuard }
  const { guards = [], more = [] } = SAYS[event] ?? {}
  const lostGuards = guards.filter((name) => bridge.answers[name].how === 'lost')
  const observes = rules.every((rule) => rule.as !== null && rule.observes)
  const told = [...guards, ...more].flatMap((name) => listCellNotes(bridge, name))
  const others = rules.flatMap((rule) =>
    rule.as === null || rule.alsoWhen === undefined
      ? []
      : [`${bridge.title} fires it as well when ${rule.alsoWhen}, and nothing in it tells which: hooks run for both`],
  )
  const notes = [
    ...(unseen ? [unseen.note] : []),
    ...mcp,
    ...others,
    ...(observes && isGuard ? [`${bridge.title} does not wait for it`] : []),
    ...told.map(({ text }) => text),
  ]
  const weaker = isGuard && (lostGuards.length > 0 || observes || unseen !== null)
  if (weaker) return { holds: lostGuards.length > 0 || observes ? 'lost' : 'partial', notes, weaker }
  if (told.some(({ how }) => how === 'lost')) return { holds: 'partial', notes, weaker }
  return { holds: told.length + mcp.length + others.length > 0 ? 'emulated' : 'exact', notes, weaker }
}

/** A failed call is told after a tool, where it can be told from others. */
function nameReportedEvent({ events, call }: Bridge, event: string): string {
  if (event !== 'PostToolUseFailure') return event
  const tells =
    call.failed !== null || Object.values(events).some((rule) => rule.as === 'PostToolUse' && rule.call?.failed != null)
  return tells ? 'PostToolUse' : event
}

interface Note {
  readonly how: 'emulated' | 'queued' | 'lost'
  readonly text: string
}

const ANSWER_NAMES: Readonly<Record<keyof Answers, string>> = {
  deny: 'deny',
  ask: 'ask',
  defer: 'defer',
  allow: 'allow',
  updatedInput: 'a changed input',
  contextBeforeTool: 'context',
  contextAfterTool: 'context',
  feedbackAfterTool: 'an objection',
  updatedToolOutput: 'a changed output',
  contextAtStart: 'context',
  promptBlock: 'a blocked prompt',
  promptContext: 'context',
  stopBlock: 'a blocked stop',
  halt: 'a halt',
  haltBeforeTool: 'a halt',
  dialog: 'an answer to the dialog',
  toUser: 'a text for the user',
  environment: 'a variable for later commands',
}

function listCellNotes({ answers }: Bridge, name: keyof Answers): Note[] {
  const cell = answers[name]
  if (cell.how === 'exact') {
    if (cell.stricter) return [{ how: 'emulated', text: `${ANSWER_NAMES[name]} does more: ${cell.note}` }]
    if (!cell.attended) return []
    return [{ how: 'emulated', text: `${ANSWER_NAMES[name]} refuses unless a person is there (--attended)` }]
  }
  if (cell.how === 'emulated' && cell.as === 'prefix') return [] // hooks and commands notice nothing
  if (cell.how === 'emulated')
    return [{ how: cell.how, text: `${ANSWER_NAMES[name]} ${BECOMES[cell.as]}: ${cell.note}` }]
  if (cell.how === 'queued') return [{ how: cell.how, text: `${ANSWER_NAMES[name]} comes later: ${cell.note}` }]
  // A call that is not allowed is asked about: that is stricter.
  return [{ how: name === 'allow' ? 'emulated' : 'lost', text: `${ANSWER_NAMES[name]} is lost: ${cell.note}` }]
}

const BECOMES = { deny: 'refuses', refusals: 'refuses this and later calls', context: 'comes as context' } as const

/** Explains how the names of MCP tools that a matcher asks for, by name or by pattern, are told in an agent; nothing where they are its own. */
function explainMcpNames(
  { title, mcp: { style } }: Bridge,
  matcher: string | null,
  servers: readonly string[] | null,
): string[] {
  if (style === null || !matcher?.includes('mcp__')) return []
  if (style.start === 'mcp__' && style.unsure === undefined) return []
  const wanted = [...matcher.matchAll(/mcp__([A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*)__/g)].map(([, server = '']) => server)
  const unknown = wanted.filter((server) => servers?.every((one) => !isServer(server, one)) ?? false)
  const named = `tools of MCP servers are ${style.start}SERVER${style.between}TOOL in ${title}`
  if (unknown.length === 0) return [`${named}: they are told by the servers in its files`]
  const which = [...new Set(unknown)].join(', ')
  return [`${named}, and no file of it has a server ${which}: a call is shown under every name that it may mean`]
}

/** Tools that a matcher names and that the agent never shows under that name; null: it shows all of them. */
function findUnseenTools(
  bridge: Bridge,
  matcher: string | null,
): { readonly all: boolean; readonly note: string } | null {
  if (matcher === null || !/^[\w ,|-]+$/.test(matcher)) return null // every tool, or a pattern
  const names = matcher
    .split(/[|,]/)
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const seen = listSeenTools(bridge)
  const missing = names.filter((name) => KNOWN_TOOLS.has(name) && !seen.has(name))
  if (missing.length === 0) return null
  return { all: missing.length === names.length, note: `${bridge.title} has no calls of ${missing.join(', ')}` }
}

const KNOWN_TOOLS: ReadonlySet<string> = new Set([
  'Bash',
  'Write',
  'Edit',
  'Read',
  'Grep',
  'Glob',
  'WebFetch',
  'WebSearch',
  'Agent',
  'Task',
  'TodoWrite',
  'AskUserQuestion',
  'NotebookEdit',
])

/** Tools of Claude Code that calls of the agent are shown as. */
function listSeenTools({ tools }: Bridge): Set<string> {
  const names = tools.filter((rule) => !('rare' in rule && rule.rare)).flatMap(listShownTools)
  return new Set(names.includes('Agent') ? [...names, 'Task'] : names)
}
