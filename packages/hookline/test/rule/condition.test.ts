// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the shell's, not ours
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { loadProfile } from '../../src/protocol/profiles.ts'
import { readCondition } from '../../src/rule/condition.ts'

const folders = { project: '/home/ada/project', home: '/home/ada' }

function holds(rule: string, tool: string | readonly string[], input: object): boolean {
  return readCondition(rule).judge({ toolNames: [tool].flat(), input }, folders).fits
}

/** Which of several rules mean a shell command. */
function meaning(command: string, rules: readonly string[]): string[] {
  return rules.filter((rule) => holds(`Bash(${rule})`, 'Bash', { command }))
}

const PATHS = ['src/**', '/src/**', './src/**', 'src/*', '**/deep/**', '*.ts', '//home/**', 'deep/**', '~/x']

describe('the condition of a hook', () => {
  it('means one tool, by its exact name or an older one', () => {
    expect(holds('Bash', 'Bash', { command: 'ls' })).toBe(true)
    expect(holds('bash', 'Bash', { command: 'ls' })).toBe(false)
    expect(holds('Task', ['Agent', 'Task'], {})).toBe(true)
    expect(holds('Edit(src/**)', 'Write', { file_path: '/home/ada/project/src/a.ts' })).toBe(false)
    expect(holds('Agent(general-purpose)', 'Agent', { subagent_type: 'general-purpose' })).toBe(false)
    expect(
      ['mcp__srv__raw', 'mcp__srv', 'mcp__srv__*', 'mcp__*'].filter((rule) => holds(rule, 'mcp__srv__raw', {})),
    ).toEqual(['mcp__srv__raw'])
  })

  it('can never hold when it is no rule', () => {
    expect(readCondition('Bash(').fault).toContain('closing parenthesis')
    expect(holds('Bash(', 'Bash', { command: 'ls' })).toBe(false)
  })

  it.each([
    ['echo hi', ['echo *', 'echo:*', 'echo hi', '*hi', 'ECHO *'], ['echo *', 'echo:*', 'echo hi', '*hi']],
    ['git', ['git *', 'git:*', 'git push *'], ['git *', 'git:*']],
    ['github login', ['git *', 'git:*'], []],
    ['FOO=1 echo a && git status; true', ['git *', 'echo *', 'ls *'], ['git *', 'echo *']],
    [
      'timeout 5 git push origin main | cat',
      ['git *', 'timeout *', '* push *', 'cat'],
      ['timeout *', '* push *', 'cat'],
    ],
    [
      'echo $(date +%s)',
      ['date *', 'echo *', 'git push *', 'date', 'rm *'],
      ['date *', 'echo *', 'git push *', 'date'],
    ],
    ['echo $HOME', ['git push *', 'echo hello', 'echo *'], ['echo *']],
  ])('looks at every command of %s', (command, rules, meant) => {
    expect(meaning(command, rules)).toEqual(meant)
  })

  it('reads paths as .gitignore does', () => {
    const meant = PATHS.filter((path) =>
      holds(`Write(${path})`, 'Write', { file_path: '/home/ada/project/src/deep/a.ts' }),
    )
    expect(meant).toEqual(PATHS.filter((path) => path !== 'deep/**' && path !== '~/x'))
  })

  it.each([
    ...[
      'rm x &&',
      'rm x ||',
      'rm x |',
      "rm 'x",
      'echo "$(rm x',
      'echo `rm x',
      'rm x <',
      '( rm x',
      'if true; then rm x',
    ],
    ...[
      '$(echo rm) x',
      '`echo rm` x',
      'r$(echo m) x',
      '$X',
      '"$@"',
      'r? x',
      'export RM=rm; $RM x',
      'for c in rm; do $c x; done',
    ],
    ...['RM=git; RM=rm; $RM x', 'A=r; B=m; $A$B x', 'read RM; $RM x', 'RM=rm $RM x'],
    ...[
      'cat <<E\nx\nE',
      'cat <<-E\nx\nE',
      "cat <<-'E'\nx\nE",
      'cat <<< x',
      '{ ls; }',
      'ls {a,b}',
      'ls x{1..3}',
      'ls }',
    ],
    ...['f() { ls; }; f', 'function f { ls; }', 'f() (ls)', 'case a in a) ls;; esac', 'select x in a; do ls; done'],
    ...['((x=1))', 'for ((i=0;i<1;i++)); do ls; done', 'echo $((1+1))', 'a=(b c)', 'declare -a a=(b c)', 'a[0]=b'],
    ...['diff <(ls) <(ls)', 'ls > >(cat)', 'echo ${X:-$(ls)}', 'echo ${X:-y}', "echo $'a'", 'echo $"a"', 'ls !(a)'],
  ])('holds, whatever it names, for %j, which is not taken apart', (command) => {
    expect(meaning(command, ['rm *', 'rm:*', 'git *', 'git push:*'])).toEqual(['rm *', 'rm:*', 'git *', 'git push:*'])
  })

  it.each([
    ...['xargs rm', 'ls | xargs rm -f', 'ls | xargs -0 -n 1 rm', 'ls | xargs -I{} rm {}'],
    ...['RM=rm; $RM x', 'RM=rm && "$RM" x', 'RM=rm\n$RM x'],
    ...['r\\m x', "'rm' x", "r''m x", 'rm\tx', '  rm  x', '2>/dev/null rm x', 'X=1 Y=2 rm x', 'X=$(date) rm x'],
    ...['if rm x; then :; fi', 'if :; then :; elif rm x; then :; fi', 'until rm x; do :; done'],
    ...['[ -f x ] && rm x', '( (rm x) )', '! rm x', 'rm x &', 'ls\n\nrm x', 'rm \\\n x'],
  ])('looks for commands in %j', (command) => {
    expect(meaning(command, ['rm *', 'rm:*', 'curl:*'])).toEqual(['rm *', 'rm:*'])
  })

  it.each([
    ...['ls', 'echo "}"', "awk '{ print $1 }' f", 'find . -exec ls {} +', 'RM=git; $RM x', "cat <<'E'\nrm x\nE"],
    ...['ls *.ts', 'echo rm x', 'ls | xargs wc -l', 'ls > f 2>&1', 'ls # rm x', 'git commit -m "rm x"'],
  ])('does not hold for %j, which is about something else', (command) => {
    expect(meaning(command, ['rm *', 'rm:*'])).toEqual([])
  })

  it('compares commands with their quotes, too', () => {
    expect(meaning('cd x && git commit -m "a b"', ['git commit -m "a b"', 'git commit -m a b'])).toHaveLength(2)
  })

  it('means every call with empty parentheses', () => {
    for (const rule of ['Bash()', 'Bash( )', 'Bash(*)']) expect(holds(rule, 'Bash', { command: 'ls' })).toBe(true)
    expect(holds('Bash( echo hi )', 'Bash', { command: 'echo hi' })).toBe(true)
  })

  it('means nothing where it is several rules in one, or a pattern of tools', () => {
    for (const rule of ['Bash(ls),Bash(rm *)', 'Bash(ls|rm *)', '*', 'B*', '.*'])
      expect(holds(rule, 'Bash', { command: 'ls' })).toBe(false)
  })

  it.each([
    ['*.env', '/elsewhere/x.env', true],
    ['*.env', '/home/ada/project/SUB/.ENV', true],
    ['**/.env', '/elsewhere/deep/.Env', true],
    ['**/sub/**', '/elsewhere/sub/x', true],
    ['**', '/elsewhere/x', true],
    ['.env', '/home/ada/project/deep/.ENV', true],
    ['.env', '/elsewhere/.env', true],
    ['.env', '/elsewhere/x.env', false],
    ['SRC/**', '/home/ada/project/src/a.ts', true],
    ['src', '/home/ada/project/lib/src/a.ts', true],
    ['src/', '/home/ada/project/lib/src/a.ts', true],
    ['deep/**', '/home/ada/project/src/deep/a.ts', false],
    ['src/**', '/elsewhere/src/a.ts', false],
    ['./*.ts', '/home/ada/project/lib/a.ts', true],
    ['./*.ts', '/elsewhere/a.ts', false],
    ['/src/**', '/home/ada/project/src/a.ts', true],
    ['//elsewhere/**', '/Elsewhere/a.ts', true],
    ['~/x', '/home/ada/X', true],
    ['{a,b}.ts', '/home/ada/project/a.ts', false],
    ['src/../x.ts', '/home/ada/project/x.ts', true],
    ['[!a].ts', '/home/ada/project/a.ts', true],
    ['[^a].ts', '/home/ada/project/b.ts', true],
    ['[!a].ts', '/home/ada/project/ab.ts', false],
    ['src/\\*', '/home/ada/project/src/a.ts', true],
    ['src/\\*.ts', '/home/ada/project/src/a.ts', false],
    ['*/home/**', '/home/ada/project/a.ts', true],
    ['*/*', '/.env', true],
    ['~', '/home/ada/project/~/a.ts', true],
  ])('with the pattern %s and the file %s: %s', (pattern, path, meant) => {
    expect(holds(`Write(${pattern})`, 'Write', { file_path: path })).toBe(meant)
    expect(holds(`NotebookEdit(${pattern})`, 'NotebookEdit', { notebook_path: path })).toBe(meant)
  })

  it('holds for what cannot be looked into', () => {
    expect(holds('Bash(git *)', 'Bash', { command: 'echo "unclosed' })).toBe(true)
    expect(holds('Bash(git *)', 'Bash', {})).toBe(true)
  })
})

/** Rules and calls with what the client did, where the folder of contracts lies beside the checkout. */
const RECORDED = fileURLToPath(new URL('../../../../../shared/client/if-pairs.jsonl', import.meta.url))

interface RecordedPair {
  readonly rule: string
  readonly tool_name: string
  readonly tool_input: object
  readonly runs: boolean
}

function readPairs(): RecordedPair[] {
  const filled = readFileSync(RECORDED, 'utf8')
    .replaceAll('{project}', '/tmp/hookline-pairs/project')
    .replaceAll('{home}', '/tmp/hookline-pairs/home')
    .replaceAll('{root}', '/tmp/hookline-pairs')
  return filled
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

it.skipIf(!existsSync(RECORDED))(
  'a condition holds wherever the client runs the hook (needs ../shared beside the checkout)',
  async () => {
    const profile = await loadProfile('current')
    const aliases = profile.rules.matchers.aliases.tool_name ?? {}
    const places = { project: '/tmp/hookline-pairs/project', home: '/tmp/hookline-pairs/home' }
    const open = readPairs().filter(({ rule, tool_name, tool_input, runs }) => {
      if (rule === '') return false // no condition at all
      const toolNames = [tool_name, ...(aliases[tool_name] ?? [])]
      return runs && !readCondition(rule).judge({ toolNames, input: tool_input }, places).fits
    })
    expect(open).toEqual([])
  },
)

describe('answers of the real client', () => {
  /** A line for each command: which of the rules of the first line ran their hook in Claude Code 2.1.325, in their order. */
  const [first = '', ...lines] = readFileSync(new URL('client-conditions.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n')
  const rules: Readonly<Record<string, readonly string[]>> = JSON.parse(first)

  it('are never more than ours: no guard stays silent that the client would run', () => {
    const places = { project: '/tmp/hookline-pairs/project', home: '/tmp/hookline-pairs/home' }
    const asked = lines.map((line): { command: string; set: string; runs: string } => JSON.parse(line))
    const open = asked.flatMap(({ command, set, runs }) =>
      (rules[set] ?? []).filter(
        (rule, at) =>
          runs[at] === '+' && !readCondition(rule).judge({ toolNames: ['Bash'], input: { command } }, places).fits,
      ),
    )
    expect(asked.length).toBeGreaterThan(1600)
    expect(open).toEqual([])
  })

  it('are never more than ours about files either, whatever the pattern and wherever the file lies', () => {
    const [root, project, home] = ['/tmp/hookline-pairs', '/tmp/hookline-pairs/project', '/tmp/hookline-pairs/home']
    const [sets = '', ...asked] = readFileSync(new URL('client-paths.jsonl', import.meta.url), 'utf8')
      .replaceAll('{project}', project)
      .replaceAll('{Project}', project.toUpperCase())
      .replaceAll('{home}', home)
      .replaceAll('{root}', root)
      .trim()
      .split('\n')
    const patterns: Readonly<Record<string, readonly string[]>> = JSON.parse(sets)
    const open = asked.flatMap((line) => {
      const { set, tool, path, runs }: { set: string; tool: string; path: string; runs: number[] } = JSON.parse(line)
      const input = { [PATH_FIELDS[tool] ?? 'file_path']: path }
      const ran = runs.map((at) => patterns[set]?.[at] ?? '')
      const silent = ran.filter(
        (rule) => !readCondition(rule).judge({ toolNames: [tool], input }, { project, home }).fits,
      )
      return silent.map((rule) => `${rule} for ${path}`)
    })
    expect(asked.length).toBeGreaterThan(160)
    expect(open).toEqual([])
  })
})

const PATH_FIELDS: Readonly<Record<string, string>> = { NotebookEdit: 'notebook_path', Glob: 'path', Grep: 'path' }

describe('what the client does not take apart', () => {
  it.each([
    ...['echo "$x"; ls', 'ls ${x}', 'echo $?', 'A=$B ls', 'for i in a; do ls "$i"; done', '(A=ls); $A', 'A=ls | $A x'],
    ...['ls a\\ b', 'l\\\ns', 'ls \\', 'ls\u00a0a', 'echo "a\u3000b"', '(ls; ls)', '(ls && (ls))', 'time (ls)'],
    ...['while ls; do ls; done < f', 'if ls; then ls; fi > f', '(ls) 2>&1', 'ls <> f', 'ls 2>&-', 'ls > "$(ls)"'],
    ...['a=b c=d', 'a="$(ls)"', 'a=~ ls', 'IFS= read -r l', '[ a', '[a', 'ls =b', 'export $HOME', 'ls('],
    ...["ls <<'E' | cat\na\nE", 'echo $(<f)', 'ls $(ls) > f', '[[ -n $(ls) ]]'],
  ])('runs every hook: %j', (command) => {
    for (const rule of ['Bash(zzz *)', 'Bash(zzz:*)', 'Bash(zzz y *)'])
      expect(holds(rule, 'Bash', { command }), rule).toBe(true)
  })

  it.each([
    ...[
      'ls $HOME',
      'echo "$HOME/a"',
      'A=b; ls $A',
      'A=b && ls "$A/c"',
      'ls \\\n -l',
      'echo a\\;b',
      '(ls)',
      '(ls && ls)',
    ],
    ...[
      'ls > f 2>&1',
      'while ls; do ls; done',
      '[ -f a ]',
      'a=b c=d ls',
      "ls <<'E'\na\nE\nls",
      'for i in a; do ls; done',
    ],
  ])('leaves out %j', (command) => {
    for (const rule of ['Bash(zzz *)', 'Bash(zzz)', 'Bash(zzz y *)'])
      expect(holds(rule, 'Bash', { command }), rule).toBe(false)
  })
})
