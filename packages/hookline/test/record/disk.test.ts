import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { DispatchRecord } from '../../src/index.ts'
import { parseLogLine } from '../../src/log/log-line.ts'
import { bashCall, commands, makeWorld, openOn } from '../support/project.ts'

/** A disk that can be told to be full, or never to answer; only writes to open files notice. */
const disk = vi.hoisted(() => ({ full: false, partial: false, hangs: null as Promise<void> | null }))

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>()
  const open: typeof real.open = async (...args) => {
    const handle = await real.open(...args)
    const write = handle.write.bind(handle) as (bytes: Buffer, from: number, length?: number) => Promise<unknown>
    const meddled = async (bytes: Buffer, from: number): Promise<unknown> => {
      await disk.hangs
      if (disk.partial && bytes.length - from > 12) return write(bytes, from, 10) // a line loses more than its break
      if (disk.full || disk.partial) throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
      return write(bytes, from)
    }
    return Object.assign(handle, { write: meddled })
  }
  return { ...real, open }
})

afterEach(() => {
  Object.assign(disk, { full: false, partial: false, hangs: null })
})

async function recorded() {
  const world = await makeWorld({
    'project/.claude/settings.json': { hooks: { PreToolUse: [commands('echo no >&2; exit 2')] } },
  })
  const file = join(world.root, 'hooks.jsonl')
  const engine = await openOn(world, { log: { file, maxBytes: 2 ** 30 } })
  const lines = async () => (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '')
  return { engine, lines }
}

function recordIn(text: string) {
  const parsed = parseLogLine(text)
  return typeof parsed === 'string' ? undefined : parsed.record
}

describe('a disk in trouble', () => {
  it('that is full is told once; what was not written is, when there is room again', async () => {
    const { engine, lines } = await recorded()
    disk.full = true
    const records: DispatchRecord[] = []
    const isTold = (): boolean => records.some(({ notices }) => notices !== undefined)
    while (records.length < 100 && !isTold()) records.push(await engine.dispatch(bashCall))
    records.push(await engine.dispatch(bashCall), await engine.dispatch(bashCall))
    disk.full = false
    records.push(await engine.dispatch(bashCall))
    await engine.close()
    expect(records.every(({ decision }) => decision.blocked)).toBe(true)
    expect(records.flatMap(({ notices = [] }) => notices)).toEqual([
      expect.stringMatching(/cannot be written \(ENOSPC\)/),
    ])
    expect((await lines()).map((line) => recordIn(line))).toEqual(JSON.parse(JSON.stringify(records)))
  })

  it('that takes a part of a line keeps the next ones whole', async () => {
    const { engine, lines } = await recorded()
    disk.partial = true
    await engine.dispatch(bashCall)
    await engine.close()
    disk.partial = false
    await engine.dispatch({ hook_event_name: 'Stop', stop_hook_active: true })
    await engine.close()
    const parsed = (await lines()).map((line) => recordIn(line)?.event ?? 'torn')
    expect(parsed.at(-1)).toBe('Stop')
    expect(new Set(parsed.slice(0, -2))).toEqual(new Set(['torn']))
    expect(parsed.at(-2)).toBe('PreToolUse')
  })

  it('that never answers holds up neither a decision nor the end, nor fills the memory', {
    timeout: 60_000,
  }, async () => {
    const { engine, lines } = await recorded()
    let answer = (): void => {}
    disk.hangs = new Promise((resolve) => {
      answer = resolve
    })
    const big = { hook_event_name: 'Stop', stop_hook_active: false, filler: 'x'.repeat(1_000_000) } as const
    for (let sent = 0; sent < 20; sent++) await engine.dispatch(big)
    const started = performance.now()
    await engine.close()
    expect(performance.now() - started).toBeLessThan(20_000)
    disk.hangs = null
    answer()
    await vi.waitFor(async () => expect(await lines()).toHaveLength(16), { timeout: 20_000 })
    await engine.dispatch({ hook_event_name: 'Stop', stop_hook_active: false })
    await engine.close()
    expect(recordIn((await lines()).at(-1) ?? '')?.notices).toEqual(['4 events before this one could not be recorded.'])
  })
})
