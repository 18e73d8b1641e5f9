import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Bridge } from '../../src/bridges/bridge.ts'
import { findBridge } from '../../src/bridges/list.ts'
import { ended, program } from '../support/command.ts'
import { makeWorld, put, type World } from '../support/project.ts'

/** What a client does: as it should, without asking, whatever it is answered, nothing, or without an end. */
type Manner = 'honest' | 'deaf' | 'stubborn' | 'mute' | 'endless'

/** A client of the kind of Kimi Code: it asks its model once, and the entries of its file before it makes the call. */
const client = (manner: Manner, marker = ''): string => `#!${process.execPath}
const { spawn, spawnSync } = require('node:child_process')
const { readFileSync } = require('node:fs')
const { networkInterfaces } = require('node:os')
if (process.argv.includes('--version')) console.log('fake 9.8.7')
else main()
async function main() {
  if ('${manner}' === 'mute') return console.log(JSON.stringify({ home: process.env.HOME, key: process.env.SECRET_KEY, nets: Object.keys(networkInterfaces()) }))
  if ('${manner}' === 'endless') {
    spawn('sleep', ['${marker}'], { detached: true, stdio: 'ignore' }).unref()
    return setInterval(() => {}, 1000)
  }
  const config = readFileSync(process.env.HOME + '/.kimi-code/config.toml', 'utf8')
  const [, url] = /base_url = "(.*?)"/.exec(config)
  const tools = [{ type: 'function', function: { name: 'Bash', parameters: { type: 'object', properties: {} } } }]
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: process.argv.at(-1) }], tools })
  const answer = await (await fetch(url + '/chat/completions', { method: 'POST', headers: { 'content-type': 'application/json' }, body })).json()
  const call = answer.choices[0].message.tool_calls[0]
  const input = JSON.parse(call.function.arguments)
  const payload = { hook_event_name: 'PreToolUse', session_id: 's', client_type: 'kimi_code_cli', cwd: process.cwd(), tool_name: 'Bash', tool_input: input, tool_call_id: call.id }
  const entries = [...config.matchAll(/event = "PreToolUse"\\ncommand = "(.*?)"/g)].map(([, command]) => command)
  const asks = '${manner}' === 'deaf' ? [] : entries
  const isRefused = asks.map((command) => spawnSync('sh', ['-c', command], { input: JSON.stringify(payload) }).status).includes(2)
  if (!isRefused || '${manner}' === 'stubborn') spawnSync('sh', ['-c', input.command])
}
`

const canBeAlone =
  process.platform === 'linux' &&
  spawnSync('unshare', ['-rnpf', '--kill-child', '--mount-proc', 'sh', '-c', 'ip link set lo up']).status === 0

interface Probed {
  readonly code: number
  readonly stdout: string
}

/** Tries a fake client, with a key in the environment that it must not see. */
async function probe(world: World, agent: string, manner: Manner, marker?: string): Promise<Probed> {
  const path = await put(world, `bin/${manner}`, client(manner, marker))
  const call = [program, 'bridge', 'status', agent, '--probe', '--client', path, '--project', world.project]
  return ended(process.execPath, call, { env: { HOME: world.home, SECRET_KEY: 'mine', COLUMNS: '500' } })
}

describe.runIf(canBeAlone)('a probe of a client', () => {
  it.each<[Manner, RegExp, number]>([
    ['honest', /probe: asked and refused: Kimi Code 9\.8\.7 asked the guard and made no call.*made for 2\.1\.0/, 0],
    ['deaf', /probe: NOT ASKED: Kimi Code 9\.8\.7 made the call/, 1],
    ['stubborn', /probe: ASKED, AND NOT REFUSED/, 1],
    ['mute', /probe: cannot be tried: it asked no model/, 0],
  ])('says what was seen: %s', async (manner, said, exit) => {
    const { code, stdout } = await probe(await makeWorld(), 'kimi', manner)
    expect(stdout).toMatch(said)
    expect(code).toBe(exit)
  })

  it('gives the client a home of its own, no key of the user and no network', async () => {
    const world = await makeWorld()
    const { stdout } = await probe(world, 'kimi', 'mute')
    const seen = JSON.parse(/\{.*\}/.exec(stdout)?.[0] ?? '{}')
    expect(seen).toEqual({ home: expect.stringContaining('hookline-probe-'), nets: ['lo'] })
    expect(seen.home).not.toContain(world.home)
    expect(readdirSync(world.home)).toEqual([])
  })

  it('ends a client that does not end, with what it started, within the limit of its recipe', async () => {
    const world = await makeWorld()
    const kimi = findBridge('kimi') as Bridge // it is in the list
    const table = { ...kimi, name: 'mine', recipe: { ...kimi.recipe, seconds: 2 } }
    await put(world, 'home/.hookline/agents/mine.json', table)
    execFileSync('chmod', ['-R', 'go-w', world.home])
    const marker = `98765.${process.pid}`
    const { code, stdout } = await probe(world, 'mine', 'endless', marker)
    expect(stdout).toMatch(/probe: cannot be tried: it asked no model in 2 seconds/)
    expect(code).toBe(0)
    expect(commandLines().filter((line) => line.includes(marker))).toEqual([])
  })

  it('tries an agent of a table of the user as it tries others', async () => {
    const world = await makeWorld()
    const kimi = findBridge('kimi') as Bridge // it is in the list
    await put(world, 'home/.hookline/agents/mine.json', { ...kimi, name: 'mine' })
    execFileSync('chmod', ['-R', 'go-w', world.home])
    expect((await probe(world, 'mine', 'honest')).stdout).toContain('probe: asked and refused')
  })
})

describe('a probe that cannot be made', () => {
  it('starts nothing, and says why', async () => {
    const world = await makeWorld()
    const status = (agent: string, ...more: string[]): Promise<Probed> =>
      ended(process.execPath, [program, 'bridge', 'status', agent, '--probe', '--project', world.project, ...more], {
        env: { HOME: world.home, COLUMNS: '500', PATH: join(world.root, 'empty') },
      })
    expect((await status('cursor')).stdout).toMatch(/probe: cannot be tried: Cursor needs the servers of its vendor/)
    expect((await status('codex')).stdout).toMatch(/probe: cannot be tried: codex is not on the PATH/)
    const path = await put(world, 'bin/honest', client('honest'))
    expect((await status('kimi', '--client', path)).stdout).toMatch(
      /probe: cannot be tried: the network cannot be taken away/,
    )
    expect((await status('kimi', '--client', `${path}.not`)).stdout).toMatch(/cannot be executed/)
  })

  it('is not made by hand where there is a network', async () => {
    const world = await makeWorld()
    const path = await put(world, 'bin/honest', client('honest'))
    const { code, stderr } = await ended(process.execPath, [program, 'bridge', 'probe', 'kimi', '--client', path], {
      env: { HOME: world.home },
    })
    expect(code).toBe(1)
    expect(stderr).toMatch(/There is a network here/)
  })
})

function commandLines(): string[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      return [readFileSync(`/proc/${name}/cmdline`, 'latin1')]
    } catch {
      return [] // it ended meanwhile
    }
  })
}
