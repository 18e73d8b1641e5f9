import { existsSync, mkdirSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeFolders } from '../../src/files/folders.ts'
import { makeWorld } from '../support/project.ts'

describe('makeFolders', () => {
  it('makes what is missing of a path, each folder with the mode, and may be called again', async () => {
    const { root } = await makeWorld()
    const path = join(root, 'a/b/c')
    makeFolders(path, { mode: 0o700 })
    makeFolders(path, { mode: 0o700 })
    for (const folder of ['a', 'a/b', 'a/b/c']) expect(statSync(join(root, folder)).mode & 0o777).toBe(0o700)
  })

  it('throws where a file stands in the way', async () => {
    const { root } = await makeWorld()
    await writeFile(join(root, 'file'), '')
    expect(() => makeFolders(join(root, 'file'))).toThrow('EEXIST')
    expect(() => makeFolders(join(root, 'file/a/b'))).toThrow('ENOTDIR')
  })

  it.skipIf(!existsSync('/proc/self'))('throws where nothing can be made, instead of trying for ever', () => {
    expect(() => makeFolders('/proc/none/of/these')).toThrow('ENOENT')
  })

  it.each([1, 2, 3])('goes on where another process is quicker, before try %s', async (quickAt) => {
    const { root } = await makeWorld()
    const path = join(root, 'x/y')
    let tries = 0
    const options = {
      get mode() {
        if (++tries === quickAt) mkdirSync(path, { recursive: true })
        return 0o700
      },
    }
    makeFolders(path, options)
    expect(tries).toBeGreaterThanOrEqual(quickAt)
    expect(statSync(path).isDirectory()).toBe(true)
  })
})
