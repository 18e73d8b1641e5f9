import { spawnSync } from 'node:child_process'
import { closeSync, constants, openSync, readdirSync, readFileSync, statSync, watch } from 'node:fs'
import { chmod, mkdir, readFile, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Engine, NewHook } from '../../src/index.ts'
import { bashCall, commands, makeWorld, openOn, put, type World } from '../support/project.ts'

const start = { hook_event_name: 'SessionStart', source: 'startup' } as const
const stop = { hook_event_name: 'Stop', stop_hook_active: false } as const
const STORE = '.hookline/trust.json'
const hookNumber = (at: number): NewHook => ({ event: 'Stop', hook: { type: 'command', command: `echo ${at}` } })

describe('writing that fails', () => {
  it('reliability 90: does not wait for a lock that it can never make', async () => {
    const world = await makeWorld({ 'home/.claude': 'a file where a folder should be' })
    const engine = await openOn(world)
    const started = performance.now()

    await expect(engine.add('user', hookNumber(1))).rejects.toThrow()

    expect(performance.now() - started).toBeLessThan(9000) // it would wait for ten seconds
  })

  it('reliability 90: keeps the settings and the session as they are when a file cannot be written', async () => {
    const world = await makeWorld({ 'home/.claude': 'a file where a folder should be' })
    const engine = await openOn(world)

    await expect(engine.add('user', hookNumber(1))).rejects.toThrow()

    expect(await readFile(join(world.home, '.claude'), 'utf8')).toBe('a file where a folder should be')
    expect((await engine.dispatch(stop)).hooks).toEqual([])
  })

  it('reliability 90: trusts nothing when the acceptance cannot be stored', async () => {
    const world = await makeWorld({
      'project/.claude/settings.json': { hooks: { Stop: [commands('true')] } },
      'home/.hookline': 'a file where a folder should be',
    })
    const engine = await openOn(world, { trust: 'stored' })

    await expect(engine.acceptTrust()).rejects.toThrow()

    expect((await engine.dispatch(stop)).hooks).toMatchObject([{ verdict: 'untrusted' }])
  })

  it('reliability 90: runs the hooks of a session start although no file for their variables can be made', async () => {
    const world = await makeWorld({
      'project/.claude/settings.json': { hooks: { SessionStart: [commands('echo hello')] } },
    })
    useTemp(join(world.root, 'gone'))
    const engine = await openOn(world)

    const { decision, hooks, notices = [] } = await engine.dispatch(start)

    expect(decision.context).toEqual(['hello'])
    expect([...notices, ...(hooks[0]?.warnings ?? [])].join()).toMatch(/variables|environment/)
  })
})

describe('files for variables that hooks tamper with', () => {
  async function startWith(command: string): Promise<Engine> {
    return openOn(
      await makeWorld({
        'project/.claude/settings.json': {
          hooks: { SessionStart: [commands(command, 'echo "export KEPT=yes" >"$CLAUDE_ENV_FILE"')] },
        },
      }),
    )
  }

  it.each([
    ['deletes it', 'rm "$CLAUDE_ENV_FILE"'],
    ['deletes its folder', 'rm -r "$(dirname "$CLAUDE_ENV_FILE")"'],
    ['makes it a folder', 'rm "$CLAUDE_ENV_FILE"; mkdir "$CLAUDE_ENV_FILE"'],
    ['makes it a link to itself', 'rm "$CLAUDE_ENV_FILE"; ln -s "$CLAUDE_ENV_FILE" "$CLAUDE_ENV_FILE"'],
    ['makes it a link to a device', 'ln -sf /dev/null "$CLAUDE_ENV_FILE"'],
  ])('reliability 61: resolves the event of a hook that %s', async (_what, command) => {
    const engine = await startWith(command)

    const { hooks } = await engine.dispatch(start)

    expect(hooks[0]).toMatchObject({ outcome: 'success' })
  })

  it('reliability 84: does not hang on a hook that puts a pipe in the place of its file', async () => {
    const world = await makeWorld()
    const name = join(world.root, 'name')
    await put(world, 'project/.claude/settings.json', {
      hooks: {
        SessionStart: [
          commands(`rm "$CLAUDE_ENV_FILE"; mkfifo "$CLAUDE_ENV_FILE"; printf %s "$CLAUDE_ENV_FILE" >'${name}'`),
        ],
      },
    })
    const engine = await openOn(world)
    const dispatched = engine.dispatch(start)
    const first = await Promise.race([dispatched.then(() => 'settled'), pause(3000, 'hangs')])
    if (first === 'hangs') release(readFileSync(name, 'utf8'))
    await dispatched

    expect(first).toBe('settled')
  })

  it('CVE-2026-46406: does not source what a link in the place of a file leads to', async () => {
    const world = await makeWorld({ 'elsewhere.sh': 'export STOLEN=yes\n' })
    await put(world, 'project/.claude/settings.json', {
      hooks: { SessionStart: [commands(`ln -sf '${world.root}/elsewhere.sh' "$CLAUDE_ENV_FILE"`)] },
    })
    const engine = await openOn(world)
    await engine.dispatch(start)

    expect(await engine.readEnvironment()).toEqual({})
  })

  /** Lets go whoever waits for somebody to write into a pipe. */
  function release(pipe: string): void {
    closeSync(openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK))
  }
})

describe('two that write at a time', () => {
  it('reliability 92: keeps all hooks that one engine adds at a time', async () => {
    const world = await makeWorld()
    const engine = await openOn(world)

    await Promise.all([1, 2, 3, 4].map((at) => engine.add('user', hookNumber(at))))

    expect(commandsIn(world, 'home')).toHaveLength(4)
    expect((await engine.dispatch(stop)).hooks).toHaveLength(4)
  })

  it('reliability 92: keeps all hooks that several sessions add at a time', async () => {
    const world = await makeWorld()
    const engines = await Promise.all([1, 2, 3, 4].map(() => openOn(world)))

    await Promise.all(engines.map((engine, at) => engine.add('user', hookNumber(at))))

    expect(commandsIn(world, 'home')).toHaveLength(4)
  })

  it('reliability 92: keeps all acceptances that are given at a time', async () => {
    const worlds = await Promise.all(
      [1, 2, 3, 4].map(() => makeWorld({ 'project/.claude/settings.json': { hooks: { Stop: [commands('true')] } } })),
    )
    const { home } = await makeWorld()
    const engines = await Promise.all(worlds.map((world) => openOn(world, { home, trust: 'stored' })))

    await Promise.all(engines.map((engine) => engine.acceptTrust()))

    const { folders } = JSON.parse(await readFile(join(home, STORE), 'utf8'))
    expect(Object.keys(folders).sort()).toEqual(worlds.map(({ project }) => project).sort())
  })

  it('reliability 92: keeps what somebody else wrote into the file since the session began', async () => {
    const world = await makeWorld({ 'home/.claude/settings.json': '{}' })
    const engine = await openOn(world)
    await put(world, 'home/.claude/settings.json', '{\n  // mine\n  "model": "small"\n}\n')

    await engine.add('user', hookNumber(1))

    const text = await readFile(join(world.home, '.claude/settings.json'), 'utf8')
    expect(text).toContain('// mine\n  "model": "small"')
    expect(text).toContain('echo 1')
  })
})

describe('a lock that somebody left', () => {
  const LOCK = 'home/.claude/settings.json.lock'

  it('reliability 92: breaks the lock of a process that is gone', async () => {
    const world = await makeWorld()
    const { pid } = spawnSync('true')
    await put(world, LOCK, String(pid))
    const engine = await openOn(world)

    await engine.add('user', hookNumber(1))

    expect(commandsIn(world, 'home')).toEqual(['echo 1'])
    expect(readdirSync(join(world.home, '.claude'))).toEqual(['settings.json'])
  })

  it('reliability 92: breaks a lock whose maker was killed before it could sign', async () => {
    const world = await makeWorld({ [LOCK]: '' })
    await utimes(join(world.root, LOCK), new Date(0), new Date(0))
    const engine = await openOn(world)

    await engine.add('user', hookNumber(1))

    expect(commandsIn(world, 'home')).toEqual(['echo 1'])
  })

  it('reliability 92: writes nothing while another process holds the lock, and says which file to look at', async () => {
    const world = await makeWorld({ [LOCK]: String(process.ppid) })
    const engine = await openOn(world)

    await expect(engine.add('user', hookNumber(1))).rejects.toThrow('settings.json.lock is held by another process')

    expect(readdirSync(join(world.home, '.claude'))).toEqual(['settings.json.lock'])
  })
})

describe('a trust store that is damaged', () => {
  it.each([
    '',
    '{',
    '{"version":1,"folders":{"/',
    '[]',
    'null',
    '{"folders":[]}',
    '{"folders":null}',
    '{"folders":{"P":null}}',
    '{"folders":{"P":"D"}}',
  ])('reliability 91: trusts nothing when the store says %j', async (damage) => {
    const world = await makeWorld({ 'project/.claude/settings.json': { hooks: { Stop: [commands('true')] } } })
    const { digest } = (await openOn(world, { trust: 'stored' })).trust.request
    await put(world, `home/${STORE}`, damage.replace('P', world.project).replace('D', digest))

    const engine = await openOn(world, { trust: 'stored' })

    expect((await engine.dispatch(stop)).hooks).toMatchObject([{ verdict: 'untrusted' }])
  })

  it('reliability 91: does not overwrite a store that it cannot read', async () => {
    const world = await makeWorld({ [`home/${STORE}`]: '{"version":1,"folders":{"/' })
    await put(world, 'project/.claude/settings.json', { hooks: { Stop: [commands('true')] } })
    const engine = await openOn(world, { trust: 'stored' })

    await expect(engine.acceptTrust()).rejects.toThrow(/trust\.json cannot be read as a trust store/)

    expect(await readFile(join(world.home, STORE), 'utf8')).toBe('{"version":1,"folders":{"/')
  })

  it('reliability 91: is not disturbed by a draft that somebody left when they were killed', async () => {
    const world = await makeWorld({
      'project/.claude/settings.json': { hooks: { Stop: [commands('true')] } },
      [`home/${STORE}.0a1b.tmp`]: '{"vers',
      'project/.claude/settings.json.0a1b.tmp': '{"ho',
    })
    const engine = await openOn(world, { trust: 'stored' })
    await engine.acceptTrust()

    expect((await (await openOn(world, { trust: 'stored' })).dispatch(stop)).hooks).toMatchObject([{ verdict: 'ran' }])
  })
})

describe.skipIf(process.platform === 'win32')('files that are nobody else’s business', () => {
  it('reliability 93: makes files for variables that only their owner reads, in a folder that only they enter', async () => {
    const world = await makeWorld({
      'project/.claude/settings.json': { hooks: { SessionStart: [commands('echo "export A=1" >"$CLAUDE_ENV_FILE"')] } },
    })
    await mkdir(join(world.root, 'tmp'))
    useTemp(join(world.root, 'tmp'))
    useUmask(0)
    const engine = await openOn(world)
    await engine.dispatch(start)

    const [file = ''] = engine.listEnvironmentFiles()
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await stat(dirname(file))).mode & 0o777).toBe(0o700)
    expect(dirname(dirname(file))).toBe(join(world.root, 'tmp'))
    await engine.close()
    expect(readdirSync(join(world.root, 'tmp'))).toEqual([])
  })

  it('reliability 93: gives every session and every hook another path', async () => {
    const world = await makeWorld({
      'project/.claude/settings.json': {
        hooks: { SessionStart: [commands('echo "# 1" >"$CLAUDE_ENV_FILE"', 'echo "# 2" >"$CLAUDE_ENV_FILE"')] },
      },
    })
    const engines = [await openOn(world), await openOn(world)]
    for (const engine of engines) await engine.dispatch(start)

    expect(new Set(engines.flatMap((engine) => engine.listEnvironmentFiles())).size).toBe(4)
  })

  it('reliability 93: stores acceptances where only their owner reads them, whatever the umask', async () => {
    const world = await makeWorld({ 'project/.claude/settings.json': { hooks: { Stop: [commands('true')] } } })
    useUmask(0)
    await (await openOn(world, { trust: 'stored' })).acceptTrust()

    expect((await stat(join(world.home, STORE))).mode & 0o777).toBe(0o600)
    expect((await stat(join(world.home, '.hookline'))).mode & 0o777).toBe(0o700)
    expect(readdirSync(join(world.home, '.hookline'))).toEqual(['trust.json'])
  })

  it('reliability 93: keeps the permissions of a settings file that it writes', async () => {
    const world = await makeWorld({ 'home/.claude/settings.json': '{}' })
    await chmod(join(world.home, '.claude/settings.json'), 0o600)
    const engine = await openOn(world)
    await engine.add('user', hookNumber(1))

    expect((await stat(join(world.home, '.claude/settings.json'))).mode & 0o777).toBe(0o600)
    expect(readdirSync(join(world.home, '.claude'))).toEqual(['settings.json'])
  })

  const MAX_DRAFTS = 30

  it('reliability 93: shows nobody the draft of a settings file that nobody may read', async () => {
    const path = 'home/.claude/settings.json'
    const world = await makeWorld({ [path]: { env: { KEY: 'x'.repeat(4 * 1024 * 1024) } } })
    await chmod(join(world.root, path), 0o600)
    const engine = await openOn(world)
    const modes: number[] = []
    const folder = dirname(join(world.root, path))
    const watcher = watch(folder, (_event, name) => {
      if (name === 'settings.json' || name === null) return
      const stats = statSync(join(folder, name), { throwIfNoEntry: false })
      if (stats) modes.push(stats.mode & 0o077)
    })
    onTestFinished(() => watcher.close())

    // on a busy machine a draft may be gone before this process hears of it
    for (let number = 1; modes.length === 0 && number <= MAX_DRAFTS; number++)
      await engine.add('user', hookNumber(number))

    expect(modes.length).toBeGreaterThan(0)
    expect(new Set(modes)).toEqual(new Set([0]))
  })
})

describe('secrets', () => {
  const CANARY = 'sk-c4n4ry-0123456789'

  it('reliability 95: puts into the trust store what was accepted, and nothing else of the file', async () => {
    const world = await makeWorld({
      'project/.claude/settings.json': { hooks: { Stop: [commands('true')] }, env: { KEY: CANARY }, other: CANARY },
      'project/.mcp.json': {
        mcpServers: { a: { command: 'x', env: { KEY: CANARY } }, b: { url: 'http://x', headers: { KEY: CANARY } } },
      },
    })
    await (await openOn(world, { trust: 'stored' })).acceptTrust()

    expect(await readFile(join(world.home, STORE), 'utf8')).not.toContain('c4n4ry')
  })

  it('reliability 95: quotes nothing of a file that it cannot read as JSON', async () => {
    const world = await makeWorld({
      'project/.claude/settings.json': `{ "env": { "KEY": "${CANARY}" }, "hooks": { ${CANARY} } }`,
      'home/.claude/settings.json': `KEY=${CANARY}`,
    })
    const engine = await openOn(world)
    const { notices } = await engine.dispatch(stop)

    expect(engine.problems).toHaveLength(2)
    expect(JSON.stringify([engine.problems, notices])).not.toContain('c4n4ry')

    await put(world, 'managed.json', `{ "env": { "KEY": "${CANARY}" `)
    const refused = await openOn(world).catch(String)
    expect(refused).toMatch(/managed\.json/)
    expect(refused).not.toContain('c4n4ry')
  })

  it('reliability 95: hands the event to hooks by their input alone, never by arguments or variables', async () => {
    const world = await makeWorld()
    const seen = join(world.root, 'seen')
    const engine = await openOn(world)
    await engine.register({
      PreToolUse: [commands(`tr '\\0' '\\n' </proc/$$/cmdline >'${seen}'; env >>'${seen}'; cat >'${seen}.input'`)],
    })

    await engine.dispatch({ ...bashCall, tool_input: { command: `curl -H 'Authorization: ${CANARY}'` } })

    expect(await readFile(seen, 'utf8')).not.toContain('c4n4ry')
    expect(await readFile(`${seen}.input`, 'utf8')).toContain(CANARY)
  })

  it('reliability 95: puts nothing of the host’s environment into a record', async () => {
    const world = await makeWorld()
    const engine = await openOn(world, { env: { ...process.env, SECRET_TOKEN: CANARY } })
    await engine.register({ Stop: [commands('exit 1', 'exit 2', 'kill -9 $$', '/no/such/program')] })

    expect(JSON.stringify(await engine.dispatch(stop))).not.toContain('c4n4ry')
  })

  it('reliability 95: shows for review what a project asks for, not its other settings, nor those of the user', async () => {
    const world = await makeWorld({
      'home/.claude/settings.json': { hooks: {}, a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, env: { KEY: CANARY } },
      'project/.claude/settings.json': { hooks: { Stop: [commands('true')] }, other: { KEY: CANARY } },
    })
    const engine = await openOn(world, { trust: 'stored' })

    expect(JSON.stringify(engine.trust.request)).not.toContain('c4n4ry')
  })

  it('reliability 95: leaves nothing behind in the temp folder when a session is over', async () => {
    const world = await makeWorld({
      'project/.claude/settings.json': {
        hooks: { SessionStart: [commands(`echo "export KEY=${CANARY}" >"$CLAUDE_ENV_FILE"`, 'true')] },
      },
    })
    await mkdir(join(world.root, 'tmp'))
    useTemp(join(world.root, 'tmp'))
    const engine = await openOn(world)
    await engine.dispatch(start)
    expect(await engine.readEnvironment()).toEqual({ KEY: CANARY })
    await engine.close()

    expect(readdirSync(join(world.root, 'tmp'))).toEqual([])
  })
})

function commandsIn(world: World, scope: 'home' | 'project'): string[] {
  const { hooks } = JSON.parse(readFileSync(join(world[scope], '.claude/settings.json'), 'utf8'))
  return hooks.Stop.flatMap((group: { hooks: { command: string }[] }) => group.hooks.map(({ command }) => command))
}

/** Makes this the folder for temporary files until the test is over. */
function useTemp(folder: string): void {
  vi.stubEnv('TMPDIR', folder)
  onTestFinished(() => void vi.unstubAllEnvs())
}

/** Lets new files have all permissions that they are given until the test is over. */
function useUmask(mask: number): void {
  const before = process.umask(mask)
  onTestFinished(() => void process.umask(before))
}
