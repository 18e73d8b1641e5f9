import { mkdir, symlink, utimes } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { globTool } from '../../src/tools/glob.ts'
import { makePlace, type Place } from './support.ts'

/** The names that a pattern finds, from the session's folder. */
async function found({ call, folder }: Place, input: object): Promise<string[]> {
  const { content } = await call(globTool, input)
  return content.split('\n').map((line) => line.replace(`${folder}/`, ''))
}

describe('Glob', () => {
  it('lists the files that fit, the last changed first, with absolute paths', async () => {
    const place = await makePlace({ 'a.ts': '', 'src/b.ts': '', 'src/deep/c.ts': '', 'd.js': '' })
    await utimes(place.path('a.ts'), 1000, 1000)
    await utimes(place.path('src/b.ts'), 3000, 3000)
    await utimes(place.path('src/deep/c.ts'), 2000, 2000)
    const { content, response } = await place.call(globTool, { pattern: '**/*.ts' })
    const filenames = ['src/b.ts', 'src/deep/c.ts', 'a.ts'].map(place.path)
    expect(content).toBe(filenames.join('\n'))
    expect(response).toEqual({ filenames, numFiles: 3, truncated: false, durationMs: expect.any(Number) })
  })

  it.each([
    ['*.ts', ['a.ts', 'src/b.ts', 'src/deep/c.ts']],
    ['src/*.ts', ['src/b.ts']],
    ['src/**', ['src/b.ts', 'src/deep/c.ts']],
    ['*.{js,md}', ['!odd.md', 'd.js']],
    ['?.js', ['d.js']],
    ['!odd.md', ['!odd.md']],
    ['.github/**', ['.github/w.yml']],
    ['*.zig', ['No files found']],
  ])('understands %s', async (pattern, names) => {
    const files = ['a.ts', 'src/b.ts', 'src/deep/c.ts', 'd.js', '!odd.md', '.github/w.yml', '.git/config']
    const place = await makePlace(Object.fromEntries(files.map((name) => [name, ''])))
    expect((await found(place, { pattern })).sort()).toEqual(names)
  })

  it('leaves out what git ignores, also when the pattern names it, and what git keeps for itself', async () => {
    const place = await makePlace({
      '.gitignore': 'node_modules/\n*.log\n',
      'a.log': '',
      'node_modules/m/index.ts': '',
      '.git/hooks/x.ts': '',
      'index.ts': '',
    })
    expect(await found(place, { pattern: '**/*.ts' })).toEqual(['index.ts'])
    expect(await found(place, { pattern: '*.log' })).toEqual(['No files found'])
    expect((await found(place, { pattern: '*' })).sort()).toEqual(['.gitignore', 'index.ts'])
  })

  it('searches the folder it is given, also behind a link, and takes an absolute pattern', async () => {
    const place = await makePlace({ 'one/a.ts': '', 'two/a.ts': '', 'two/in/b.ts': '' })
    await symlink('two', place.path('link'))
    expect(await found(place, { pattern: '*.ts', path: 'one' })).toEqual(['one/a.ts'])
    expect(await found(place, { pattern: 'a.ts', path: 'link' })).toEqual(['link/a.ts'])
    expect(await found(place, { pattern: place.path('two/**/b.ts') })).toEqual(['two/in/b.ts'])
    expect(await found(place, { pattern: place.path('two/a.ts') })).toEqual(['two/a.ts'])
    expect(globTool.normalise?.({ pattern: '*', path: 'one' }, place.context)).toEqual({
      pattern: '*',
      path: place.path('one'),
    })
  })

  it('shows a hundred files and says that there are more', async () => {
    const place = await makePlace(Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`${at}.txt`, ''])))
    const { content, response } = await place.call(globTool, { pattern: '*.txt' })
    expect(content.split('\n')).toHaveLength(101)
    expect(content).toMatch(/\[… more than 100 files fit; use a narrower pattern\]$/)
    expect(response).toMatchObject({ numFiles: 100, truncated: true })
  })

  it('says what is wrong with a pattern or a folder', async () => {
    const { failure, path } = await makePlace({ file: '' })
    await mkdir(path('folder'))
    expect(await failure(globTool, { pattern: '*', path: 'gone' })).toBe(`${path('gone')} does not exist (ENOENT).`)
    expect(await failure(globTool, { pattern: '*', path: 'file' })).toContain('is a file, not a folder')
    expect(await failure(globTool, { pattern: 'a{b' })).toContain('a{b')
  })
})
