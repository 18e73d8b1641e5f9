import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { placeNew } from '../../src/files/make-once.ts'
import { retryWhileHeldOpen } from '../../src/files/retry.ts'

const fault = (code: string): Error => Object.assign(new Error(code), { code })

/** Fails so often before it does something. */
function failing(times: number, code: string): () => Promise<string> {
  let left = times
  return async () => {
    if (left-- > 0) throw fault(code)
    return 'done'
  }
}

it.each(['EPERM', 'EACCES', 'EBUSY'])(
  'on Windows a file that another program has open is tried again: %s',
  async (code) => {
    expect(await retryWhileHeldOpen(failing(3, code), 'win32')).toBe('done')
    await expect(retryWhileHeldOpen(failing(1, code), 'linux')).rejects.toThrow(code)
  },
)

it('a file that stays open is given up after about a second, other errors at once', async () => {
  const start = performance.now()
  await expect(retryWhileHeldOpen(failing(1e9, 'EPERM'), 'win32')).rejects.toThrow('EPERM')
  expect(performance.now() - start).toBeLessThan(10_000)
  await expect(retryWhileHeldOpen(failing(1, 'ENOSPC'), 'win32')).rejects.toThrow('ENOSPC')
})

it.each(['EPERM', 'ENOTSUP', 'ENOSYS', 'EISDIR'])(
  'where there are no hard links (%s), a new file is made under its name, and only once',
  async (code) => {
    const folder = await mkdtemp(join(tmpdir(), 'hookline test-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const [draft, path] = [join(folder, 'draft'), join(folder, 'file.lock')]
    await writeFile(draft, '42')
    const noLinks = (): never => {
      throw fault(code)
    }
    placeNew(draft, path, '42', noLinks)
    expect(await readFile(path, 'utf8')).toBe('42')
    expect(() => placeNew(draft, path, '43', noLinks)).toThrow('EEXIST')
    expect(await readFile(path, 'utf8')).toBe('42')
  },
)
