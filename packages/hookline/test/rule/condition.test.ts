import { describe, expect, it } from 'vitest'
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

  it('holds for what cannot be looked into', () => {
    expect(holds('Bash(git *)', 'Bash', { command: 'echo "unclosed' })).toBe(true)
    expect(holds('Bash(git *)', 'Bash', {})).toBe(true)
  })
})
