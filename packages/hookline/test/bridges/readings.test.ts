import { describe, expect, it } from 'vitest'
import type { ShownCall } from '../../src/bridges/bridge.ts'
import { isLikePath } from '../../src/bridges/call/fields.ts'
import { splitPatch } from '../../src/bridges/call/patch.ts'
import { readPatchCommand } from '../../src/bridges/call/patch-command.ts'
import { readUnlisted } from '../../src/bridges/call/readings.ts'

const nest = (levels: number, value: object): object => (levels === 0 ? value : { inner: nest(levels - 1, value) })

/** Inputs of tools that no table has, each with WANTED where a guard of a tool of Claude Code looks for it. */
const INPUTS: readonly (readonly [tool: string, field: string, name: string, input: object])[] = [
  ['Bash', 'command', 'brand_new', { shell: 'bash', command: 'WANTED' }],
  ['Bash', 'command', 'brand_new', { script_name: 'x', cmd: 'WANTED' }],
  ['Bash', 'command', 'brand_new', { commandId: 'c1', command: 'WANTED' }],
  ['Bash', 'command', 'brand_new', { command: 'ls', script: 'WANTED' }],
  ['Bash', 'command', 'brand_new', { arguments: '{"command":"WANTED"}' }],
  ['Bash', 'command', 'brand_new', { payload: JSON.stringify({ steps: [{ cmd: 'WANTED' }] }) }],
  ['Bash', 'command', 'run_in_terminal2', { input: 'WANTED' }],
  ['Bash', 'command', 'terminal', { text: 'WANTED' }],
  ['Bash', 'command', 'execute', { code: 'WANTED' }],
  ['Bash', 'command', 'brand_new', { run: 'WANTED' }],
  ['Bash', 'command', 'brand_new', { program: 'WANTED', args: ['x'] }],
  ['Bash', 'command', 'brand_new', { command: 'git', args: 'WANTED' }],
  ['Bash', 'command', 'brand_new', { command: 'git', arguments: ['WANTED', 3] }],
  ['Bash', 'command', 'brand_new', { command: ['echo', 3, 'WANTED'] }],
  ['Bash', 'command', 'brand_new', { command: { linux: 'WANTED', windows: 'x' } }],
  ['Bash', 'command', 'brand_new', { commands: ['ls', 'WANTED'] }],
  ['Bash', 'command', 'brand_new', nest(20, { command: 'WANTED' })],
  ['Bash', 'command', 'brand_new', { steps: [...Array(500).fill({ command: 'ls' }), { command: 'WANTED' }] }],
  ['Bash', 'command', 'brand_new', { argv: ['cat', 'WANTED'] }],
  ['Bash', 'command', 'brand_new', { arguments: ['WANTED', 3] }],
  ['Bash', 'command', 'brand_new', { exe: '/bin/cat', params: 'WANTED' }],
  ...['code', 'input', 'chars', 'keys', 'expression', 'snippet', 'stdin'].map(
    (field) => ['Bash', 'command', 'brand_new', { [field]: 'WANTED', id: 1 }] as const,
  ),
  // By what a text is, whatever its field is called: a program with words, the name of a file.
  ...['spec', 'job', 'then', 'action', 'what', 'pre', 'value', 'line'].map(
    (field) => ['Bash', 'command', 'brand_new', { id: 1, [field]: 'FOO=1 /bin/rm WANTED' }] as const,
  ),
  ['Bash', 'command', 'brand_new', { stages: [['ls'], ['git', 'push', 'WANTED']] }],
  ['Bash', 'command', 'brand_new', { argv0: 'rm', params: ['WANTED'] }],
  ['Bash', 'command', 'brand_new', { cells: ['!rm WANTED'] }],
  ...['python_repl', 'js', 'computer', 'type', 'process', 'tmux_send'].map(
    (name) => ['Bash', 'command', name, { action: 'x', source: 'WANTED' }] as const,
  ),
  ...['make', 'kubectl', 'docker', 'terraform', 'git'].map(
    (name) => ['Bash', 'command', name, { operation: 'destroy', target: 'WANTED' }] as const,
  ),
  ...['at', 'in', 'items', 'doc', 'with', '_'].map(
    (field) => ['Read', 'file_path', 'brand_new', { id: 1, [field]: ['WANTED.txt'] }] as const,
  ),
  ['Read', 'file_path', 'brand_new', { at: 'src/WANTED.ts:12' }],
  ['Read', 'file_path', 'brand_new', { what: '.WANTED' }],
  ['Write', 'file_path', 'trash', { items: ['WANTED.txt'] }],
  ['Write', 'file_path', 'rename', { old: 'a.txt', new: 'WANTED.txt' }],
  ['Write', 'file_path', 'patch_json', { doc: 'WANTED.json', value: 1 }],
  ['Write', 'file_path', 'brand_new', { archive: 'a.zip', dest: 'WANTED' }],
  ['Write', 'file_path', 'brand_new', { template: 'x', into: 'WANTED' }],
  ['Write', 'file_path', 'set_file', { 'WANTED.txt': 'x' }],
  ['Write', 'file_path', 'brand_new', { filename: 'WANTED', line: 3, insert: 'x' }],
  ['Write', 'file_path', 'brand_new', { filePath: 'WANTED', append: 'x' }],
  ['Write', 'file_path', 'brand_new', { path: 'WANTED', delete: true }],
  ['Write', 'file_path', 'brand_new', { action: 'delete', path: 'WANTED' }],
  ['Write', 'file_path', 'brand_new', { op: 'rm', path: 'WANTED' }],
  ['Write', 'file_path', 'brand_new', { mode: 'overwrite', path: 'WANTED' }],
  ['Write', 'file_path', 'brand_new', { url: 'https://a.example', output: 'WANTED' }],
  ['Write', 'file_path', 'brand_new', { link: 'https://a.example', save_as: 'WANTED' }],
  ['Write', 'file_path', 'brand_new', { diff: '--- a/x\n+++ b/WANTED\n@@ -1 +1 @@\n-a\n+b\n' }],
  ['Write', 'file_path', 'brand_new', { diff: '--- a/WANTED\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n' }],
  ['Write', 'file_path', 'brand_new', { diff: 'diff --git a/x b/WANTED\nrename from x\nrename to WANTED\n' }],
  ['Write', 'file_path', 'brand_new', { changes: '*** Begin Patch\n*** Delete File: WANTED\n*** End Patch' }],
  ['Write', 'file_path', 'copy', { source_path: 'a', destination_path: 'WANTED' }],
  ['Write', 'file_path', 'move', { from: './a', to: './WANTED' }],
  ['Write', 'file_path', 'move_file', { source: '/p/a', destination: '/p/WANTED' }],
  ['Write', 'file_path', 'rename_file', { old_path: 'a', new_path: 'WANTED' }],
  ['Write', 'file_path', 'brand_new', { file: 'a', target_file: 'WANTED', content: 'x' }],
  ['Write', 'file_path', 'brand_new', { file_type: 'txt', path: 'WANTED', content: 'x' }],
  ['Write', 'file_path', 'brand_new', { files: { WANTED: 'text' } }],
  ['Write', 'file_path', 'brand_new', { changes: { 'src/WANTED.ts': { text: 'x' } } }],
  ['Write', 'file_path', 'brand_new', { files: [{ name: 'WANTED', content: 'x' }] }],
  ['Write', 'file_path', 'brand_new', { paths: ['a', 'WANTED'], content: 'x' }],
  ['Write', 'content', 'brand_new', { path: 'a', encoding_value: 'utf8', content: 'WANTED' }],
  ['Write', 'content', 'brand_new', { path: 'a', data: 'WANTED', content: 'x' }],
  ['Edit', 'new_string', 'brand_new', { path: 'a', new_text: 'x', new_content: 'WANTED' }],
  ['Read', 'file_path', 'brand_new', { file_type: 'txt', path: 'WANTED' }],
  ['Read', 'file_path', 'brand_new', { path: 'a', other_file: 'WANTED' }],
  ['Read', 'file_path', 'read_document', { name: 'WANTED' }],
  ['Read', 'file_path', 'brand_new', { uri: 'file:///p/WANTED' }],
  ['Grep', 'pattern', 'brand_new', { glob: '*', pattern: 'WANTED' }],
  ['Grep', 'path', 'brand_new', { query: 'x', paths: ['a', 'WANTED'] }],
  ['WebFetch', 'url', 'brand_new', { url: 'https://a.example', urls: ['https://WANTED.example'] }],
  ['Agent', 'prompt', 'spawn_agent', { task_id: 'x', prompt: 'WANTED' }],
]

function listCalls(name: string, input: object): ShownCall[] {
  const parts = readUnlisted({ name, input: { ...input }, cwd: '/p' })
  if (typeof parts === 'string') throw new TypeError(parts)
  return parts.flatMap(({ calls }) => calls)
}

describe('a call of a tool that no table has', () => {
  it.each(INPUTS)('is shown as %s with every text that may be its %s: %s %j', (tool, field, name, input) => {
    const values = listCalls(name, input).flatMap((call) => (call.tool === tool ? [call.input[field]] : []))
    expect(values).toContainEqual(expect.stringContaining('WANTED'))
  })

  it('is not taken for a command by what a file is to hold', () => {
    const tools = listCalls('brand_new', { path: 'package.json', content: '{"scripts":{"command":"x"}}' })
    expect(tools.map(({ tool }) => tool)).not.toContain('Bash')
    for (const input of [
      { path: 'a.ts', offset: 3 },
      { path: 'a.ts', reason: 'to see what it does' },
      { path: 'a.ts', write: false },
    ])
      expect(listCalls('brand_new', input).map(({ tool }) => tool)).toEqual(['brand_new', 'Read'])
    for (const input of [
      { query: 'find a good place' },
      { message: 'sort it out' },
      { reason: 'time to go', model: 'gpt-4.1', status: 'done', labels: ['bug', 'idea'] },
    ])
      expect(listCalls('brand_new', input).map(({ tool }) => tool)).not.toContain('Bash')
    expect(listCalls('brand_new', { description: 'says something' }).map(({ tool }) => tool)).toEqual(['brand_new'])
  })

  it('is refused where it is too deep or too large to be shown', () => {
    const [deep, large] = [nest(40, {}), { list: Array(3000).fill({}) }]
    for (const input of [deep, large])
      expect(readUnlisted({ name: 'brand_new', input: { ...input }, cwd: '/p' })).toContain('brand_new')
  })

  it('is read at once, whatever a long name or text of it repeats', () => {
    const units = 'z - / a/ . .. a-1 1 = a=b \\ " \' [ [[ { $( ${x ~ %41 a: :// -a @ < \u200b'.split(' ')
    for (const unit of [...units, ' ', '\n', 'a ', 'a=b ', '*** Add File: a\n']) {
      const text = `${unit.repeat(100_000 / unit.length)}!`
      const inputs = [{ [text]: 'rm a' }, { foo: text }, { command: text, cwd: text }, { path: text, pattern: text }]
      const began = performance.now()
      for (const input of [...inputs, { args: [text, text], text }]) listCalls('bash', input)
      listCalls(text, { a: 'b' })
      expect([unit, performance.now() - began < 2500]).toEqual([unit, true])
    }
  })
})

describe('a text of a call that repeats one thing', () => {
  it('is read at once as a patch, as a command with one and as a path', async () => {
    for (const unit of [
      ' ',
      '\n',
      '\r\n',
      '"',
      "'",
      '\\',
      '(',
      '$(',
      '<<E\n',
      'a ',
      '@@\n-a\n',
      '*** Add File: a\n',
      '\u200b',
    ]) {
      const text = `x${unit.repeat(100_000 / unit.length)}x`
      const began = process.cpuUsage()
      await splitPatch(`*** Begin Patch\n*** Add File: a\n+${text}\n*** End Patch`, '/hookline-nowhere')
      await splitPatch(text, '/hookline-nowhere')
      readPatchCommand(`cd a && apply_patch <<'E'\n${text}`)
      readPatchCommand(`${text} apply_patch ${text}`)
      isLikePath(text, '/hookline-nowhere')
      expect([unit, process.cpuUsage(began).user / 1000 < 2500]).toEqual([unit, true])
    }
  })
})
