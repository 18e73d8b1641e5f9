import { describe, expect, it } from 'vitest'
import { parseFrontmatter } from '../../src/config/frontmatter.ts'
import { commands, makeWorld, openOn } from '../support/project.ts'

/** The fields of a head, as values. */
async function fieldsOf(head: string): Promise<unknown> {
  const { root, fault } = await parseFrontmatter(`---\n${head}\n---\nbody\n`)
  expect(fault).toBeNull()
  return root?.value
}

const guard = 'hooks:\n  Stop:\n    - hooks:\n        - type: command\n          command: ./guard.sh'
const GUARD = { Stop: [commands('./guard.sh')] }

describe('frontmatter as people write it', () => {
  it.each([
    ['two words in brackets', 'argument-hint: [a] [b]', { 'argument-hint': '[a] [b]' }],
    ['a colon in a description', 'description: Use when: x', { description: 'Use when: x' }],
    ['a pattern with a star', 'paths: *.ts', { paths: '*.ts' }],
    ['a percent sign, an at sign and a backtick', 'a: %x\nb: @me\nc: `d`', { a: '%x', b: '@me', c: '`d`' }],
    ['an ampersand and an exclamation mark', 'a: & more\nb: !important', { a: '& more', b: '!important' }],
    ['a quote that is not closed', 'description: "half', { description: '"half' }],
    ['a bracket that is not closed', 'tools: [Read', { tools: '[Read' }],
    ['text after quotes', 'description: "Do" it', { description: '"Do" it' }],
    ['a tab', 'name:\tx', { name: 'x' }],
    ['the same field twice', 'name: a\nname: b', { name: 'b' }],
    ['lines that are no fields', 'just text\nname: x\n}\n', { name: 'x }' }],
    ['a list in brackets', "tools: [Read, 'Edit', Bash(git log, x)]", { tools: ['Read', 'Edit', 'Bash(git log, x)'] }],
    ['a list with dashes', 'tools:\n  - Read\n  - Bash(ls *)\nname: x', { tools: ['Read', 'Bash(ls *)'], name: 'x' }],
    ['a list that is not indented', 'tools:\n- Read\n- Edit', { tools: ['Read', 'Edit'] }],
    ['a text over several lines', 'description: one\n  two\n  three', { description: 'one two three' }],
    ['a text with a bar', 'description: |\n  one\n   two\n\n  three', { description: 'one\n two\n\nthree' }],
    ['a text with an angle bracket', 'description: >-\n  one\n  two\n\n  three', { description: 'one two\nthree' }],
    ['quotes', 'a: "say \\"hi\\""\nb: \'it\'\'s\'', { a: 'say "hi"', b: "it's" }],
    ['comments', '# head\nname: x # the name\n# end', { name: 'x' }],
    ['words that are no texts', 'a: true\nb: False\nc: null\nd:', { a: true, b: false, c: null, d: null }],
    ['numbers, which stay texts', 'name: 007', { name: '007' }],
    ['an indent before everything', '  name: x\n  tools: Read', { name: 'x', tools: 'Read' }],
    ['keys in quotes', '"name": x\n\'tools\': Read', { name: 'x', tools: 'Read' }],
    ['the form of JSON', '{"name": "x", "tools": ["Read"]}', { name: 'x', tools: ['Read'] }],
    ['a brace that is not closed', '{"name": "x"', {}],
    ['nothing', '', {}],
  ])('is read with %s', async (_what, head, fields) => {
    expect(await fieldsOf(head)).toEqual(fields)
  })

  it.each(['argument-hint: [a] [b]', 'description: Use when: x', 'paths: *.ts', 'a: "half', 'b: {', 'c: - x: [y'])(
    'costs nobody their hooks: %s',
    async (odd) => {
      expect(await fieldsOf(`${odd}\n${guard}`)).toMatchObject({ hooks: GUARD })
      expect(await fieldsOf(`${guard}\n${odd}`)).toMatchObject({ hooks: GUARD })
    },
  )

  it.each([
    ['in quotes', guard.replace('hooks:\n  Stop', '"hooks":\n  Stop')],
    ['in braces', 'hooks: { Stop: [{ hooks: [{ type: command, command: ./guard.sh }] }] }'],
    ['as JSON over several lines', `hooks: ${JSON.stringify(GUARD, null, 2).replaceAll('\n', '\n  ')}`],
    ['indented with everything else', `name: x\n${guard}`.replaceAll(/^/gm, '  ')],
    ['with comments and blank lines', guard.replaceAll('\n', '\n\n# a comment\n')],
    ['before a line that ends YAML', `${guard}\n...`],
    ['in a head that is one object', `{"hooks": ${JSON.stringify(GUARD)}}`],
  ])('has its hooks %s', async (_how, head) => {
    expect(await fieldsOf(head)).toMatchObject({ hooks: GUARD })
  })

  it.each([
    ['is not YAML', 'name: x\nhooks: b: c', /^not YAML: /, 3],
    ['appears twice', `${guard}\n${guard}`, /they appear twice/, 7],
    ['uses an alias', 'hooks: [&a b, *a]', /a YAML alias/, 2],
    ['has a key that only YAML reads as one', '? hooks\n: {}', /write the key as hooks:/, 2],
    ['has an anchor before its key', '&x hooks: {}', /write the key as hooks:/, 2],
    ['is indented below another field', 'name: x\n  hooks:\n    Stop: []', /as if they belonged to "name"/, 3],
    ['has explicit keys', 'hooks:\n  ? Stop\n  : []', /nested too deeply/, 2],
    ['is too long', `hooks:\n${'  # x\n'.repeat(20_000)}`, /longer than 65536/, 2],
    ['stands in braces that are not closed', '{"hooks": {', /not YAML/, 3],
  ])('has an error when its hooks block %s', async (_what, head, message, line) => {
    const { root, fault } = await parseFrontmatter(`---\n${head}\n---\nbody\n`)
    expect(fault).toMatchObject({ line, message: expect.stringMatching(message) })
    expect(root?.fields?.has('hooks')).toBe(false)
  })

  it('keeps the text after it', async () => {
    expect(await parseFrontmatter('---\nname: x\n---\n# Body\n')).toMatchObject({ body: '# Body\n' })
    expect(await parseFrontmatter('# Body\n')).toEqual({ root: null, body: '# Body\n', fault: null })
  })
})

describe('frontmatter that is made to hurt', () => {
  const times = (text: string, count: number): string => text.repeat(count)
  it.each([
    ['4 kB of question marks', times('? ', 2000)],
    ['4 kB of question marks in its hooks', `hooks: ${times('? ', 2000)}`],
    ['question marks in braces', `hooks: {${times('? ', 20_000)}`],
    ['30,000 brackets', `hooks: ${times('[', 30_000)}${times(']', 30_000)}`],
    ['30,000 brackets hidden behind quotes', `hooks: ${times('["]", ', 10_000)}`],
    ['30,000 dashes', `hooks:\n  ${times('- ', 30_000)}`],
    [
      'dashes that go ever deeper',
      `hooks:\n${Array.from({ length: 100 }, (_, i) => `${' '.repeat(8 * i + 1)}- - - -`).join('\n')}`,
    ],
    [
      'an indent that goes ever deeper',
      `hooks:\n${Array.from({ length: 340 }, (_, i) => `${' '.repeat(i + 1)}a:`).join('\n')}`,
    ],
    ['an object of brackets', `{a: ${times('[', 30_000)}`],
    ['60,000 commas', `hooks: [${times(',', 60_000)}`],
    ['60,000 quotes', `hooks: ${times('"', 60_000)}`],
    ['20,000 tags', `hooks: ${times('!x ', 20_000)}`],
    ['100,000 keys in 1 MB', Array.from({ length: 100_000 }, (_, i) => `key${i}: "${i}"`).join('\n')],
    ['100,000 keys and hooks', `${Array.from({ length: 100_000 }, (_, i) => `k${i}: 1`).join('\n')}\n${guard}`],
    ['one key of 4 MB', `a: ${times('x', 4_000_000)}`],
    ['one quoted text of 4 MB', `a: "${times('\\n', 2_000_000)}"`],
    ['one list of a million elements', `a: [${times('x,', 1_000_000)}]`],
    ['a line of a million blanks', `a${times(' ', 1_000_000)}b`],
    ['a million blank lines', `a: |\n${times('\n', 1_000_000)}`],
    ['a million closing brackets', `a: [${times('] ', 1_000_000)}`],
  ])('is read in time: %s', { timeout: 60_000 }, async (_what, head) => {
    const started = performance.now()
    await parseFrontmatter(`---\n${head}\n---\n`)
    expect(performance.now() - started).toBeLessThan(10_000)
  })

  it('neither ends the process nor keeps an engine from opening', { timeout: 60_000 }, async () => {
    const heads = ['? '.repeat(2000), `hooks: ${'? '.repeat(300)}`, `hooks: ${'['.repeat(3000)}`]
    const files = heads.map((head, at) => [`project/.claude/skills/s${at}/SKILL.md`, `---\n${head}\n---\n`])
    const world = await makeWorld(Object.fromEntries(files))
    const engine = await openOn(world, { trust: 'refused' })
    expect(engine.list()).toEqual([])
  })
})
