// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how settings write it
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { answering, bashCall, makeWorld, openOn } from '../support/project.ts'

const PRINTS = ['-e', 'process.stderr.write(process.argv.slice(1).join("|")); process.exit(2)']

/** The record of a call of Bash with one hook of the project, in the profile `current`. */
async function call(hook: object, input: object = bashCall) {
  const { hook_event_name } = input as typeof bashCall // an event
  const settings = { hooks: { [hook_event_name]: [{ hooks: [hook] }] } }
  const world = await makeWorld({ 'project/.claude/settings.json': settings })
  const engine = await openOn(world, { profile: 'current' })
  const record = await engine.dispatch(input as typeof bashCall)
  return { ...world, engine, record, words: record.decision.messages.map(({ text }) => text).join('\n') }
}

describe('a command with args', () => {
  it('is a program that no shell reads, with the folders filled in that it names', async () => {
    const named = [
      '$HOME',
      'a b',
      ';',
      '${CLAUDE_PROJECT_DIR}/q',
      '${HOME}',
      '${CLAUDE_PLUGIN_ROOT}',
      '${user_config.a}',
    ]
    const { words, project } = await call({ type: 'command', command: 'node', args: [...PRINTS, ...named] })
    expect(words).toContain(`$HOME|a b|;|${project}/q|\${HOME}|\${CLAUDE_PLUGIN_ROOT}|\${user_config.a}`)
  })

  it.each([
    ['a program that is not there', { command: 'no-such-program', args: [] }],
    ['shell text', { command: 'exit 2', args: [] }],
  ])('fails with %s, and blocks then with onFailure', async (_, hook) => {
    const { record } = await call({ type: 'command', ...hook })
    expect(record.decision.blocked).toBe(false)
    expect(record.hooks).toMatchObject([{ verdict: 'ran', outcome: 'non_blocking_error' }])
    const closed = await call({ type: 'command', ...hook, onFailure: 'block' })
    expect(closed.record.decision.blocked).toBe(true)
  })

  it('is another hook than the same command without', async () => {
    const hooks = [
      { type: 'command', command: 'true' },
      { type: 'command', command: 'true', args: [] },
      { type: 'command', command: 'true', args: ['x'] },
      { type: 'command', command: 'true', args: ['x'] },
    ]
    const world = await makeWorld({ 'project/.claude/settings.json': { hooks: { PreToolUse: [{ hooks }] } } })
    const record = await (await openOn(world, { profile: 'current' })).dispatch(bashCall)
    expect(record.hooks.map(({ verdict }) => verdict)).toEqual(['ran', 'ran', 'duplicate', 'ran'])
  })

  it('of a plugin gets its folders and options', async () => {
    const args = [...PRINTS, '${CLAUDE_PLUGIN_ROOT}/x', '${CLAUDE_PLUGIN_DATA}', '${user_config.url}']
    const world = await makeWorld({
      'home/.claude/settings.json': { pluginConfigs: { 'p@inline': { options: { url: '$(date)' } } } },
      'plugin-p/.claude-plugin/plugin.json': { name: 'p' },
      'plugin-p/hooks/hooks.json': { hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'node', args }] }] } },
    })
    const root = join(world.root, 'plugin-p')
    const record = await (await openOn(world, { profile: 'current', plugins: [root] })).dispatch(bashCall)
    const data = join(world.home, '.claude', 'plugins', 'data', 'p-inline')
    expect(record.decision.messages[0]?.text).toContain(`${root}/x|${data}|$(date)`)
  })
})

describe('the shell of a command', () => {
  it('can be one that is not there, which fails', async () => {
    const { record } = await call({ type: 'command', command: 'exit 2', shell: 'powershell', onFailure: 'continue' })
    expect(record.decision.blocked).toBe(record.hooks[0]?.exitCode === 2) // where there is one, it runs
  })

  it('is not any other', async () => {
    const { record } = await call({ type: 'command', command: 'exit 2', shell: 'zsh' })
    expect(record.hooks).toMatchObject([{ verdict: 'invalid' }])
  })
})

describe('asyncRewake', () => {
  const late = { type: 'command', async: true, asyncRewake: true }

  it('hands exit code 2 on to wake the model, with what the hook says about that', async () => {
    const hook = {
      ...late,
      command: 'echo broken >&2; exit 2',
      rewakeMessage: 'The build broke.',
      rewakeSummary: 'build',
    }
    const { engine } = await call(hook)
    expect(await engine.drain()).toMatchObject([
      {
        rewake: { message: 'The build broke.', summary: 'build' },
        messages: [{ to: 'model', text: expect.stringContaining('broken') }],
      },
    ])
  })

  it('wakes nobody otherwise', async () => {
    const { engine } = await call({ ...late, command: answering({ systemMessage: 'done' }) })
    const [delivery] = await engine.drain()
    expect(delivery).not.toHaveProperty('rewake')
  })
})

it('passes on no option of another plugin, and nothing by which a hook could speak for the host', async () => {
  const settings = { hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'env >&2; exit 2' }] }] } }
  const engine = await openOn(await makeWorld({ 'project/.claude/settings.json': settings }), {
    profile: 'current',
    env: {
      CLAUDE_CODE_MESSAGING_SOCKET: '/tmp/socket',
      CLAUDE_CODE_MESSAGING_TOKEN: 'sesame-1',
      CLAUDE_PLUGIN_OPTION_KEY: 'sesame-2',
      OTHER: 'passed on',
    },
  })
  const [message] = (await engine.dispatch(bashCall)).decision.messages
  expect(message?.text).toContain('OTHER=passed on')
  expect(message?.text).not.toMatch(/MESSAGING|sesame/)
})
