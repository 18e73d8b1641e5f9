import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { processesWith, until } from '../../../hookline/test/support/processes.ts'
import { answering, makeWorld, type World } from '../../../hookline/test/support/project.ts'
import type { Agent } from '../../src/session/agent.ts'
import { environment } from '../support/command.ts'
import { bash, openAgent, textsOf } from '../support/opened-agent.ts'

const context = answering({ hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: 'checked' } })
const reminded = '<system-reminder>\nAsync hook project:PostToolUse:0:0 additional context: checked\n</system-reminder>'
const waiting = 'while [ ! -e go ]; do sleep 0.01; done'

/** A project with one hook after calls, and the environment that marks its processes. */
async function worldWithCheck(hook: object): Promise<World & { token: string; env: NodeJS.ProcessEnv }> {
  const world = await makeWorld({
    'project/.claude/settings.json': { hooks: { PostToolUse: [{ hooks: [{ type: 'command', ...hook }] }] } },
  })
  const token = `background-${world.root}`
  return { ...world, token, env: { ...environment(), BACKGROUND_TOKEN: token } }
}

/** Prompts the agent until something holds; when a hook in the background is done is seen at a turn only. */
async function askedUntil(agent: Agent, holds: () => boolean): Promise<void> {
  for (const end = performance.now() + 20_000; !holds(); await agent.run('Again')) {
    if (performance.now() > end) throw new Error('nothing came within 20 s')
    await new Promise(setImmediate)
  }
}

it.each([
  ['async in its settings', { command: `${waiting}; ${context}`, async: true }],
  ['an async first line', { command: `echo '{"async": true}'; ${waiting}; ${context}` }],
])('hands what a background hook says to the model once, at the next turn: %s', async (_kind, hook) => {
  const { env, ...world } = await worldWithCheck(hook)
  const { agent, requests } = await openAgent(
    { turns: [{ tools: [bash('true')] }] },
    { world, env, allowedTools: ['Bash'] },
  )
  const lastTexts = (): string[] => (requests.at(-1)?.messages ?? []).flatMap(textsOf)
  await agent.run('First')
  expect(lastTexts()).not.toContain(reminded)
  await writeFile(join(world.project, 'go'), '')
  await askedUntil(agent, () => lastTexts().includes(reminded))
  await agent.run('Last')
  expect(lastTexts().filter((text) => text === reminded)).toHaveLength(1)
})

it.each([
  ['its stderr', 'echo half; echo oops >&2', 'oops'],
  ['its stdout where it wrote nothing else', 'echo half', 'half'],
])('tells user and model of a background hook that failed in its own words: %s', async (_what, prints, words) => {
  const { env, ...world } = await worldWithCheck({ command: `${prints}; exit 1`, async: true })
  const { agent, told, requests } = await openAgent(
    { turns: [{ tools: [bash('true')] }] },
    { world, env, allowedTools: ['Bash'] },
  )
  const failure = `Failed with non-blocking status code: ${words}`
  const lastTexts = (): string[] => (requests.at(-1)?.messages ?? []).flatMap(textsOf)
  await agent.run('First')
  await askedUntil(agent, () => lastTexts().some((text) => text.includes(failure)))
  expect(told().user).toEqual([failure])
})

it('tells the user what a background hook wanted to decide too late', async () => {
  const block = answering({ decision: 'block', reason: 'no', systemMessage: 'checked at last' })
  const { env, ...world } = await worldWithCheck({ command: `${waiting}; ${block}`, async: true })
  const { agent, told, requests } = await openAgent(
    { turns: [{ tools: [bash('true')] }] },
    { world, env, allowedTools: ['Bash'] },
  )
  await agent.run('First')
  await writeFile(join(world.project, 'go'), '')
  await askedUntil(agent, () => told().user.includes('checked at last'))
  expect(told().verbose).toContain('project:PostToolUse:0:0: a block: a hook in the background cannot decide')
  expect(textsOf(requests.at(-1)?.messages.at(-1))).toEqual(['Again'])
})

it('ends a background hook with the session, and says that it did', async () => {
  const { token, env, ...world } = await worldWithCheck({ command: `${waiting}; ${context}`, async: true })
  const { agent, told } = await openAgent(
    { turns: [{ tools: [bash('true')] }] },
    { world, env, allowedTools: ['Bash'] },
  )
  await agent.run('Go')
  await until('the hook runs', () => processesWith(token).length > 0)
  await agent.close()
  expect(processesWith(token)).toEqual([])
  expect(told().verbose).toContain('project:PostToolUse:0:0: the session ended before it did')
})

it('lets background hooks finish when the host waits, and says which it had to end', async () => {
  const inBackground = (command: string) => ({ hooks: [{ type: 'command', command, async: true }] })
  const world = await makeWorld({
    'project/.claude/settings.json': {
      hooks: {
        Stop: [inBackground('sleep 300'), inBackground(answering({ systemMessage: 'checked at last' }))],
        SessionEnd: [inBackground('sleep 301')],
      },
    },
  })
  const { agent, told } = await openAgent({ turns: [{ text: 'Hello.' }] }, { world })
  await agent.run('Go')
  await agent.close('other', { waitMs: 1000 })
  expect(told().user.sort()).toEqual([
    'checked at last',
    'project:SessionEnd:0:0: the session ended before it did',
    'project:Stop:0:0: the session ended before it did',
  ])
})

it('waits for no background hook once the run is interrupted', async () => {
  const { token, env, ...world } = await worldWithCheck({ command: 'sleep 300', async: true })
  const { agent } = await openAgent({ turns: [{ tools: [bash('true')] }] }, { world, env, allowedTools: ['Bash'] })
  await agent.run('Go')
  const started = performance.now()
  await agent.close('other', { waitMs: 60_000, signal: AbortSignal.abort() })
  expect(performance.now() - started).toBeLessThan(30_000)
  expect(processesWith(token)).toEqual([])
})
