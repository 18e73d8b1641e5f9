import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, stat, symlink, utimes } from 'node:fs/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readTool } from '../../src/tools/read.ts'
import { writeTool } from '../../src/tools/write.ts'
import { makePlace } from './support.ts'

const isRoot = process.getuid?.() === 0

describe('Write', () => {
  it('creates a file with the folders it needs', async () => {
    const { call, path } = await makePlace()
    const { content, response } = await call(writeTool, { file_path: 'a/b/c.txt', content: 'one\n' })
    expect(content).toBe(`${path('a/b/c.txt')} was created.`)
    expect(response).toEqual({
      type: 'create',
      filePath: path('a/b/c.txt'),
      content: 'one\n',
      structuredPatch: [],
      originalFile: null,
      userModified: false,
    })
    expect(await readFile(path('a/b/c.txt'), 'utf8')).toBe('one\n')
  })

  it('replaces a file that was read, and keeps its mode', async () => {
    const { call, path } = await makePlace({ 'run.sh': 'old\n' })
    await chmod(path('run.sh'), 0o750)
    await call(readTool, { file_path: 'run.sh' })
    const { response } = await call(writeTool, { file_path: 'run.sh', content: 'new\n' })
    const structuredPatch = [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ['-old', '+new'] }]
    expect(response).toMatchObject({ type: 'update', originalFile: 'old\n', structuredPatch })
    expect((await stat(path('run.sh'))).mode & 0o777).toBe(0o750)
    expect(await readdir(path('.'))).toEqual(['run.sh'])
  })

  it('does not replace a file that was never read', async () => {
    const { failure, path } = await makePlace({ 'a.txt': 'theirs' })
    expect(await failure(writeTool, { file_path: 'a.txt', content: 'x' })).toBe(
      `${path('a.txt')} has not been read yet. Read it first, then change it.`,
    )
    expect(await readFile(path('a.txt'), 'utf8')).toBe('theirs')
  })

  it('does not replace a file that somebody changed since', async () => {
    const { call, failure, path, put } = await makePlace({ 'a.txt': 'theirs' })
    await call(readTool, { file_path: 'a.txt' })
    await put('a.txt', 'theirs, later')
    await utimes(path('a.txt'), 1000, 2_000_000_000)
    expect(await failure(writeTool, { file_path: 'a.txt', content: 'x' })).toContain('has changed since it was read')
    await call(readTool, { file_path: 'a.txt' })
    await call(writeTool, { file_path: 'a.txt', content: 'x' })
    expect(await readFile(path('a.txt'), 'utf8')).toBe('x')
  })

  it('may replace again what it wrote itself', async () => {
    const { call, path } = await makePlace()
    await call(writeTool, { file_path: 'a.txt', content: '1' })
    await call(writeTool, { file_path: 'a.txt', content: '2' })
    expect(await readFile(path('a.txt'), 'utf8')).toBe('2')
  })

  it('writes to the file behind a link and leaves the link', async () => {
    const { call, path } = await makePlace({ 'real.txt': 'old' })
    await symlink('real.txt', path('link.txt'))
    await call(readTool, { file_path: 'link.txt' })
    await call(writeTool, { file_path: 'link.txt', content: 'new' })
    expect(await readFile(path('real.txt'), 'utf8')).toBe('new')
    expect(execFileSync('readlink', [path('link.txt')], { encoding: 'utf8' })).toBe('real.txt\n')
  })

  it('says what is in the way: a folder, a device, a link, a file on the way, a long name', async () => {
    const { failure, path } = await makePlace({ file: '' })
    await mkdir(path('folder'))
    await symlink('loop', path('loop'))
    await symlink('gone', path('dangling'))
    const write = (file_path: string) => failure(writeTool, { file_path, content: 'x' })
    expect(await write('folder')).toBe(`${path('folder')} is a folder, not a file.`)
    expect(await write('/dev/full')).toBe('/dev/full is not a regular file but a device, a pipe or a socket.')
    expect(await write('loop')).toBe(`${path('loop')} is a symbolic link that leads around in a circle (ELOOP).`)
    expect(await write('dangling')).toBe(`${path('dangling')} is a symbolic link that leads nowhere.`)
    expect(await write('file/x')).toContain('a part of its path is a file, not a folder (ENOTDIR).')
    expect(await write('n'.repeat(300))).toContain('has a name that is too long for the system (ENAMETOOLONG).')
  })

  it.skipIf(isRoot)('says that permission is denied', async () => {
    const { failure, path } = await makePlace()
    await mkdir(path('locked'), { mode: 0o500 })
    expect(await failure(writeTool, { file_path: 'locked/x', content: 'x' })).toContain('permission denied (EACCES)')
  })

  it('leaves the old file and no other on a full disk', async ({ skip }) => {
    const { call, failure, path, put } = await makePlace()
    await mkdir(path('small'))
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'none', path('small')], { stdio: 'ignore' })
    } catch {
      skip('a tmpfs cannot be mounted here')
    }
    onTestFinished(() => void execFileSync('umount', [path('small')]))
    await put('small/a.txt', 'old')
    await call(readTool, { file_path: 'small/a.txt' })
    const message = await failure(writeTool, { file_path: 'small/a.txt', content: 'x'.repeat(200_000) })
    expect(message).toBe(`${path('small/a.txt')} cannot be written: no space is left on the disk (ENOSPC).`)
    expect(await readFile(path('small/a.txt'), 'utf8')).toBe('old')
    expect(await readdir(path('small'))).toEqual(['a.txt'])
  })

  it('writes nothing once it was interrupted', async () => {
    const { failure, interrupt, path } = await makePlace()
    interrupt()
    expect(await failure(writeTool, { file_path: 'a.txt', content: 'x' })).toBe('Interrupted: nothing was written.')
    expect(existsSync(path('a.txt'))).toBe(false)
  })
})
