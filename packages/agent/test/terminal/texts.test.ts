import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeWorld } from '../../../hookline/test/support/project.ts'
import { estimateCost, formatSpending } from '../../src/models/prices.ts'
import { readField, readFormFields } from '../../src/terminal/dialogs/form-fields.ts'
import { addEntry, NO_HISTORY, recallEntry } from '../../src/terminal/state/history.ts'
import { rankPaths } from '../../src/terminal/state/suggest-files.ts'
import { toDiffLines } from '../../src/terminal/text/diff-lines.ts'
import { highlightLine } from '../../src/terminal/text/highlight.ts'
import { findWantedChange, readHunks } from '../../src/terminal/text/hunks.ts'
import { readTerminalStyle } from '../../src/terminal/text/look.ts'
import { readMarkdown } from '../../src/terminal/text/markdown.ts'

describe('Markdown', () => {
  it('shows a line of code at once that opens a string again and again', () => {
    const line = '"\\'.repeat(200_000)
    const began = process.cpuUsage()
    expect(highlightLine(line, 'ts')).toEqual([{ text: line, style: 'plain' }])
    expect(process.cpuUsage(began).user / 1000).toBeLessThan(1000)
  })

  it('loses no word of a text that has none', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z ]*$/)), (lines) => {
        const text = lines.join('\n')
        const read = readMarkdown(text).map((line) =>
          'spans' in line ? line.spans.map((span) => span.text).join('') : '',
        )
        expect(read.join('\n')).toBe(text)
      }),
    )
  })

  it('leaves code in fences as it is', () => {
    expect(readMarkdown('```\n# **not** a heading\n```')).toMatchObject([
      { kind: 'code', spans: [{ text: '# **not** a heading', style: 'plain' }] },
    ])
  })

  it('does not take a lone star, or one inside a word, for a style', () => {
    expect(readMarkdown('2 * 3 * 4 and a*b*c')).toMatchObject([
      { spans: [{ text: '2 * 3 * 4 and a*b*c', style: 'plain' }] },
    ])
  })

  it('is read at once, whatever a long line of it repeats', () => {
    for (const unit of ['[', '|', '-', ' ', '*', '**a', '`', '~~', '[a](', '# ', 'https://', '\r']) {
      const text = unit.repeat(100_000 / unit.length)
      const began = process.cpuUsage()
      readMarkdown(`${text}x`)
      readMarkdown(`| a |\n|${text}x`)
      readMarkdown(`- ${text}\r`)
      expect([unit, process.cpuUsage(began).user / 1000 < 2500]).toEqual([unit, true])
    }
  })

  it('reads tables, links and check boxes', () => {
    expect(readMarkdown('| a | b |\n|---|:-:|\n| 1 | `x \\| y` |\n| 2 |\nafter | it')).toMatchObject([
      {
        kind: 'table',
        rows: [
          [[{ text: 'a' }], [{ text: 'b' }]],
          [[{ text: '1' }], [{ text: 'x | y', style: 'code' }]],
          [[{ text: '2' }], [{ text: '' }]],
          [[{ text: 'after' }], [{ text: 'it' }]],
        ],
      },
    ])
    expect(readMarkdown('a | b is no table')).toMatchObject([{ kind: 'text' }])
    expect(readMarkdown('see [the page](https://x.test/a) or https://y.test.')).toMatchObject([
      {
        spans: [
          { text: 'see ' },
          { text: 'the page', style: 'link', url: 'https://x.test/a' },
          { text: ' or ' },
          { text: 'https://y.test', style: 'link' },
          { text: '.' },
        ],
      },
    ])
    expect(readMarkdown('- [x] done\n- [ ] open\n- plain')).toMatchObject([
      { kind: 'item', isDone: true, spans: [{ text: 'done' }] },
      { kind: 'item', isDone: false },
      { kind: 'item', spans: [{ text: 'plain' }] },
    ])
  })

  it('colours code without losing a character of it', () => {
    const text = fc.stringMatching(/^[a-z0-9 "'`#/*-]*$/)
    fc.assert(
      fc.property(text, fc.constantFrom('ts', 'sh', 'sql', 'diff', 'unheard'), (source, language) => {
        expect(
          highlightLine(source, language)
            .map((span) => span.text)
            .join(''),
        ).toBe(source)
      }),
    )
    expect(highlightLine('const x = "a // b" // c', 'ts').filter(({ style }) => style !== 'plain')).toEqual([
      { text: 'const', style: 'keyword' },
      { text: '"a // b"', style: 'string' },
      { text: '// c', style: 'comment' },
    ])
  })
})

describe('what things cost', () => {
  const usage = { inputTokens: 1_000_000, outputTokens: 100_000, cacheReadTokens: 500_000 }

  it('is told where a list price is known', () => {
    expect(estimateCost('claude-sonnet-4-5', usage)).toBeCloseTo(1.5 + 0.15 + 1.5)
    expect(formatSpending(usage, 3.15)).toBe('1000.0k in, 100.0k out, $3.15')
  })

  it('is not made up elsewhere', () => {
    expect(estimateCost('qwen3', usage)).toBeNull()
    expect(estimateCost('script:opus.json', usage)).toBeNull()
    expect(formatSpending({ inputTokens: 12, outputTokens: 3 }, null)).toBe('12 in, 3 out')
  })
})

describe('history', () => {
  it('goes back and forth, and gives the draft back at the end', () => {
    const history = addEntry(addEntry(addEntry(NO_HISTORY, 'one'), 'two'), 'two')
    const first = recallEntry(history, -1, 'draft')
    const second = first && recallEntry(first.history, -1, first.text)

    expect([first?.text, second?.text]).toEqual(['two', 'one'])
    expect(second && recallEntry(second.history, -1, 'one')).toBeNull()
    const back = second && recallEntry(second.history, 1, 'one')
    expect(back && recallEntry(back.history, 1, 'two')?.text).toBe('draft')
  })
})

describe('files', () => {
  it('are found by their names first, then by letters in order', () => {
    const paths = ['src/deep/lamp.ts', 'lamp.ts', 'src/lantern-map.ts', 'docs/other.md']
    expect(rankPaths(paths, 'lamp')).toEqual(['lamp.ts', 'src/deep/lamp.ts', 'src/lantern-map.ts'])
  })
})

describe('changes', () => {
  it('are read from what a tool answered', () => {
    expect(readHunks({ type: 'create', content: 'a\nb\n', structuredPatch: [] })).toMatchObject([
      { lines: ['+a', '+b'] },
    ])
    expect(readHunks('no response of a file tool')).toEqual([])
  })

  it('are held against the file before they are made, with the lines around them', async () => {
    const { project } = await makeWorld({ 'project/long.txt': '1\n2\n3\n4\nfive\n6\n7\n8\n9\nfive\n' })
    const five = { file_path: 'long.txt', old_string: 'five', new_string: '5' }
    const everywhere = await findWantedChange('Edit', { ...five, replace_all: true }, project)
    expect(toDiffLines(everywhere?.hunks ?? []).map(({ text }) => text)).toEqual([
      ...[' 2  2', ' 3  3', ' 4  4', ' 5 -five', ' 5 +5', ' 6  6', ' 7  7', ' 8  8', ' 9  9', '10 -five', '10 +5'],
    ])
    const written = await findWantedChange('Write', { file_path: 'long.txt', content: '1\n2\n' }, project)
    expect(written?.hunks).toMatchObject([
      { oldStart: 1, lines: [' 1', ' 2', '-3', ...Array(7).fill(expect.any(String))] },
    ])
    expect(await findWantedChange('Bash', { command: 'ls' }, project)).toBeNull()
    expect(await findWantedChange('mcp__files__put', { file_path: 'long.txt', content: '1\n2\n' }, project)).toBeNull()
  })

  it.each([
    { old_string: 'six', problem: 'The file does not contain this text: the call will fail.' },
    { old_string: 'five', problem: 'The file contains this text more than once: the call will fail.' },
    { old_string: 'five', file_path: 'none.txt', problem: 'The file cannot be read: the call will fail.' },
  ])('say without a line number that they cannot be made: $problem', async ({ problem, ...call }) => {
    const { project } = await makeWorld({ 'project/long.txt': 'five\nfive\n' })
    const change = await findWantedChange('Edit', { file_path: 'long.txt', new_string: '5', ...call }, project)
    expect(change?.problem).toBe(problem)
    expect(toDiffLines(change?.hunks ?? []).map(({ text }) => text)).toEqual([` -${call.old_string}`, ' +5'])
  })
})

describe('forms', () => {
  const [name, age, sure, size] = readFormFields({
    type: 'object',
    properties: {
      name: { type: 'string', title: 'Your name' },
      age: { type: 'integer' },
      sure: { type: 'boolean' },
      size: { type: 'string', enum: ['s', 'm'] },
    },
    required: ['name'],
  })

  it('take what fits their fields', () => {
    expect(name && readField(name, 'Ada')).toEqual({ value: 'Ada' })
    expect(age && readField(age, '36')).toEqual({ value: 36 })
    expect(sure && readField(sure, 'yes')).toEqual({ value: true })
    expect(size && readField(size, '')).toEqual({ value: null })
  })

  it('say what does not', () => {
    expect(name && readField(name, ' ')).toEqual({ fault: 'This has to be filled in.' })
    expect(age && readField(age, '3.5')).toEqual({ fault: 'Type a whole number.' })
    expect(sure && readField(sure, 'perhaps')).toEqual({ fault: 'Type yes or no.' })
    expect(size && readField(size, 'xl')).toEqual({ fault: 'Type one of s, m.' })
  })
})

describe('the look', () => {
  it('follows the locale and NO_COLOR', () => {
    expect(readTerminalStyle({ LANG: 'en_GB.UTF-8' })).toEqual({ colours: true, unicode: true, theme: 'dark' })
    expect(readTerminalStyle({ LANG: 'en_GB.UTF-8', LC_ALL: 'C', NO_COLOR: '1' })).toMatchObject({
      colours: false,
      unicode: false,
    })
    expect(readTerminalStyle({ LANG: 'C.UTF-8', TERM: 'linux' }).unicode).toBe(false)
  })

  it('follows the ground that the terminal tells, and what the user says', () => {
    expect(readTerminalStyle({ COLORFGBG: '0;15' }).theme).toBe('light')
    expect(readTerminalStyle({ COLORFGBG: '15;0' }).theme).toBe('dark')
    expect(readTerminalStyle({ COLORFGBG: '15;0', HOOKLINE_THEME: 'light' }).theme).toBe('light')
  })
})
