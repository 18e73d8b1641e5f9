import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { DispatchRecord, Engine } from '../../src/index.ts'
import { fire, openFor, printed } from '../faults/fire.ts'
import { anyText } from '../support/any-text.ts'
import { processesWith, until } from '../support/processes.ts'
import { bashCall, commands, engineWith, makeWorld, openOn } from '../support/project.ts'

const ONLY_LINUX = process.platform !== 'linux'
/** A resident shell passes on short ones itself. */
const LENGTHS = [
  ['short', ''],
  ['long', 'x'.repeat(5000)],
] as const

/** Fires until a resident shell started every hook. */
async function untilPooled(engine: Engine): Promise<DispatchRecord> {
  for (let left = 200; left > 0; left--) {
    const record = await engine.dispatch(bashCall)
    if (record.hooks.every(({ launcher }) => launcher === 'pool')) return record
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error('no resident shell started a hook')
}

/** What a hook says of itself, told by each way of starting it. */
async function bothWays(command: string, options: Parameters<typeof fire>[1] = {}): Promise<DispatchRecord[]> {
  const pooled = await fire(command, { ...options, launcher: 'pool' })
  const direct = await fire(command, { ...options, launcher: 'direct' })
  expect(pooled.line.launcher).toBe('pool')
  expect(direct.line.launcher).toBe('direct')
  return [pooled.record, direct.record]
}

describe.skipIf(ONLY_LINUX)('which way a hook is started', () => {
  it('is a resident shell for every hook when the host asks for the pool', async () => {
    const { record } = await fire(['echo one', 'echo two', 'exit 3'], { launcher: 'pool' })
    expect(record.hooks.map(({ launcher }) => launcher)).toEqual(['pool', 'pool', 'pool'])
  })

  it('is a child of the host when the host asks for that', async () => {
    const { record } = await fire(['echo one', 'echo two'], { launcher: 'direct' })
    expect(record.hooks.map(({ launcher }) => launcher)).toEqual(['direct', 'direct'])
  })

  it('is a child of the host at first, and a resident shell in a session that goes on, unless told', async () => {
    vi.stubEnv('HOOKLINE_LAUNCHER', undefined)
    onTestFinished(() => void vi.unstubAllEnvs())
    const engine = await engineWith({ PreToolUse: [commands('echo hello')] })
    const first = await engine.dispatch(bashCall)
    expect(first.hooks).toMatchObject([{ launcher: 'direct', exitCode: 0 }])
    expect((await untilPooled(engine)).hooks).toMatchObject([{ exitCode: 0, stdoutBytes: 6 }])
  })

  it.each([
    ['runs without a shell', 'true', { shell: false }],
    ['asks who its parent is', 'kill -0 $PPID', {}],
    ['starts a session of its own', 'setsid true', {}],
    ['is longer than most', `: ${'x'.repeat(110_000)}`, {}],
  ])('is a child of the host for a hook that %s', async (_, command, options) => {
    const { line } = await fire(command, { launcher: 'pool', ...options })
    expect(line).toMatchObject({ exitCode: 0, launcher: 'direct' })
  })

  it('is refused by a name that there is no launcher for', async () => {
    const world = await makeWorld()
    await expect(openOn(world, { launcher: 'fast' as 'pool' })).rejects.toThrow(
      'There is no launcher "fast". Launchers: auto, pool, direct.',
    )
  })
})

describe.skipIf(ONLY_LINUX)('a hook in a resident shell', () => {
  it('has pipes, and nothing open but its input and outputs', async () => {
    const { record } = await fire(`ls -l /proc/self/fd | sed -n 's/.* \\([0-9]\\) -> \\(.*\\)/\\1 \\2/p'`, {
      launcher: 'pool',
    })
    const open = (printed(record) ?? '').split('\n').filter((line) => !line.endsWith('/fd'))
    expect(open.map((line) => line[0])).toEqual(['0', '1', '2'])
    const { line } = await fire('test -p /dev/stdin', { launcher: 'pool' })
    expect(line.exitCode).toBe(0)
  })

  it('gets any command as it is written', async () => {
    const text = anyText({ maxLength: 60 }).filter((one) => !/[\0\r]/.test(one) && one.trim() !== '')
    const engine = await engineWith({}, { launcher: 'pool' })
    await fc.assert(
      fc.asyncProperty(text, async (words) => {
        const { remove } = await engine.register({ Stop: [commands(`printf %s '${words.replaceAll("'", `'\\''`)}'`)] })
        const record = await engine.dispatch({ hook_event_name: 'Stop', stop_hook_active: false })
        remove()
        expect(record.hooks).toMatchObject([{ launcher: 'pool', exitCode: 0, stdoutBytes: Buffer.byteLength(words) }])
      }),
      { numRuns: 60 },
    )
  })

  it.each(['echo "never closed', "echo 'never closed", 'if', 'cat <<END', '}', ')', 'esac; exit 3', '$('])(
    'does not harm the next one by what is no sentence: %s',
    async (command) => {
      const { record } = await fire([command, 'echo fine'], { launcher: 'pool', order: 'sequential' })
      expect(record.hooks[1]).toMatchObject({ launcher: 'pool', exitCode: 0, stdoutBytes: 5 })
    },
  )

  it('finds the same environment as one that the host starts', async () => {
    const env = { ...process.env, ODD: `a'b"c $HOME \`x\`\nsecond`, EMPTY: '', 'NOT.A.NAME': 'x', PWD: '/elsewhere' }
    const [pooled, direct] = await bothWays('env | grep -v TEST_TOKEN= | grep -v PROJECT_DIR= | sort', { env })
    const pwd = /^PWD=.*$/m
    expect(printed(pooled as DispatchRecord)?.replace(pwd, '')).toBe(
      printed(direct as DispatchRecord)?.replace(pwd, ''),
    )
    const { record } = await fire('printf "%s|%s" "$PWD" "$OLDPWD"', {
      env: { PATH: process.env.PATH },
      launcher: 'pool',
    })
    expect(printed(record)).toMatch(/\/project\|$/)
  })

  it('follows the environment of a host that changes it', async () => {
    const env: NodeJS.ProcessEnv = { PATH: process.env.PATH, GOES: '1' }
    const engine = await engineWith(
      { PreToolUse: [commands('printenv GOES || echo gone; printenv COMES || echo none')] },
      { env, launcher: 'pool' },
    )
    expect(printed(await engine.dispatch(bashCall))).toBe('1\nnone')
    env.COMES = 'it'
    const added = await engine.dispatch(bashCall)
    expect([printed(added), added.hooks[0]?.launcher]).toEqual(['1\nit', 'pool'])
    delete env.GOES
    expect(printed(await engine.dispatch(bashCall))).toBe('gone\nit')
    const again = await engine.dispatch(bashCall)
    expect([printed(again), again.hooks[0]?.launcher]).toEqual(['gone\nit', 'pool'])
  })

  it('that a signal ends is told from one that exits with the same status', async () => {
    const { record } = await fire(
      ['kill -TERM $$', 'exit 143', `sh -c 'kill -TERM $$'; exit $?`, 'echo Killed >&2; exit 137'],
      {
        launcher: 'pool',
      },
    )
    expect(record.hooks).toMatchObject([
      { signal: 'SIGTERM', exitCode: null, stderrBytes: 0 },
      { signal: null, exitCode: 143 },
      { signal: null, exitCode: 143 },
      { signal: null, exitCode: 137, stderrBytes: 7 },
    ])
  })

  it('reads an event of any length and any letters', async () => {
    const { engine, world } = await openFor('Stop', ['cat > seen'], { launcher: 'pool' })
    const letters = [...'\u0081\u0088é€😀\0\r\n\t\'"`$\\ hookline-end\nhookline-end\n{'].join('\n')
    for (const length of [0, 3000, 3800, 3900, 4000, 4100, 4200, 5000, 70_000, 1_000_000]) {
      const event = { hook_event_name: 'Stop', stop_hook_active: false, letters, filler: 'x'.repeat(length) } as const
      const { hooks } = await engine.dispatch(event)
      expect(hooks).toMatchObject([{ launcher: 'pool', exitCode: 0 }])
      expect(JSON.parse(readFileSync(`${world.project}/seen`, 'utf8'))).toMatchObject(event)
    }
  })

  it.each(LENGTHS)(
    'reads its own event, although the one before it read nothing, when events are %s',
    async (_, filler) => {
      const { engine } = await openFor('PreToolUse', ['grep -o toolu_2 || true'], { launcher: 'pool' })
      await engine.register({ Stop: [commands('true')] })
      await engine.dispatch({ hook_event_name: 'Stop', stop_hook_active: false, filler })
      const record = await engine.dispatch({ ...bashCall, tool_use_id: 'toolu_2', filler })
      expect([printed(record), record.hooks[0]?.launcher]).toEqual(['toolu_2', 'pool'])
    },
  )

  it.each(LENGTHS)('is not read by somebody whom an earlier one left behind, when events are %s', async (_, filler) => {
    const thief = `{ sleep 0.3; cat > stolen; } <&0 >/dev/null 2>&1 & exit 0`
    const { engine, world } = await openFor('Stop', [`cat >/dev/null; ${thief}`], { launcher: 'pool' })
    await engine.dispatch({ hook_event_name: 'Stop', stop_hook_active: false, filler })
    await engine.register({ PreToolUse: [commands('sleep 1; grep -c toolu_1')] })
    expect(printed(await engine.dispatch({ ...bashCall, filler }))).toBe('1')
    expect(readFileSync(`${world.project}/stolen`, 'utf8')).toBe('')
  })

  it('spares at its deadline whom an earlier one left behind', async () => {
    const leave = `{ echo > left; exec sleep 20; } >/dev/null 2>&1 & until [ -e left ]; do :; done`
    const { engine, token } = await openFor('Stop', [leave], { launcher: 'pool' })
    await engine.register({ PreToolUse: [{ hooks: [{ type: 'command', command: 'sleep 19; true', timeout: 0.3 }] }] })
    expect((await engine.dispatch({ hook_event_name: 'Stop', stop_hook_active: false })).hooks).toMatchObject([
      { launcher: 'pool', warnings: [] },
    ])
    const [left] = processesWith(token)
    const record = await engine.dispatch(bashCall)
    expect(record.hooks).toMatchObject([{ launcher: 'pool', timedOut: true }])
    expect(processesWith(token)).toEqual([left])
  })

  it('that says it goes to the background and is over at once leaves no timer', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
    const before = timers()
    const { engine } = await fire(`echo '{"async": true}'`, { launcher: 'pool' })
    await engine.drain()
    await until('no timer is left', () => timers() <= before)
  })

  it('shares its shell with nobody while it runs', async () => {
    const { record } = await fire(
      Array.from({ length: 8 }, (_, at) => `ps -o pgid= -p $$; sleep 0.2; : ${at}`),
      { launcher: 'pool' },
    )
    const groups = record.hooks.map((_, at) => printed(record, at))
    expect(new Set(groups).size).toBe(8)
  })
})

describe.skipIf(ONLY_LINUX)('resident shells', () => {
  it('are gone when the engine is closed', async () => {
    const { engine, token } = await openFor('PreToolUse', ['true', 'echo two'], { launcher: 'pool' })
    await engine.dispatch(bashCall)
    expect(processesWith(token, { residents: true }).length).toBeGreaterThan(1)
    await engine.close()
    expect(processesWith(token, { residents: true })).toEqual([])
  })

  it('are replaced after a hook that had to be ended', async () => {
    const { engine, token } = await openFor('PreToolUse', ['test -e quick || sleep 19'], {
      launcher: 'pool',
      timeout: 0.3,
    })
    const ended = await engine.dispatch(bashCall)
    expect(ended.hooks).toMatchObject([{ timedOut: true, launcher: 'pool' }])
    await until('its shell is gone', () => processesWith(token, { residents: true }).length === 0)
    await engine.register({ Stop: [commands('true')] })
    const next = await engine.dispatch({ hook_event_name: 'Stop', stop_hook_active: false })
    expect(next.hooks).toMatchObject([{ exitCode: 0, launcher: 'pool' }])
  })

  it('need no disk', async () => {
    const world = await makeWorld({
      'project/.claude/settings.json': { hooks: { PreToolUse: [commands('echo ran')] } },
    })
    const before = process.env.TMPDIR
    process.env.TMPDIR = '/no/such/folder'
    try {
      const engine = await openOn(world, { launcher: 'pool' })
      expect((await engine.dispatch(bashCall)).hooks).toMatchObject([{ exitCode: 0, launcher: 'pool' }])
    } finally {
      if (before === undefined) delete process.env.TMPDIR
      else process.env.TMPDIR = before
    }
  })

  it('are given up after a hook that left somebody behind, whoever else is started meanwhile', async () => {
    const { engine, world } = await openFor('PreToolUse', ['ps -o sid= -p $$'], {
      launcher: 'pool',
    })
    const crowd = 'for i in $(seq 100); do true & done; wait'
    await engine.register({ Stop: [commands(`${crowd}; ps -o sid= -p $$ > sid; sleep 20 >/dev/null 2>&1 & exit 0`)] })
    expect((await engine.dispatch(bashCall)).hooks).toMatchObject([{ launcher: 'pool' }])
    await engine.dispatch({ hook_event_name: 'Stop', stop_hook_active: false })
    const session = readFileSync(`${world.project}/sid`, 'utf8').trim()
    const record = await engine.dispatch(bashCall)
    expect(record.hooks).toMatchObject([{ launcher: 'pool' }])
    expect(printed(record)?.trim()).not.toBe(session)
  })
})
