import { describe, expect, it } from 'vitest'
import { readVariable } from '../../src/process/variables.ts'
import { makeWindowsLine, type ProgramRequest } from '../../src/process/windows/command-line.ts'
import {
  findCommandInterpreter,
  findGitBash,
  findInShell,
  findProgram,
  findSystemProgram,
} from '../../src/process/windows/programs.ts'

const BASH = 'C:\\Program Files\\Git\\bin\\bash.exe'
const CMD = 'C:\\Windows\\System32\\cmd.exe'
const ENV = { Path: 'C:\\tools;relative;.;"C:\\quoted one";C:\\Windows\\System32', SystemRoot: 'C:\\Windows' }
const PROJECT = 'C:\\work\\a b'

/** A disk that has these files, in any spelling. */
const disk = (...paths: string[]) => {
  const known = new Set(paths.map((path) => path.toLowerCase()))
  return (path: string): boolean => known.has(path.toLowerCase())
}

const at = (file: string, ...args: string[]): ProgramRequest => ({ file, args, cwd: PROJECT, env: ENV })
const shell = (text: string, more: Partial<ProgramRequest> = {}): ProgramRequest => ({
  ...at('/bin/sh', '-c', text),
  ...more,
})
/** A line for Git Bash, of words that Node quotes as well. */
const forBash = (...words: string[]) => ({
  file: BASH,
  args: words.map((word) => `"${word.replaceAll('"', '\\"')}"`),
  verbatim: true,
})
const withBash = { gitBash: BASH, env: ENV, isFile: disk(BASH) }
const withoutBash = { gitBash: null, env: ENV, isFile: disk() }

describe('a command on Windows', () => {
  const DENIAL = 'echo {"hookSpecificOutput":{"permissionDecision":"deny"}}'

  it('is read by Git Bash where that is there, between double quotes, where nothing else has a meaning', () => {
    expect(makeWindowsLine(shell(DENIAL), withBash)).toEqual(forBash('-c', DENIAL))
  })

  it.each([
    DENIAL,
    'node -e "process.exit(2)"',
    '"C:\\a b\\guard.cmd" & echo done',
    '"%CLAUDE_PROJECT_DIR%\\guard.cmd"',
  ])('reaches cmd letter for letter where there is none: %s', (text) => {
    const line = makeWindowsLine(shell(text), withoutBash)
    expect(line).toEqual({ file: CMD, args: ['/d', '/s', '/c', `"${text}"`], verbatim: true })
  })

  it.each([
    ['"$CLAUDE_PROJECT_DIR"/guard.sh', 'a variable written as $NAME'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how settings write it
    ['node "${CLAUDE_PROJECT_DIR}/guard.js"', 'a variable written as $NAME'],
    ['.claude/hooks/guard.sh', 'a .sh file'],
    [`node -e 'process.exit(2)'`, 'words in single quotes'],
    ['node guard.js; exit 2', 'commands that are parted by a semicolon'],
    ['node guard.js $(git rev-parse HEAD)', 'a command whose output is put into another'],
    ['grep -q rm >/dev/null && exit 2', 'a file below /dev'],
    ['node ~/.claude/guard.js', 'a path that starts with ~/'],
    ['node guard.js\nexit 2', 'several lines'],
  ])('that is written for a POSIX shell is not given to cmd, which would do something else: %j', (text, sign) => {
    expect(() => makeWindowsLine(shell(text), withoutBash)).toThrow(`needs Git Bash, since it has ${sign}`)
    expect(makeWindowsLine(shell(text), withBash).file).toBe(BASH)
  })

  it.each([
    'powershell -NoProfile -Command "if ($env:HOME) { exit 2 }"',
    `pwsh -c "Write-Output 'no'"`,
    `echo it's fine, isn't it`,
    'guard.shell',
    'set X=a;b& node -e "a(); b(\'c\')"',
  ])('is given to cmd if cmd can read it: %s', (text) => {
    expect(makeWindowsLine(shell(text), withoutBash).file).toBe(CMD)
  })

  it('names the folder of its plugin also in cmd, unless that could become a command', () => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how settings write it
    const text = 'node "${CLAUDE_PLUGIN_ROOT}\\guard.js"'
    const inFolder = (root: string) => shell(text, { env: { ...ENV, CLAUDE_PLUGIN_ROOT: root } })
    expect(makeWindowsLine(inFolder('C:\\my plugin'), withoutBash).args.at(-1)).toBe('"node "C:\\my plugin\\guard.js""')
    expect(makeWindowsLine(inFolder('C:\\my plugin'), withBash).args.at(-1)).toBe('"node \\"C:/my plugin\\guard.js\\""')
    expect(makeWindowsLine(inFolder('C:\\a&calc'), withBash)).toEqual(forBash('-c', text))
    expect(makeWindowsLine(shell(text), withBash)).toEqual(forBash('-c', text))
    expect(() => makeWindowsLine(inFolder('C:\\a&calc'), withoutBash)).toThrow('cannot be given')
  })

  it.each([
    ['too long for cmd', shell(`echo ${'x'.repeat(8200)}`)],
    ['CLAUDE_CODE_SHELL_PREFIX', shell('echo', { env: { ...ENV, CLAUDE_CODE_SHELL_PREFIX: 'C:\\audit.exe' } })],
    ['network folder', shell('echo', { cwd: '\\\\server\\share\\project' })],
  ])('is refused rather than run in another way: %s', (words, asked) => {
    expect(() => makeWindowsLine(asked, withoutBash)).toThrow(words)
    expect(makeWindowsLine(asked, withBash).file).toBe(BASH)
  })

  it('that asks for bash is never read by cmd', () => {
    expect(makeWindowsLine(at('bash', '-c', 'exit 2'), withBash)).toEqual(forBash('-c', 'exit 2'))
    expect(() => makeWindowsLine(at('bash', '-c', 'exit 2'), withoutBash)).toThrow('there is no Git Bash')
  })

  it('for PowerShell is read by version 7 where it is found, else by the one of the system', () => {
    const asked = at('powershell.exe', '-NoProfile', '-NonInteractive', '-Command', 'if ("a") { exit 2 }')
    const old = `${process.env.SystemRoot ?? 'C:\\Windows'}\\System32\\WindowsPowerShell\\v1.0\\powershell.exe`
    expect(makeWindowsLine(asked, withoutBash)).toEqual({ file: old, args: asked.args, verbatim: false })
    const pwsh = { ...withoutBash, isFile: disk('C:\\tools\\pwsh.exe') }
    expect(makeWindowsLine(asked, pwsh)).toEqual({ file: 'C:\\tools\\pwsh.exe', args: asked.args, verbatim: false })
  })
})

describe('a program with arguments on Windows', () => {
  const start = (asked: ProgramRequest, ...files: string[]) =>
    makeWindowsLine(asked, { ...withBash, isFile: disk(BASH, ...files) })

  it('is looked up on the search path with its extensions, and never in the current folder', () => {
    const inProject = `${PROJECT}\\guard.exe`
    expect(() => start(at('guard'), inProject)).toThrow('ENOENT')
    expect(start(at('guard', 'a "b"'), inProject, 'C:\\quoted one\\guard.exe')).toEqual({
      file: 'C:\\quoted one\\guard.exe',
      args: ['a "b"'],
      verbatim: false,
    })
    expect(start(at('.\\guard'), inProject).file).toBe(inProject)
  })

  it('may be one of those that come with Git Bash and are not on the search path', () => {
    const cat = 'C:\\Program Files\\Git\\usr\\bin\\cat.exe'
    expect(start(at('cat', "it's", '*', 'a\\"b\\'), cat)).toEqual({
      file: cat,
      args: [`"it's"`, '"*"', '"a\\\\\\"b\\\\"'],
      verbatim: true,
    })
  })

  it('gets its arguments quoted when it is a batch file', () => {
    const line = start(at('npx', '--yes', 'a & b', 'C:\\end\\'), 'C:\\tools\\npx.cmd')
    expect(line).toEqual({
      file: CMD,
      args: ['/d', '/s', '/c', '""C:\\tools\\npx.cmd" "--yes" "a & b" "C:\\end\\\\""'],
      verbatim: true,
    })
  })

  it.each(['a"b', '%PATH%', 'two\nlines', 'two\rlines'])(
    'is refused when it is a batch file and %j could become a command',
    (argument) => {
      expect(() => start(at('npx', argument), 'C:\\tools\\npx.cmd')).toThrow('a batch file cannot be given')
    },
  )

  it('is read by PowerShell or by Git Bash when it is a script of theirs', () => {
    const [ps1, sh] = [`${PROJECT}\\guard.ps1`, `${PROJECT}\\guard.sh`]
    expect(start(at('./guard.ps1', 'x'), ps1).args).toEqual(
      '-NoProfile,-NonInteractive,-ExecutionPolicy,Bypass,-File'.split(',').concat(ps1, 'x'),
    )
    expect(start(at('./guard.sh', 'x'), sh)).toEqual(forBash(sh, 'x'))
  })
})

describe('programs of Windows', () => {
  it('are started by their full path, whatever variables say that are no full paths', () => {
    expect(findSystemProgram('taskkill.exe', { systemroot: 'D:\\WinNT' })).toBe('D:\\WinNT\\System32\\taskkill.exe')
    for (const SystemRoot of [undefined, '', 'Windows', '.\\x'])
      expect(findSystemProgram('taskkill.exe', { SystemRoot })).toBe('C:\\Windows\\System32\\taskkill.exe')
    expect(findCommandInterpreter({ COMSPEC: 'D:\\cmd.exe' })).toBe('D:\\cmd.exe')
    for (const ComSpec of [undefined, 'cmd.exe', '.\\cmd.exe']) expect(findCommandInterpreter({ ComSpec })).toBe(CMD)
  })

  it('are found by the extensions of PATHEXT, as cmd does', () => {
    const isFile = disk('C:\\tools\\a.exe', 'C:\\tools\\a.py', 'C:\\tools\\b.sh', 'C:\\tools\\c')
    const find = (name: string, PATHEXT?: string) =>
      findProgram(name, { cwd: PROJECT, env: PATHEXT === undefined ? ENV : { ...ENV, PATHEXT } }, isFile)
    expect(find('a')).toBe('C:\\tools\\a.exe')
    expect(find('a', '.PY;.EXE')).toBe('C:\\tools\\a.py')
    expect(find('a.EXE')).toBe('C:\\tools\\a.EXE')
    expect(find('b.sh')).toBe('C:\\tools\\b.sh')
    expect(find('c')).toBe('C:\\tools\\c')
    expect(find('d')).toBeNull()
  })

  it('are found by a check as the shell of hooks finds them', () => {
    expect(findInShell('a', ENV, disk('C:\\tools\\a.exe'))).toBe('C:\\tools\\a.exe')
  })
})

describe('Git Bash', () => {
  it.each([
    ['in the variable for it', { CLAUDE_CODE_GIT_BASH_PATH: 'D:\\my\\bash.exe' }, 'D:\\my\\bash.exe'],
    ['beside the git of the search path', { PATH: 'D:\\Git\\cmd' }, 'D:\\Git\\bin\\bash.exe'],
    ['two folders above it', { path: 'D:\\Git\\mingw64\\bin' }, 'D:\\Git\\bin\\bash.exe'],
    ['where it is installed for all', { ProgramFiles: 'C:\\Program Files' }, BASH],
    [
      'where the user installed it',
      { LOCALAPPDATA: 'C:\\Users\\x\\AppData\\Local' },
      'C:\\Users\\x\\AppData\\Local\\Programs\\Git\\bin\\bash.exe',
    ],
  ])('is found %s', (_, env, expected) => {
    const isFile = disk(expected, 'D:\\Git\\cmd\\git.exe', 'D:\\Git\\mingw64\\bin\\git.exe')
    expect(findGitBash(env, isFile)).toBe(expected)
  })

  it('is neither the bash of the system, which is Linux, nor one by a path that depends on the current folder', () => {
    const isFile = (path: string): boolean => /bash\.exe$/i.test(path)
    expect(findGitBash({ Path: 'C:\\Windows\\System32', SystemRoot: 'C:\\Windows' }, isFile)).toBeNull()
    expect(findGitBash({ CLAUDE_CODE_GIT_BASH_PATH: 'bash.exe' }, isFile)).toBeNull()
    expect(findGitBash({ ProgramFiles: 'files' }, isFile)).toBeNull()
  })

  it('is missing when the variable for it leads nowhere, so that a mistake there is seen', () => {
    const env = { CLAUDE_CODE_GIT_BASH_PATH: 'D:\\gone\\bash.exe', ProgramFiles: 'C:\\Program Files' }
    expect(findGitBash(env, disk(BASH))).toBeNull()
  })
})

it('names of variables ignore case where they do in the system', () => {
  expect(readVariable({ Path: 'x' }, 'PATH', { ignoresCase: true })).toBe('x')
  expect(readVariable({ Path: 'x' }, 'PATH', { ignoresCase: false })).toBeUndefined()
})
