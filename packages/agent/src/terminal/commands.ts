import { BEHAVIORS } from 'hookline/rules'
import { formatSpending } from '../models/prices.ts'
import type { Agent } from '../session/agent.ts'
import type { EndReason } from '../session/session.ts'
import { findSessionsFolder, listSessions, makeLogPath } from '../transcript/sessions.ts'
import { addRule } from './dialogs/rule-changes.ts'
import type { SessionInspector } from './inspector.ts'
import type { Dialog } from './state/dialog.ts'
import type { Item } from './state/item.ts'
import type { State } from './state/state.ts'
import type { Store } from './state/store.ts'
import { storeTheme } from './state/stored-theme.ts'
import { parseTheme, THEMES } from './text/look.ts'

/** Parts of the terminal that a command needs. */
export interface CommandHost {
  /** The agent, once its session is open. */
  readonly agent: Agent | null
  readonly options: { readonly home: string; readonly project: string; readonly env: NodeJS.ProcessEnv }
  /** The model that answers now. */
  readonly modelName: string
  readonly store: Store<State>
  readonly print: (...items: readonly Item[]) => void
  readonly ask: <Answer>(dialogOf: (answer: (value: Answer) => void) => Dialog) => Promise<Answer>
  /** Lets another model answer; resolves with the objection of a hook, or null. */
  readonly exchangeModel: (name: string) => Promise<string | null>
  /** Goes on with another session, or an empty one. */
  readonly change: (begin: (agent: Agent, signal: AbortSignal) => Promise<void>) => Promise<void>
  /** Lets the user go back to before an earlier prompt. */
  readonly rewind: () => Promise<void>
  readonly leave: (reason: EndReason) => Promise<void>
  /** The page that shows what hooks did. */
  readonly inspector: SessionInspector
}

/** A command of the terminal itself. */
export interface TerminalCommand {
  readonly usage: string
  readonly about: string
  /** True for a command that may be used while the agent works, too. */
  readonly anytime: boolean
  readonly run: (host: CommandHost, typed: string) => Promise<void> | void
}

const COMMANDS: Readonly<Record<string, TerminalCommand>> = {
  '/help': { usage: '/help', about: 'this list', anytime: true, run: showHelp },
  '/hooks': {
    usage: '/hooks',
    about: 'look at hooks, add, edit and remove them, review changes on disk',
    anytime: true,
    run: showHooks,
  },
  '/status': { usage: '/status', about: 'the session, its model and its hooks', anytime: true, run: showStatus },
  '/inspect': {
    usage: '/inspect',
    about: 'open a page in your browser that shows what hooks did in this session',
    anytime: true,
    run: inspectSession,
  },
  '/permissions': {
    usage: '/permissions [allow|ask|deny RULE]',
    about: 'look at the rules, add, edit and remove them',
    anytime: true,
    run: showPermissions,
  },
  '/theme': {
    usage: '/theme [dark|light]',
    about: 'colours for a dark or a light terminal',
    anytime: true,
    run: changeTheme,
  },
  '/model': {
    usage: '/model [NAME]',
    about: 'show or change the model; "you" lets you play it',
    anytime: false,
    run: changeModel,
  },
  '/resume': { usage: '/resume', about: 'resume an earlier session', anytime: false, run: resumeSession },
  '/rewind': {
    usage: '/rewind',
    about: 'go back to before an earlier prompt, with the files or without',
    anytime: false,
    run: (host) => host.rewind(),
  },
  '/add-dir': {
    usage: '/add-dir FOLDER',
    about: 'work in one more folder, too',
    anytime: false,
    run: addDirectory,
  },
  '/clear': { usage: '/clear', about: 'end the session and begin an empty one', anytime: false, run: clearSession },
  '/exit': { usage: '/exit', about: 'quit', anytime: true, run: (host) => host.leave('prompt_input_exit') },
  '/logout': { usage: '/logout', about: 'sign out and quit', anytime: true, run: (host) => host.leave('logout') },
}

/** Commands of the agent that the terminal lists as well. */
const OTHERS = [{ usage: '/compact [INSTRUCTIONS]', about: 'compact the conversation' }]

/** The names of the terminal's own commands. */
export const COMMAND_NAMES = Object.keys(COMMANDS)

/** The terminal's command that was typed; null: it is none. */
export function findCommand(typed: string): TerminalCommand | null {
  const [name = ''] = typed.trim().split(/\s/, 1)
  return (Object.hasOwn(COMMANDS, name) && COMMANDS[name]) || null
}

/** Every command with what it is for, those of the project, the user and plugins included. */
export function listCommands(host: CommandHost): { readonly usage: string; readonly about: string }[] {
  const written = [...(host.agent?.commands.values() ?? [])]
  const served = [...(host.agent?.prompts ?? [])]
  return [
    ...Object.values(COMMANDS),
    ...OTHERS,
    ...written.map(({ name, description }) => ({
      usage: `/${name}`,
      about: description ?? 'a command of this project',
    })),
    ...served.map(([name, { description, server }]) => ({
      usage: `/${name}`,
      about: description || `a prompt of the MCP server ${server}`,
    })),
  ]
}

const KEYS = [
  ['\\ + Enter, Alt+Enter', 'a new line'],
  ['Up, Down', 'what you typed before, and what is queued'],
  ['Ctrl+R', 'search what you typed before'],
  ['!', 'run a shell command yourself'],
  ['@', 'a file of the project, which the model reads; Tab takes it'],
  ['Esc Esc', 'go back to before an earlier prompt'],
  ['Ctrl+O', 'everything that hooks did, and whole results'],
  ['Shift+Tab', 'the next permission mode'],
  ['Esc, Ctrl+C', 'interrupt the turn; Ctrl+C twice quits'],
  ['Ctrl+D', 'quit'],
  ['Ctrl+Z', 'suspend; fg in the shell goes on'],
]

function showHelp(host: CommandHost): void {
  const rows = [...listCommands(host).map(({ usage, about }) => [usage, about]), [], ...KEYS]
  const width = Math.max(...rows.map(([first = '']) => first.length))
  const lines = rows.map(([first = '', second = '']) => `${first.padEnd(width)}  ${second}`.trimEnd())
  host.print({ kind: 'note', text: lines.join('\n'), tone: 'plain' })
}

async function showHooks(host: CommandHost): Promise<void> {
  await host.ask<null>((answer) => ({ kind: 'hooks', answer }))
}

function showStatus(host: CommandHost): void {
  host.print({ kind: 'note', text: formatStatus(host), tone: 'plain' })
}

/** Formats what there is to know about the session under way. */
function formatStatus(host: CommandHost): string {
  const { session, usage, cost } = host.store.get()
  const { engine } = host.agent ?? {}
  const listed = engine?.list() ?? []
  const active = listed.filter(({ standing }) => standing.verdict === 'active').length
  const title: [string, string][] = session?.title ? [['title', session.title]] : []
  const rows: [string, string][] = [
    ['session', session?.id ?? 'none'],
    ...title,
    ['transcript', session?.transcriptPath ?? 'none'],
    ['folder', host.options.project],
    ['trust', engine?.trust.accepted === true ? 'trusted: its hooks run' : 'not trusted: its hooks do not run'],
    ['hooks', `${active} of ${listed.length} active`],
    ['model', host.modelName],
    ['mode', String(session?.mode ?? 'default')],
    ['tokens', formatSpending(usage, cost)],
  ]
  return rows.map(([name, value]) => `${name.padEnd(11)} ${value}`).join('\n')
}

async function inspectSession(host: CommandHost): Promise<void> {
  const { session } = host.store.get()
  if (!session) return host.print({ kind: 'note', text: 'There is no session yet.', tone: 'bad' })
  const { home, project, env } = host.options
  const log = makeLogPath(session.transcriptPath)
  const text = await host.inspector.open({ id: session.id, log, project, home, env })
  host.print({ kind: 'note', text, tone: 'plain' })
}

async function changeTheme(host: CommandHost, typed: string): Promise<void> {
  const [, name] = typed.trim().split(/\s+/)
  const now = host.store.get().theme
  const chosen = parseTheme(name)
  if (name !== undefined && chosen === null)
    return host.print({ kind: 'note', text: `"${name}" is not a theme: ${THEMES.join(', ')}.`, tone: 'bad' })
  const next = chosen ?? (now === 'light' ? 'dark' : 'light')
  host.store.set((state) => ({ ...state, theme: next }))
  const problem = await storeTheme(host.options.home, next).then(
    () => '',
    (error: Error) => ` It is not kept for later sessions: ${error.message}`, // no room, no right to write
  )
  host.print({ kind: 'note', text: `Theme: ${next}.${problem}`, tone: 'plain' })
}

async function showPermissions(host: CommandHost, typed: string): Promise<void> {
  const [, word, ...rest] = typed.trim().split(/\s+/)
  const { agent } = host
  if (agent === null) return
  const behavior = BEHAVIORS.find((each) => each === word)
  if (behavior === undefined) {
    await host.ask<null>((answer) => ({ kind: 'permissions', answer }))
    return
  }
  const { said, failed } = await addRule(agent.permissions, { behavior, text: rest.join(' ') })
  host.print({ kind: 'note', text: said, tone: failed ? 'bad' : 'plain' })
}

async function changeModel(host: CommandHost, typed: string): Promise<void> {
  const [, name] = typed.trim().split(/\s+/)
  const refused = name === undefined ? null : await host.exchangeModel(name)
  if (refused !== null) return host.print({ kind: 'note', text: refused, tone: 'bad' })
  const text = `The model is ${host.modelName}.${name === undefined ? ' Another one: /model NAME' : ''}`
  host.print({ kind: 'note', text, tone: 'plain' })
}

async function resumeSession(host: CommandHost): Promise<void> {
  const { home, project } = host.options
  const places = { folder: findSessionsFolder(home), project }
  const all = await listSessions(places)
  const sessions = all.filter(({ id }) => id !== host.agent?.sessionId)
  if (sessions.length === 0)
    return host.print({ kind: 'note', text: 'There is no earlier session of this folder.', tone: 'plain' })
  const id = await host.ask<string | null>((answer) => ({ kind: 'sessions', sessions, answer }))
  if (id !== null) await host.change((agent, signal) => agent.resume(id, { signal }))
}

async function addDirectory(host: CommandHost, typed: string): Promise<void> {
  const path = typed.trim().slice('/add-dir'.length).trim()
  if (path === '') return host.print({ kind: 'note', text: 'Which folder? /add-dir FOLDER', tone: 'bad' })
  const problem = (await host.agent?.addDirectory(path, { source: 'slash_command' })) ?? null
  const text = problem ?? `Added to this session: ${path}`
  host.print({ kind: 'note', text, tone: problem === null ? 'plain' : 'bad' })
}

async function clearSession(host: CommandHost): Promise<void> {
  await host.change((agent, signal) => agent.clear({ signal }))
  host.print({ kind: 'note', text: 'Conversation cleared.', tone: 'plain' })
}
