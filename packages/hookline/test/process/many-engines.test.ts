import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { type Engine, type EngineOptions, openEngine } from '../../src/index.ts'
import { printed } from '../faults/fire.ts'
import { until } from '../support/processes.ts'
import { bashCall, commands, makeWorld, openOn, type World } from '../support/project.ts'

const ONLY_LINUX = process.platform !== 'linux'

const descriptors = (): number => readdirSync('/proc/self/fd').length

/** The children of this process, as a process list shows them. */
function children(): string[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.flatMap((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ', 2)
      if (Number(parent) !== process.pid || state === 'Z') return []
      return [readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ')]
    } catch {
      return [] // gone since
    }
  })
}

const shells = (): string[] => children().filter((line) => line.includes('hookline-shell'))
const ours = (): string[] => children().filter((line) => line.includes('hookline-'))

const guarded = (command: string): Promise<World> =>
  makeWorld({ 'project/.claude/settings.json': { hooks: { PreToolUse: [commands(command)] } } })

const opened = (world: World, count: number, options: EngineOptions = {}): Promise<Engine[]> =>
  Promise.all(Array.from({ length: count }, () => openOn(world, options)))

describe.skipIf(ONLY_LINUX)('the engines of one process', () => {
  it('share their shells: a thousand sessions hold no more processes and descriptors than a few', {
    timeout: 120_000,
  }, async () => {
    const world = await guarded('exit 2')
    const before = descriptors()
    const engines = await opened(world, 1000, { launcher: 'auto' })
    const busy = engines.filter((_, at) => at % 40 === 0)
    for (let round = 0; round < 2; round++) {
      const records = await Promise.all(busy.map((engine) => engine.dispatch(bashCall)))
      expect(records.every(({ decision }) => decision.blocked)).toBe(true)
    }
    await until('shells are there', () => shells().length > 0)
    for (const engine of busy) expect((await engine.dispatch(bashCall)).decision.blocked).toBe(true)
    expect(ours().filter((line) => line.includes('orphan-guard')).length).toBeLessThanOrEqual(1)
    expect(shells().length).toBeLessThanOrEqual(64)
    expect(descriptors() - before).toBeLessThan(64 * 10)
    await Promise.all(engines.map((engine) => engine.close()))
    expect(ours()).toEqual([])
    expect(descriptors() - before).toBeLessThan(20)
  })

  it('do not hurt each other by closing, whatever the others are about to do', async () => {
    const world = await guarded('test -e gone || { touch gone; sleep 0.3; }; echo no >&2; exit 2')
    const [first, second, third] = (await opened(world, 3, { launcher: 'pool' })) as [Engine, Engine, Engine]
    await third.dispatch(bashCall)
    const running = second.dispatch(bashCall)
    await first.close()
    const [begun] = await Promise.all([third.dispatch(bashCall), third.close()])
    expect((await running).hooks).toMatchObject([{ outcome: 'blocking', exitCode: 2, launcher: 'pool' }])
    expect(begun.hooks).toHaveLength(1)
    expect((await second.dispatch(bashCall)).hooks).toMatchObject([{ exitCode: 2, launcher: 'pool' }])
    await second.close()
    expect(ours()).toEqual([])
  })

  it('go on with shells of their own when one opens while the last of the others closes', async () => {
    const world = await guarded('exit 2')
    const [first] = (await opened(world, 1, { launcher: 'pool' })) as [Engine]
    await first.dispatch(bashCall)
    const closing = first.close()
    const [next] = (await opened(world, 1, { launcher: 'pool' })) as [Engine]
    expect((await next.dispatch(bashCall)).hooks).toMatchObject([{ exitCode: 2, launcher: 'pool' }])
    await closing
    expect((await next.dispatch(bashCall)).hooks).toMatchObject([{ exitCode: 2, launcher: 'pool' }])
    await next.close()
    expect(ours()).toEqual([])
  })

  it('share them also when the package is loaded twice', async () => {
    const world = await guarded('exit 2')
    const [first] = (await opened(world, 1, { launcher: 'pool' })) as [Engine]
    await first.dispatch(bashCall)
    vi.resetModules()
    const copy = await import('../../src/index.ts')
    expect(copy.openEngine).not.toBe(openEngine)
    const second = await copy.openEngine({ ...world, trust: 'accepted', launcher: 'pool' })
    for (const engine of [second, first, second])
      expect((await engine.dispatch(bashCall)).hooks).toMatchObject([{ exitCode: 2, launcher: 'pool' }])
    await until('one shell is enough for both', () => shells().length === 1)
    await first.close()
    expect((await second.dispatch(bashCall)).hooks).toMatchObject([{ exitCode: 2, launcher: 'pool' }])
    await second.close()
    expect(ours()).toEqual([])
  })

  it('give each hook its own environment, and none what is in that of another session', async () => {
    const world = await guarded(
      'echo "$ONE|$OTHER|$BOTH"; tr "\\0" "\\n" < /proc/$(ps -o ppid= -p $$ | tr -d " ")/environ',
    )
    const of = (env: NodeJS.ProcessEnv) => openOn(world, { launcher: 'pool', env: { ...process.env, ...env } })
    const [one, other] = [await of({ ONE: 'first', BOTH: '1' }), await of({ OTHER: 'second', BOTH: '2' })]
    for (let round = 0; round < 4; round++) {
      const [ofOne, ofOther] = [await one.dispatch(bashCall), await other.dispatch(bashCall)]
      expect([ofOne, ofOther].map(({ hooks }) => hooks[0]?.launcher)).toEqual(['pool', 'pool'])
      expect(printed(ofOne)).toMatch(/^first\|\|1/)
      expect(printed(ofOther)).toMatch(/^\|second\|2/)
      expect(printed(ofOther)).not.toContain('first')
      if (round > 0) expect(printed(ofOne)).not.toContain('second')
    }
    expect(shells().length).toBeLessThan(4)
    await Promise.all([one.close(), other.close()])
  })
})
