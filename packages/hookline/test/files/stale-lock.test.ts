import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type * as Files from 'node:fs'
import { writeFileSync } from 'node:fs'
import { readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { withLock } from '../../src/files/lock.ts'
import { makeWorld } from '../support/project.ts'

/** What happens at the moment when a lock was found stale and is about to be removed. */
const meanwhile = vi.hoisted(() => ({ act: (): void => {} }))

vi.mock('node:fs', async (original) => {
  const real = await original<typeof Files>()
  const writing: typeof real.writeFileSync = (path, ...rest) => {
    real.writeFileSync(path, ...rest)
    if (String(path).endsWith('.breaking')) meanwhile.act()
  }
  return { ...real, writeFileSync: writing }
})

beforeEach(() => {
  meanwhile.act = () => {}
})

/** The id of a process that was there and is gone. */
async function goneProcess(): Promise<number> {
  const child = spawn('true')
  await once(child, 'exit')
  return child.pid ?? 0
}

/** The id of a process that lives as long as the test. */
function livingProcess(): number {
  const child = spawn('sleep', ['60'])
  onTestFinished(() => void child.kill())
  return child.pid ?? 0
}

describe('the lock of a process that is gone', () => {
  it('is taken over, and leaves nothing behind', async () => {
    const { project } = await makeWorld()
    const file = join(project, 'a.json')
    await writeFile(`${file}.lock`, String(await goneProcess()))
    expect(await withLock(file, async () => readFile(`${file}.lock`, 'utf8'))).toBe(String(process.pid))
    expect(await readdir(project)).toEqual([])
  })

  it.runIf(process.platform === 'linux')('is taken over also where its parent never asks about its end', async () => {
    const { project } = await makeWorld()
    const file = join(project, 'a.json')
    const parent = spawn('sh', ['-c', 'sleep 0 & echo $!; exec sleep 60'])
    onTestFinished(() => void parent.kill())
    const [pid] = await once(parent.stdout.setEncoding('latin1'), 'data')
    await writeFile(`${file}.lock`, String(pid).trim())
    expect(await withLock(file, async () => readFile(`${file}.lock`, 'utf8'))).toBe(String(process.pid))
  })

  it('is not removed when another process took it over in the meantime', async () => {
    const { project } = await makeWorld()
    const file = join(project, 'a.json')
    const other = livingProcess()
    await writeFile(`${file}.lock`, String(await goneProcess()))
    meanwhile.act = () => {
      writeFileSync(`${file}.lock`, String(other))
      meanwhile.act = () => {}
    }
    let isMine = false
    const waiting = withLock(file, async () => {
      isMine = true
    })
    await vi.waitFor(
      async () => {
        expect(await readFile(`${file}.lock`, 'utf8')).toBe(String(other))
        expect(await readdir(project)).not.toContain('a.json.lock.breaking')
      },
      { timeout: 5000 },
    )
    expect(isMine).toBe(false)
    await rm(`${file}.lock`)
    await waiting
    expect(isMine).toBe(true)
  })

  it('is taken over although whoever removed it before was killed', async () => {
    const { project } = await makeWorld()
    const file = join(project, 'a.json')
    await writeFile(`${file}.lock`, String(await goneProcess()))
    await writeFile(`${file}.lock.breaking`, '1')
    await utimes(`${file}.lock.breaking`, 1000, 1000)
    expect(await withLock(file, async () => 'mine')).toBe('mine')
    expect(await readdir(project)).toEqual([])
  })
})
