import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { openEngine } from 'hookline'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { collectOutput } from '../../hookline/test/support/processes.ts'

const HOOKLINE = fileURLToPath(new URL('../../hookline/bin/hookline.js', import.meta.url))
const FLEET = fileURLToPath(new URL('../bin/hookline-fleet.js', import.meta.url))
const DEADLINE_MS = 50_000

/** Without strace nobody sees what a process asks of the disk. */
const hasTraces = spawnSync('strace', ['-f', '-qq', '-o', '/dev/null', 'true']).status === 0

let root: string
let server: Serving

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'hookline fleet-'))
  server = await serve(join(root, 'data'))
})

afterAll(async () => {
  await stop(server)
  await rm(root, { recursive: true, force: true })
})

interface Serving {
  readonly process: ChildProcess
  readonly url: string
  readonly adminKey: string
  readonly token: string
}

/** Starts a server, and reads what it prints. */
async function serve(data: string, port = '0'): Promise<Serving> {
  const child = spawn(process.execPath, [FLEET, 'serve', '--data', data, '--port', port, '--quiet'])
  let printed = ''
  let told = ''
  child.stderr.on('data', (text) => {
    told += text
  })
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (text) => {
      printed += text
      if (printed.includes('Ctrl+C')) resolve()
    })
    child.once('exit', () => reject(new Error(`it ended: ${told}`)))
  })
  const [, url = '', token = ''] = /enrol (\S+) (\S+)/.exec(printed) ?? []
  const [, adminKey = ''] = /key=(\S+)/.exec(printed) ?? []
  return { process: child, url, adminKey, token }
}

function stop({ process: child }: Serving, signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
  return new Promise((resolve) => {
    child.once('exit', (code) => resolve(code))
    child.kill(signal)
  })
}

/** A home whose user is in the fleet, with a guard that refuses. */
async function makeHome(name: string, more: object = {}): Promise<string> {
  const home = join(root, name)
  const hooks = { PreToolUse: [{ hooks: [{ type: 'command', command: 'echo no-such-words >&2; exit 2' }] }] }
  await mkdir(join(home, '.claude'), { recursive: true })
  await mkdir(join(home, 'project'), { recursive: true })
  const settings = { hookline: { fleet: { url: server.url, ...more } }, hooks }
  await writeFile(join(home, '.claude/settings.json'), JSON.stringify(settings))
  return home
}

function hookline(home: string, ...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [HOOKLINE, ...args], {
    cwd: join(home, 'project'),
    env: { ...process.env, HOME: home, HOOKLINE_RESIDENT: 'off' },
    timeout: DEADLINE_MS,
  })
  return collectOutput(child)
}

const fire = (home: string) => hookline(home, 'fire', 'PreToolUse', 'tool_name=Bash', 'tool_input.command=an-input')

async function ask<Answer>(path: string, init: RequestInit = {}): Promise<{ status: number; json: Answer }> {
  const headers = { authorization: `Bearer ${server.adminKey}`, ...init.headers }
  const response = await fetch(new URL(path, server.url), { ...init, headers })
  const text = await response.text()
  return { status: response.status, json: text.startsWith('{') ? JSON.parse(text) : (text as Answer) }
}

async function newToken(): Promise<string> {
  return (await ask<{ token: string }>('v1/tokens', { method: 'POST' })).json.token
}

interface Machines {
  machines: { id: string; name: string; records: number; engine: string | null }[]
  gaps: { kind: string; machine: string }[]
}

describe('a fleet', () => {
  it.runIf(hasTraces)('has a record on the disk when the process of one event ends', async () => {
    const home = await makeHome('synced')
    const trace = join(root, 'trace')
    const words = ['fire', 'PreToolUse', 'tool_name=Bash', '--home', home, '--trust']
    const options = { cwd: join(home, 'project'), env: { ...process.env, HOME: home }, timeout: DEADLINE_MS }
    spawnSync(
      'strace',
      ['-f', '-y', '-qq', '-e', 'fdatasync', '-o', trace, process.execPath, HOOKLINE, ...words],
      options,
    )
    expect(await readFile(trace, 'utf8')).toMatch(/fdatasync\(\d+<[^>]*\/\.hookline\/spool\//)
  })

  it('has what a machine shipped, once, and the machine keeps none of it', async () => {
    const home = await makeHome('first')
    expect((await hookline(home, 'ship')).stderr).toContain('is not enrolled')
    const enrolled = await hookline(home, 'ship', 'enrol', server.url, server.token, '--json')
    const { machine } = JSON.parse(enrolled.stdout)
    expect((await fire(home)).code).toBe(2)
    expect((await fire(home)).code).toBe(2)
    const dry = await hookline(home, 'ship', '--dry-run')
    expect(dry.stdout).not.toContain('an-input')
    const shipped = await hookline(home, 'ship', '--json')
    expect(JSON.parse(shipped.stdout)).toEqual({ sent: 2, refused: 0, problem: null })
    expect((await readdir(join(home, '.hookline/spool'))).filter((name) => name.includes('jsonl'))).toEqual([])
    expect(JSON.parse((await hookline(home, 'ship', '--json')).stdout)).toMatchObject({ sent: 0 })
    const { json } = await ask<Machines>('v1/machines')
    expect(json.machines.find(({ id }) => id === machine)).toMatchObject({ records: 2, engine: expect.any(String) })
    expect(json.gaps.filter((gap) => gap.machine === machine)).toEqual([])
    const { json: found } = await ask<{ events: { facts: { outcome: string; tool: string } }[] }>(
      `v1/events?machine=${machine}`,
    )
    expect(found.events.map(({ facts }) => facts.outcome)).toEqual(['denied', 'denied'])
    expect(JSON.stringify(found)).not.toMatch(/an-input|no-such-words/)
    const { json: hooks } = await ask<{ hooks: { runs: number; refusals: number }[] }>('v1/hooks')
    expect(hooks.hooks).toMatchObject([{ runs: 2, refusals: 2, machines: 1 }])
  })

  it('loses nothing while the server is away, and says which way', async () => {
    const home = await makeHome('away')
    await hookline(home, 'ship', 'enrol', server.url, await newToken())
    await fire(home)
    const port = new URL(server.url).port
    await stop(server, 'SIGKILL')
    const away = await hookline(home, 'ship')
    expect(away).toMatchObject({ code: 1, stderr: expect.stringContaining('cannot be reached') })
    await fire(home)
    server = await serve(join(root, 'data'), port)
    expect(JSON.parse((await hookline(home, 'ship', '--json')).stdout)).toMatchObject({ sent: 2, problem: null })
  })

  it('has all again that machines still keep when it was restored from a backup', async () => {
    const home = await makeHome('restored')
    const backup = join(root, 'backup')
    await hookline(home, 'ship', 'enrol', server.url, await newToken())
    const engine = await openEngine({ home, project: join(home, 'project') })
    const decide = async () => {
      for (let at = 0; at < 3; at++) await engine.dispatch({ hook_event_name: 'Stop', session_id: 'restored' })
      return JSON.parse((await hookline(home, 'ship', '--json')).stdout)
    }
    const restart = async (between: () => Promise<void>) => {
      const port = new URL(server.url).port
      await stop(server)
      await between()
      server = await serve(join(root, 'data'), port)
    }
    expect(await decide()).toMatchObject({ sent: 3 })
    await restart(() => cp(join(root, 'data'), backup, { recursive: true }))
    expect(await decide()).toMatchObject({ sent: 3 })
    await restart(async () => {
      await rm(join(root, 'data'), { recursive: true })
      await cp(backup, join(root, 'data'), { recursive: true })
    })
    expect(await decide()).toMatchObject({ sent: 6, problem: null })
    await engine.close()
    const { json } = await ask<{ events: { seq: number }[] }>('v1/events?session=restored')
    expect(json.events.map(({ seq }) => seq)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1])
    const { gaps } = (await ask<Machines>('v1/machines')).json
    expect(gaps).toEqual([])
  })

  it('knows a machine by its key alone, and a token enrols once', async () => {
    const home = await makeHome('second')
    const token = await newToken()
    expect((await hookline(home, 'ship', 'enrol', server.url, token)).code).toBe(0)
    const again = await hookline(home, 'ship', 'enrol', server.url, token)
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('was used') })
    for (const path of ['v1/machines', 'v1/events', 'v1/hooks', 'v1/sessions', 'v1/export', 'metrics'])
      expect((await fetch(new URL(path, server.url))).status).toBe(401)
  })
})

describe('a batch', () => {
  let key: string

  beforeAll(async () => {
    const init = { method: 'POST', body: JSON.stringify({ token: await newToken(), name: 'raw' }) }
    key = (await ask<{ key: string }>('v1/enrol', init)).json.key
  })

  const send = (body: Buffer | string) =>
    ask<{ error?: string; acked?: number; stored?: number }>('v1/records', {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: typeof body === 'string' ? new Uint8Array(gzipSync(body)) : new Uint8Array(body),
    })
  const line = (seq: number, more: object = {}) =>
    JSON.stringify({
      seq,
      prev: 'x',
      facts: { at: new Date().toISOString(), event: 'Stop', session: 's' },
      digest: null,
      ...more,
    })
  const batch = (epoch: string, ...lines: string[]) => [JSON.stringify({ v: 1, epoch }), ...lines, ''].join('\n')

  it.each([
    ['no gzip', Buffer.from('hello'), 400, 'not gzip'],
    ['nothing', '', 400, 'header'],
    ['another header', '{"hello":1}\n', 400, 'header'],
    ['a path in its epoch', '{"v":1,"epoch":"../x"}\n', 400, 'header'],
    ['a newer version', '{"v":2,"epoch":"a"}\n', 400, 'upgrade the server'],
    ['a line that is no record', batch('a', '{"seq":0}'), 400, 'line 2 is not a record'],
    ['another order', batch('a', line(2), line(1)), 400, 'order'],
    ['too many records', batch('a', ...Array.from({ length: 5001 }, (_, at) => line(at + 1))), 413, 'at most'],
    ['a bomb', gzipSync(Buffer.alloc(64 * 1024 * 1024, 97)), 413, 'too large'],
  ])('with %s is refused, and the server goes on', async (_, body, status, words) => {
    const answer = await send(body)
    expect(answer.status).toBe(status)
    expect(answer.json.error).toContain(words)
    expect((await ask('healthz')).status).toBe(200)
  })

  it('has no effect when it comes twice', async () => {
    const text = batch('twice', line(1), line(2))
    expect((await send(text)).json).toMatchObject({ acked: 2, stored: 2 })
    expect((await send(text)).json).toMatchObject({ acked: 2, stored: 0 })
  })

  it('whose records are missing, edited or replaced is stored, and told as a gap', async () => {
    await send(batch('gap', line(1), line(4)))
    await send(batch('gap', line(4, { digest: 'another' })))
    const { json } = await ask<{ gaps: { epoch: string; kind: string }[] }>('v1/machines')
    const told = json.gaps.filter(({ epoch }) => epoch === 'gap').map(({ kind }) => kind)
    expect(new Set(told)).toEqual(new Set(['edited', 'missing', 'replaced']))
  })

  it('keeps a clock that is years off apart, and a record without a time aside', async () => {
    const facts = { at: '1999-01-01T00:00:00.000Z', event: 'Stop', session: 'old' }
    const none = { at: 'yesterday', event: 'Stop', session: 'old' }
    const { json } = await send(batch('clock', line(1, { facts }), line(2, { facts: none }), line(3)))
    expect(json).toMatchObject({ acked: 3, stored: 2, refused: [{ seq: 2, reason: 'it has no time' }] })
    const found = await ask<{ events: { at: number; day: number }[] }>('v1/events?session=old')
    expect(found.json.events.map(({ at, day }) => [new Date(at).getFullYear(), day])).toEqual([
      [new Date().getFullYear(), 0],
    ])
  })

  it('of figures alone adds up, and stores no record', async () => {
    const facts = {
      at: new Date().toISOString(),
      event: 'PreCompact',
      hooks: [{ key: 'abcdef01', verdict: 'ran', ms: 10 }],
    }
    await send(batch('counts', line(1, { facts }), line(2, { facts })))
    const { json } = await ask<{ hooks: { key: string; runs: number }[] }>('v1/hooks')
    expect(json.hooks.find(({ key: one }) => one === 'abcdef01')).toMatchObject({ runs: 2 })
    const all = await fetch(new URL('v1/export', server.url), {
      headers: { authorization: `Bearer ${server.adminKey}` },
    })
    const text = await all.text()
    expect(text).toContain('"Stop"')
    expect(text).not.toContain('PreCompact')
  })
})

describe('hookline-fleet', () => {
  it.each([
    [[], 'it takes serve or token'],
    [['srve'], 'not "srve"'],
    [['serve', '--port', 'x'], '--port must be'],
    [['serve', '--tls-cert', 'a'], 'go together'],
    [['serve', '--nonsense'], 'nonsense'],
    [['serve', 'twice'], 'not "serve" "twice"'],
    [['serve', '--tls-cert', 'no-such', '--tls-key', 'no-such'], '--tls-cert no-such cannot be read (ENOENT)'],
    [['serve', '--tls-cert', FLEET, '--tls-key', FLEET], 'are not a certificate and its key'],
    [['serve', '--data', FLEET], 'choose another one with --data'],
    [['serve', '--data', '/proc/none'], 'choose another one with --data'],
    [['serve', '--store', 'mysql://db/fleet'], '--store must be an address'],
    [['serve', '--tenant', 'Not One', '--port', '0'], "is not a tenant's name"],
    [['serve', '--host', '203.0.113.7', '--port', '0'], '--host is not an address'],
    [['serve', '--oidc-claim', 'roles'], '--oidc-issuer and --oidc-audience go together'],
    [['token', '--data', 'no-such-fleet'], 'there is no fleet in'],
    [['serve', '--oidc-issuer', 'https://login.example'], '--oidc-issuer and --oidc-audience go together'],
    [['serve', '--oidc-issuer', 'http://login.example', '--oidc-audience', 'a'], 'is not https'],
    [['serve', '--stream', 'nats://127.0.0.1'], '--stream goes with --store'],
    [['serve', '--stream-replicas', '3'], '--stream-replicas goes with --stream'],
  ])('says what is wrong with %j', async (args, words) => {
    const child = spawn(process.execPath, [FLEET, ...args], { cwd: root, timeout: DEADLINE_MS })
    let told = ''
    child.stderr.on('data', (text) => {
      told += text
    })
    const code = await new Promise((resolve) => child.once('close', resolve))
    expect({ code, told }).toEqual({ code: 1, told: expect.stringContaining(words) })
    expect(told).not.toContain('    at ')
  })

  it('prints no link with the key in it where others can reach the server', async () => {
    const data = join(root, 'open')
    const child = spawn(process.execPath, [
      FLEET,
      'serve',
      '--data',
      data,
      '--host',
      '0.0.0.0',
      '--port',
      '0',
      '--quiet',
    ])
    let printed = ''
    for await (const text of child.stdout) {
      printed += text
      if (printed.includes('Ctrl+C')) break
    }
    const key = (await readFile(join(data, 'admin.key'), 'utf8')).trim()
    expect(printed).toContain('/page/, which asks for a key')
    expect(printed).not.toContain(key)
    child.kill('SIGTERM')
    await new Promise((resolve) => child.once('exit', resolve))
  })

  it('says that the port is taken', async () => {
    await expect(serve(join(root, 'other'), new URL(server.url).port)).rejects.toThrow('the port is taken')
  })
})
