import { posix } from 'node:path'
import { findOwn } from '../../text/table.ts'
import {
  type Context,
  enterStep,
  note,
  noteChange,
  noteFlows,
  noteUnseen,
  readSource,
  resolveOne,
  writePath,
} from '../context.ts'
import { changeFolder } from '../folder.ts'
import { parseArguments, runRow, toSet } from '../program.ts'
import { runContent, runFile, showFile } from '../run-file.ts'
import { noteWrittenCommands } from '../self-running.ts'
import {
  type Content,
  EMPTY_CONTENT,
  join,
  readKnownStart,
  readWord,
  showValue,
  toKnownWord,
  UNKNOWN_CONTENT,
  type Value,
} from '../value.ts'
import { type Call, parseCall, type Reader, readByRow, readCallWords } from './call.ts'
import { fetchAndRun, runCodeWord } from './handed-code.ts'

/** Readers of programs that run the scripts of a package.json, or fetch packages for Node. */
const NPM_READERS: Readonly<Record<string, Reader>> = {
  npm: readNpm,
  npx: readNpx,
  versions: readVersions,
  workspaces: readWorkspaces,
  'npm-scripts': readScriptRunner,
}

/** Reads a call by the one of them that its row names. */
export const readNpmCall: Reader = (call) => readByRow(NPM_READERS, call)

const NPM_VALUED =
  '-w -C --prefix --workspace --filter -F --registry --tag --otp --access --cwd --dir --loglevel --scope --userconfig --network-timeout --modules-folder --package -p --call -c --depth'

/** Words of npm and its relatives that are no scripts. */
const NPM_COMMANDS = toSet(
  'set-script install i add ci remove rm uninstall un update up upgrade outdated audit ls list ll la view info show search why explain fund init create link unlink config get set cache prune dedupe pack publish unpublish deprecate dist-tag owner access team token login logout whoami adduser profile org hook star unstar stars ping version root bin prefix help doctor rebuild exec x dlx run run-script rum test t tst start stop restart install-test it clean-install completion edit explore find-dupes pkg query repo docs bugs diff sbom shrinkwrap workspaces workspace node patch fetch import store setup env deploy server approve-builds licenses plugin plugins cacheclean upgrade-interactive constraints stage unplug policies global generate-lock-entry pm bunx',
)

function readNpm(call: Call): Content {
  if (call.name === 'bun' && readCallWords(call.words).slice(0, 2).join(' ') === 'run -')
    return runContent(call.context, call.input, 'javascript')
  const { context, words, name, input } = call
  if (name === 'bun') {
    const own = parseCall(call, '-e -p --eval --print --cwd', { stopAtOperand: true })
    const code = own.value('-e', '--eval', '-p', '--print')
    if (code) return runCodeWord(context, 'javascript', code)
  }
  const dashes = words.findIndex((word) => readWord(word) === '--')
  const own = dashes === -1 ? words : words.slice(0, dashes)
  const behind = dashes === -1 ? [] : words.slice(dashes + 1)
  // pnpm has no value behind -c: it runs the command in a shell.
  const parsed = parseArguments(own, toSet(name === 'pnpm' ? NPM_VALUED.replace(' -c ', ' ') : NPM_VALUED))
  if (parsed.has('--help', '--version', '-v') && parsed.operands.length === 0) return UNKNOWN_CONTENT
  if (
    parsed.has('--help') &&
    NPM_COMMANDS.has(readWord(parsed.operands[0] ?? toKnownWord('')) ?? '') &&
    dashes === -1 &&
    !/^(?:run|run-script|rum|exec|x|dlx)$/.test(readWord(parsed.operands[0] ?? toKnownWord('')) ?? '')
  )
    return UNKNOWN_CONTENT
  const inner = moveFolder(context, parsed.value('--prefix', '-C', '--cwd', '--dir'))
  const shell = parsed.value('--script-shell')
  if (shell && !/^(?:\/\S+\/)?(?:ba|z|da|fi|k)?sh(?:\.exe)?$|^pwsh$/.test(readWord(shell) ?? ''))
    noteChange(context, 'machine', 'startup', `${name} --script-shell ${showValue(shell)}`)
  const [verb = '', ...rest] = parsed.operands.map((each) => readWord(each) ?? '?')
  const target = `${name} ${verb} ${rest.join(' ')}`.trim()
  if (/^(?:run|run-script)$/.test(verb) && /^https?:\/\//.test(rest[0] ?? '')) {
    fetchAndRun(inner, rest[0] ?? '', `${name} run`)
    return UNKNOWN_CONTENT
  }
  if (verb === 'run' || verb === 'run-script' || verb === 'rum')
    return rest[0]
      ? runPackageScript(inner, rest[0], [...parsed.operands.slice(2), ...behind], parsed)
      : UNKNOWN_CONTENT
  if (/^(?:test|t|tst|start|stop|restart)$/.test(verb))
    return runPackageScript(inner, verb === 't' || verb === 'tst' ? 'test' : verb, behind, parsed)
  if (verb === 'exec' && name === 'pnpm' && parsed.has('-c', '--shell-mode')) {
    const script = join([...parsed.operands.slice(1), ...behind], ' ')
    return context.reading.runScript(enterStep(inner), readWord(script) ?? showValue(script))
  }
  if (verb === 'exec' || verb === 'x' || verb === 'dlx')
    return runPackage(call, skipOwnOptions(words.slice(words.findIndex((word) => readWord(word) === verb) + 1)), parsed)
  if (verb === 'workspaces' && rest[0] === 'foreach') {
    const at = rest.findIndex((text, index) => index > 0 && (NPM_COMMANDS.has(text) || text === 'npm'))
    const start = words.findIndex((word) => readWord(word) === rest[at])
    return at === -1
      ? UNKNOWN_CONTENT
      : readNpm({ ...call, words: words.slice(rest[at] === 'npm' ? start + 1 : start) })
  }
  if (verb === 'workspace' || verb === 'workspaces')
    return readNpm({
      ...call,
      words: words.slice(words.findIndex((word) => readWord(word) === verb) + (verb === 'workspace' ? 2 : 1)),
    })
  if (verb === 'node')
    return context.reading.runWords(
      enterStep(inner),
      [toKnownWord('node'), ...parsed.operands.slice(1), ...behind],
      input,
    )
  if (verb === 'set-script') return setPackageScripts(inner, [`scripts.${rest[0] ?? ''}=${rest.slice(1).join(' ')}`])
  if (verb === 'pkg' && rest[0] === 'set') return setPackageScripts(inner, rest.slice(1))
  if (
    verb === 'publish' ||
    (verb === 'stage' && name === 'npm' && rest[0] === 'publish') ||
    (verb === 'deploy' && name !== 'pnpm')
  ) {
    if (!parsed.has('--dry-run')) noteChange(inner, 'registry', 'publish', target)
    return UNKNOWN_CONTENT
  }
  if (/^(?:unpublish|deprecate)$/.test(verb) && !parsed.has('--dry-run'))
    noteChange(inner, 'registry', 'unpublish', target)
  else if (verb === 'dist-tag' && /^(?:add|rm|set)$/.test(rest[0] ?? ''))
    noteChange(inner, 'registry', 'publish', target)
  else if (
    /^(?:owner|access|team|org)$/.test(verb) &&
    /^(?:add|rm|grant|revoke|set|create|destroy|public)/.test(rest[0] ?? '')
  )
    noteChange(inner, 'registry', 'publish', target)
  else if (verb === 'token' && rest[0] !== 'list' && rest.length > 0) noteChange(inner, 'registry', 'token', target)
  else if ((verb === 'config' && rest[0] === 'set') || verb === 'set') readNpmSetting(inner, rest)
  else if ((verb === 'config' || verb === 'get') && /_authToken|_password|_auth\b/.test(rest.join(' ')))
    note(inner, { does: 'read', path: { text: target, place: 'secret', exists: true }, what: 'content' })
  else if (verb === 'version' && rest.length > 0) noteChange(inner, 'git', 'commit', target, 'likely')
  else if (
    /^(?:install|i|add|install-test|it|update|up|upgrade|ci|clean-install|link)$/.test(verb) ||
    (verb === '' && (name === 'yarn' || name === 'pnpm'))
  )
    readInstall(inner, parsed, name)
  else if (verb === 'rebuild') runLifecycle(inner, parsed)
  else if (/^(?:uninstall|un|remove|rm)$/.test(verb) && rest.includes('hookline'))
    noteChange(inner, 'agent', 'loosen', target)
  else if (/^(?:uninstall|un|remove|rm)$/.test(verb) && parsed.has('-g', '--global'))
    noteChange(inner, 'machine', 'uninstall', target)
  else if (verb === 'cache' && /^(?:clean|rm)$/.test(rest[0] ?? '')) return UNKNOWN_CONTENT
  else if (!NPM_COMMANDS.has(verb) && verb !== '')
    return runBareScript(call, inner, verb, [...parsed.operands.slice(1), ...behind])
  return UNKNOWN_CONTENT
}

/** Scripts by a bare name, as yarn, pnpm and bun have them; else a program of the project. */
function runBareScript(call: Call, context: Context, verb: string, rest: readonly Value[]): Content {
  const { name } = call
  if (name === 'npm') {
    noteUnseen(context, 'program', `npm ${verb}`)
    return UNKNOWN_CONTENT
  }
  if (findScripts(context)?.scripts[verb] !== undefined)
    return runPackageScript(context, verb, rest, parseArguments([], toSet('')))
  if (name === 'bun' && /\.[cm]?[jt]sx?$/.test(verb))
    return runFile(context, toKnownWord(verb), rest, { language: 'javascript' })
  if (/^[\w@][\w./@-]*$/.test(verb))
    return context.reading.runWords(enterStep(context), [toKnownWord(verb), ...rest], call.input)
  return UNKNOWN_CONTENT
}

/** A context in the folder that an option names. */
export function moveFolder(context: Context, folder: Value | null): Context {
  if (!folder) return context
  const inner = { ...context, shell: { ...context.shell } }
  changeFolder(inner, folder)
  return inner
}

/** The nearest package.json and its scripts. */
function findScripts(
  context: Context,
): { readonly file: string; readonly text: string; readonly scripts: Readonly<Record<string, unknown>> } | null {
  const { reading, shell } = context
  for (let at = shell.folders[0]?.path ?? reading.world.folder; ; at = posix.dirname(at)) {
    const file = posix.join(at, 'package.json')
    const text = readSource(context, file)
    if (text !== null) {
      const scripts = parseScripts(text)
      const own = Object.fromEntries(
        [...reading.settings]
          .filter(([key]) => key.startsWith('scripts.'))
          .map(([key, value]) => [key.slice(8), value]),
      )
      if (scripts === null) noteUnseen(context, 'not-parsed', showFile(context, file), 'run')
      return { file, text, scripts: Object.assign(Object.create(null), scripts, own) }
    }
    if (at === posix.dirname(at)) return null
  }
}

/** Scripts of a package.json by name; null: it cannot be read. */
export function parseScripts(text: string): Readonly<Record<string, unknown>> | null {
  try {
    // A file that is no object has no scripts; a wrong type is seen where a script is used.
    const found = JSON.parse(text.replace(/^\uFEFF/, '')) as {
      readonly scripts?: Readonly<Record<string, unknown>>
    } | null
    return typeof found?.scripts === 'object' && found.scripts !== null ? found.scripts : {}
  } catch {
    return null // not JSON
  }
}

/** Runs a script of the nearest package.json, with those before and after it. */
export function runPackageScript(
  context: Context,
  name: string,
  args: readonly Value[],
  parsed: ReturnType<typeof parseArguments>,
): Content {
  const found = findScripts(context)
  if (!found) {
    noteUnseen(context, 'program', `npm run ${name}`, 'run')
    return UNKNOWN_CONTENT
  }
  const { file, text, scripts } = found
  context.reading.runFiles.set(file, text)
  if (scripts[name] === undefined) {
    if (/[*?]/.test(name))
      for (const each of Object.keys(scripts))
        if (matchesWildcard(name, each, '*')) runOneScript(context, found, each, [])
    if (
      !parsed.has('--if-present', '-w', '--workspace', '--workspaces', '--filter', '-r', '--recursive') &&
      name !== 'start'
    )
      noteUnseen(context, 'program', `npm run ${name}`)
    return UNKNOWN_CONTENT
  }
  for (const each of [`pre${name}`, name, `post${name}`])
    if (scripts[each] !== undefined) runOneScript(context, found, each, each === name ? args : [])
  return UNKNOWN_CONTENT
}

function runOneScript(
  context: Context,
  { file, text, scripts }: NonNullable<ReturnType<typeof findScripts>>,
  name: string,
  args: readonly Value[],
): void {
  const script = scripts[name]
  if (typeof script !== 'string') return
  if (context.inside.includes(`script ${file} ${name}`)) return
  const at = `${showFile(context, file)}:${findLine(text, `"${name}"`)}`
  const shell = { ...context.shell, folders: [{ path: posix.dirname(file), certainty: 'certain' as const }] }
  const inner = {
    ...enterStep(context, { text: `${name}: ${script}`.slice(0, 160), at }),
    shell,
    inside: [...context.inside, `script ${file} ${name}`],
  }
  const rest = args.map((each) => readWord(each)).filter((each) => each !== null)
  context.reading.runScript(inner, [script, ...rest.map((each) => `'${each.replaceAll("'", "'\\''")}'`)].join(' '))
}

/** Number of the line that begins so, from 1. */
export function findLine(text: string, start: string): number {
  const at = text.indexOf(start)
  return at === -1 ? 1 : text.slice(0, at).split('\n').length
}

function setPackageScripts(context: Context, pairs: readonly string[]): Content {
  for (const pair of pairs) {
    const equals = pair.indexOf('=')
    if (equals > 0) context.reading.settings.set(pair.slice(0, equals), pair.slice(equals + 1))
    if (equals > 0 && pair.startsWith('scripts.')) noteWrittenCommands(context, pair.slice(equals + 1))
  }
  writePath(context, toKnownWord('package.json'), 'edit')
  return EMPTY_CONTENT
}

function readNpmSetting(context: Context, words: readonly string[]): void {
  const line = words.join(' ')
  if (/registry(?:\s|=)/.test(line) && !/registry\.(?:npmjs\.org|yarnpkg\.com)|localhost|127\./.test(line))
    noteFlows(context, ['fetch'], 'run', line)
  if (
    /\b(?:script-shell|node-options|git|shell|prefix|yarnPath|init-module|plugins|onload-script)(?:\s|=)|\b(?:node-options|script-shell)$/.test(
      line,
    )
  )
    noteChange(context, 'machine', 'startup', `npm config ${line}`)
  if (/_authToken|_password/.test(line)) noteChange(context, 'registry', 'token', 'npm config', 'likely')
}

/** Packages by address, and registries that are not the usual ones, are code from elsewhere. */
function readInstall(context: Context, parsed: ReturnType<typeof parseArguments>, name: string): void {
  for (const each of parsed.operands.slice(1)) {
    const text = readWord(each)
    if (text === null) {
      noteUnseen(context, 'value', showValue(each), 'run')
      continue
    }
    const address = /^(?:[@\w/.-]+@)?((?:git\+)?(?:https?|ssh|git):\/\/.*)/.exec(text)?.[1]
    if (address) fetchAndRun(context, address, `${name} install`)
    else if (/^(?:file:|\.{0,2}\/)/.test(text))
      runLifecycle(moveFolder(context, toKnownWord(text.replace(/^file:/, ''))), parsed)
  }
  if (parsed.operands.length <= 1) runLifecycle(context, parsed)
  const registry = parsed.value('--registry')
  const host = registry ? (readWord(registry) ?? '?') : ''
  if (registry && !/registry\.(?:npmjs\.org|yarnpkg\.com)|localhost|127\.0\.0\.1/.test(host))
    fetchAndRun(context, host, `${name} --registry`)
}

/** Scripts that an install runs by itself. */
const LIFECYCLE = ['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'prepare', 'postprepare']

/** Runs the scripts that an install runs in the package of the current folder. */
function runLifecycle(context: Context, parsed: ReturnType<typeof parseArguments>): void {
  if (parsed.has('--ignore-scripts', '-g', '--global')) return
  const found = findScripts(context)
  if (!found) return
  for (const name of LIFECYCLE) if (found.scripts[name] !== undefined) runOneScript(context, found, name, [])
}

function runPackage(call: Call, words: readonly Value[], parsed: ReturnType<typeof parseArguments>): Content {
  const { context, input, name } = call
  const script = parsed.value('-c', '--call')
  if (script) {
    const text = readWord(script)
    if (text === null) noteUnseen(context, 'value', showValue(script), 'run')
    return context.reading.runScript(enterStep(context), text ?? '')
  }
  const [first, ...rest] = words
  for (const each of [...parsed.values('-p', '--package'), ...(first ? [first] : [])]) {
    const text = readWord(each)
    if (text !== null && /^(?:git\+)?https?:\/\//.test(text)) fetchAndRun(context, text, name)
  }
  if (!first) return UNKNOWN_CONTENT
  const text = readWord(first)
  if (text === null) {
    noteUnseen(context, 'value', showValue(first), 'run')
    return UNKNOWN_CONTENT
  }
  const hub = /^(github|gitlab|bitbucket):(.+)/.exec(text)
  if (hub) fetchAndRun(context, `https://${hub[1]}.com/${hub[2]}`, name)
  const program = /^(?:https?:|git\+|github:)/.test(text) ? '' : text.replace(/^@[^/]+\//, '').replace(/@[^@]*$/, '')
  return program === ''
    ? UNKNOWN_CONTENT
    : context.reading.runWords(
        enterStep(context),
        [toKnownWord(findOwn(PACKAGE_PROGRAMS, text.replace(/(?<=.)@[^@]*$/, '')) ?? program), ...rest],
        input,
      )
}

/** The command behind the options of `npm exec` and its relatives. */
function skipOwnOptions(words: readonly Value[]): readonly Value[] {
  const { operands } = parseArguments(words, toSet(NPM_VALUED), { stopAtOperand: true })
  return readWord(operands[0] ?? toKnownWord('')) === '--' ? operands.slice(1) : operands
}

/** Programs by the name of the package that has them, where that is another. */
const PACKAGE_PROGRAMS: Readonly<Record<string, string>> = {
  '@changesets/cli': 'changeset',
  '@biomejs/biome': 'biome',
  '@anthropic-ai/claude-code': 'claude',
  '@openai/codex': 'codex',
  '@google/gemini-cli': 'gemini',
  typescript: 'tsc',
  '@playwright/test': 'playwright',
}

function readNpx(call: Call): Content {
  const dashes = call.words.findIndex((word) => readWord(word) === '--')
  const parsed = parseCall(call, '-p -c -w --package --call --workspace --registry --userconfig', {
    stopAtOperand: true,
  })
  if (parsed.operands.length === 0 && parsed.has('--help', '--version')) return UNKNOWN_CONTENT
  const words = parsed.operands.length === 0 && dashes !== -1 ? call.words.slice(dashes + 1) : parsed.operands
  return runPackage(call, words, parsed)
}

function readVersions({ context, words, name, input }: Call): Content {
  const texts = readCallWords(words)
  if (name === 'corepack' && /^(?:npm|pnpm|yarn)(?:@\S+)?$/.test(texts[0] ?? ''))
    return context.reading.runWords(
      enterStep(context),
      [toKnownWord((texts[0] ?? '').replace(/@.*$/, '')), ...words.slice(1)],
      input,
    )
  const at = texts.findIndex((text) => text === 'exec' || text === 'x' || text === 'run' || text === '--')
  if (name === 'rustup' && texts[0] === 'self' && texts[1] === 'uninstall')
    noteChange(context, 'machine', 'uninstall', 'rustup self uninstall', 'likely')
  if (at === -1) return UNKNOWN_CONTENT
  const rest = words
    .slice(at + 1)
    .filter((word, index) => !(index === 0 && /^[\d.v]+$|^lts/.test(readWord(word) ?? '')))
  const start = rest.findIndex((word) => readWord(word) === '--')
  const command =
    start === -1
      ? rest.filter((word, index) => index > 0 || !readKnownStart(word).startsWith('-'))
      : rest.slice(start + 1)
  if (name === 'corepack' || command.length === 0) return UNKNOWN_CONTENT
  return context.reading.runWords(enterStep(context), command, input)
}

/** Reads tools that run a script in every package: the root's and those of the workspaces. */
function readWorkspaces(call: Call): Content {
  const { context, name, row } = call
  const parsed = parseCall(call, '-t -p --target --targets --filter --scope --project --projects --parallel')
  const [verb = '', ...rest] = parsed.operands.map((each) => readWord(each) ?? '?')
  const targets = parsed.values('-t', '--target', '--targets').map((each) => readWord(each) ?? '')
  const isOwn =
    name === 'nx' &&
    /^(?:reset|graph|list|report|migrate|init|format:\w+|show|sync|daemon|repair|g|generate|add|connect)$/.test(verb)
  const named = /^(?:run|run-many|affected|exec|watch)$/.test(verb) ? [...rest, ...targets] : [verb]
  const scripts = isOwn ? [] : named
  for (const each of scripts.flatMap((text) => text.split(','))) {
    const script = each.split(':').at(-1) ?? each
    for (const choice of new Set([each, script])) runEverywhere(context, choice)
  }
  if (
    scripts.some((each) => /^(?:publish|release)$/.test(each.split(':').at(-1) ?? each)) &&
    !parsed.has('--dry-run', '-d')
  )
    noteChange(context, 'registry', 'publish', `${name} ${readCallWords(call.words).join(' ')}`, 'likely')
  return runRow(context, { ...row, reader: '' }, name, call.words, EMPTY_CONTENT)
}

function runEverywhere(context: Context, name: string): void {
  const root = findScripts(context)
  if (root?.scripts[name] !== undefined) runOneScript(context, root, name, [])
  const folder = resolveOne(context, toKnownWord('packages'))
  for (const each of folder ? (context.reading.world.list(folder.text) ?? []).slice(0, 12) : []) {
    const inner = moveFolder(context, toKnownWord(`packages/${each}`))
    const found = findScripts(inner)
    if (found && found.file !== root?.file && found.scripts[name] !== undefined) runOneScript(inner, found, name, [])
  }
}

function readScriptRunner(call: Call): Content {
  const { context, name } = call
  const parsed = parseCall(call, '-n -w -e -x --names --prefix-colors --watch --ext --exec --delay --ignore -i -p')
  for (const each of parsed.values('-x', '--exec')) {
    const at = call.words.findIndex((word) => word === each || readKnownStart(word).startsWith('--exec='))
    const script = join([each, ...call.words.slice(at + 1)], ' ')
    context.reading.runScript(enterStep(context), readWord(script) ?? showValue(script))
  }
  for (const each of parsed.operands) {
    const text = readWord(each)
    if (text === null) continue
    if (/^(?:run-[ps]|npm-run-all)$/.test(name) || /^npm:/.test(text))
      runPackageScript(context, text.replace(/^npm:/, ''), [], parseArguments([], toSet('')))
    else if (name === 'nodemon') return runFile(context, each, [], { language: 'javascript' })
    else if (name !== 'wait-on') context.reading.runScript(enterStep(context), text)
  }
  return UNKNOWN_CONTENT
}

/** True where a text is a pattern with its wildcards filled: `test:*` of npm, `%.o` of make. */
export function matchesWildcard(pattern: string, text: string, wildcard: '*' | '%'): boolean {
  const [start = '', ...rest] = pattern.split(wildcard)
  const end = rest.pop()
  if (end === undefined) return text === pattern
  if (!text.startsWith(start) || !text.endsWith(end)) return false
  let at = start.length
  for (const part of rest) {
    const found = text.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return at <= text.length - end.length
}
