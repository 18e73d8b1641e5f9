import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startModelServer } from 'hookline/testing'
import { onTestFinished } from 'vitest'
import { makeWorld, put, type World } from '../../../hookline/test/support/project.ts'
import type { AgentEvent } from '../../src/output/events.ts'
import type { Agent } from '../../src/session/agent.ts'
import { config, smallServer } from '../mcp/support.ts'
import { type Call, type Ended, linesIn, scripted, transcripts } from '../support/command.ts'
import { runAgent } from '../support/in-process.ts'
import { openAgent } from '../support/opened-agent.ts'
import { HOOK, HOOK_FILE, OBJECTING, WATCHING } from './hook.ts'
import type { CommandRuns, Host, Library, Scenario } from './scenario.ts'

/** What was seen of a scenario that ran. */
export interface Seen {
  readonly world: World
  /** What the hook read on its stdin, once a time. */
  readonly inputs: readonly Record<string, unknown>[]
  readonly code: number | null
  readonly person: string
  readonly model: string
}

/** Plays a scenario of a profile with one hook on its event: one that watches, or one that also objects. */
export async function play(
  scenario: Scenario,
  hook: keyof typeof HOOKS,
  profile: 'classic' | 'current',
): Promise<Seen> {
  const { event, value, through } = scenario
  const group = { ...(value === null ? {} : { matcher: value }), hooks: [{ type: 'command', command: HOOK }] }
  const world = await makeWorld({
    ...(through.by === 'library' ? {} : through.files),
    'project/.claude/settings.json': { hooks: { [event]: [group] } },
    [HOOK_FILE]: HOOKS[hook],
  })
  const told = await TOLD[through.by](world, through as never, profile) // its own kind
  return { world, inputs: seenIn(world), ...told, model: readByModel(world) }
}

const HOOKS = { watching: WATCHING, objecting: OBJECTING } as const

const TOLD = { command: playCommand, library: playLibrary, host: playHost } as const

type Told = Pick<Seen, 'code' | 'person'>

type ProfileName = 'classic' | 'current'

async function playCommand(world: World, { runs, script, provider }: CommandRuns, profile: ProfileName): Promise<Told> {
  const common = provider ? await answeringServer() : { args: await scripted(world, script ?? {}) }
  let ended: Ended | null = null
  for (const args of runs)
    ended = await runAgent(world, { ...common, args: [...args, '--trust', '--profile', profile, ...common.args] })
  return { code: ended?.code ?? null, person: ended?.stderr ?? '' }
}

async function answeringServer(): Promise<Call> {
  const server = await startModelServer([{ text: 'Hello.' }])
  onTestFinished(() => server.close())
  return { args: ['--model', 'anthropic/claude-sonnet-4-5'], env: server.env }
}

/** Lets a host do what it does. */
async function playHost(world: World, given: Host, profile: ProfileName): Promise<Told> {
  const { script = {}, options = {}, model, prepare, act = (agent: Agent) => agent.run('Go'), notified = false } = given
  await prepare?.(world)
  const notice = signalled()
  const { agent, told } = await openAgent(script, {
    ...{ world, profile, ...options, ...(await model?.()) },
    ...(notified ? { notifyAfterMs: 1, dialog: () => notice.then(() => ({ behavior: 'allow' }) as const) } : {}),
    onEvent: notice.hear,
  })
  const said = await act(agent, world)
  await agent.close()
  return { code: null, person: [...told().user, ...(typeof said === 'string' ? [said] : [])].join('\n') }
}

/** Resolves when hooks have heard of a Notification. */
function signalled(): Promise<void> & { readonly hear: (event: AgentEvent) => void } {
  let notified = (): void => {}
  const notice = new Promise<void>((resolve) => {
    notified = resolve
  })
  const hear = (event: AgentEvent): void => {
    if (event.type === 'hook' && event.event === 'Notification' && event.progress.type === 'decision') notified()
  }
  return Object.assign(notice, { hear })
}

async function playLibrary(world: World, { script, person }: Library, profile: ProfileName): Promise<Told> {
  if (person === 'fills-in-a-form') await put(world, 'project/.mcp.json', config({ small: smallServer() }))
  const notice = signalled()
  const opened = await openAgent(script, {
    world,
    profile,
    notifyAfterMs: person === 'answers-when-notified' ? 1 : 60_000,
    allowedTools: ['mcp__small'],
    dialog: async () => {
      if (person === 'answers-when-notified') await notice
      return { behavior: 'allow' }
    },
    elicit: async () => ({ action: 'accept', content: { branch: 'main' } }),
    onEvent: notice.hear,
  })
  await opened.agent.run('Mark it')
  if (person === 'is-away')
    await opened.agent.notify({ type: 'idle_prompt', message: 'The agent is waiting for your input' })
  await opened.agent.close()
  return { code: null, person: opened.told().user.join('\n') }
}

function seenIn({ project }: World): Record<string, unknown>[] {
  const path = join(project, 'seen.jsonl')
  return existsSync(path) ? linesIn(readFileSync(path, 'utf8')) : []
}

/** Every text on the model's side of the transcripts. */
function readByModel(world: World): string {
  const messages = transcripts(world).flatMap((lines) => lines.flatMap(({ message }) => (message ? [message] : [])))
  return messages.map((message) => textIn(message)).join('\n')
}

function textIn(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return ''
  return Object.values(value).map(textIn).join('\n')
}

/** A text with the hook's command as the table writes it. */
export function withHook(text: string): string {
  return text.replaceAll('[H]', `[${HOOK}]`)
}

/** Numbers and ids that are different each time, by what the page says in their place. */
const CHANGING: Readonly<Record<string, unknown>> = {
  prompt_id: '<prompt id>',
  turn_id: '<prompt id>',
  message_id: '<message id>',
  duration_ms: 12,
  seconds_since_last_response: 1,
  context_tokens: 1200,
}

/** An input without what is different each time. */
export function normalised(input: Record<string, unknown>, { root, project, home }: World): Record<string, unknown> {
  const folder = project.replaceAll(/[\\/:]/g, '-')
  const steady = Object.fromEntries(
    Object.entries(input).map(([name, value]) => [name, Object.hasOwn(CHANGING, name) ? CHANGING[name] : value]),
  )
  const text = JSON.stringify(steady)
    .replaceAll(String(input.session_id), '<session id>')
    .replaceAll(typeof input.agent_id === 'string' ? input.agent_id : '<agent id>', '<agent id>')
    .replaceAll(/agent-[0-9a-f]{8}\b/g, 'agent-<id>')
    .replaceAll(folder, '<project>')
    .replaceAll(`${project}-worktrees`, '/home/you/project-worktrees')
    .replaceAll(project, '/home/you/project')
    .replaceAll(home, '/home/you')
    .replaceAll(root, '/home')
  return JSON.parse(text)
}
