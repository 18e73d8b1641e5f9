import { posix } from 'node:path'
import { LAUNCHERS, SHELLS, TAKES_PROGRAM, TAKES_WORDS, WRAPPERS, type Wrapper } from '../programs/command-table.ts'
import type { Program } from '../programs/program.ts'
import { findProgramRow, isProgramName, isSystemRow } from '../programs/table.ts'
import { findOwn } from '../text/table.ts'
import {
  type Context,
  copyShell,
  enterStep,
  listRunnable,
  lowerCertainty,
  note,
  noteChange,
  noteFlows,
  noteUnseen,
  readFilled,
  readPath,
  resolveOne,
} from './context.ts'
import { changeFolder } from './folder.ts'
import { noteHandedPrograms, runHandedScript, runOptionCommands, runScriptWord } from './handed-commands.ts'
import { findPrintedFolder } from './printed-folders.ts'
import { parseArguments, runRow, toSet } from './program.ts'
import { readCallWords } from './readers/call.ts'
import { noteSql, readSqlFile } from './readers/databases.ts'
import { showProgram } from './readers/shell-builtins.ts'
import { findReader } from './readers/table.ts'
import { runContent, runFile } from './run-file.ts'
import { runParallel, runXargs } from './run-lists.ts'
import { runUnknownProgram } from './unknown-program.ts'
import { noteUnreadWords, OWN_FILE } from './unread-words.ts'
import {
  type Content,
  carry,
  concat,
  dropStart,
  EMPTY_CONTENT,
  join,
  readKnownStart,
  readWord,
  showValue,
  toKnownWord,
  toUnknownWord,
  UNKNOWN_CONTENT,
  type Value,
} from './value.ts'
import { noteVariable } from './variables.ts'

/** Folders of a PATH that are looked at. */
const MAX_FOLDERS = 8

/** Notes what a program does with its words; answers with what it prints. */
export function runProgram(context: Context, written: string, words: readonly Value[], input: Content): Content {
  const args = words.slice(1)
  const name = findName(context, written)
  const output = runNamed(context, written, words, { args, input, name })
  const folder =
    name !== null && output.text === null && args.length > 0
      ? findPrintedFolder([name, ...readCallWords(args.slice(0, 5))], context.reading.world.home)
      : null
  if (folder !== null) return { ...output, text: `${folder}\n` }
  return output.text === null && isPrintingSetup(name, args)
    ? { ...output, carries: carry('setup', output.carries) }
    : output
}

/** True for calls that print set-up code for a shell: `ssh-agent -s`, `brew shellenv`, `gh completion -s bash`. */
function isPrintingSetup(name: string | null, args: readonly Value[]): boolean {
  if (name !== null && /agent|dircolors|keychain|luarocks|opam/.test(name)) return true
  return args
    .slice(0, 3)
    .some((word) =>
      /^(?:init|env|shellenv|completions?|hook|activate|shell|export|docker-env|--sh|--bash|--zsh|--alias|shell\.\w+|generate-shell-completion|path|setup-bash)$/.test(
        readWord(word) ?? '',
      ),
    )
}

function runNamed(
  context: Context,
  written: string,
  words: readonly Value[],
  { args, input, name }: { args: readonly Value[]; input: Content; name: string | null },
): Content {
  const inner =
    context.steps.length < 24
      ? { ...context, steps: [...context.steps, { text: words.map(showValue).join(' ').slice(0, 160) }] }
      : context
  note(inner, {
    does: 'run',
    program: name ?? written,
    words: args.map(showValue).map((text) => text.slice(0, 200)),
    as: context.as,
    where: context.where,
  })
  if (name === null) return runCopied(inner, written, args, input) ?? runFile(inner, toKnownWord(written), args)
  const made = findMadeProgram(inner, name)
  if (made !== null && isProgramName(made) && /^\/(?:usr|bin|sbin)\//.test(made))
    return runNamed(inner, made, words, { args, input, name: posix.basename(made) })
  if (made !== null) return runFile(inner, toKnownWord(made), args)
  if (SHELLS.has(name)) return runShell(inner, name, args, input)
  const own = findOwn(OWN, name)
  if (own) return own(inner, args, input, name)
  // `git-foo` is how git itself starts `git foo`.
  if (/^git-[a-z]/.test(name) && !findProgramRow(name))
    return context.reading.runWords(enterStep(inner), [toKnownWord('git'), toKnownWord(name.slice(4)), ...args], input)
  const team = context.reading.programs.get(name)
  // Rows of a team are checked where its settings are read.
  const row = team ? (team as Program) : findProgramRow(name)
  const launcher = row?.reader !== undefined && READS_LAUNCHES.has(row.reader) ? null : findLauncher(name, args)
  // Secrets that a keeper puts into the environment of a program which shows it.
  if (
    launcher &&
    row?.reader === 'keeper' &&
    /^(?:env|printenv|set|export)$/.test(readWord(args.at(-1) ?? toKnownWord('')) ?? '')
  )
    noteChange(inner, 'cloud', 'secret', `${name} ${readCallWords(args).join(' ')}`)
  if (launcher) return runWrapped(inner, name, launcher.wrapper, launcher.rest, input)
  const wrapper = findOwn(WRAPPERS, name)
  if (row && wrapper?.scripts && !READS_LAUNCHES.has(row.reader ?? ''))
    return concat([runKnown(inner, row, name, args, input), runWrapped(inner, name, wrapper, args, input)])
  if (row) return runKnown(inner, row, name, args, input)
  if (wrapper) return runWrapped(inner, name, wrapper, args, input)
  return runUnknownProgram(inner, name, args, input)
}

/** True for input that answers every question of a program: `yes |`, `echo y |`. */
function isAnswering({ text }: Content): boolean {
  return text !== null && /^\s*(?:y|yes)\s*$/im.test(text)
}

function runKnown(context: Context, row: Program, name: string, given: readonly Value[], input: Content): Content {
  const isTold = row.oneDash === true && row.verbs !== undefined && row.reader === undefined && isAnswering(input)
  const args = isTold ? [...given, toKnownWord('-auto-approve')] : given
  const reader = row.reader ? findReader(row.reader) : undefined
  const since = context.reading.effects.length
  const output = reader ? reader({ context, name, words: args, input, row }) : runRow(context, row, name, args, input)
  noteFetchedScripts(context, name, args, input)
  if (
    isReachingOut(row) &&
    row.reader !== 'sql' &&
    /^\s*(?:drop|truncate|delete\s+from|alter)\s/i.test(input.text ?? '')
  )
    noteSql(context, input.text ?? '', name)
  if (row.input === 'sql') {
    if (input.text) noteSql(context, input.text, name)
    for (const each of parseArguments(args, toSet('--file')).values('--file')) readSqlFile(context, each, name)
  }
  if (!TAKES_WORDS.has(name)) runOptionCommands(context, args)
  noteHandedPrograms(context, name, args)
  for (const option of toSet(findOwn(TAKES_PROGRAM, name) ?? '')) runProgramOption(context, option, args)
  noteUnreadWords(context, row, name, args, since)
  if (isReachingOut(row)) noteHandedSecrets(context, args)
  return output
}

/** Programs that run a file they are given, by an option or as it is. */
const RUNS_GIVEN: ReadonlySet<string> = toSet(
  'make gmake sed gsed psql mysql mariadb sqlite3 duckdb vim nvim vi ex ed emacs gdb lldb cmake ninja just task ansible-playbook crontab at batch kubectl oc helm docker podman terraform nft sqlplus m4 gnuplot expect tclsh ssh tmux screen awk gawk mawk',
)

/** Notes that a program runs what a substitution fetches: `make -f <(curl …)`, or installs what the call has fetched. */
function noteFetchedScripts(context: Context, name: string, args: readonly Value[], input: Content): void {
  const isInstalling = INSTALLERS.has(name) && readCallWords(args).some((text) => INSTALLING.test(text))
  const isStarting = STARTS_FIRST.has(name)
  if (!RUNS_GIVEN.has(name) && !isInstalling && !isStarting) return
  const first = args.findIndex((word) => !readKnownStart(word).startsWith('-'))
  for (const [at, word] of args.entries()) {
    const text = readKnownStart(word)
    if (text.includes('/dev/fd/')) noteFlows(context, listRunnable(word.carries), 'run', name)
    const isFile =
      isInstalling ||
      (isStarting && at === first) ||
      RUNS_OPERANDS.has(name) ||
      /^(?:-\w?f|--(?:file(?:name)?|(?:make|just|task)file))$/.test(readWord(args[at - 1] ?? word) ?? '')
    if (!isFile || name === 'helm') continue
    if (text === '-' || text === '/dev/stdin') noteFlows(context, listRunnable(input.carries), 'run', name)
    const path = text.startsWith('-') ? null : resolveOne(context, word)
    const made = path ? context.reading.files.get(path.text) : undefined
    if (made) noteFlows(context, listRunnable(made.carries), 'run', name)
  }
}

/** Programs that start the first file they are given, and take the others as words. */
const STARTS_FIRST: ReadonlySet<string> = toSet('java javaw dotnet mono wine luajit escript groovy jshell')

/** Programs that put packages, plugins and extensions to work. */
const INSTALLERS: ReadonlySet<string> = toSet(
  'npm pnpm yarn bun pip pip3 pipx uv poetry pdm gem bundle dpkg rpm apt apt-get dnf yum zypper pacman apk snap flatpak brew installer conda mamba cargo luarocks cpan cpanm R code codium cursor windsurf adb choco winget ansible-galaxy asdf mise gdebi alien nix-env',
)

/** Words by which they do. */
const INSTALLING = /^(?:install|i|add|-i|-U|-pkg|--install|--install-extension|localinstall|sideload)$/

/** Programs among them that run what they are given without an option. */
const RUNS_OPERANDS: ReadonlySet<string> = toSet('ansible-playbook crontab batch expect tclsh gnuplot nft m4')

/** True for programs that talk to other machines and services. */
function isReachingOut(row: Program): boolean {
  return row.reader === 'gh' || isSystemRow(row)
}

/** Notes secrets among the words of a program that talks to others, of which its reader has said nothing. */
function noteHandedSecrets(context: Context, args: readonly Value[]): void {
  const likely = lowerCertainty(context, 'likely')
  for (const [at, word] of args.entries()) {
    const text = readWord(word)
    if (text === null || text === '') continue
    const option = text.startsWith('-')
      ? (text.split('=', 1)[0] ?? '')
      : (readWord(args[at - 1] ?? toKnownWord('')) ?? '')
    const file = /^(?:--?[\w-]+=|[\w.[\]-]+=|)@?([^=@]+)$/.exec(text)?.[1]
    if (!file || OWN_FILE.test(option) || /^-[iceEn]$/.test(option) || (text.startsWith('-') && !text.includes('=')))
      continue
    const path = resolveOne(context, toKnownWord(file))
    if (path?.place !== 'secret' || !path.exists) continue
    const isSeen = context.reading.effects.some((effect) => 'path' in effect && effect.path.text === path.text)
    if (!isSeen) readPath(likely, toKnownWord(file))
  }
}

/** The value of an option that names a program, as `--pre` of rg. */
function runProgramOption(context: Context, option: string, args: readonly Value[]): void {
  const script = findScript(args, toSet(option))
  const text = script ? readWord(script) : null
  if (text !== null) runHandedScript(context, text)
}

/** The name in the table; null for a file of the project or of the call that is run itself. */
function findName(context: Context, written: string): string | null {
  if (!written.includes('/')) return written
  const base = posix.basename(written)
  if (
    /^(?:rails|rake|bundle|console|cake|yii|spark|occ|artisan|gradlew|mvnw|manage\.py)$/.test(base) &&
    !written.startsWith('/tmp')
  )
    return base
  const path = resolveOne(context, toKnownWord(written))
  if (!path || context.mounts !== null) return base
  if (context.reading.files.has(path.text)) return null
  if (context.reading.links.size > 0 && path.place === 'system') return posix.basename(path.text)
  if (
    path.place === 'system' ||
    path.text.includes('/node_modules/.bin/') ||
    path.text.includes('/vendor/bin/') ||
    path.text.includes('/.venv/bin/') ||
    path.text.includes('/venv/bin/')
  )
    return base
  return null
}

/** A file that the call itself makes, and that is found in front of a program of that name. */
function findMadeProgram({ shell, reading }: Context, name: string): string | null {
  const hashed = shell.variables.get(`BASH_CMDS[${name}]`)
  if (hashed) return readWord(hashed)
  const path = reading.files.size > 0 ? shell.variables.get('PATH') : undefined
  if (!path) {
    const { home } = reading.world
    return (
      ['/usr/local/bin', `${home}/.local/bin`, `${home}/bin`]
        .map((folder) => `${folder}/${name}`)
        .find((file) => reading.files.has(file)) ?? null
    )
  }
  const folders = showValue(path).split(':', MAX_FOLDERS)
  return (
    folders
      .map((folder) => posix.resolve(shell.folders[0]?.path ?? '/', folder, name))
      .find((file) => reading.files.has(file)) ?? null
  )
}

/** Runs a program by a copy that the call itself makes of it; null for any other file. */
function runCopied(context: Context, written: string, args: readonly Value[], input: Content): Content | null {
  const path = resolveOne(context, toKnownWord(written))
  const source = path ? (context.reading.files.get(path.text)?.source ?? null) : null
  const base = source === null ? '' : posix.basename(source)
  if (source === null || !/^\/(?:usr|bin|sbin|opt)\//.test(source) || !isProgramName(base)) return null
  return context.reading.runWords(enterStep(context), [toKnownWord(base), ...args], input)
}

/** Readers that know by themselves what their programs start. */
const READS_LAUNCHES: ReadonlySet<string> = new Set([
  'docker',
  'kubectl',
  'npm',
  'npx',
  'gh',
  'pip',
  'bundle',
  'tox',
  'direnv',
])

type OwnReader = (context: Context, args: readonly Value[], input: Content, name: string) => Content

/** Programs that run others in ways that no row can tell. */
const OWN: Readonly<Record<string, OwnReader>> = {
  eval: (context, args) => runEval(context, args),
  '.': runSource,
  source: runSource,
  command: (context, args, input) => runCommandWord(context, args, input),
  env: runEnv,
  yadm: runHomeRepository,
  vcsh: (context, args, input) =>
    /^(?:list|init|clone|status|help|version|foreach)$/.test(readWord(args[0] ?? toKnownWord('')) ?? '')
      ? UNKNOWN_CONTENT
      : runHomeRepository(context, args.slice(1), input),
  tig: (context, args) => {
    for (const each of args) {
      const script = /^\+:?!(.+)$/s.exec(readWord(each) ?? '')?.[1]
      if (script) runScriptWord(enterStep(context), toKnownWord(script))
    }
    return UNKNOWN_CONTENT
  },
  sudo: runAsRoot,
  doas: runAsRoot,
  pkexec: runAsRoot,
  sudoedit: runAsRoot,
  setpriv: runWithRights,
  run0: runAsRoot,
  su: runSu,
  runuser: runSu,
  xargs: runXargs,
  gxargs: runXargs,
  parallel: runParallel,
  nsenter: runInNamespace,
  chroot: runChroot,
  exec: runExec,
  busybox: (context, args, input) => context.reading.runWords(enterStep(context), args, input),
  wsl: (context, args, input, name) => {
    if (args.some((word) => readWord(word) === '--unregister'))
      noteChange(context, 'containers', 'remove', `wsl ${args.map(showValue).join(' ')}`)
    return runWrapped(context, name, WRAPPERS.wsl ?? {}, args, input)
  },
  watch: runJoined,
  entr: (context, args, input) => {
    const words = skipOptions(args)
    const isScript = args.slice(0, args.length - words.length).some((word) => /^-\w*s/.test(readWord(word) ?? ''))
    return isScript && words[0]
      ? runScriptWord(enterStep(context), words[0])
      : context.reading.runWords(enterStep(context), words, input)
  },
  hyperfine: runBenchmark,
  'systemd-run': runSystemd,
  'start-stop-daemon': runDaemon,
  'ssh-agent': (context, args, input) =>
    context.reading.runWords(
      enterStep(context),
      parseArguments(args, toSet('-a -t'), { stopAtOperand: true }).operands,
      input,
    ),
}

/** Runs programs that are git for a repository whose work tree is the home. */
function runHomeRepository(context: Context, args: readonly Value[], input: Content): Content {
  const shell = copyShell(context.shell)
  shell.folders = [{ path: context.reading.world.home, certainty: 'certain' }]
  return context.reading.runWords({ ...enterStep(context), shell }, [toKnownWord('git'), ...args], input)
}

function runBenchmark(context: Context, args: readonly Value[]): Content {
  const scripts = '-s -p -c --setup --prepare --conclude --cleanup --reference'
  const plain = '-w -r -m -M -n -u -P -D -L --warmup --runs --export-json --export-markdown --export-csv --shell'
  const parsed = parseArguments(args, toSet(`${scripts} ${plain}`))
  for (const each of [...parsed.values(...toSet(scripts)), ...parsed.operands]) runScriptWord(context, each)
  return UNKNOWN_CONTENT
}

function skipOptions(args: readonly Value[]): readonly Value[] {
  return parseArguments(args, toSet('-s-x'), { stopAtOperand: true }).operands
}

function runEval(context: Context, args: readonly Value[]): Content {
  const script = join(args, ' ')
  const text = readFilled(context, script)
  if (text === null) return runScriptWord(context, script)
  noteFlows(
    context,
    [...script.carries].filter((each) => each === 'fetch' || each === 'decode'),
    'run',
    'eval',
  )
  return context.reading.runScript({ ...context, depth: context.depth + 1 }, text)
}

function runSource(context: Context, args: readonly Value[], input: Content): Content {
  const [file, ...rest] = args
  if (!file) return EMPTY_CONTENT
  const text = readWord(file)
  if (text === '/dev/stdin' || text === '/dev/fd/0' || text === '/proc/self/fd/0')
    return runContent(context, input, 'shell', { args: rest, isSourced: true })
  const path = resolveOne(context, file)
  if (path?.place === 'secret') {
    readPath(context, file, context.shell.showsAll ? 'content' : 'name')
    loadSecrets(context, path.text)
    return EMPTY_CONTENT
  }
  if (path && isActivation(path.text)) return EMPTY_CONTENT
  return runFile(context, file, rest, { language: 'shell', isSourced: true })
}

/** Scripts that only set up tools, and are much too long to read. */
function isActivation(path: string): boolean {
  return (
    /\/(?:activate(?:\.\w+)?|nvm\.sh|conda\.sh|cargo\/env|sdkman-init\.sh|ghcup\/env|asdf\.sh|autojump\.sh|z\.sh|bash_completion)$/.test(
      path,
    ) && !path.startsWith('/tmp')
  )
}

/** Variables of a file of secrets, by their names. */
function loadSecrets(context: Context, path: string): void {
  const text = context.reading.world.readFile(path) ?? ''
  for (const match of text.matchAll(/^[ \t]*(?:export\s+)?([A-Za-z_]\w*)=/gm)) {
    const name = match[1] ?? ''
    context.shell.variables.set(
      name,
      toUnknownWord(name, { empty: false, carries: new Set(['secret-variable' as const]) }),
    )
  }
}

function runCommandWord(context: Context, args: readonly Value[], input: Content): Content {
  const parsed = parseArguments(args, toSet(''), { stopAtOperand: true })
  if (parsed.has('-v', '-V')) return showProgram(parsed.operands[0])
  return context.reading.runWords(
    enterStep({ ...context, shell: { ...context.shell, functions: new Map(), aliases: new Map() } }),
    parsed.operands,
    input,
  )
}

function runEnv(context: Context, args: readonly Value[], input: Content): Content {
  const parsed = parseArguments(args, toSet('-u -C -S -a --unset --chdir --split-string --argv0'), {
    stopAtOperand: true,
  })
  const shell = copyShell(context.shell)
  const inner = enterStep({ ...context, shell })
  const folder = parsed.value('-C', '--chdir')
  if (folder) changeFolder(inner, folder)
  const split = parsed.value('-S', '--split-string')
  if (split) return runScriptWord(inner, join([split, ...parsed.operands], ' '))
  let at = 0
  while (at < parsed.operands.length) {
    const word = parsed.operands[at]
    const start = word ? readKnownStart(word) : ''
    const equals = start.indexOf('=')
    if (!word || equals <= 0 || !/^\w+$/.test(start.slice(0, equals))) break
    const value = dropStart(word, equals + 1)
    shell.variables.set(start.slice(0, equals), value)
    noteVariable(inner, start.slice(0, equals), value)
    at += 1
  }
  const rest = parsed.operands.slice(at)
  if (rest.length === 0) return runKnown(inner, findProgramRow('printenv') ?? {}, 'printenv', [], input)
  return context.reading.runWords(inner, rest, input)
}

function runAsRoot(context: Context, args: readonly Value[], input: Content, name: string): Content {
  const { valued = '', startsShell = false } = findOwn(WRAPPERS, name) ?? {}
  const parsed = parseArguments(args, toSet(valued), { stopAtOperand: true })
  const user = parsed.value('-u', '--user')
  const isRoot = user === null || readWord(user) === 'root'
  if (
    parsed.has('-l', '--list', '-v', '--validate', '-k', '-K', '--help', '-V', '--version') &&
    !(parsed.operands.length > 0 && !parsed.has('-l'))
  )
    return UNKNOWN_CONTENT
  const inner = enterStep({ ...context, as: isRoot ? 'root' : context.as })
  const isShell = parsed.has('-i', '-s', '--login', '--shell')
  // The password comes by the pipe.
  if (parsed.has('-S', '--stdin') && input !== EMPTY_CONTENT) noteChange(inner, 'machine', 'root-shell', `${name} -S`)
  if (parsed.has('-e', '--edit') || name === 'sudoedit') {
    for (const each of parsed.operands) noteChange(inner, 'machine', 'root-shell', `sudoedit ${showValue(each)}`)
    return UNKNOWN_CONTENT
  }
  const words = skipAssignments(parsed.operands)
  if (words.length === 0) {
    if (isShell || startsShell || name === 'pkexec') noteChange(inner, 'machine', 'root-shell', name)
    return UNKNOWN_CONTENT
  }
  if (isShell) noteChange(inner, 'machine', 'root-shell', `${name} --shell`)
  const program = readWord(words[0] ?? toKnownWord(''))
  if (program !== null && SHELLS.has(posix.basename(program)) && words.length === 1)
    noteChange(inner, 'machine', 'root-shell', `${name} ${program}`)
  return context.reading.runWords(inner, words, input)
}

/** Runs a command with other rights than those of the caller. */
function runWithRights(context: Context, args: readonly Value[], input: Content, name: string): Content {
  const wrapper = findOwn(WRAPPERS, name) ?? {}
  const parsed = parseArguments(args, toSet(wrapper.valued ?? ''), { stopAtOperand: true })
  const isRoot = parsed.values('--reuid', '--ruid', '--euid').some((each) => /^(?:0|root)$/.test(readWord(each) ?? ''))
  if (isRoot) noteChange(context, 'machine', 'root-shell', `${name} ${parsed.operands.map(showValue).join(' ')}`)
  return runWrapped(isRoot ? { ...context, as: 'root' } : context, name, wrapper, args, input)
}

function skipAssignments(words: readonly Value[]): readonly Value[] {
  let at = 0
  while (at < words.length && /^\w+=/.test(readKnownStart(words[at] ?? toKnownWord('')))) at += 1
  return words.slice(at)
}

function runSu(context: Context, args: readonly Value[], input: Content, name: string): Content {
  const parsed = parseArguments(args, toSet(`${findOwn(WRAPPERS, name)?.valued ?? ''} -c --command --session-command`))
  const script = parsed.value('-c', '--command', '--session-command')
  const user = parsed.value('-u', '--user') ?? parsed.operands.find((each) => readWord(each) !== '-') ?? null
  const isRoot = user === null || readWord(user) === 'root'
  const inner = enterStep({ ...context, as: isRoot ? 'root' : context.as })
  noteChange(inner, 'machine', isRoot ? 'root-shell' : 'other-user', `${name} ${user ? showValue(user) : ''}`)
  if (script) return runScriptWord(inner, script)
  return name === 'runuser' && parsed.value('-u', '--user')
    ? context.reading.runWords(inner, parsed.operands, input)
    : UNKNOWN_CONTENT
}

function runInNamespace(context: Context, args: readonly Value[], input: Content): Content {
  const parsed = parseArguments(args, toSet('-t -S -G -W --target --setuid --setgid'), { stopAtOperand: true })
  const target = parsed.value('-t', '--target')
  if (target && readWord(target) === '1') noteChange(context, 'machine', 'root-shell', 'nsenter -t 1')
  return context.reading.runWords(enterStep({ ...context, as: 'root', mounts: null }), parsed.operands, input)
}

function runChroot(context: Context, args: readonly Value[], input: Content): Content {
  const { operands } = parseArguments(args, toSet('--userspec --groups'), { stopAtOperand: true })
  const [root, ...rest] = operands
  const path = root ? resolveOne(context, root) : null
  noteChange(context, 'machine', 'root-shell', `chroot ${path?.text ?? ''}`)
  if (!path) return UNKNOWN_CONTENT
  const inner = enterStep({ ...context, as: 'root', mounts: [{ inside: '/', outside: path.text }] })
  return rest.length > 0 ? context.reading.runWords(inner, rest, input) : UNKNOWN_CONTENT
}

function runExec(context: Context, args: readonly Value[], input: Content): Content {
  const { operands } = parseArguments(args, toSet('-a'), { stopAtOperand: true })
  return operands.length > 0 ? context.reading.runWords(enterStep(context), operands, input) : EMPTY_CONTENT
}

function runJoined(context: Context, args: readonly Value[]): Content {
  const { operands } = parseArguments(args, toSet('-n -q --interval --equexit'), { stopAtOperand: true })
  return runScriptWord(context, join(operands, ' '))
}

function runSystemd(context: Context, args: readonly Value[], input: Content): Content {
  const parsed = parseArguments(args, toSet(WRAPPERS['systemd-run']?.valued ?? ''), { stopAtOperand: true })
  if ([...parsed.options.keys()].some((option) => option.startsWith('--on-')))
    noteChange(context, 'machine', 'startup', 'systemd-run timer')
  const user = parsed.value('--uid')
  if (user) noteChange(context, 'machine', 'other-user', `systemd-run --uid ${showValue(user)}`)
  return context.reading.runWords(enterStep(context), parsed.operands, input)
}

/** Runs the program behind `--exec` of start-stop-daemon with the words after `--`. */
function runDaemon(context: Context, args: readonly Value[], input: Content): Content {
  const parsed = parseArguments(args, toSet(WRAPPERS['start-stop-daemon']?.valued ?? ''))
  const program = parsed.value('--startas', '-a', '--exec', '-x')
  if (parsed.has('-K', '--stop') || !program) return UNKNOWN_CONTENT
  return context.reading.runWords(enterStep(context), [program, ...parsed.operands], input)
}

function findLauncher(
  name: string,
  args: readonly Value[],
): { readonly wrapper: Wrapper; readonly rest: readonly Value[] } | null {
  const table = findOwn(LAUNCHERS, name)
  if (!table || findOwn(OWN, name)) return null
  const texts = readCallWords(args)
  let start = 0
  while (start < texts.length && texts[start]?.startsWith('-')) start += 1
  for (const length of [2, 1]) {
    const key = texts.slice(start, start + length).join(' ')
    const wrapper = findOwn(table, key)
    if (wrapper) return { wrapper, rest: args.slice(start + length) }
  }
  return null
}

/** Words of a wrapper itself that stand before the command; where it depends, the first that is a program begins it. */
function countOperands({ operands: counts = [] }: Wrapper, words: readonly Value[]): number {
  const fitting = counts.length > 1 ? [...counts].sort((one, other) => one - other) : []
  return fitting.find((count) => isProgramName(readWord(words[count] ?? toKnownWord('')) ?? '')) ?? counts[0] ?? 0
}

/** Runs the command in the arguments of a wrapper, behind its own options and operands. */
function runWrapped(context: Context, name: string, wrapper: Wrapper, args: readonly Value[], input: Content): Content {
  const parsed = parseArguments(args, toSet(`${wrapper.valued ?? ''} ${wrapper.scripts ?? ''}`), {
    stopAtOperand: true,
  })
  const inner = enterStep(wrapper.loads ? loadEnvironment(context, parsed.value(...toSet(wrapper.loads))) : context)
  if (wrapper.scripts) {
    const beforeCommand = args.length - parsed.operands.length + (wrapper.operands?.at(-1) ?? 0)
    const found = findScripts(args, toSet(wrapper.scripts), beforeCommand)
    if (found.length > 0) return concat(found.map((words) => runScriptWords(inner, words)))
  }
  const skipped = countOperands(wrapper, parsed.operands)
  let rest = skipAssignments(parsed.operands.slice(skipped))
  if (readWord(rest[0] ?? toKnownWord('')) === '--') rest = rest.slice(1)
  for (const option of ['-o', '--output'])
    for (const each of parsed.values(option))
      if (/^(?:time|strace|ltrace)$/.test(name))
        context.reading.runWords(inner, [toKnownWord('touch'), each], EMPTY_CONTENT)
  if (rest.length > 0) return runBehindOptions(inner, rest, input)
  if (wrapper.startsShell && !wrapper.ownProgram) return runContent(inner, input, 'shell')
  if (args.length > 0) noteUnseen(context, 'program', name)
  return UNKNOWN_CONTENT
}

/** The context of a command whose variables a file of secrets has set. */
function loadEnvironment(context: Context, file: Value | null): Context {
  const path = resolveOne(context, file ?? toKnownWord('.env'))
  const inner = { ...context, shell: copyShell(context.shell) }
  if (path?.place === 'secret') loadSecrets(inner, path.text)
  return inner
}

/** Runs a command behind the options of a wrapper, of which not all that take a value may be known: the first word that is a program begins it. */
function runBehindOptions(context: Context, rest: readonly Value[], input: Content): Content {
  const first = readWord(rest[0] ?? toKnownWord(''))
  const isKnown = first === null || isProgramName(first) || context.shell.functions.has(first)
  const at = isKnown ? 0 : rest.findIndex((word) => isProgramName(readWord(word) ?? ''))
  if (at <= 0) return context.reading.runWords(context, rest, input)
  return context.reading.runWords(lowerCertainty(context, 'likely'), rest.slice(at), input)
}

/** Scripts behind the options of a wrapper itself, each with the words after it; an option may stand in a bundle: `-qec 'make'`. */
function findScripts(
  args: readonly Value[],
  options: ReadonlySet<string>,
  beforeCommand: number,
): readonly (readonly Value[])[] {
  return args.slice(0, beforeCommand + 1).flatMap((word, at) => {
    const text = readWord(word) ?? ''
    if (options.has(text) || (options.has('-c') && /^-[a-zA-Z]+c$/.test(text))) return [args.slice(at + 1)]
    const start = readKnownStart(word)
    const long = [...options].find((option) => option.startsWith('--') && start.startsWith(`${option}=`))
    return long ? [[dropStart(word, long.length + 1)]] : []
  })
}

/** Runs a script; one that is a single name takes the words behind it, as `nix develop -c make test` has it. */
function runScriptWords(context: Context, [script, ...rest]: readonly Value[]): Content {
  if (!script) return UNKNOWN_CONTENT
  const isName = isProgramName(readWord(script) ?? '')
  return isName && rest.length > 0
    ? context.reading.runWords(context, [script, ...rest], EMPTY_CONTENT)
    : runScriptWord(context, script)
}

function findScript(args: readonly Value[], options: ReadonlySet<string>): Value | null {
  const at = args.findIndex((word) => {
    const text = readWord(word) ?? ''
    return options.has(text) || (/^-[a-zA-Z]{2,}$/.test(text) && options.has(`-${text.slice(-1)}`)) // as in `script -qc`
  })
  if (at !== -1) return args[at + 1] ?? null
  const joined = args.find((word) =>
    [...options].some((option) => option.startsWith('--') && readKnownStart(word).startsWith(`${option}=`)),
  )
  return joined ? dropStart(joined, readKnownStart(joined).indexOf('=') + 1) : null
}

function runShell(context: Context, name: string, args: readonly Value[], input: Content): Content {
  const texts = readCallWords(args)
  let at = 0
  let isScript = false
  let isChecking = false
  let readsInput = false
  while (at < args.length && /^[-+]./.test(texts[at] ?? '')) {
    const text = texts[at] ?? ''
    at += 1
    if (text === '--') break
    const attached = /^--(?:command|init-command|rcfile|init-file)=/.exec(text)?.[0]
    if (attached?.endsWith('file='))
      runFile(context, toKnownWord(text.slice(attached.length)), [], { language: 'shell' })
    else if (attached) runScriptWord(context, dropStart(args[at - 1] ?? toKnownWord(''), attached.length))
    if (text === '--rcfile' || text === '--init-file') {
      if (args[at]) runFile(context, args[at] ?? toKnownWord(''), [], { language: 'shell' })
      at += 1
      continue
    }
    if (text.startsWith('--')) {
      if (/^--(?:command|init-command)$/.test(text)) isScript = true
      continue
    }
    // Each `o` of a bundle takes a word of its own: `-euo pipefail -c`.
    at += /^[-+][a-z]*o[a-z]*$/i.test(text) ? (text.match(/o/gi)?.length ?? 0) : 0
    if (/^-[a-z]*c/i.test(text) && !/C/.test(text)) isScript = true
    if (/^-[a-z]*n/.test(text)) isChecking = true
    if (/^-[a-z]*s/.test(text)) readsInput = true
  }
  if (isChecking || texts.includes('--version') || texts.includes('--help')) return UNKNOWN_CONTENT
  const rest = args.slice(at)
  const shell = copyShell(context.shell)
  const inner = { ...context, shell }
  if (isScript) {
    runPrompt(inner, context.shell.variables.get('PS4'))
    shell.positional = rest.slice(2)
    if (rest[1]) shell.variables.set('0', rest[1])
    return rest[0] ? runScriptWord(inner, rest[0], input) : UNKNOWN_CONTENT
  }
  const file = rest[0]
  const isInput =
    file !== undefined && /^(?:-|\/dev\/stdin|\/dev\/fd\/0|\/proc\/self\/fd\/0)$/.test(readWord(file) ?? '')
  if (file && !readsInput && !isInput) return runFile(inner, file, rest.slice(1), { language: 'shell' })
  shell.positional = rest
  const profile = context.shell.variables.get('ENV')
  if (profile && /\//.test(readWord(profile) ?? '')) runFile(inner, profile, [], { language: 'shell' })
  const isRemote = [...context.shell.descriptors.values()].some((path) => path.startsWith('/dev/'))
  if (isRemote) noteFlows(context, ['shell'], 'send', [...context.shell.descriptors.values()][0] ?? '')
  for (const prompt of ['PS4', 'PS1', 'PS0', 'PROMPT']) runPrompt(inner, context.shell.variables.get(prompt))
  if (input === EMPTY_CONTENT) return UNKNOWN_CONTENT
  const output = runContent(inner, input, 'shell', { name })
  return input.text === null ? { ...output, carries: carry('shell', output.carries) } : output
}

/** Runs the substitutions in a prompt, which a shell makes anew each time that it shows it. */
function runPrompt(context: Context, prompt: Value | undefined): void {
  const text = prompt ? readWord(prompt) : null
  if (text?.match(/[$`]/)) context.reading.runScript(enterStep(context), `: "${text}"`)
}
