import { readdirSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { withHooks as withAiSdk } from '../../src/adapters/ai-sdk.ts'
import { withHooks as withClaude } from '../../src/adapters/claude-agent-sdk.ts'
import { withHooks as withLangChain } from '../../src/adapters/langchain.ts'
import { withHooks as withMastra } from '../../src/adapters/mastra.ts'
import { withHooks as withOpenAI } from '../../src/adapters/openai-agents.ts'
import { withHooks as withPi } from '../../src/adapters/pi.ts'
import { guards } from '../../src/guards/index.ts'
import { judgeHere, openSurroundings } from '../../src/guards/surroundings.ts'
import type { Engine } from '../../src/index.ts'
import { makeLastingWorld, openOn, removeWorld, type World } from '../support/project.ts'

/** A tool that would run a command, and the call that a framework makes of it. */
interface Called {
  readonly id: string
  readonly input: { readonly command: string }
  /** Notes that the call is made. */
  readonly run: () => Promise<string>
}

interface Asking {
  readonly onAsk: () => boolean
  readonly onNotice: () => void
}

const MADE = { content: [{ type: 'text', text: 'noted' }] }

/** How each framework makes a call, as far as its adapter sees it. Rejects, or resolves without a run, where hooks refuse it. */
const DOORS: Readonly<Record<string, (engine: Engine, asking: Asking, called: Called) => Promise<unknown>>> = {
  'ai-sdk': async (engine, asking, { id, input, run }) => {
    const { Bash } = withAiSdk(engine, asking).tools({ Bash: { inputSchema: {}, execute: run } as never })
    const call = { toolCallId: id, messages: [] }
    const { needsApproval, execute } = Object(Bash)
    return (await needsApproval(input, call)) || execute(input, call)
  },
  'claude-agent-sdk': async (engine, asking, { id, input, run }) => {
    const event = { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: input, tool_use_id: id }
    const [callback] = withClaude(engine, asking).hooks.PreToolUse?.[0]?.hooks ?? []
    const { signal } = new AbortController()
    const said = Object(await callback?.(event, id, { signal })).hookSpecificOutput
    return Object(said).permissionDecision === 'deny' || run()
  },
  langchain: async (engine, asking, { id, input, run }) => {
    const { wrapToolCall } = Object(withLangChain(engine, asking).middleware)
    return wrapToolCall({ toolCall: { id, name: 'Bash', args: input }, runtime: {} }, run)
  },
  mastra: async (engine, asking, { input, run }) => {
    const { Bash } = withMastra(engine, asking).tools({ Bash: { id: 'Bash', execute: run } })
    return Object(Bash).execute(input)
  },
  'openai-agents': async (engine, asking, { id, input, run }) => {
    const parts = Object(withOpenAI(engine, asking).guard({ name: 'Bash', execute: run }))
    return (await parts.needsApproval({}, input, id)) || parts.execute(input, {}, { toolCall: { callId: id } })
  },
  pi: async (engine, asking, { id, input, run }) => {
    const hooks = withPi(engine, asking)
    const [bash] = hooks.tools([{ name: 'Bash', parameters: {}, execute: () => run().then(() => MADE) }])
    const said = await hooks.agent.beforeToolCall({ toolCall: { id, name: 'Bash' }, args: input })
    return said?.block || Object(bash).execute(id, input)
  },
}

/** Commands by every answer of the guards, none of which is ever run. */
const COMMANDS = [
  'npm test',
  'echo ran > passed.txt',
  'echo ran > marked/denied.txt',
  'grep -q go go.txt && echo ran > marked/asked.txt',
  'cat kept/key',
  'npm run reset',
  'rm -rf ~/Documents',
  'rm -rf "$BUILD"/*',
  'git push --force origin main',
]

let world: World
beforeAll(async () => {
  world = await makeLastingWorld({
    'project/package.json': { scripts: { reset: 'rm -rf ~/Documents', test: 'vitest run' } },
    'project/.git/HEAD': 'ref: refs/heads/work\n',
    'home/Documents/notes.txt': 'years of notes\n',
    'home/.hookline/guards.json': { places: { startup: ['marked/**'], secret: ['kept/**'] } },
  })
  await judgeByItself('npm test') // loads what reads a command
  return () => removeWorld(world)
})

/** What becomes of a call by way of an adapter, and what the user is asked. */
async function answerThrough(adapter: string, command: string): Promise<'pass' | 'ask' | 'deny'> {
  const engine = await openOn(world)
  await engine.on('PreToolUse', guards({ home: world.home, managed: '' }))
  const seen: string[] = []
  const asking: Asking = {
    onAsk: () => {
      seen.push('asked')
      return false
    },
    onNotice: () => {},
  }
  const run = async (): Promise<string> => {
    seen.push('ran')
    return 'noted'
  }
  await DOORS[adapter]?.(engine, asking, { id: 'c1', input: { command }, run }).catch(() => null)
  await engine.close()
  if (seen.length > 1) throw new Error(`It was ${seen.join(' and ')}.`)
  if (seen.length === 0) return 'deny'
  return seen[0] === 'ran' ? 'pass' : 'ask'
}

describe('the verdict of the guards', () => {
  it('is tried by way of every adapter, and has every answer', async () => {
    const files = readdirSync(new URL('../../src/adapters', import.meta.url))
    const adapters = files.flatMap((file) => /^(.*)\.ts$/.exec(file)?.[1] ?? [])
    const parts = ['framework-version', 'frameworks.d', 'hooked-loop', 'otel'] // no frameworks with calls
    expect(Object.keys(DOORS)).toEqual(adapters.filter((name) => !parts.includes(name)).sort())
    const answers = await Promise.all(COMMANDS.map(judgeByItself))
    expect(new Set(answers)).toEqual(new Set(['pass', 'ask', 'deny']))
  })

  const CALLS = Object.keys(DOORS).flatMap((adapter) => COMMANDS.map((command) => [adapter, command] as const))
  it.each(CALLS)('is the same through %s: %s', async (adapter, command) => {
    expect(await answerThrough(adapter, command)).toBe(await judgeByItself(command))
  })
})

async function judgeByItself(command: string): Promise<string> {
  const { project, home } = world
  const here = await openSurroundings({ folder: project, home, managed: '', now: Date.now() })
  return judgeHere(here, { tool: 'Bash', input: { command } }, { nobodyAsked: false }).answer
}
