import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startModelServer } from 'hookline/testing'
import { onTestFinished } from 'vitest'
import { makeWorld, put, type World } from '../../../hookline/test/support/project.ts'
import { config, smallServer } from '../mcp/support.ts'
import { type Call, type Ended, linesIn, runAgent, scripted, transcripts } from '../support/command.ts'
import { openAgent } from '../support/opened-agent.ts'
import type { CommandRuns, Library, Scenario } from './scenario.ts'

/** What was seen of a scenario that ran. */
export interface Seen {
  readonly world: World
  /** What the hook read on its stdin, once a time. */
  readonly inputs: readonly Record<string, unknown>[]
  readonly code: number | null
  readonly person: string
  readonly model: string
}

const HOOK = '.claude/hooks/hook.sh'

/** Keeps what it reads. */
const WATCHING = `#!/bin/sh
cat >>"$CLAUDE_PROJECT_DIR"/seen.jsonl
echo >>"$CLAUDE_PROJECT_DIR"/seen.jsonl
`

/** Objects, but not to an agent that already goes on because of it. */
const OBJECTING = `#!/bin/sh
grep -q '"stop_hook_active":true' && exit 0
echo 'not today' >&2
exit 2
`

/** Plays a scenario with one hook on its event: one that watches, or one that objects. */
export async function play(scenario: Scenario, hook: 'watching' | 'objecting'): Promise<Seen> {
  const { event, value, through } = scenario
  const group = { ...(value === null ? {} : { matcher: value }), hooks: [{ type: 'command', command: HOOK }] }
  const world = await makeWorld({
    ...(through.by === 'command' ? through.files : {}),
    'project/.claude/settings.json': { hooks: { [event]: [group] } },
    [`project/${HOOK}`]: hook === 'watching' ? WATCHING : OBJECTING,
  })
  const told = through.by === 'command' ? await playCommand(world, through) : await playLibrary(world, through)
  return { world, inputs: seenIn(world), ...told, model: readByModel(world) }
}

type Told = Pick<Seen, 'code' | 'person'>

async function playCommand(world: World, { runs, script, provider }: CommandRuns): Promise<Told> {
  const common = provider ? await answeringServer() : { args: await scripted(world, script ?? {}) }
  let ended: Ended | null = null
  for (const args of runs) ended = await runAgent(world, { ...common, args: [...args, '--trust', ...common.args] })
  return { code: ended?.code ?? null, person: ended?.stderr ?? '' }
}

async function answeringServer(): Promise<Call> {
  const server = await startModelServer([{ text: 'Hello.' }])
  onTestFinished(() => server.close())
  return { args: ['--model', 'anthropic/claude-sonnet-4-5'], env: server.env }
}

async function playLibrary(world: World, { script, person }: Library): Promise<Told> {
  if (person === 'fills-in-a-form') await put(world, 'project/.mcp.json', config({ small: smallServer() }))
  let notified = (): void => {}
  const notice = new Promise<void>((resolve) => {
    notified = resolve
  })
  const opened = await openAgent(script, {
    world,
    notifyAfterMs: person === 'answers-when-notified' ? 1 : 60_000,
    allowedTools: ['mcp__small'],
    dialog: async () => {
      if (person === 'answers-when-notified') await notice
      return { behavior: 'allow' }
    },
    elicit: async () => ({ action: 'accept', content: { branch: 'main' } }),
    onEvent: (event) => {
      if (event.type === 'hook' && event.event === 'Notification' && event.progress.type === 'decision') notified()
    },
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

/** An input without what is different each time. */
export function normalised(input: Record<string, unknown>, { project, home }: World): Record<string, unknown> {
  const folder = project.replaceAll(/[\\/:]/g, '-')
  const text = JSON.stringify(input)
    .replaceAll(String(input.session_id), '<session id>')
    .replaceAll(typeof input.agent_id === 'string' ? input.agent_id : '<agent id>', '<agent id>')
    .replaceAll(folder, '<project>')
    .replaceAll(project, '/home/you/project')
    .replaceAll(home, '/home/you')
  return JSON.parse(text)
}
