import { utimes } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { grepTool } from '../../src/tools/grep.ts'
import { makePlace } from './support.ts'

describe('Grep', () => {
  it('names the files that match, the last changed first', async () => {
    const { call, path } = await makePlace({ 'a.txt': 'hello', 'in/b.txt': 'say hello', 'c.txt': 'bye' })
    await utimes(path('a.txt'), 1000, 1000)
    const { content, response } = await call(grepTool, { pattern: 'hel+o' })
    const filenames = [path('in/b.txt'), path('a.txt')]
    expect(content).toBe(filenames.join('\n'))
    expect(response).toEqual({ mode: 'files_with_matches', numFiles: 2, filenames })
  })

  it('shows the lines that match, with their numbers and what stands around them', async () => {
    const { call, path } = await makePlace({ 'a.txt': 'one\ntwo\nthree\nfour\nfive\nsix\ntwo\n', 'b.txt': 'two' })
    const content = { pattern: 'two', output_mode: 'content', path: 'a.txt' }
    const file = path('a.txt')
    expect((await call(grepTool, content)).content).toBe(`${file}:2:two\n${file}:7:two`)
    expect((await call(grepTool, { ...content, '-n': false })).content).toBe(`${file}:two\n${file}:two`)
    expect((await call(grepTool, { ...content, '-B': 1 })).content).toBe(
      [`${file}:1-one`, `${file}:2:two`, '--', `${file}:6-six`, `${file}:7:two`].join('\n'),
    )
    expect((await call(grepTool, { ...content, '-A': 1, head_limit: 2 })).content).toBe(
      [`${file}:2:two`, `${file}:3-three`, '[… 2 more lines]'].join('\n'),
    )
    expect((await call(grepTool, { ...content, '-C': 1 })).response).toMatchObject({
      mode: 'content',
      numFiles: 1,
      filenames: [file],
      numLines: 6,
    })
  })

  it('counts the lines that match in each file', async () => {
    const { call, path } = await makePlace({ 'a.txt': 'x\nx\n', 'b:1.txt': 'x\n', 'c.txt': 'y' })
    const { content } = await call(grepTool, { pattern: 'x', output_mode: 'count' })
    expect(content).toBe(`${path('a.txt')}:2\n${path('b:1.txt')}:1`)
  })

  it('can ignore case, span lines and keep to some files', async () => {
    const { call, path } = await makePlace({ 'a.txt': 'HELLO\nworld', 'b.md': 'hello' })
    const search = async (input: object) => (await call(grepTool, input)).content
    expect(await search({ pattern: 'hello', '-i': true, glob: '*.txt' })).toBe(path('a.txt'))
    expect(await search({ pattern: 'HELLO.world' })).toBe('No matches found')
    expect(await search({ pattern: 'HELLO.world', multiline: true })).toBe(path('a.txt'))
    expect(await search({ pattern: 'hello', glob: '!*.md' })).toBe('No matches found')
  })

  it('takes any pattern for a pattern, never for an option or for something the shell reads', async () => {
    const { call, path } = await makePlace({ 'a.txt': '--files\n-e\n$(touch x)' })
    for (const pattern of ['--files', '-e', '--help', '\\$\\(touch x\\)']) {
      const { content } = await call(grepTool, { pattern })
      expect(content).toBe(pattern === '--help' ? 'No matches found' : path('a.txt'))
    }
  })

  it('succeeds with the news that nothing matches', async () => {
    const { call } = await makePlace({ 'a.txt': 'a' })
    const { content, response } = await call(grepTool, { pattern: 'b' })
    expect(content).toBe('No matches found')
    expect(response).toEqual({ mode: 'files_with_matches', numFiles: 0, filenames: [] })
  })

  it('fails with the words of ripgrep', async () => {
    const { failure, path } = await makePlace({ 'a.txt': 'a' })
    expect(await failure(grepTool, { pattern: 'a(' })).toContain('unclosed group')
    expect(await failure(grepTool, { pattern: 'a', path: 'gone' })).toBe(`${path('gone')} does not exist (ENOENT).`)
    expect(await failure(grepTool, { pattern: 'a\0' })).toMatch(/cannot be started/)
  })

  it('leaves out what git ignores and what the own configuration of a person would add', async () => {
    const { call, context, path, put } = await makePlace({
      '.gitignore': 'out/',
      'out/a.txt': 'x',
      'b.txt': 'x',
      '.git/c': 'x',
    })
    const config = await put('.git/rgrc', '--no-ignore\n')
    const environment = async () => ({ ...process.env, RIPGREP_CONFIG_PATH: config })
    const { content } = await grepTool.run({ pattern: 'x' }, { ...context, environment })
    expect(content).toBe(path('b.txt'))
    expect((await call(grepTool, { pattern: 'x', path: 'out' })).content).toBe(path('out/a.txt'))
  })

  it('is bounded, however many and however long the lines are', async () => {
    const { call } = await makePlace({ 'a.txt': 'x\n'.repeat(3000), 'b.txt': `${'x'.repeat(1_000_000)}\n`.repeat(3) })
    const long = await call(grepTool, { pattern: 'x', output_mode: 'content', path: 'b.txt' })
    expect(long.content.length).toBeLessThan(3000)
    const many = await call(grepTool, { pattern: 'x', output_mode: 'content', path: 'a.txt', head_limit: 1_000_000 })
    expect(many.content).toMatch(/\[… 2000 more lines\]$/)
    expect(many.content.length).toBeLessThan(30_300)
  })

  it('stops when it is interrupted', async () => {
    const { failure, interrupt } = await makePlace({ 'a.txt': 'x' })
    const failed = failure(grepTool, { pattern: 'x' })
    interrupt()
    expect(await failed).toMatch(/interrupted/i)
  })
})
