import { chmod, readFile, stat, utimes } from 'node:fs/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { editTool, replaceText } from '../../src/tools/edit.ts'
import { readTool } from '../../src/tools/read.ts'
import { makePlace } from './support.ts'

/** A session in which a file with this content was read, and a way to edit it. */
async function withFile(content: string) {
  const place = await makePlace({ 'a.txt': content })
  await place.call(readTool, { file_path: 'a.txt' })
  const input = (old_string: string, new_string: string, more: object) => ({
    file_path: 'a.txt',
    old_string,
    new_string,
    ...more,
  })
  return {
    ...place,
    text: () => readFile(place.path('a.txt'), 'utf8'),
    edit: (old: string, fresh: string, more = {}) => place.call(editTool, input(old, fresh, more)),
    refusal: (old: string, fresh: string, more = {}) => place.failure(editTool, input(old, fresh, more)),
  }
}

describe('Edit', () => {
  it('replaces the only occurrence, and answers hooks in the shape they know', async () => {
    const { edit, text, path } = await withFile('one\ntwo\n')
    const { content, response } = await edit('one', 'uno')
    expect(content).toBe(`${path('a.txt')} was changed.`)
    expect(response).toEqual({
      filePath: path('a.txt'),
      oldString: 'one',
      newString: 'uno',
      originalFile: 'one\ntwo\n',
      structuredPatch: [{ oldStart: 1, oldLines: 2, newStart: 1, newLines: 2, lines: ['-one', '+uno', ' two'] }],
      userModified: false,
      replaceAll: false,
    })
    expect(await text()).toBe('uno\ntwo\n')
  })

  it('fills in replace_all before hooks see the input', () => {
    const parsed = editTool.input.parse({ file_path: '/a', old_string: 'a', new_string: 'b' })
    expect(parsed).toEqual({ file_path: '/a', old_string: 'a', new_string: 'b', replace_all: false })
  })

  it('refuses a text that does not occur, or occurs more than once, overlaps counted', async () => {
    const { refusal, text, path } = await withFile('aaa b b')
    expect(await refusal('c', 'd')).toContain(`old_string does not occur in ${path('a.txt')}.`)
    expect(await refusal('b', 'd')).toContain('occurs more than once')
    expect(await refusal('aa', 'd')).toContain('occurs more than once')
    expect(await text()).toBe('aaa b b')
  })

  it('replaces every occurrence when told to', async () => {
    const { edit, text } = await withFile('a b a b a')
    await edit('a', 'aa', { replace_all: true })
    expect(await text()).toBe('aa b aa b aa')
  })

  it('refuses to replace a text by itself', async () => {
    const { refusal } = await withFile('a')
    expect(await refusal('a', 'a')).toContain('are the same')
  })

  it('takes dollar signs and backslashes for what they are', async () => {
    const { edit, text } = await withFile('price')
    await edit('price', "$& $1 $$ $` $' \\1 \\n")
    expect(await text()).toBe("$& $1 $$ $` $' \\1 \\n")
  })

  it('changes only a file that was read, and that nobody changed since', async () => {
    const { call, failure, path } = await makePlace({ 'a.txt': 'one' })
    const input = { file_path: 'a.txt', old_string: 'one', new_string: 'two' }
    expect(await failure(editTool, input)).toContain('has not been read yet')
    await call(readTool, { file_path: 'a.txt' })
    await utimes(path('a.txt'), 1000, 2_000_000_000)
    expect(await failure(editTool, input)).toContain('has changed since it was read')
  })

  it('may change again what it changed itself', async () => {
    const { edit, text } = await withFile('one')
    await edit('one', 'two')
    await edit('two', 'three')
    expect(await text()).toBe('three')
  })

  it('loses nothing when calls run side by side', async () => {
    const names = Array.from({ length: 20 }, (_, at) => `<${at}>`)
    const { edit, text } = await withFile(names.join('\n'))
    await Promise.all(names.map((name) => edit(name, `${name}!`)))
    expect(await text()).toBe(names.map((name) => `${name}!`).join('\n'))
  })

  it('keeps the mode, the line endings and the byte order mark', async () => {
    const { edit, text, path } = await withFile('\uFEFFone\r\ntwo\r\nthree\r\n')
    await chmod(path('a.txt'), 0o640)
    await edit('one\ntwo', 'one\nand\ntwo')
    expect(await text()).toBe('\uFEFFone\r\nand\r\ntwo\r\nthree\r\n')
    expect((await stat(path('a.txt'))).mode & 0o777).toBe(0o640)
  })

  it('leaves mixed line endings as they are', async () => {
    const { edit, text } = await withFile('a\nb\nc\r\nd\r\n')
    await edit('a\nb', 'A\nB')
    await edit('c\nd', 'C\nD')
    expect(await text()).toBe('A\nB\nC\r\nD\r\n')
  })

  it('creates a file with an empty old_string, when there is none', async () => {
    const { call, failure, refusal, path } = await withFile('')
    await call(editTool, { file_path: 'new/b.txt', old_string: '', new_string: 'hello' })
    expect(await readFile(path('new/b.txt'), 'utf8')).toBe('hello')
    expect(await refusal('', 'x')).toContain('exists: an empty old_string creates a new file')
    expect(await failure(editTool, { file_path: 'c.txt', old_string: 'x', new_string: 'y' })).toContain(
      'does not exist',
    )
  })

  it('refuses a file that it would damage or that is very large', async () => {
    const { call, failure, put } = await makePlace()
    await put('latin1.txt', Buffer.from('caf\xe9 a', 'latin1'))
    await put('large.txt', 'x'.repeat(11 * 1024 * 1024))
    const edit = (file_path: string) => failure(editTool, { file_path, old_string: 'a', new_string: 'b' })
    for (const file_path of ['latin1.txt', 'large.txt']) await call(readTool, { file_path })
    expect(await edit('latin1.txt')).toContain('is not UTF-8 text')
    expect(await edit('large.txt')).toContain('is larger than 10 MiB')
  })
})

describe('a replacement', () => {
  const short = fc.string({ unit: fc.constantFrom('a', 'b', '$', '\n', '\r\n'), maxLength: 12 })
  const word = short.filter((text) => text !== '')

  it('leaves everything around the only occurrence as it is', () => {
    fc.assert(
      fc.property(short, short, short, (before, after, fresh) => {
        const text = `${before}<old>${after}`
        const replaced = replaceText(text, { old: '<old>', fresh, everywhere: false })
        if (replaced.found !== 'enough') throw new Error(replaced.found)
        expect(replaced.text.startsWith(before)).toBe(true)
        expect(replaced.text.endsWith(after)).toBe(true)
        expect(replaced.text.slice(before.length, replaced.text.length - after.length).replaceAll('\r\n', '\n')).toBe(
          fresh.replaceAll('\r\n', '\n'),
        )
      }),
    )
  })

  it('finds exactly what occurs, once or more often', () => {
    fc.assert(
      fc.property(short, word, (text, old) => {
        const plain = text.replaceAll('\r', '')
        const wanted = old.replaceAll('\r', '')
        const first = plain.indexOf(wanted)
        const several = first !== -1 && plain.includes(wanted, first + 1)
        const expected = first === -1 ? 'none' : { true: 'several', false: 'enough' }[`${several}`]
        expect(replaceText(plain, { old: wanted, fresh: 'new', everywhere: false }).found).toBe(expected)
      }),
    )
  })
})
