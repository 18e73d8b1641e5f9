import { existsSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeFolders, makeFoldersSync } from '../../src/files/folders.ts'
import { makeWorld } from '../support/project.ts'

/** Both, as functions that resolve or reject. */
const WAYS = {
  makeFolders,
  makeFoldersSync: async (...args: Parameters<typeof makeFoldersSync>) => makeFoldersSync(...args),
}

describe.each(Object.entries(WAYS))('%s', (_, make) => {
  it('makes what is missing of a path, each folder with the mode, and may be called again', async () => {
    const { root } = await makeWorld()
    const path = join(root, 'a/b/c')
    await make(path, { mode: 0o700 })
    await make(path, { mode: 0o700 })
    for (const folder of ['a', 'a/b', 'a/b/c']) expect(statSync(join(root, folder)).mode & 0o777).toBe(0o700)
  })

  it('rejects where a file stands in the way', async () => {
    const { root } = await makeWorld()
    await writeFile(join(root, 'file'), '')
    await expect(make(join(root, 'file'))).rejects.toMatchObject({ code: 'EEXIST' })
    await expect(make(join(root, 'file/a/b'))).rejects.toMatchObject({ code: 'ENOTDIR' })
  })

  it.skipIf(!existsSync('/proc/self'))('rejects where nothing can be made, instead of trying for ever', async () => {
    await expect(make('/proc/none/of/these')).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('has made the folder however many make it at once', async () => {
    const { root } = await makeWorld()
    await Promise.all(Array.from({ length: 20 }, () => make(join(root, 'x/y/z'))))
    expect(statSync(join(root, 'x/y/z')).isDirectory()).toBe(true)
  })
})
