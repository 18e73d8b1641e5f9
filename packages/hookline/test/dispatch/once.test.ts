import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { bashCall, makeWorld, openOn } from '../support/project.ts'

const SKILL = '.claude/skills/guard/SKILL.md'

/** What three events do with a hook of a skill that is to run once, under `current`. */
async function threeTimes(hook: object, openedBy: 'user' | 'model'): Promise<string[]> {
  const hooks = { PreToolUse: [{ hooks: [{ ...hook, once: true }] }] }
  const world = await makeWorld({ [`project/${SKILL}`]: `---\nname: guard\nhooks: ${JSON.stringify(hooks)}\n---\n` })
  const engine = await openOn(world, {
    profile: 'current',
    callMcpTool: async ({ tool }) => ({ content: '', isError: tool === 'fails' }),
    models: {
      askModel: async () => ({
        ...{ text: '{"ok": true}', model: 'm', usage: { inputTokens: null, outputTokens: null } },
      }),
    },
  })
  await engine.activate(SKILL, { openedBy })
  const verdicts: string[] = []
  for (let event = 0; event < 3; event++)
    verdicts.push(...(await engine.dispatch(bashCall)).hooks.map(({ verdict }) => verdict))
  return verdicts
}

/** The address of a server that answers with this status. */
async function answering(status: number): Promise<string> {
  const server = createServer((_request, response) => response.writeHead(status).end())
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/` // it listens on a port
}

const SUCCEEDS: Readonly<Record<string, () => Promise<object>>> = {
  'a command that exits 0': async () => ({ type: 'command', command: 'true' }),
  'a server that answers 204': async () => ({ type: 'http', url: await answering(204) }),
  'a tool of a server': async () => ({ type: 'mcp_tool', server: 'guard', tool: 'check' }),
  'a model that decides': async () => ({ type: 'prompt', prompt: 'Is it safe?' }),
}

const FAILS: Readonly<Record<string, () => Promise<object>>> = {
  'a command that exits 1': async () => ({ type: 'command', command: 'exit 1' }),
  'a command that exits 2': async () => ({ type: 'command', command: 'exit 2' }),
  'a command that takes too long': async () => ({ type: 'command', command: 'sleep 5', timeout: 0.1 }),
  'a server that answers 500': async () => ({ type: 'http', url: await answering(500) }),
  'a tool that fails': async () => ({ type: 'mcp_tool', server: 'guard', tool: 'fails' }),
}

describe('a hook of a skill that is to run once', () => {
  it.each(Object.entries(SUCCEEDS))('is over with %s', async (_what, hook) => {
    expect(await threeTimes(await hook(), 'model')).toEqual(['ran', 'once-spent', 'once-spent'])
  })

  it.each(Object.entries(FAILS))('stays after %s', async (_what, hook) => {
    expect(await threeTimes(await hook(), 'model')).toEqual(['ran', 'ran', 'ran'])
  })

  it.each(Object.entries(SUCCEEDS))('runs each time in a skill that the user opened: %s', async (_what, hook) => {
    expect(await threeTimes(await hook(), 'user')).toEqual(['ran', 'ran', 'ran'])
  })
})
