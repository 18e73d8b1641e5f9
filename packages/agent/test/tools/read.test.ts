import { execFileSync } from 'node:child_process'
import { stat, symlink } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { readTool } from '../../src/tools/read.ts'
import { makePlace } from './support.ts'

describe('Read', () => {
  it('numbers lines as cat -n does, and answers hooks in the shape they know', async () => {
    const { call, path } = await makePlace({ 'a.txt': 'one\ntwo\n' })
    const { content, response } = await call(readTool, { file_path: path('a.txt') })
    expect(content).toBe('     1\tone\n     2\ttwo\n     3\t')
    const file = { filePath: path('a.txt'), content: 'one\ntwo\n', numLines: 3, startLine: 1, totalLines: 3 }
    expect(response).toEqual({ type: 'text', file })
  })

  it('makes a path absolute before anybody else sees it', async () => {
    const { context, path } = await makePlace()
    const normalise = (file_path: string) => readTool.normalise?.({ file_path }, context)
    expect(normalise('a/../b.txt')).toEqual({ file_path: path('b.txt') })
    expect(normalise('/x//y/')).toEqual({ file_path: '/x/y' })
  })

  it('shows the lines that were asked for and says how to read on', async () => {
    const { call } = await makePlace({ 'a.txt': 'one\ntwo\nthree\nfour' })
    const { content, response } = await call(readTool, { file_path: 'a.txt', offset: 2, limit: 2 })
    expect(content).toBe('     2\ttwo\n     3\tthree\n\n[lines 2 to 3 of 4; read on with offset 4]')
    expect(response).toMatchObject({ file: { content: 'two\nthree', numLines: 2, startLine: 2, totalLines: 4 } })
  })

  it('shows at most 2000 lines, and as many as can be read, of however many were asked for', async () => {
    const { call, put } = await makePlace({ 'a.txt': 'x\n'.repeat(5000) })
    const { content } = await call(readTool, { file_path: 'a.txt', limit: 100_000 })
    expect(content).toMatch(/\[lines 1 to 2000 of 5001; read on with offset 2001\]$/)
    await put('wide.txt', `${'y'.repeat(1500)}\n`.repeat(1000))
    const wide = (await call(readTool, { file_path: 'wide.txt' })).content
    expect(wide.length).toBeLessThan(105_000)
    expect(wide).toMatch(/read on with offset 68\]$/)
  })

  it('cuts long lines, also one that is the whole of a large file', async () => {
    const { call } = await makePlace({ 'a.txt': `${'z'.repeat(5_000_000)}\nshort` })
    const { content } = await call(readTool, { file_path: 'a.txt' })
    expect(content).toBe(`     1\t${'z'.repeat(2000)} [… line cut]\n     2\tshort`)
  })

  it('hides carriage returns and a byte order mark', async () => {
    const { call } = await makePlace({ 'a.txt': '\uFEFFone\r\ntwo' })
    expect((await call(readTool, { file_path: 'a.txt' })).content).toBe('     1\tone\n     2\ttwo')
  })

  it('says that a file is empty', async () => {
    const { call, path } = await makePlace({ 'a.txt': '' })
    expect((await call(readTool, { file_path: 'a.txt' })).content).toBe(`${path('a.txt')} exists and is empty.`)
  })

  it('refuses a binary file in words', async () => {
    const { failure, put } = await makePlace()
    const path = await put('a.png', Buffer.from([0x89, 0x50, 0, 1, 2]))
    expect(await failure(readTool, { file_path: 'a.png' })).toBe(`${path} is a binary file: Read shows text only.`)
  })

  it('suggests names that are near to one that does not exist', async () => {
    const { failure, path } = await makePlace({ 'Config.ts': '', 'config.json': '', 'zebra.md': '' })
    expect(await failure(readTool, { file_path: 'config.ts' })).toBe(
      `${path('config.ts')} does not exist. Did you mean ${path('Config.ts')} or ${path('config.json')}?`,
    )
    expect(await failure(readTool, { file_path: 'nowhere/at/all' })).toBe(`${path('nowhere/at/all')} does not exist.`)
  })

  it('refuses folders, devices, pipes and links that lead nowhere or around', async () => {
    const { failure, path, folder } = await makePlace()
    execFileSync('mkfifo', [path('pipe')])
    await symlink('gone', path('dangling'))
    await symlink('loop', path('loop'))
    expect(await failure(readTool, { file_path: '.' })).toBe(`${folder} is a folder, not a file.`)
    expect(await failure(readTool, { file_path: '/dev/zero' })).toContain('is not a regular file')
    expect(await failure(readTool, { file_path: 'pipe' })).toContain('is not a regular file')
    expect(await failure(readTool, { file_path: 'dangling' })).toContain('is a symbolic link that leads nowhere')
    expect(await failure(readTool, { file_path: 'loop' })).toContain('leads around in a circle (ELOOP)')
    expect(await failure(readTool, { file_path: 'pipe/x' })).toContain('a part of its path is a file')
    expect(await failure(readTool, { file_path: 'a\0b' })).toContain('null bytes')
  })

  it('says how long the file is when the offset is behind its end', async () => {
    const { failure, path } = await makePlace({ 'a.txt': 'one' })
    expect(await failure(readTool, { file_path: 'a.txt', offset: 9 })).toBe(
      `${path('a.txt')} has 1 lines: offset 9 is behind its end.`,
    )
  })

  it('remembers what it has shown, and only that', async () => {
    const { call, failure, context, path } = await makePlace({ 'a.txt': 'one' })
    await failure(readTool, { file_path: 'b.txt' })
    await call(readTool, { file_path: 'a.txt' })
    expect([...context.seen]).toEqual([[path('a.txt'), (await stat(path('a.txt'))).mtimeMs]])
  })
})
