import { execFileSync } from 'node:child_process'
import { chmod, lstat, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { replaceFile } from '../../src/files/replace.ts'
import { makeWorld } from '../support/project.ts'

describe('replacing a file', () => {
  it('follows a link, and leaves the link in its place', async () => {
    const { root } = await makeWorld()
    await writeFile(join(root, 'kept.json'), 'before')
    await symlink('kept.json', join(root, 'link.json'))
    await replaceFile(join(root, 'link.json'), 'after')
    expect(await readFile(join(root, 'kept.json'), 'utf8')).toBe('after')
    expect((await lstat(join(root, 'link.json'))).isSymbolicLink()).toBe(true)
  })

  it('leaves a read-only file as it was, also behind a link and for root', async () => {
    const { root } = await makeWorld()
    const path = join(root, 'kept.json')
    await writeFile(path, 'before')
    await chmod(path, 0o444)
    await symlink('kept.json', join(root, 'link.json'))
    for (const target of [path, join(root, 'link.json')])
      await expect(replaceFile(target, 'after')).rejects.toThrow(/is read-only; it is as it was/)
    expect(await readFile(path, 'utf8')).toBe('before')
    await replaceFile(path, 'our own', { mode: 0o600 })
    expect(await readFile(path, 'utf8')).toBe('our own')
  })

  const irregular: Record<string, (path: string) => Promise<unknown>> = {
    'a pipe': async (path) => execFileSync('mkfifo', [path]),
    'a folder': (path) => mkdir(path),
  }

  it.each(Object.entries(irregular))('leaves alone what is %s, also behind a link', async (_what, make) => {
    const { root } = await makeWorld()
    const path = join(root, 'taken')
    await make(path)
    await symlink('taken', join(root, 'link'))
    const before = (await lstat(path)).ino
    for (const target of [path, join(root, 'link')])
      for (const options of [{}, { mode: 0o600 }])
        await expect(replaceFile(target, 'text', options)).rejects.toThrow(/is not a regular file; it is as it was/)
    expect((await lstat(path)).ino).toBe(before)
  })
})
