import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { expect, it, onTestFinished, vi } from 'vitest'
import { setAlarm } from '../../src/process/alarm.ts'
import { fire } from '../faults/fire.ts'
import { makeWorld } from '../support/project.ts'

const rings = (milliseconds: number): Promise<void> => new Promise((resolve) => setAlarm(milliseconds, resolve))

it('rings alarms in the order of their times, whatever order they were set in', async () => {
  const rung: number[] = []
  await Promise.all([90, 10, 50, 30, 70].map((milliseconds) => rings(milliseconds).then(() => rung.push(milliseconds))))
  expect(rung).toEqual([10, 30, 50, 70, 90])
})

it('rings no alarm that was called off, and the others still', async () => {
  const rung: string[] = []
  const callOff = setAlarm(10, () => rung.push('called off'))
  const later = rings(60)
  setAlarm(30, () => rung.push('set later, rung earlier'))
  callOff()
  await later
  expect(rung).toEqual(['set later, rung earlier'])
})

it('rings no alarm early, and one that is months away not at all for now', async () => {
  let early = false
  const callOff = setAlarm(2 ** 31 + 5000, () => {
    early = true
  })
  const start = performance.now()
  await rings(40)
  expect(performance.now() - start).toBeGreaterThanOrEqual(40)
  expect(early).toBe(false)
  callOff()
})

it('has one timer for all alarms', async () => {
  const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const before = timers()
  const alarms = Array.from({ length: 100 }, (_, at) => setAlarm(60_000 + at, () => {}))
  expect(timers() - before).toBeLessThanOrEqual(1)
  for (const callOff of alarms) callOff()
})

it('holds a process until an alarm has rung, and not for one that was called off', async () => {
  const world = await makeWorld()
  const program = join(world.root, 'program.mjs')
  const source = fileURLToPath(new URL('../../src/process/alarm.ts', import.meta.url))
  await build({
    stdin: {
      contents: `import { setAlarm } from ${JSON.stringify(source)}
        setAlarm(600_000, () => {})()
        setAlarm(50, () => console.log('rung'))`,
      resolveDir: world.root,
    },
    bundle: true,
    format: 'esm',
    outfile: program,
  })
  const { status, stdout } = spawnSync(process.execPath, [program], { encoding: 'utf8', timeout: 60_000 })
  expect({ status, stdout }).toEqual({ status: 0, stdout: 'rung\n' })
})

/** The milliseconds of every timer that is set until the test is over. */
function watchDelays(): unknown[] {
  const delays: unknown[] = []
  for (const name of ['setTimeout', 'setInterval'] as const) {
    const real = globalThis[name]
    const watched = (act: () => void, delay: number): unknown => {
      delays.push(delay)
      return real(act, delay)
    }
    vi.stubGlobal(name, watched)
  }
  onTestFinished(() => void vi.unstubAllGlobals())
  return delays
}

const isDelay = (delay: unknown): boolean => typeof delay === 'number' && delay >= 0 && delay < 2 ** 31

it('sets no timer with a negative delay for an alarm whose time has passed', async () => {
  const delays = watchDelays()
  await Promise.all([rings(-5), rings(0), rings(0.001)])
  const later = [rings(10), rings(10.5), rings(11)]
  for (const end = performance.now() + 30; performance.now() < end; ) {} // nothing else runs meanwhile
  await Promise.all(later)
  expect(delays.length).toBeGreaterThan(1)
  expect(delays.filter((delay) => !isDelay(delay))).toEqual([])
})

it.each(['direct', 'pool'] as const)(
  'no hook has a timer set with a delay that is none, by the launcher %s',
  async (launcher) => {
    const delays = watchDelays()
    const hooks = ['true', 'sleep 30', 'sleep 20 & exit 2', `echo '{"async": true, "asyncTimeout": 0.001}'; sleep 20`]
    const { engine } = await fire(hooks, { launcher, timeout: 0.2 })
    await engine.close()
    expect(delays.length).toBeGreaterThan(3)
    expect(delays.filter((delay) => !isDelay(delay))).toEqual([])
  },
)
