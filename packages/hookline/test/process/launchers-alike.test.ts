import { existsSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { KeptEngineOptions } from '../../src/engine/options.ts'
import type { DispatchRecord, Engine, EngineOptions } from '../../src/index.ts'
import { openFor, printed } from '../faults/fire.ts'
import { processesWith, until } from '../support/processes.ts'
import { bashCall, commands } from '../support/project.ts'

const ONLY_LINUX = process.platform !== 'linux'
const LAUNCHERS = ['direct', 'auto', 'pool'] as const
const stop = { hook_event_name: 'Stop', stop_hook_active: false } as const
/** A resident shell passes on a short event in another way than a long one. */
const EVENTS = [bashCall, { ...bashCall, tool_input: { command: 'x'.repeat(200_000) } }]

/** Every way in which a command of a configuration is started, by what decides on it. */
const WAYS: readonly (readonly [string, KeptEngineOptions])[] = [
  ...LAUNCHERS.map((launcher) => [launcher, { launcher }] as const),
  ...LAUNCHERS.map((launcher) => [`${launcher}, without a shell`, { launcher, shell: false }] as const),
  ['a process that is there for one event', { launcher: 'direct', isShortLived: true }],
]

/** Fires until a resident shell starts the hooks, where one ever does. */
async function fireTillSettled(engine: Engine, { launcher, shell }: EngineOptions): Promise<DispatchRecord[]> {
  const records = [await engine.dispatch(bashCall), await engine.dispatch(bashCall)]
  for (let left = 200; launcher === 'auto' && shell !== false && left > 0; left--) {
    const record = await engine.dispatch(bashCall)
    records.push(record)
    if (record.hooks.every((line) => line.launcher === 'pool')) break
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return records
}

describe.skipIf(ONLY_LINUX).each(WAYS)('a hook that is started the way of %s', (_, options) => {
  const script = (text: string) => ({ files: { 'project/guard.sh': text }, ...options })

  it('has pipes for its input and outputs, from the first event on', async () => {
    const look = 'for n in 0 1 2; do readlink /proc/$$/fd/$n | cut -d: -f1; done\n'
    const { engine } = await openFor('PreToolUse', ['sh guard.sh'], script(look))
    for (const record of await fireTillSettled(engine, options)) expect(printed(record)).toBe('pipe\npipe\npipe')
  })

  it('refuses by what it reads from /dev/stdin and writes to /dev/stderr, from the first event on', async () => {
    const guard = 'set -e; cat /dev/stdin | grep -q tool_name; cat /dev/stdin; echo no >/dev/stderr; exit 2\n'
    const { engine } = await openFor('PreToolUse', ['sh guard.sh'], script(guard))
    const records = await fireTillSettled(engine, options)
    for (const event of EVENTS) records.push(await engine.dispatch(event))
    for (const { decision } of records) expect(decision).toMatchObject({ blocked: true, reason: 'no' })
  })

  it('warns of nothing on stderr although there are many', async () => {
    const warnings: Error[] = []
    const note = (warning: Error): void => void warnings.push(warning)
    process.on('warning', note)
    const { engine } = await openFor(
      'PreToolUse',
      Array.from({ length: 12 }, (_, at) => `true ${at}`),
      options,
    )
    expect((await engine.dispatch(bashCall)).hooks).toHaveLength(12)
    await new Promise(setImmediate)
    process.off('warning', note)
    expect(warnings).toEqual([])
  })

  it('says that it was not started, from the first event on', async () => {
    const { engine } = await openFor('PreToolUse', ['./gone.sh'], options)
    for (const { hooks } of await fireTillSettled(engine, options))
      expect(hooks).toMatchObject([{ notStarted: expect.stringMatching(/gone\.sh does not exist/) }])
  })

  it('answers through /dev/stdout', async () => {
    const guard = `echo '{"decision":"block","reason":"no"}' >/dev/stdout\n`
    const { engine } = await openFor('PreToolUse', ['sh guard.sh'], script(guard))
    for (const { decision } of await fireTillSettled(engine, options)) expect(decision).toMatchObject({ reason: 'no' })
  })

  it('is in a group and a session with nothing that another hook has started', async () => {
    const leave = 'sleep 20 >/dev/null 2>&1 </dev/null & ps -o sid=,pgid= -p $!\n'
    const { engine } = await openFor('PreToolUse', ['sh guard.sh', 'sh guard.sh again'], script(leave))
    const seen: string[] = []
    for (let left = 4; left > 0; left--) {
      const record = await engine.dispatch(bashCall)
      seen.push(...record.hooks.map((_, at) => printed(record, at) ?? ''))
    }
    const ids = seen.map((line) => line.trim().split(/\s+/))
    expect(new Set(ids.map(([session]) => session)).size).toBe(8)
    expect(new Set(ids.map(([, group]) => group)).size).toBe(8)
  })

  it('keeps its refusal although an earlier one left somebody who signals his whole group', async () => {
    const leave = `sh -c "trap 'kill 0' EXIT; echo > left; until [ -e go ]; do sleep 0.05; done" >/dev/null 2>&1 </dev/null &\n`
    const guard = 'until [ -e left ]; do sleep 0.05; done; echo > go; sleep 0.5; echo no >&2; exit 2\n'
    const files = { 'project/leave.sh': leave, 'project/guard.sh': guard }
    const { engine, token } = await openFor('PreToolUse', ['sh guard.sh'], { ...options, files })
    await engine.register({ Stop: [commands('sh leave.sh')] })
    await engine.dispatch(stop)
    expect((await engine.dispatch(bashCall)).decision).toMatchObject({ blocked: true, reason: 'no' })
    await until('nobody is left', () => processesWith(token).length === 0)
  })

  it.each([
    ['timeout', 'timeout 300 sleep 60'],
    ['job control', `bash -c 'set -m; sleep 60 & sleep 61 & wait'`],
    ['a shell that ignores SIGTERM', `timeout 300 sh -c "trap '' TERM; sleep 60; sleep 60"`],
  ])('leaves nothing at its deadline of what %s has put into a group of its own', async (_, command) => {
    const { engine, token } = await openFor('PreToolUse', ['sh guard.sh'], { ...script(`${command}\n`), timeout: 0.5 })
    expect((await engine.dispatch(bashCall)).hooks).toMatchObject([{ timedOut: true }])
    await until('nobody is left', () => processesWith(token).length === 0)
  })

  it('goes to the background by a marker that is spread over several lines', async () => {
    const marker = `printf '{\\n  "async": true,\\n'; sleep 0.1; printf '  "asyncTimeout": 60000\\n}\\n'`
    const guard = `${marker}; until [ -e go ]; do sleep 0.02; done; echo '{"systemMessage": "done"}'\n`
    const { engine, world } = await openFor('PreToolUse', ['sh guard.sh'], { ...script(guard), timeout: 15 })
    const { hooks } = await engine.dispatch(bashCall)
    expect(hooks).toMatchObject([{ verdict: 'backgrounded' }])
    expect(existsSync(join(world.project, 'go'))).toBe(false)
    await engine.register({ Stop: [commands('sh -c "echo > go"')] })
    await engine.dispatch(stop)
    const [delivery] = await engine.drain()
    expect(delivery?.messages).toContainEqual(
      expect.objectContaining({ to: 'user', text: expect.stringMatching(/done$/) }),
    )
  })
})

describe.skipIf(ONLY_LINUX).each(LAUNCHERS)('by the launcher %s', (launcher) => {
  it('a background hook and the status line have the same pipes as any other hook', async () => {
    const look = 'for n in 0 1 2; do readlink /proc/$$/fd/$n | cut -d: -f1; done; cat /dev/stdin | wc -l'
    const settings = { statusLine: { type: 'command', command: look } }
    const { engine, world } = await openFor(
      'Stop',
      [{ command: `{ ${look}; } | tee seen.tmp; mv seen.tmp seen`, async: true }],
      {
        launcher,
        files: { 'home/.claude/settings.json': settings },
      },
    )
    for (let left = 2; left > 0; left--) {
      expect(await engine.runStatusLine({ cwd: world.project })).toBe('pipe\npipe\npipe\n1')
    }
    await engine.dispatch(stop)
    await engine.drain()
    expect(readFileSync(join(world.project, 'seen'), 'utf8')).toBe('pipe\npipe\npipe\n1\n')
  })

  it('a guard that sends itself a signal by its group, and has a trap for it, keeps its refusal: all signals', async () => {
    const numbers = Object.entries(constants.signals).filter(([name]) => !['SIGKILL', 'SIGSTOP'].includes(name))
    const signals = [...new Set(numbers.map(([, number]) => number)), 34, 50, 64]
    const guards = signals.map((signal) => `trap : ${signal}; kill -${signal} 0; echo no ${signal} >&2; exit 2`)
    const { engine } = await openFor('PreToolUse', guards, { launcher })
    const { hooks } = await engine.dispatch(bashCall)
    const lost = hooks.flatMap(({ exitCode }, at) => (exitCode === 2 ? [] : [signals[at]]))
    expect(lost).toEqual([])
  })

  it.each(['', ': ; '])('a death by a signal has the name of the signal, after "%s"', async (before) => {
    const names = Object.entries(constants.signals).filter(([name]) => !UNTOLD.has(name))
    const deadly = [...new Set(names.map(([, number]) => number))]
    const { engine } = await openFor(
      'PreToolUse',
      deadly.map((number) => `${before}kill -${number} $$`),
      { launcher },
    )
    const { hooks } = await engine.dispatch(bashCall)
    expect(hooks.map(({ signal }) => constants.signals[signal as NodeJS.Signals])).toEqual(deadly)
    expect(hooks.map(({ stderrBytes }) => stderrBytes)).toEqual(deadly.map(() => 0))
  })
})

/** These end nobody; of the last two a shell tells a status alone. */
const UNTOLD: ReadonlySet<string> = new Set(
  'SIGCHLD SIGCONT SIGSTOP SIGTSTP SIGTTIN SIGTTOU SIGURG SIGWINCH SIGINT SIGPIPE'.split(' '),
)
