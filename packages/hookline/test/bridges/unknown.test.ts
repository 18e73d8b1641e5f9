import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Bridge, RenamedTool } from '../../src/bridges/bridge.ts'
import { isLikePath, listShownTools } from '../../src/bridges/call/fields.ts'
import { chooseParts } from '../../src/bridges/call/parts.ts'
import { commands, put, type World } from '../support/project.ts'
import { FATES, type ReadAnswer } from './fates.ts'
import { ask, worldWith } from './host.ts'
import { ALL_TABLES, eventBefore, payloadOf } from './payloads.ts'

const RECORD = 'cat >> "$CLAUDE_PROJECT_DIR/seen.jsonl"; echo >> "$CLAUDE_PROJECT_DIR/seen.jsonl"'
const REFUSE = 'echo guarded >&2; exit 2'
const tables = ALL_TABLES.filter(([name]) => !name.includes(','))
const openTables = tables.filter(([, bridge]) => typeof bridge.call.tool === 'string' && bridge.name !== 'windsurf')

const refuses = (agent: string, answer: ReadAnswer): boolean => FATES[agent]?.(answer) === 'refused'

const seenIn = ({ project }: World): Record<string, unknown>[] => {
  const file = join(project, 'seen.jsonl')
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
}

const hooksOn = (matcher: string, command: string): object => ({ PreToolUse: [{ matcher, ...commands(command) }] })

const callTool = (world: World, bridge: Bridge, tool: string, input: object): ReturnType<typeof ask> =>
  ask(world, bridge.name, eventBefore(bridge, tool), payloadOf(bridge, tool, input, { cwd: world.project }))

/** The row by which an agent runs commands, where that is a name for Bash. */
function shellRow({ tools }: Bridge): RenamedTool | null {
  const row = tools.find((rule) => 'claude' in rule && rule.claude === 'Bash')
  return row !== undefined && 'claude' in row ? row : null
}

const shells = tables.flatMap(([agent, bridge]) => {
  const row = shellRow(bridge)
  return row === null ? [] : [[agent, bridge, row] as const]
})

describe.each(shells)('a command of %s', (agent, bridge, { host, input }) => {
  const command = input.command ?? ''

  it('with a field that may move it is refused where a hook listens to Bash, and nowhere else', async () => {
    const call = { [command]: 'ls', sandbox_root: 'x' }
    const guarded = await worldWith(hooksOn('Bash', RECORD))
    const answer = await callTool(guarded, bridge, host, call)
    expect(refuses(agent, answer)).toBe(true)
    expect(answer.stdout + answer.stderr).toContain(`hookline bridge allow ${agent} ${host}.sandbox_root`)
    expect(seenIn(guarded)).toEqual([])
    const other = await worldWith(hooksOn('Write|mcp__.*', RECORD))
    expect(refuses(agent, await callTool(other, bridge, host, call))).toBe(false)
  })

  it('with a field that moves nothing is shown with it', async () => {
    const world = await worldWith(hooksOn('Bash', RECORD))
    expect(refuses(agent, await callTool(world, bridge, host, { [command]: 'ls', mood: 'calm' }))).toBe(false)
    expect(seenIn(world)).toMatchObject([{ tool_input: { command: 'ls', mood: 'calm' } }])
  })

  it('passes with a field that the user allowed, unless others may have written that', async () => {
    const call = { [command]: 'ls', sandbox_root: 'x' }
    const world = await worldWith(hooksOn('Bash', RECORD))
    const file = await put(world, 'home/.hookline/allowed-fields.json', { [agent]: [`${host}.sandbox_root`] })
    expect(refuses(agent, await callTool(world, bridge, host, call))).toBe(false)
    expect(seenIn(world)).toMatchObject([{ tool_input: { command: 'ls', sandbox_root: 'x' } }])
    chmodSync(file, 0o666)
    expect(refuses(agent, await callTool(world, bridge, host, call))).toBe(true)
  })

  it.each([
    ['without a command', {}],
    ['with a command under another name', { COMMAND_: 'ls' }],
    ['with a command that is a list', { [command]: ['ls'] }],
    ['with no command', { [command]: null }],
  ])('%s is refused where a hook listens to Bash, and nowhere else', async (_, call) => {
    const guarded = await worldWith(hooksOn('Bash', RECORD))
    expect(refuses(agent, await callTool(guarded, bridge, host, call))).toBe(true)
    const other = await worldWith(hooksOn('Write', RECORD))
    expect(refuses(agent, await callTool(other, bridge, host, call))).toBe(false)
  })
})

describe('a text in a field that no row names', () => {
  const places = [
    '/etc',
    '../x',
    './x',
    '~',
    '~/x',
    '~root',
    '..',
    'C:\\x',
    '\\\\host\\share',
    'file:///etc',
    '$HOME/x',
    '%APPDATA%\\x',
  ]
  const openings = ['', ' ', '\n\t', '\u00a0', '\u200b', '\ufeff', '\u2066', '\u0000', '"', "'", '`', '<']

  it('is taken for a path in every spelling that leads to a file, whatever stands before it', () => {
    const missed = places.flatMap((place) => openings.filter((opening) => !isLikePath(`${opening}${place}`, '/p')))
    expect(missed).toEqual([])
  })

  it('is not taken for a path where it is a sentence, an address or a number', () => {
    const words = [
      'calm',
      'read/write',
      'to see what it does',
      'https://example.com/a',
      '50% done',
      '$5 or less',
      '3',
      'a.b',
      '',
    ]
    expect(words.filter((text) => isLikePath(text, '/p'))).toEqual([])
  })
})

/** Inputs of tools that nobody has heard of, and what they suggest. */
const SUGGESTIONS: readonly (readonly [string, object])[] = [
  ['Bash', { command: 'rm -rf x' }],
  ['Bash', { cmd: 'rm -rf x' }],
  ['Bash', { shell_script: 'rm -rf x', cwd: 'sub' }],
  ['Bash', { command: ['rm', '-rf', 'x'] }],
  ['Bash', { steps: [{ note: 'first' }, { run: { command: 'rm', args: ['-rf', 'x'] } }] }],
  ['Write', { path: 'a.txt', content: 'x' }],
  ['Edit', { path: 'a.txt', content: 'x' }],
  ['Write', { edits: [{ file: 'a.txt', text: 'x' }] }],
  ['Edit', { targetFile: 'a.txt', oldText: 'x', newText: 'y' }],
  ['Edit', { patch: '*** Begin Patch\n*** Update File: a.txt\n@@\n-x\n+y\n*** End Patch' }],
  ['Read', { filePath: '.env' }],
  ['Read', { whatever: '/etc/passwd' }],
  ['Read', { paths: ['a', '.env'] }],
  ['Read', { document: '~/.ssh/id_rsa' }],
  ['Grep', { path: '.', pattern: 'KEY' }],
  ['Glob', { glob: '**/.env' }],
  ['WebFetch', { target: 'https://example.com' }],
]

describe.each(openTables)('a tool of %s that no table has', (agent, bridge) => {
  it('is refused by guards on every tool that its input suggests', async () => {
    for (const [tool, input] of SUGGESTIONS) {
      const parts = await chooseParts(bridge.tools, 'brand_new').split(input, {
        name: 'brand_new',
        cwd: '/p',
        base: '/p',
      })
      expect(
        typeof parts === 'object' ? parts?.flatMap(({ calls }) => calls.map((call) => call.tool)) : parts,
      ).toContain(tool)
    }
    for (const [tool, input] of [SUGGESTIONS[1], SUGGESTIONS[5], SUGGESTIONS[10]].flatMap((one) =>
      one ? [one] : [],
    )) {
      const world = await worldWith(hooksOn(tool, REFUSE))
      expect(refuses(agent, await callTool(world, bridge, 'brand_new', input)), JSON.stringify(input)).toBe(true)
    }
  })

  it('is shown once to each hook, by its own name where that fits, and told once a session', async () => {
    const world = await worldWith({
      PreToolUse: [
        commands(RECORD),
        { matcher: 'Bash', ...commands(RECORD) },
        { matcher: 'WebFetch', ...commands(RECORD) },
      ],
    })
    const { notes } = await callTool(world, bridge, 'brand_new', { cmd: 'ls' })
    expect(seenIn(world)).toMatchObject([
      { tool_name: 'brand_new', tool_input: { cmd: 'ls' } },
      { tool_name: 'Bash', tool_input: { command: 'ls', cmd: 'ls' } },
    ])
    expect(notes.join()).toContain('"brand_new"')
    expect((await callTool(world, bridge, 'brand_new', { cmd: 'ls' })).notes).toEqual([])
    expect(JSON.parse(readFileSync(join(world.home, '.hookline/unlisted-tools.json'), 'utf8'))).toEqual({
      [agent]: ['brand_new'],
    })
  })

  it('loses no value of its input', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.stringMatching(/^[a-z]{3,9}$/), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 5 }),
        async (input) => {
          const parts = await chooseParts(bridge.tools, 'brand_new').split(input, {
            name: 'brand_new',
            cwd: '/p',
            base: '/p',
          })
          if (parts === null || typeof parts === 'string') return
          expect(parts[0]?.calls[0]).toEqual({ tool: 'brand_new', input })
        },
      ),
      { numRuns: 30 },
    )
  })
})

it('has a command in any unlisted call guarded, whatever the field is called', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('command', 'cmd', 'script', 'shell', 'bash', 'exec'),
      fc.constantFrom('', 'my_', 'Remote'),
      fc.constantFrom('', 's', 'Line', '_text'),
      fc.constantFrom(
        (value: object) => value,
        (value: object) => ({ inner: value }),
        (value: object) => ({ list: [1, value] }),
      ),
      async (word, before, after, wrap) => {
        const input = wrap({ [`${before}${word}${after}`]: 'rm -rf x' })
        const parts = await chooseParts([], 'thing').split(input, { name: 'thing', cwd: '/p', base: '/p' })
        expect(JSON.stringify(parts)).toContain('"command":"rm -rf x"')
      },
    ),
  )
})

it('names only tools that rows can be shown as', () => {
  for (const [, { tools }] of tables)
    for (const rule of tools) for (const tool of listShownTools(rule)) expect(tool).toMatch(/^\w+$/)
})
