import { execFile } from 'node:child_process'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { type Ended, hookline, program } from '../support/command.ts'
import { commands, makeWorld, put } from '../support/project.ts'
import { serving } from './question.ts'

const dist = fileURLToPath(new URL('../../dist', import.meta.url))

/** A module that makes a process write down every module it loads, on stderr. */
const WATCH = `data:text/javascript,${encodeURIComponent(`
  import { register } from 'node:module'
  const hook = \`
    import { writeSync } from 'node:fs'
    export async function load(url, context, next) {
      writeSync(2, 'loaded ' + url + '\\\\n')
      return next(url, context)
    }\`
  register('data:text/javascript,' + encodeURIComponent(hook))
`)}`

async function loadedBy(args: string[], env: NodeJS.ProcessEnv = {}): Promise<{ count: number; models: string[] }> {
  const options = { timeout: 30_000, env: { ...process.env, ...env } }
  const { stderr } = await promisify(execFile)(process.execPath, ['--import', WATCH, ...args], options)
  const loaded = stderr.split('\n').filter((line) => line.startsWith('loaded file:'))
  return { count: loaded.length, models: loaded.filter((line) => /node_modules\/(ai|@ai-sdk)\//.test(line)) }
}

const importing = (file: string): string[] => [
  '--input-type=module',
  '-e',
  `await import(${JSON.stringify(pathToFileURL(join(dist, file)).href)})`,
]

describe('the packages that ask a model', () => {
  it.each(['index.js', 'models/index.js', 'testing/index.js'])('are not loaded by %s', async (door) => {
    const { count, models } = await loadedBy(importing(door))
    expect(count).toBeGreaterThan(0)
    expect(models).toEqual([])
  })

  it('are loaded by the command when a hook asks, and not otherwise', async () => {
    const server = await serving(() => ({ text: '{"ok": true}' }))
    const world = await makeWorld({
      'project/.claude/settings.json': {
        hooks: {
          Stop: [commands('true')],
          SubagentStop: [{ hooks: [{ type: 'prompt', prompt: 'Is it done?' }] }],
        },
      },
    })
    const fire = (event: string): string[] => [
      ...[program, 'fire', event, '--trust', '--project', world.project],
      ...['--home', world.home, '--managed', world.managed],
    ]
    expect((await loadedBy(fire('Stop'), server.env)).models).toEqual([])
    expect((await loadedBy(fire('SubagentStop'), server.env)).models.length).toBeGreaterThan(1)
    expect(server.requests).toHaveLength(1)
  })

  it('are named when they are not installed, or too old', async () => {
    const world = await makeWorld()
    await cp(dist, join(world.root, 'dist'), { recursive: true })
    await cp(join(dist, '../package.json'), join(world.root, 'package.json'))
    const asking = `
      import { openModels } from ${JSON.stringify(pathToFileURL(join(world.root, 'dist/models/index.js')).href)}
      const { askModel } = openModels({ env: { ANTHROPIC_API_KEY: 'x', OPENAI_API_KEY: 'x' } })
      const signal = new AbortController().signal
      for (const model of ['haiku', 'openai/x'])
        await askModel({ model, system: '', messages: [], schema: {}, signal, deadline: null }).catch((error) => console.log(error.message))`
    const asked = async (): Promise<string> => {
      const args = ['--input-type=module', '-e', asking]
      return (await promisify(execFile)(process.execPath, args, { timeout: 30_000 })).stdout
    }
    expect(await asked()).toBe(
      'Hooks that a model decides need packages that are not installed: npm i ai @ai-sdk/anthropic\n' +
        'Hooks that a model decides need packages that are not installed: npm i ai @ai-sdk/openai-compatible\n',
    )

    const spoken = "({ specificationVersion: 'v2' })"
    for (const [name, code] of [
      ['ai', `export const wrapLanguageModel = () => ${spoken}`],
      ['@ai-sdk/anthropic', `export const createAnthropic = () => () => ${spoken}`],
      ['@ai-sdk/openai-compatible', `export const createOpenAICompatible = () => () => ${spoken}`],
    ] as const) {
      await put(world, `node_modules/${name}/package.json`, { name, version: '5.0.0', main: 'index.mjs' })
      await put(world, `node_modules/${name}/index.mjs`, code)
    }
    const needed = 'Hooks that a model decides need the AI SDK from version 6 on, and an older one is installed: npm i'
    expect(await asked()).toBe(
      `${needed} ai@latest @ai-sdk/anthropic@latest\n${needed} ai@latest @ai-sdk/openai-compatible@latest\n`,
    )
  })
})

describe('the command', () => {
  const judged = { hooks: { Stop: [{ hooks: [{ type: 'prompt', prompt: 'Is it done?' }] }] } }
  const nobody = {
    ANTHROPIC_API_KEY: '',
    ANTHROPIC_BASE_URL: '',
    OPENAI_API_KEY: '',
    OPENAI_BASE_URL: '',
    HOOKLINE_MODEL: '',
  }

  const called = async (
    args: string[],
    { env = {}, input = '' }: { env?: NodeJS.ProcessEnv; input?: string } = {},
  ): Promise<Ended> =>
    hookline(await makeWorld({ 'project/.claude/settings.json': judged }), [...args, '--trust'], {
      env: { ...nobody, ...env },
      input,
    })

  it('asks the model of the environment, or the one of --model', async () => {
    const server = await serving(() => ({ text: '{"ok": false, "reason": "Tests are missing."}' }))
    const { code, stdout } = await called(['fire', 'Stop'], { env: server.env })
    expect(code).toBe(2)
    expect(stdout).toContain('Tests are missing.')
    await called(['fire', 'Stop', '--model', 'openai/small'], { env: server.env })
    expect(server.requests.map(({ body }) => body.model)).toEqual(['claude-haiku-5-5', 'small'])
  })

  it('asks it in a session too', async () => {
    const server = await serving(() => ({ text: '{"ok": false, "reason": "Tests are missing."}' }))
    const input = '{"hook_event_name":"Stop","stop_hook_active":false}\n'
    const { stdout } = await called(['session'], { env: server.env, input })
    expect(JSON.parse(stdout)).toMatchObject({ decision: { blocked: true } })
  })

  it('says what to set when no model is configured', async () => {
    const { code, stdout, stderr } = await called(['fire', 'Stop'])
    expect(code).toBe(1)
    expect(stdout).toContain('unsupported')
    expect(stderr).toContain('No model is configured. Set ANTHROPIC_API_KEY')
  })

  it('tells in doctor which model judges, and what is missing, without any key', async () => {
    const key = 'sk-never-to-be-printed'
    const well = await called(['doctor'], { env: { ANTHROPIC_API_KEY: key } })
    expect(well.code).toBe(0)
    expect(well.stdout.replace(/\s+/g, ' ')).toContain(
      'anthropic/claude-haiku-5-5 at https://api.anthropic.com, with a key',
    )
    expect(well.stdout).not.toContain(key)
    const without = await called(['doctor'])
    expect(without.code).toBe(1)
    expect(without.stdout.replace(/\s+/g, ' ')).toContain('No model is configured.')
  })

  it('never prints a key that a provider repeats', async () => {
    const server = await serving(() => ({ status: 401, message: `invalid key ${server.env.ANTHROPIC_API_KEY}` }))
    const { stdout, stderr } = await called(['fire', 'Stop', '--json', '--debug', 'hooks'], { env: server.env })
    expect(stdout).toContain('answered 401')
    expect(stdout + stderr).not.toContain(server.env.ANTHROPIC_API_KEY)
  })
})
