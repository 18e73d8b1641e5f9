// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the shell's, not ours
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readCondition } from '../../src/rule/condition.ts'

const folders = { project: '/home/ada/project', home: '/home/ada' }

function holds(rule: string, command: string): boolean {
  return readCondition(rule).judge({ toolNames: ['Bash'], input: { command } }, folders).fits
}

/** Ways to write the same command, which the client reads as `rm x`. */
const SPELLINGS = [
  ...['rm x', "'rm' x", 'r\\m x', 'r""m x', '"rm" x', 'rm\tx', 'rm  x', 'rm \\\n x', 'A=1 rm x', 'A=1 B="2 3" rm x'],
  ...['2>/dev/null rm x', 'rm x >f 2>&1', 'A=$(date) rm x', 'RM=rm; $RM x', 'RM=rm; "${RM}" x', 'ls | xargs rm x'],
  ...['ls | xargs -n 1 rm x', '$(echo rm) x', '`echo rm` x', '$UNKNOWN x', 'r? x'],
]

/** Constructs around a command, which stands in the place of `@`: taken apart or not, a hook for it has to run. */
const CONSTRUCTS = [
  ...[
    '@; ls',
    'ls; @',
    'ls && @',
    'ls || @',
    'ls | @',
    '@ | cat',
    '@ &',
    '@ && ls',
    '@ || ls',
    'ls\n@',
    '@\nls',
    '@ # ls',
  ],
  ...['( @ )', '(@)', '( ls; @ )', 'if @; then :; fi', 'if :; then @; fi', 'if :; then :; else @; fi'],
  ...['if :; then :; elif @; then :; fi', 'while @; do :; done', 'until :; do @; done', 'for i in 1 2; do @; done'],
  ...['for i in $(@); do :; done', 'while read -r f; do @; done < f', '! @', 'coproc @', 'coproc N { @; }'],
  ...['echo $(@)', 'echo "$(@)"', 'echo "a $(@) b"', 'X=$(@)', 'X="$(@)"', 'X=$(@) ls', 'ls $(ls; @)', 'ls > $(@)'],
  ...['[[ -n $(@) ]]', '[[ a == a && $(@) ]]', '[ -n "$(@)" ]', 'test "$(@)"', 'export X=$(@)', 'local X="$(@)"'],
  ...['{ @; }', '{ ls; @; }', 'f() { @; }; f', 'function f { @; }', 'f() ( @ )', 'case a in a) @;; esac'],
  ...['case $(@) in a) ls;; esac', 'select i in 1; do @; done', 'cat <(@)', 'ls > >(@)', 'echo ${X:-$(@)}'],
  ...[
    'echo ${X:+"$(@)"}',
    'echo ${X/a/$(@)}',
    'a=($(@))',
    'a[$(@)]=1',
    '(( $(@) ))',
    'echo $(( $(@) ))',
    'let "x=$(@)"',
  ],
  ...['for ((i=0; i<$(@); i++)); do :; done', 'cat <<< "$(@)"', 'cat <<E\n$(@)\nE\n', 'cat <<-E\n$(@)\nE\n'],
  ...['{ ls; } && @', 'ls {a,b}; @', 'echo } ; @', 'declare -a a=(1); @', "cat <<'E'\nE\n@", 'ls && (ls; ! @)'],
]

/** Constructs that break off: nothing behind them can be told. */
const BROKEN = [
  '@ &&',
  '@ ||',
  '@ |',
  '( @',
  '{ @',
  'echo "$(@',
  'echo $(@',
  'if @; then',
  "@ 'x",
  '@ "x',
  '@ <',
  'for i in 1; do @',
]

const nested = fc
  .tuple(fc.constantFrom(...SPELLINGS), fc.array(fc.constantFrom(...CONSTRUCTS), { maxLength: 4 }))
  .map(([command, around]) => around.reduce((inner, construct) => construct.replace('@', () => inner), command))

const RULES = ['Bash(rm *)', 'Bash(rm:*)']

describe('a hook with a condition on a command', () => {
  it('runs wherever the command stands, in constructs at any depth', () => {
    fc.assert(
      fc.property(nested, (script) => {
        expect(RULES.filter((rule) => !holds(rule, script))).toEqual([])
      }),
      { numRuns: 150 },
    )
  })

  it('runs in every construct alone, with every spelling', () => {
    const scripts = CONSTRUCTS.flatMap((construct) => SPELLINGS.map((command) => construct.replace('@', () => command)))
    expect(scripts.filter((script) => RULES.some((rule) => !holds(rule, script)))).toEqual([])
  })

  it('runs where the script breaks off, whatever it names', () => {
    const open = fc
      .tuple(nested, fc.constantFrom(...BROKEN))
      .map(([inner, construct]) => construct.replace('@', () => inner.replace(' # ls', '')))
    fc.assert(
      fc.property(open, (script) => {
        expect(['Bash(rm *)', 'Bash(git push:*)', 'Bash(curl *)'].filter((rule) => !holds(rule, script))).toEqual([])
      }),
      { numRuns: 150 },
    )
  })

  it('runs for a construct that is not taken apart, whatever stands around it', () => {
    const odd = fc.constantFrom('$((1))', '<(ls)', '${x@Q}', '${!x}', '{a,b}', '$"a"', "$'a'", '<<X', '`', '@(a|b)')
    const text = fc.string({ maxLength: 12 }).map((one) => one.replaceAll(/["'#\\`]/g, ''))
    fc.assert(
      fc.property(text, odd, text, (before, word, after) => {
        expect(holds('Bash(rm *)', `ls ${before}; ls ${word} ${after}`)).toBe(true)
      }),
      { numRuns: 150 },
    )
  })
})
