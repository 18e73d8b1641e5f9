import { statSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { faulty } from '../../../hookline/test/support/faulty.ts'
import { editTool } from '../../src/tools/edit.ts'
import { writeTool } from '../../src/tools/write.ts'
import { makePlace } from './support.ts'

vi.mock('node:fs/promises', async (original) => {
  const { faultyFiles } = await import('../../../hookline/test/support/faulty.ts')
  return faultyFiles(await original<object>())
})

vi.mock('node:fs', async (original) => {
  const { faultySyncFiles } = await import('../../../hookline/test/support/faulty.ts')
  return faultySyncFiles(await original<object>())
})

afterEach(() => faulty.disarm())

/** More calls of the system than any of these tools makes. */
const ENOUGH = 25

describe.each([
  ['Write', writeTool, { file_path: 'a.txt', content: 'new' }],
  ['Edit', editTool, { file_path: 'a.txt', old_string: 'old', new_string: 'new' }],
] as const)('%s on a disk whose nth call fails', (_, tool, input) => {
  it.each(['ENOSPC', 'EACCES', 'EIO'])(
    'leaves the old file or the new one, and no other, with a message (%s)',
    async (code) => {
      let failures = 0
      for (let nth = 1; nth <= ENOUGH; nth++) {
        const { call, context, folder, path } = await makePlace({ 'a.txt': 'old' })
        context.seen.set(path('a.txt'), statSync(path('a.txt')).mtimeMs)
        faulty.arm(nth, code)
        const message = await call(tool, input).then(
          () => null,
          (error: Error) => `${error.name} ${error.message}`,
        )
        const { failed } = faulty
        faulty.disarm()
        if (message !== null) failures++
        if (message !== null) expect(message, `${failed}`).toContain(`ToolError ${path('a.txt')} `)
        expect(['old', 'new'], `${failed}`).toContain(await readFile(path('a.txt'), 'utf8'))
        if (message === null) expect(await readFile(path('a.txt'), 'utf8')).toBe('new')
        expect(await readdir(folder), `${failed}`).toEqual(['a.txt'])
      }
      expect(failures).toBeGreaterThan(5)
    },
  )
})
