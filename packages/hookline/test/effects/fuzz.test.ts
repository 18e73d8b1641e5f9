import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { judge } from '../../src/guards/judge.ts'
import { smallWorld } from '../support/small-world.ts'

const world = smallWorld()

const pieces = fc.constantFrom(
  ...[
    'rm -rf ',
    '~',
    '/',
    '"',
    "'",
    '$(',
    ')',
    '`',
    '{',
    '}',
    ';',
    '|',
    '&&',
    '||',
    '&',
    '\n',
    '$X',
    '${X:-',
    '}',
    '<<EOF\n',
    'EOF\n',
    '> ',
    'eval ',
    'bash -c ',
    'python3 -c ',
    'node -e ',
    '(',
    '[',
    ']',
    '*',
    '\\',
    '$((',
    '))',
    'for i in ',
    'do ',
    'done',
    'if ',
    'fi',
    'case ',
    'esac',
    'f() ',
    '=',
    'git ',
    'xargs ',
    '\0',
    '\u{1F600}',
    'é',
  ],
)

describe('a reader of any text', () => {
  it('answers for random and nested texts, and never fails open', () => {
    fc.assert(
      fc.property(
        fc.array(pieces, { maxLength: 40 }),
        fc.constantFrom('Bash', 'PowerShell', 'mcp__shell__run'),
        (parts, tool) => {
          const { answer, view } = judge({ tool, input: { command: parts.join('') } }, world)
          expect(['deny', 'ask', 'pass']).toContain(answer)
          expect(view.unseen.every(({ of }) => typeof of === 'string')).toBe(true)
        },
      ),
      { numRuns: 2000 },
    )
  })

  it.each([
    ['substitutions', `echo ${'$('.repeat(3000)}ls${')'.repeat(3000)}`],
    ['brackets of Python', `python3 -c "${'('.repeat(5000)}"`],
    ['groups', `${'{ '.repeat(4000)}ls${'; }'.repeat(4000)}`],
    ['shells in shells', `${'bash -c '.repeat(500)}ls`],
    ['wrappers', `${'env '.repeat(5000)}ls`],
    ['a mebibyte of words', `echo ${'word '.repeat(200_000)}`],
    ['a mebibyte of pipes', 'a|'.repeat(500_000)],
    ['braces', `echo ${'{a,b}'.repeat(40)}`],
    ['loops in loops', `${'for i in 1 2 3 4 5 6 7 8 9; do '.repeat(12)}ls${'; done'.repeat(12)}`],
    [
      'a function that calls another',
      `${Array.from({ length: 30 }, (_, at) => `f${at}() { f${at + 1}; f${at + 1}; };`).join(' ')} f0`,
    ],
    ['wildcards', `rm ${'*'.repeat(3000)}x`],
  ])('asks about %s that are too much, in a bounded number of steps', (_, command) => {
    const started = process.cpuUsage()
    const { answer } = judge({ tool: 'Bash', input: { command } }, world)
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(2000)
    expect(['ask', 'deny', 'pass']).toContain(answer)
    if (command.length > 64 * 1024) expect(answer).toBe('ask')
  })
})
