import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { makeTempFolder, PrivateFolder, removeStaleTempFolders } from '../../src/files/temp-folder.ts'
import { makeWorld, type World } from '../support/project.ts'

function linkOf(path: string): string | null {
  try {
    return readlinkSync(path)
  } catch {
    return null // closed since
  }
}

describe.skipIf(process.platform === 'win32')('temp folders of processes that were killed', () => {
  let world: World
  let own: string

  beforeEach(async () => {
    world = await makeWorld()
    vi.stubEnv('TMPDIR', world.root)
    onTestFinished(() => void vi.unstubAllEnvs())
    own = (await makeTempFolder('scratch')).path
  })

  /** A folder of that name with something in it. */
  function made(name: string): string {
    const path = join(world.root, name)
    mkdirSync(join(path, 'sub'), { recursive: true, mode: 0o700 })
    writeFileSync(join(path, 'sub', 'env.sh'), 'export TOKEN=secret')
    return path
  }

  /** The name of ours as if a process had made it that is gone. */
  const stale = (): string => basename(own).replace(`-${process.pid}.`, `-${spawnSync('true').pid}.`)

  it('are removed, with what is in them, and links in them are not followed', async () => {
    const path = made(stale())
    symlinkSync(world.project, join(path, 'link'))
    writeFileSync(join(world.project, 'kept'), '')
    await removeStaleTempFolders()
    expect(existsSync(path)).toBe(false)
    expect(existsSync(join(world.project, 'kept'))).toBe(true)
  })

  it('are looked for once, however many sessions begin at the same time', async () => {
    const path = made(stale())
    const opened = (): number =>
      readdirSync('/proc/self/fd').filter((fd) => linkOf(`/proc/self/fd/${fd}`) === world.root).length
    const sessions = Array.from({ length: 100 }, () => new PrivateFolder())
    let isDone = false
    const making = Promise.all(sessions.map((session) => session.create('.sh', ''))).finally(() => {
      isDone = true
    })
    let most = 0
    while (!isDone) {
      if (process.platform === 'linux') most = Math.max(most, opened())
      await new Promise(setImmediate)
    }
    await making
    await Promise.all(sessions.map((session) => session.remove()))
    expect(most).toBeLessThanOrEqual(1)
    expect(existsSync(path)).toBe(false)
  })

  it('are removed when another process has their number by now', async () => {
    const name = basename(own).replace(/\.\d+\./, '.1.')
    const path = made(name)
    await removeStaleTempFolders()
    expect(existsSync(path)).toBe(process.platform !== 'linux')
  })

  it('stay while their process lives, and when nothing says whose they are', async () => {
    const others = ['hookline-abcdef', 'hookline-backup', 'hookline-12-abcdef', `${stale()}-mine`].map(made)
    await removeStaleTempFolders()
    expect([own, ...others].every((path) => existsSync(path))).toBe(true)
  })

  it('stay when they come from another machine or container', async () => {
    const path = made(stale().replace(/\.[0-9a-f]{8}-/, '.00000000-'))
    await removeStaleTempFolders()
    expect(existsSync(path)).toBe(true)
  })

  it('stay when others may enter them: they are not as we make them', async () => {
    const path = made(stale())
    chmodSync(path, 0o755)
    await removeStaleTempFolders()
    expect(existsSync(path)).toBe(true)
  })

  it.skipIf(process.getuid?.() !== 0)('stay when they belong to somebody else', async () => {
    const path = made(stale())
    chownSync(path, 65534, 65534)
    await removeStaleTempFolders()
    expect(existsSync(path)).toBe(true)
  })

  it('stay when they are links, and so does what they lead to', async () => {
    const target = made('elsewhere')
    const path = join(world.root, stale())
    symlinkSync(target, path)
    await removeStaleTempFolders()
    expect(readdirSync(target)).toEqual(['sub'])
    expect(existsSync(path)).toBe(true)
  })
})
