import { rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { readSettingsFile } from '../../src/config/settings-file.ts'
import { keepReadFiles, makeProjectEnclosure, readText } from '../../src/files/read.ts'
import { makeWorld, put } from '../support/project.ts'

/** A file that was written a while ago, in a process that keeps what it reads. */
async function makeKept(text = 'one') {
  const world = await makeWorld()
  const path = join(world.project, 'file')
  await put(world, 'project/file', text)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
  const end = keepReadFiles()
  onTestFinished(() => {
    end()
    vi.useRealTimers()
  })
  return { world, path }
}

describe('a process that keeps the files that it reads', () => {
  it('gives the same for a file that is as it was', async () => {
    const { path } = await makeKept()
    expect(await readText(path)).toBe(await readText(path))
    expect(await readText(path)).toMatchObject({ read: 'text', text: 'one' })
  })

  it('reads a file anew that was written over, with the same length and time', async () => {
    const { path } = await makeKept()
    utimesSync(path, 1, 1)
    expect(await readText(path)).toMatchObject({ text: 'one' })
    writeFileSync(path, 'two')
    utimesSync(path, 1, 1)
    expect(await readText(path)).toMatchObject({ text: 'two' })
  })

  it('keeps nothing of a file that was changed a moment ago', async () => {
    const { path } = await makeKept()
    vi.useRealTimers()
    writeFileSync(path, 'two')
    const first = await readText(path)
    expect(await readText(path)).toEqual(first)
    expect(await readText(path)).not.toBe(first)
  })

  it('sees that a file is gone, or a link in its place', async () => {
    const { path, world } = await makeKept()
    await readText(path)
    rmSync(path)
    expect(await readText(path)).toMatchObject({ read: 'missing' })
    await put(world, 'home/other', 'two')
    symlinkSync(join(world.home, 'other'), path)
    expect(await readText(path)).toMatchObject({ text: 'two' })
    expect(await readText(path, { follow: false })).toMatchObject({ read: 'unreadable' })
    expect(await readText(path, { inside: makeProjectEnclosure(world.project) })).toMatchObject({ read: 'unreadable' })
  })

  it('asks again what a file may be under other limits', async () => {
    const { path } = await makeKept('longer than that')
    await readText(path)
    expect(await readText(path, { largest: 3 })).toMatchObject({ read: 'unreadable' })
  })

  it('takes a settings file apart once, for each part that it plays', async () => {
    const { path, world } = await makeKept('{"hooks":{}}')
    const place = { scope: 'user', path, plugin: null, needsTrust: false } as const
    const first = await readSettingsFile(place, world.project)
    expect(await readSettingsFile(place, world.project)).toBe(first)
    expect(await readSettingsFile({ ...place, scope: 'local' }, world.project)).toMatchObject({ scope: 'local' })
    writeFileSync(path, '{"hooks":[]}')
    expect(await readSettingsFile(place, world.project)).not.toBe(first)
  })
})
