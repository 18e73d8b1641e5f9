import { execFileSync } from 'node:child_process'
import { chmodSync, lstatSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdir, open, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { cpuMs } from '../support/cpu-time.ts'
import { bashCall, commands, makeWorld, openOn, put, type World } from '../support/project.ts'

const stop = { hook_event_name: 'Stop', stop_hook_active: false } as const
const guard = { hooks: { PreToolUse: [commands('echo no >&2; exit 2')] } }
const PROJECT = 'project/.claude/settings.json'
const LOCAL = 'project/.claude/settings.local.json'
const USER = 'home/.claude/settings.json'
const NOBODY = 65534

describe('files that change while they are read', () => {
  it('reliability 78: reads a file again that was being written while it was read', async () => {
    const world = await makeWorld({ [PROJECT]: guard })
    const path = join(world.project, '.claude/settings.json')
    const whole = readFileSync(path)
    await whileReading(path, {
      before: () => writeFileSync(path, whole.subarray(0, whole.length / 2)),
      after: () => writeFileSync(path, whole),
    })

    const engine = await openOn(world)

    expect(engine.problems).toEqual([])
    expect((await engine.dispatch(bashCall)).decision.permission).toBe('deny')
  })

  it('reliability 78: reads the old file or the new one when it is replaced again and again', async () => {
    const world = await makeWorld({ [PROJECT]: guard })
    const path = join(world.project, '.claude/settings.json')
    let over = false
    const replacing = (async () => {
      for (let version = 0; !over; version++) {
        const text = JSON.stringify({ filler: 'x'.repeat(50_000), hooks: { Stop: [commands(`echo ${version}`)] } })
        await writeFile(`${path}.new`, text)
        await rename(`${path}.new`, path)
      }
    })()

    for (let at = 0; at < 30; at++) {
      const engine = await openOn(world)
      expect(engine.problems).toEqual([])
      expect(engine.hooks).toHaveLength(1)
    }
    over = true
    await replacing
  })

  it('reliability 78: goes on with the hooks it has while their file is half written', async () => {
    const world = await makeWorld({ [PROJECT]: guard })
    const engine = await openOn(world)
    await put(world, PROJECT, '{ "hooks": { "PreToolUse": [')

    expect((await engine.dispatch(bashCall)).decision.permission).toBe('deny')
    expect((await engine.dispatch(bashCall)).decision.permission).toBe('deny')
  })

  it('reliability 78: says so when what the user accepts turns out to be no JSON', async () => {
    const world = await makeWorld({ [PROJECT]: guard })
    const engine = await openOn(world)
    await put(world, PROJECT, '{ "hooks": { "PreToolUse": [')
    await engine.dispatch(bashCall)

    await engine.listChanges()
    await engine.accept()

    const { notices } = await engine.dispatch(bashCall)
    expect(notices?.join()).toMatch(/settings\.json.*is not JSON/)
  })

  it('reliability 78: keeps the policy it has when the file is half written at a review', async () => {
    const world = await makeWorld({ 'managed.json': guard })
    const engine = await openOn(world)
    await put(world, 'managed.json', '{ "hooks": ')
    await engine.listChanges()

    await expect(engine.accept()).rejects.toThrow(/managed\.json.*is not JSON/)

    expect((await engine.dispatch(bashCall)).decision.permission).toBe('deny')
  })
})

describe('files that are links', () => {
  it.each([PROJECT, LOCAL])('reliability 79: takes nothing from %s when it leads out of the project', async (place) => {
    const world = await makeWorld({ 'elsewhere/settings.json': guard, 'project/.claude/keep': '' })
    await symlink(join(world.root, 'elsewhere/settings.json'), join(world.root, place))

    const engine = await openOn(world)

    expect(engine.hooks).toEqual([])
    expect(engine.problems).toMatchObject([
      { severity: 'error', message: expect.stringContaining('out of the project') },
    ])
  })

  it('reliability 79: takes nothing from a .claude folder that leads out of the project', async () => {
    const world = await makeWorld({ 'elsewhere/settings.json': guard })
    await symlink(join(world.root, 'elsewhere'), join(world.project, '.claude'))

    const engine = await openOn(world)

    expect(engine.hooks).toEqual([])
    expect(engine.problems).toMatchObject([{ severity: 'error' }])
  })

  it('reliability 79: follows a link that stays in the project', async () => {
    const world = await makeWorld({ 'project/shared/hooks.json': guard, 'project/.claude/keep': '' })
    await symlink('../shared/hooks.json', join(world.root, PROJECT))

    expect((await (await openOn(world)).dispatch(bashCall)).decision.permission).toBe('deny')
  })

  it('reliability 79: follows a link of the user, and writes through it without replacing it', async () => {
    const world = await makeWorld({ 'dotfiles/settings.json': guard, 'home/.claude/keep': '' })
    const link = join(world.root, USER)
    await symlink(join(world.root, 'dotfiles/settings.json'), link)
    const engine = await openOn(world)
    await engine.add('user', { event: 'Stop', hook: { type: 'command', command: 'true' } })

    expect((await engine.dispatch(bashCall)).decision.permission).toBe('deny')
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
    expect(Object.keys(JSON.parse(readFileSync(link, 'utf8')).hooks)).toEqual(['PreToolUse', 'Stop'])
  })

  it('reliability 79: does not open when the policy file is a link to itself', async () => {
    const world = await makeWorld()
    await symlink('managed.json', world.managed)

    await expect(openOn(world)).rejects.toThrow(/managed\.json.*ELOOP/)
  })

  it('reliability 79: does not open when the policy file is a link that leads nowhere', async () => {
    const world = await makeWorld()
    await symlink(join(world.root, 'gone.json'), world.managed)

    await expect(openOn(world)).rejects.toThrow(/managed\.json/)
  })

  it('reliability 79: does not open when everybody may write the policy file', async () => {
    const world = await makeWorld({ 'managed.json': { hooks: {} } })
    chmodSync(world.managed, 0o666)

    await expect(openOn(world)).rejects.toThrow(/managed\.json.*writ/)
  })
})

describe('JSON as people write it', () => {
  const tolerated = {
    'a comment': ['{\n  // mine\n  "hooks": HOOKS\n}', 2, 3],
    'a comment over lines': ['{ "hooks": HOOKS\n /* a\n b */ }', 2, 2],
    'a trailing comma': ['{\n  "hooks": HOOKS,\n}', 3, 1],
    'a byte order mark': ['\uFEFF{ "hooks": HOOKS }', 1, 1],
  } as const

  for (const [what, [text, line, column]] of Object.entries(tolerated)) {
    it(`reliability 80: tolerates ${what}, and says where it is`, async () => {
      const world = await makeWorld({ [PROJECT]: text.replace('HOOKS', JSON.stringify(guard.hooks)) })

      const engine = await openOn(world)

      expect((await engine.dispatch(bashCall)).decision.permission).toBe('deny')
      expect(engine.problems).toMatchObject([{ severity: 'warning', file: '.claude/settings.json', line, column }])
    })
  }

  it('reliability 80: loads the other files beside one that is no JSON, and says where that one goes wrong', async () => {
    const world = await makeWorld({ [PROJECT]: '{\n  "hooks": {,}\n}', [LOCAL]: '', [USER]: guard })

    const engine = await openOn(world)
    const { decision, notices } = await engine.dispatch(bashCall)

    expect(decision.permission).toBe('deny')
    expect(engine.problems).toMatchObject([
      { rule: 'V-HK-01', file: '.claude/settings.local.json', line: 1, column: 1 },
      { rule: 'V-HK-01', file: '.claude/settings.json', line: 2, column: 13 },
    ])
    expect(notices).toHaveLength(2)
  })

  const TWICE =
    '{ "hooks": { "Stop": [ { "hooks": [\n{ "type": "command", "command": "echo 1", "command": "echo 22" } ] } ] } }'

  it('reliability 81: warns of a key that stands twice in a file of the user, and takes the last one', async () => {
    const engine = await openOn(await makeWorld({ [USER]: TWICE }))
    const { hooks } = await engine.dispatch(stop)

    expect(hooks).toMatchObject([{ command: 'echo 22', stdoutBytes: 3 }])
    expect(engine.problems).toMatchObject([
      { severity: 'warning', line: 2, column: 43, message: expect.stringContaining('the last one counts') },
    ])
  })

  it('sets a hook of a project aside that holds a key twice, and says so', async () => {
    const engine = await openOn(await makeWorld({ [PROJECT]: TWICE }))
    const { hooks } = await engine.dispatch(stop)

    expect(hooks).toMatchObject([{ verdict: 'invalid', because: 'it has "command" twice' }])
    expect(engine.problems).toMatchObject([
      { rule: 'V-HK-27', line: 2, column: 43, message: expect.stringContaining('set aside') },
    ])
  })

  it.each([
    ['the root', '{ "hooks": {}, "hooks": {} }'],
    ['the root, of something else', '{ "model": "a", "model": "b" }'],
    ['hooks', '{ "hooks": { "Stop": [], "Stop": [] } }'],
    ['mcpServers', '{ "mcpServers": { "d": {}, "d": {} } }'],
    ['permissions', '{ "permissions": { "allow": [], "allow": ["Bash"] } }'],
    ['another spelling', '{ "mcpServers": { "d": {}, "\\u0064": {} } }'],
  ])(
    'takes nothing from a file of a project that has a key twice in %s; as a policy it is refused',
    async (_, text) => {
      const engine = await openOn(await makeWorld({ [PROJECT]: text }))
      expect(engine.problems).toContainEqual(
        expect.objectContaining({ rule: 'V-HK-01', message: expect.stringMatching(/twice; it contributes nothing/) }),
      )
      await expect(openOn(await makeWorld({ 'managed.json': text }))).rejects.toThrow(/twice.*Policy is unknown/)
      expect((await openOn(await makeWorld({ [USER]: text }))).problems).toMatchObject([{ rule: 'V-HK-27' }])
    },
  )

  it('refuses a policy with a hook that holds a key twice', async () => {
    await expect(openOn(await makeWorld({ 'managed.json': TWICE }))).rejects.toThrow(
      /"command" twice.*Policy is unknown/,
    )
  })

  it('reliability 81: calls a second "hooks" in a file an error', async () => {
    const world = await makeWorld({ [PROJECT]: `{ "hooks": ${JSON.stringify(guard.hooks)},\n"hooks": {} }` })

    const { problems } = await openOn(world)

    expect(problems).toMatchObject([
      { severity: 'error', line: 2, column: 1, message: expect.stringContaining('"hooks"') },
      { rule: 'V-HK-27', line: 2, column: 1 },
    ])
  })
})

describe('files that are too much', () => {
  it('reliability 82: does not read a file of six megabytes, and says how much it reads', async () => {
    const world = await makeWorld({ [PROJECT]: { ...guard, filler: 'x'.repeat(6 * 1024 * 1024) }, [USER]: guard })
    const started = cpuMs()

    const engine = await openOn(world)

    expect(cpuMs() - started).toBeLessThan(1000)
    expect(engine.problems).toMatchObject([
      { rule: 'V-HK-53', file: '.claude/settings.json', message: expect.stringMatching(/too large.*at most 5/) },
    ])
    expect(engine.hooks).toMatchObject([{ scope: 'user' }])
  })

  it('reliability 82: does not open on a policy file that is too large to be read', async () => {
    const world = await makeWorld({ 'managed.json': { filler: 'x'.repeat(6 * 1024 * 1024) } })

    await expect(openOn(world)).rejects.toThrow(/managed\.json.*too large/)
  })

  const hostile: Record<string, () => string> = {
    'nests lists a hundred thousand deep': () => `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
    'nests objects in its hooks': () => `{"hooks":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}`,
    'nests a setting': () => `{"statusLine":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
    'has a hundred and fifty thousand events that are none': () =>
      JSON.stringify({ hooks: Object.fromEntries(Array.from({ length: 150_000 }, (_, at) => [`E${at}`, []])) }),
    'has an event with a name of two megabytes': () => JSON.stringify({ hooks: { ['x'.repeat(2_000_000)]: [] } }),
    'has two hundred thousand comments': () => `{"hooks":{}}${'//\n'.repeat(200_000)}`,
    'has a hundred and thirty thousand trailing commas': () => `{"hooks":{},"a":[${'[1,],'.repeat(130_000)}1]}`,
    'has a hook with a hundred thousand unknown fields': () =>
      JSON.stringify({
        hooks: {
          Stop: [{ hooks: [Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`field${at}`, 1]))] }],
        },
      }),
  }
  for (const [what, text] of Object.entries(hostile)) {
    it(`reliability 82: opens in time beside a file that ${what}, and runs the hooks of the others`, async () => {
      const world = await makeWorld({ [PROJECT]: text(), [USER]: guard })
      const started = cpuMs()

      const engine = await openOn(world, { trust: 'stored' })

      expect(cpuMs() - started).toBeLessThan(10_000)
      expect((await engine.dispatch(bashCall)).decision.permission).toBe('deny')
    })
  }

  const hostileComponents: Record<string, () => string> = {
    'has twenty thousand keys': () => `hooks:\n${Array.from({ length: 20_000 }, (_, at) => `  e${at}: []\n`).join('')}`,
    'nests lists twenty thousand deep': () => `hooks: ${'['.repeat(20_000)}${']'.repeat(20_000)}\n`,
    'grows by aliases': () =>
      `a0: &a0 [x, x]\n${Array.from({ length: 40 }, (_, at) => `a${at + 1}: &a${at + 1} [*a${at}, *a${at}]\n`).join('')}hooks: *a40\n`,
  }
  for (const [what, frontmatter] of Object.entries(hostileComponents)) {
    it(`reliability 82: opens in time beside a skill that ${what}`, async () => {
      const world = await makeWorld({
        'project/.claude/skills/big/SKILL.md': `---\n${frontmatter()}---\n`,
        [USER]: guard,
      })
      const started = cpuMs()

      const engine = await openOn(world, { trust: 'stored' })

      expect(cpuMs() - started).toBeLessThan(1000)
      expect((await engine.dispatch(bashCall)).decision.permission).toBe('deny')
    })
  }
})

describe('files that cannot be read', () => {
  it('reliability 83: reports a folder in the place of a file, and loads the others', async () => {
    const world = await makeWorld({ [`${PROJECT}/x`]: '', [USER]: guard })

    const engine = await openOn(world)

    expect(engine.problems).toMatchObject([{ rule: 'V-HK-53', message: expect.stringContaining('is a folder') }])
    expect((await engine.dispatch(bashCall)).decision.permission).toBe('deny')
  })

  it('reliability 83: reports a file that it may not read, and loads the others', async () => {
    const world = await makeWorld({ [PROJECT]: guard, [USER]: guard })
    chmodSync(join(world.root, PROJECT), 0)

    const engine = await unprivileged(world, () => openOn(world))

    expect(engine.problems).toMatchObject([{ rule: 'V-HK-53', message: expect.stringContaining('EACCES') }])
    expect(engine.hooks).toMatchObject([{ scope: 'user' }])
  })

  it('reliability 83: does not open on a policy file that it may not read', async () => {
    const world = await makeWorld({ 'managed.json': guard })
    chmodSync(world.managed, 0)

    await unprivileged(world, () => expect(openOn(world)).rejects.toThrow(/managed\.json.*EACCES.*nothing is run/))
  })

  it.each([
    ['a folder', 'managed.json/x'],
    ['a folder among its parts', 'managed-settings.d/10.json/x'],
  ])('reliability 83: does not open on a policy that is %s', async (_what, path) => {
    const world = await makeWorld({ [path]: '' })

    await expect(openOn(world)).rejects.toThrow(/is a folder.*nothing is run/)
  })

  it('reliability 83: does not open on a folder of policies that it may not list', async () => {
    const world = await makeWorld({ 'managed-settings.d/10.json': guard })
    chmodSync(join(world.root, 'managed-settings.d'), 0)
    onTestFinished(() => chmodSync(join(world.root, 'managed-settings.d'), 0o755))

    await unprivileged(world, () => expect(openOn(world)).rejects.toThrow(/managed-settings\.d.*nothing is run/))
  })

  it.each([
    ['no JSON', '{'],
    ['a list', '[]'],
    ['empty', ''],
  ])('reliability 83: does not open on a part of the policy that is %s', async (_what, text) => {
    const world = await makeWorld({ 'managed-settings.d/10.json': guard, 'managed-settings.d/20.json': text })

    await expect(openOn(world)).rejects.toThrow(/20\.json.*nothing is run/)
  })
})

describe.skipIf(process.platform === 'win32')('files that are none', () => {
  const everywhere = [
    PROJECT,
    LOCAL,
    USER,
    'project/.claude/skills/one/SKILL.md',
    'plugin/hooks/hooks.json',
    'plugin/.claude-plugin/plugin.json',
    'home/.hookline/trust.json',
  ]

  it('reliability 84: opens at once with a pipe in the place of every file', async () => {
    const world = await makeWorld()
    for (const path of everywhere) await pipeAt(world, path)
    const started = cpuMs()

    const engine = await openOn(world, { trust: 'stored', plugins: [join(world.root, 'plugin')] })

    expect(cpuMs() - started).toBeLessThan(1000)
    expect(engine.problems.map(({ message }) => message)).toEqual(
      Array(5).fill(expect.stringContaining('is not a regular file')),
    )
    await expect(engine.activate('.claude/skills/one/SKILL.md')).rejects.toThrow('is not a regular file')
    await expect(engine.acceptTrust()).rejects.toThrow(/trust\.json is not a regular file/)
    await expect(engine.add('user', { event: 'Stop', hook: { type: 'command', command: 'true' } })).rejects.toThrow(
      'is not a regular file',
    )
  })

  it('reliability 84: notices without hanging that a file has become a pipe', async () => {
    const world = await makeWorld({ [PROJECT]: guard })
    const engine = await openOn(world)
    await engine.dispatch(bashCall)
    await rename(join(world.root, PROJECT), join(world.root, 'old.json'))
    await pipeAt(world, PROJECT)

    const { decision, notices } = await engine.dispatch(bashCall)

    expect(decision.permission).toBe('deny')
    expect(notices?.join()).toContain('settings.json changed on disk')
    expect(await engine.listChanges()).toMatchObject([{ kind: 'changed' }])
  })

  it('reliability 84: does not open on a policy that is a pipe', async () => {
    const world = await makeWorld()
    await pipeAt(world, 'managed.json')

    await expect(openOn(world)).rejects.toThrow(/managed\.json.*not a regular file/)
  })

  it.each(['/dev/zero', '/dev/stdin', '/proc/self/environ'])(
    'reliability 84: takes nothing from %s',
    async (device) => {
      const world = await makeWorld({ 'home/.claude/keep': '' })
      await symlink(device, join(world.root, USER))

      const engine = await openOn(world)

      expect(engine.hooks).toEqual([])
      expect(engine.problems).toMatchObject([{ rule: expect.stringMatching(/^V-HK-(?:01|53)$/) }])
    },
  )

  it.skipIf(process.platform !== 'linux')(
    'reliability 84: shows nothing of the host when settings lead to its environment',
    async () => {
      vi.stubEnv('HOOKLINE_CANARY', 'c4n4ry')
      onTestFinished(() => void vi.unstubAllEnvs())
      const world = await makeWorld({ 'home/.claude/keep': '' })
      await symlink('/proc/self/environ', join(world.root, USER))

      const engine = await openOn(world)
      const { notices } = await engine.dispatch(stop)

      expect(JSON.stringify([engine.problems, notices, engine.trust])).not.toContain('c4n4ry')
    },
  )
})

/** Lets something happen to a file around the first time it is read through a handle. */
async function whileReading(path: string, { before, after }: { before(): void; after(): void }): Promise<void> {
  const handle = await open(path)
  const prototype: Pick<typeof handle, 'readFile' | 'read'> = Object.getPrototypeOf(handle)
  await handle.close()
  let happened = false
  for (const name of ['readFile', 'read'] as const) {
    const original = prototype[name] as (...args: unknown[]) => Promise<unknown> // overloaded
    const spied = vi.spyOn(prototype, name) as unknown as { mockImplementation(call: unknown): void }
    spied.mockImplementation(async function (this: unknown, ...args: unknown[]) {
      if (happened) return original.apply(this, args)
      happened = true
      before()
      const read = await original.apply(this, args)
      after()
      return read
    })
  }
  onTestFinished(() => void vi.restoreAllMocks())
}

/** Does something as somebody whom permissions bind. */
async function unprivileged<T>(world: World, act: () => Promise<T>): Promise<T> {
  chmodSync(world.root, 0o755)
  if (process.getuid?.() !== 0) return act()
  process.seteuid?.(NOBODY)
  try {
    return await act()
  } finally {
    process.seteuid?.(0)
  }
}

/** Makes a named pipe that nobody writes to. */
async function pipeAt({ root }: World, path: string): Promise<void> {
  await mkdir(join(root, path, '..'), { recursive: true })
  execFileSync('mkfifo', [join(root, path)])
}
