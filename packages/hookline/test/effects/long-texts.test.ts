import { describe, expect, it } from 'vitest'
import { judge } from '../../src/guards/judge.ts'
import { smallWorld } from '../support/small-world.ts'

const world = smallWorld()

/** Texts of these, a hundred thousand characters long, are what patterns and loops go over again and again. */
const UNITS = [
  ...'z - / . ; = * $ ( ) [ { " \' ` 1'.split(' '),
  ...' |\n|\r\n|a |a=b |- a\n|"\\|"a",|$(|${x|<<E\n|/*|a/|{a,|A_|%41|eyJ-|SECRET|getHome|$(shell |"sh" |cd a && '.split(
    '|',
  ),
]

const spell = (unit: string, length: number): string => `${unit.repeat(Math.ceil(length / unit.length))}!`
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** Time that all readings of one text may take: a hook that thinks longer is one that hosts do not wait for. */
const MAX_READING_MS = 2500

/** Texts of which one reading takes longer than that. */
function listSlow(makeCalls: (text: string) => readonly Parameters<typeof judge>[0][], length: number): string[] {
  return UNITS.flatMap((unit) =>
    makeCalls(spell(unit, length)).flatMap((call, at) => {
      const began = process.cpuUsage()
      judge(call, world)
      const { user } = process.cpuUsage(began)
      return user / 1000 < MAX_READING_MS ? [] : [`${JSON.stringify(unit)} in call ${at}: ${user / 1000} ms`]
    }),
  )
}

// Nothing here is ever run: texts are handed to a function, and its answer is looked at.
describe('a long text', () => {
  it('is read at once by the guards in whatever tool it stands', () => {
    const makeCalls = (text: string) => [
      { tool: 'Write', input: { file_path: 'x.txt', content: text } },
      { tool: 'Write', input: { file_path: text, content: 'a' } },
      { tool: 'Edit', input: { file_path: 'package.json', old_string: 'a', new_string: text } },
      { tool: 'Read', input: { file_path: text } },
      { tool: 'Grep', input: { pattern: text, path: text, glob: text } },
      { tool: 'WebFetch', input: { url: `https://example.com/${text}` } },
      { tool: 'apply_patch', input: { input: `*** Begin Patch\n*** Add File: a\n+${text}` } },
      { tool: 'mcp__db__query', input: { sql: text, path: text, note: text } },
      { tool: text, input: { a: 'b' } },
    ]
    expect(listSlow(makeCalls, 100_000)).toEqual([])
  })

  it('is read at once as a script and as code of every language that has a reader', () => {
    const programs = ['python3 -c', 'swift -e', 'awk', 'sed -n', 'psql -c']
    const makeCalls = (text: string) => [
      ...programs.map((program) => ({ tool: 'Bash', input: { command: `${program} ${quote(text)}` } })),
      { tool: 'Bash', input: { command: `rm -rf ${text}` } },
      { tool: 'Bash', input: { command: `case x in ${text}) ls;; esac` } },
      { tool: 'PowerShell', input: { command: text } },
    ]
    expect(listSlow(makeCalls, 12_000)).toEqual([])
  })

  it('is read at once in files that programs run by themselves', () => {
    const files = ['Makefile', 'package.json', 'lefthook.yml', '.npmrc']
    const makeCalls = (text: string) =>
      files.map((file_path) => ({ tool: 'Write', input: { file_path, content: text } }))
    expect(listSlow(makeCalls, 12_000)).toEqual([])
  })

  it.each([
    ['stars', `case ${'a'.repeat(3000)} in ${'*a'.repeat(30)}b) rm -rf ~;; esac`],
    ['stars in a replacement', `x=${'a'.repeat(9000)}; echo \${x//a*a*a*b/}`],
    ['repetitions of sed', `echo ${'a'.repeat(30_000)} | sed 's/a*a*a*a*b//' | sh`],
    ['alternatives with a long end', `echo {${'a,'.repeat(9000)}a}${'b'.repeat(30_000)}`],
    ['blanks of a file of hooks', `cat > lefthook.yml <<'E'\n${' '.repeat(30_000)}run\nE`],
  ])('is read at once where it repeats %s', (_, command) => {
    const began = process.cpuUsage()
    judge({ tool: 'Bash', input: { command } }, world)
    expect(process.cpuUsage(began).user / 1000).toBeLessThan(MAX_READING_MS)
  })

  it('is still read: what stood around its repetitions is found', () => {
    const token = `eyJ${'a'.repeat(30)}.eyJ${'b'.repeat(30)}.${'c'.repeat(30)}`
    const send = (text: string) => judge({ tool: 'mcp__chat__send', input: { note: text } }, world).view.flows
    expect(send(`x ${token}`)).toHaveLength(1)
    expect(send('API_TOKEN=abcdefabcdefabcdef')).toHaveLength(1)
    expect(send('A: B_SECRET = abcdefabcdef1234')).toHaveLength(1)
    expect(send('API_TOKEN=$OTHER_NAME_OF_ONE')).toEqual([])
    const write = (file_path: string, content: string) =>
      judge({ tool: 'Write', input: { file_path, content } }, world).answer
    expect(write('lefthook.yml', 'pre-commit:\n  jobs:\n    - run: rm -rf ~/Documents\n')).not.toBe('pass')
    expect(write('Makefile', 'X = $(shell rm -rf ~/Documents)\n')).not.toBe('pass')
    expect(write('package.json', '{"scripts":{"a":"rm -rf ~/Documents"}}')).not.toBe('pass')
  })

  const CODE =
    'export function add(one: number, other: number): number {\n  return one + other\n}\nlog(add(1, 2), [3, 4].map((each) => add(each, 1)))\n'

  it('is no question where it is a script that is only written, whose harm is looked for in its first part', () => {
    const write = (content: string, file_path = 'src/big.ts') =>
      judge({ tool: 'Write', input: { file_path, content } }, world).answer
    const cat = (text: string) =>
      judge({ tool: 'Bash', input: { command: `cat > src/big.ts <<'E'\n${text}\nE` } }, world)
    expect(write(CODE.repeat(300))).toBe('pass')
    expect(cat(CODE.repeat(300)).answer).toBe('pass')
    expect(cat(CODE.repeat(300)).view.unseen.map(({ reason }) => reason)).toContain('code')
    expect(write(`require('fs').rmSync('/home/dev', { recursive: true })\n${CODE.repeat(300)}`)).not.toBe('pass')
    expect(
      judge({ tool: 'Bash', input: { command: 'tsx src/big.ts' } }, { ...world, readFile: () => CODE.repeat(300) })
        .answer,
    ).toBe('ask')
  })

  it('is asked about where it has more commands than can be read, and not for the lines of what it writes', () => {
    const ask = (command: string) => judge({ tool: 'Bash', input: { command } }, world).answer
    expect(ask('tool --do it; '.repeat(3000))).toBe('ask')
    expect(ask('a|'.repeat(20_000))).toBe('ask')
    expect(ask(`cat > a.md <<'E'\n${'| a | b |; and & more\n'.repeat(2500)}E`)).toBe('pass')
    expect(ask(`cat > a.md <<'E'\n${'| a |\n'.repeat(2500)}E\nrm -rf ~/Documents`)).toBe('deny')
  })
})
