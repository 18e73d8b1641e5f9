import { posix } from 'node:path'
import { digestText } from '../../text/digest.ts'
import { findOwn } from '../../text/table.ts'
import {
  type Context,
  deletePath,
  enterStep,
  fetchFrom,
  listRunnable,
  lowerCertainty,
  note,
  noteChange,
  noteFlows,
  noteShownSecret,
  noteUnseen,
  readFilled,
  readPath,
  readSource,
  resolveOne,
  sendTo,
  takeFirst,
  writePath,
} from '../context.ts'
import { changeFolder } from '../folder.ts'
import { findLoosening } from '../loosening.ts'
import { parseArguments, runRow, toSet } from '../program.ts'
import { noteFetchedFile, runContent, runFile, showFile } from '../run-file.ts'
import { noteWrittenCommands } from '../self-running.ts'
import {
  type Content,
  carry,
  EMPTY_CONTENT,
  join,
  readKnownStart,
  readWord,
  showValue,
  toKnownWord,
  toPatternWord,
  toUnknownWord,
  UNKNOWN_CONTENT,
  type Value,
} from '../value.ts'
import { noteSource, noteVariable } from '../variables.ts'
import { isSecretVariable } from '../words.ts'
import { type Call, parseCall, type Reader, readCallWords } from './call.ts'
import { runTomlScript } from './task-files.ts'

/** Paths of a list that code deletes. */
const MAX_LISTED = 40

/** Readers of tools that run what a project says, and of interpreters. */
export const WORK_READERS: Readonly<Record<string, Reader>> = {
  npm: readNpm,
  npx: readNpx,
  versions: readVersions,
  deno: readDeno,
  node: readNode,
  python: readPython,
  interpreter: readInterpreter,
  awk: readAwk,
  pip: readPip,
  cargo: readCargo,
  go: readGo,
  composer: readComposer,
  workspaces: readWorkspaces,
  server: readServer,
  'run-words': readSetting,
  shape: readShapeCode,
  bundle: readBundle,
  dotnet: readDotnet,
  tex: readTex,
  artisan: readArtisan,
  cmake: readCmake,
  make: readMake,
  just: readJust,
  rails: readRails,
  'npm-scripts': readScriptRunner,
  maker: readMaker,
  agent: readAgent,
  pm2: readPm2,
  hookline: readHookline,
}

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

function moveFolder(context: Context, folder: Value | null): Context {
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

function parseScripts(text: string): Readonly<Record<string, unknown>> | null {
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

function runPackageScript(
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
  context.reading.digests.set(file, digestText(text))
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

function findLine(text: string, start: string): number {
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

function fetchAndRun(context: Context, address: string, program: string): void {
  const isHub = /^(?:git\+)?(?:https?|ssh):\/\/(?:git@)?(?:github\.com|gitlab\.com|bitbucket\.org)\//.test(address)
  fetchFrom(context, toKnownWord(address.replace(/^git\+/, '')))
  noteFlows(isHub ? lowerCertainty(context, 'possible') : context, ['fetch'], 'run', `${program} ${address}`)
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

function readDeno(call: Call): Content {
  const { context, words, input } = call
  const [verb = '', ...rest] = readCallWords(words)
  if (verb === 'eval' || verb === 'e')
    return runCodeWord(
      context,
      'javascript',
      parseCall({ ...call, words: words.slice(1) }, '--ext').operands[0] ?? null,
    )
  if (verb === 'run' || /\.[jt]sx?$/.test(verb)) {
    const file = parseCall({ ...call, words: verb === 'run' ? words.slice(1) : words }, '-c --config --import-map', {
      stopAtOperand: true,
    }).operands
    const text = file[0] ? readWord(file[0]) : null
    if (text === '-') return runContent(context, input, 'javascript')
    if (text !== null && /^https?:/.test(text)) fetchAndRun(context, text, 'deno run')
    else if (text !== null && /^npm:/.test(text))
      return context.reading.runWords(
        enterStep(context),
        [toKnownWord('npx'), toKnownWord(text.slice(4)), ...file.slice(1)],
        input,
      )
    else if (file[0]) return runFile(context, file[0], file.slice(1), { language: 'javascript' })
  }
  if (verb === 'install' && rest.some((text) => /^https?:/.test(text)))
    fetchAndRun(context, rest.find((text) => /^https?:/.test(text)) ?? '', 'deno install')
  if (verb === 'publish' && !rest.includes('--dry-run')) noteChange(context, 'registry', 'publish', 'deno publish')
  if (verb === 'deploy') noteChange(context, 'registry', 'publish', 'deno deploy')
  return UNKNOWN_CONTENT
}

function runCodeWord(context: Context, language: string, code: Value | null): Content {
  if (!code) return UNKNOWN_CONTENT
  noteFlows(
    context,
    [...code.carries].filter((each) => each === 'fetch' || each === 'decode'),
    'run',
    language,
  )
  const text = readFilled(context, code)
  if (text === null) noteUnseen(context, code.carries.has('fetch') ? 'code' : 'value', showValue(code), 'run')
  return context.reading.runCode(
    enterStep(context),
    language,
    text ?? code.pieces.map((piece) => (piece.is === 'unknown' ? 'UNKNOWN' : piece.text)).join(''),
    EMPTY_CONTENT,
  )
}

function readNode(call: Call): Content {
  const { context, input } = call
  const words = call.words.map((word) => (/^-(?:pe|ep)$/.test(readWord(word) ?? '') ? toKnownWord('-p') : word))
  const parsed = parseArguments(
    words,
    toSet(
      '-e -p -r --eval --print --require --import --loader --experimental-loader --env-file --env-file-if-exists -C --conditions --title --test-reporter --test-name-pattern --tsconfig --watch-path --inspect-port --run --input-type',
    ),
    { stopAtOperand: true },
  )
  const code =
    parsed.value('-e', '--eval', '-p', '--print') ?? (parsed.has('-p', '--print') ? (parsed.operands[0] ?? null) : null)
  for (const each of parsed.values('--env-file', '--env-file-if-exists')) readPath(context, each, 'name')
  for (const each of parsed.values('-r', '--require', '--import', '--loader')) {
    const text = readWord(each) ?? ''
    if (/^data:text\/javascript/.test(text))
      runCodeWord(
        context,
        'javascript',
        toKnownWord(decodeURIComponent(text.slice(text.indexOf(',') + 1).replaceAll(/%(?![0-9a-f]{2})/gi, '%25'))),
      )
    else if (/^[./]/.test(text)) runFile(context, each, [], { language: 'javascript' })
  }
  if (code) {
    const printed = runCodeWord(context, 'javascript', code)
    deleteListed(context, readWord(code), input)
    const loaded = parsed.values('-r', '--require', '--import').some((each) => /^dotenv\b/.test(readWord(each) ?? ''))
      ? toKnownWord('.env')
      : parsed.value('--env-file', '--env-file-if-exists')
    if (loaded) noteLoadedEnvironment(context, loaded, readWord(code) ?? '')
    const isShown = parsed.has('-p', '--print', '-pe')
    const name = /^\s*process\.env(?:\.|\[['"])(\w+)(?:['"]\])?\s*$/.exec(readWord(code) ?? '')?.[1]
    if (isShown && name && isSecretVariable(name))
      noteShownSecret(context, toUnknownWord(name, { carries: carry('secret-variable') }))
    return printed
  }
  const script = parsed.value('--run')
  if (script) return runPackageScript(context, readWord(script) ?? '?', parsed.operands, parsed)
  if (
    parsed.has('--version', '-v', '--help', '-h', '--check', '-c', '--test', '--v8-options', '--run') &&
    parsed.operands.length === 0
  )
    return UNKNOWN_CONTENT
  if (parsed.has('--check', '-c')) return UNKNOWN_CONTENT
  const [file, ...rest] = parsed.operands
  const command = file ? readWord(file) : null
  const program = command === null ? undefined : /(?:^|\/)node_modules\/\.bin\/([\w.-]+)$/.exec(command)?.[1]
  if (program) return context.reading.runWords(enterStep(context), [toKnownWord(program), ...rest], input)
  if (command === 'watch')
    return rest[0] ? runFile(context, rest[0], rest.slice(1), { language: 'javascript' }) : UNKNOWN_CONTENT
  if (file && command !== '-') return runFile(context, addScriptEnding(context, file), rest, { language: 'javascript' })
  return input === EMPTY_CONTENT ? UNKNOWN_CONTENT : runContent(context, input, 'javascript')
}

function addScriptEnding(context: Context, file: Value): Value {
  const path = resolveOne(context, file)
  if (!path || path.exists || /\.\w+$|^\/dev\/fd\//.test(path.text)) return file
  return toKnownWord(`${path.text}.js`)
}

/** Notes that code shows what it has loaded from a file of secrets: the whole environment, or a secret of it. */
function noteLoadedEnvironment(context: Context, file: Value, code: string): void {
  const names = [...code.matchAll(/process\.env(?:\.(\w+)|\[['"](\w+)['"]\])?/g)].map((match) => match[1] ?? match[2])
  const isShown = names.some((name) => name === undefined || isSecretVariable(name))
  if (isShown && resolveOne(context, file)?.place === 'secret') readPath(lowerCertainty(context, 'likely'), file)
}

/** Calls by which code of any language deletes what it is given by name. */
const DELETING_CALL =
  /\b(?:unlink\w*|rmSync|rmtree|os\.remove|File\.delete|rm_rf?|remove_tree|remove_entry\w*|removeSync|rmdir\w*|deleteSync|rm\s+-\w+)\b/

/** Notes that code deletes the paths that come to it, one a line. */
function deleteListed(context: Context, code: string | null, input: Content): void {
  if (
    code === null ||
    !DELETING_CALL.test(code) ||
    !/\$_|\$0|\bunlink\b|stdin|STDIN|gets|\$<|-n|\/dev\/stdin/.test(code)
  )
    return
  const lines =
    input.lists ?? (input.text ?? '').split(/[\n\0]/).flatMap((line) => (line === '' ? [] : [toKnownWord(line)]))
  for (const line of takeFirst(context, lines, MAX_LISTED, 'paths that code deletes'))
    deletePath(lowerCertainty(context, 'likely'), line, 'tree')
}

function readPython(call: Call): Content {
  const { context, input, words } = call
  const parsed = parseArguments(words, toSet('-c -m -W -X -Q --check-hash-based-pycs'), { stopAtOperand: true })
  const texts = readCallWords(words)
  const codeAt = texts.findIndex((text) => /^-[a-zA-Z]*c$/.test(text))
  const moduleAt = texts.findIndex((text) => /^-[a-zA-Z]*m$/.test(text))
  const code = codeAt === -1 ? undefined : words[codeAt + 1]
  const shellLine = code && call.name === 'ipython' ? /^!(.+)$/s.exec(readWord(code) ?? '')?.[1] : undefined
  if (shellLine) return context.reading.runScript(enterStep(context), shellLine)
  if (codeAt !== -1) deleteListed(context, texts[codeAt + 1] ?? null, input)
  if (codeAt !== -1 && (moduleAt === -1 || codeAt < moduleAt))
    return runCodeWord(context, 'python', words[codeAt + 1] ?? null)
  if (moduleAt !== -1) return runModule(call, texts[moduleAt + 1] ?? '', words.slice(moduleAt + 2))
  if (parsed.has('--version', '-V', '--help', '-h')) return UNKNOWN_CONTENT
  const [file, ...rest] = parsed.operands
  const name = file ? posix.basename(readWord(file) ?? '') : ''
  if (file && name === 'manage.py' && /^shell/.test(readWord(rest[0] ?? toKnownWord('')) ?? '')) {
    const given = parseArguments(rest.slice(1), toSet('-c --command')).value('-c', '--command')
    return given ? runCodeWord(context, 'python', given) : runContent(context, input, 'python')
  }
  if (file && name === 'manage.py')
    return context.reading.runWords(enterStep(context), [toKnownWord('manage.py'), ...rest], input)
  if (file && name === 'setup.py' && rest.some((word) => /^(?:upload|register)$/.test(readWord(word) ?? '')))
    noteChange(context, 'registry', 'publish', `setup.py ${readCallWords(rest).join(' ')}`)
  if (file && readWord(file) !== '-') return runFile(context, file, rest, { language: 'python' })
  return input === EMPTY_CONTENT ? UNKNOWN_CONTENT : runContent(context, input, 'python')
}

/** Modules of Python that are programs of their own. */
function runModule(call: Call, name: string, words: readonly Value[]): Content {
  const { context, input } = call
  const texts = readCallWords(words)
  if (name === 'http.server') {
    const parsed = parseArguments(words, toSet('--bind -b --directory -d --protocol'))
    const bind = parsed.value('--bind', '-b')
    const folder = parsed.value('--directory', '-d')
    const isOpen = bind !== null && !/^(?:127\.|localhost|::1)/.test(readWord(bind) ?? '')
    const place = resolveOne(context, folder ?? toKnownWord('.'))?.place
    if (isOpen || place === 'home' || place === 'secret' || place === 'system')
      note(context, { does: 'listen', on: `http.server ${texts.join(' ')}` })
    return UNKNOWN_CONTENT
  }
  if (name === 'timeit') {
    for (const each of parseArguments(words, toSet('-n -r -s -u --setup')).operands)
      runCodeWord(context, 'python', each)
    return UNKNOWN_CONTENT
  }
  if (name === 'site' && texts.includes('--user-site'))
    return { ...EMPTY_CONTENT, text: `${context.reading.world.home}/.local/lib/python3/site-packages\n` }
  if (name === 'pdb')
    for (const each of parseArguments(words, toSet('-c --command'), { stopAtOperand: true }).values('-c', '--command'))
      runCodeWord(context, 'python', each)
  if (/^(?:cProfile|pdb|trace|runpy|debugpy)$/.test(name) || (name === 'coverage' && texts[0] === 'run')) {
    const file = parseArguments(words, toSet('-o -s -m -c --listen')).operands.find((each) =>
      /\.py$/.test(readWord(each) ?? ''),
    )
    if (file) return runFile(context, file, [], { language: 'python' })
  }
  if (
    /^(?:json\.tool|venv|ensurepip|compileall|py_compile|unittest|doctest|cProfile|timeit|site|sysconfig|zipfile|tarfile|this|calendar|dis|ast|pdb|trace|http\.client|webbrowser|build|virtualenv|IPython|jupyter|notebook|debugpy|asyncio|platform|pydoc|pip_audit|coverage)$/.test(
      name,
    )
  ) {
    if (name === 'json.tool')
      for (const each of parseArguments(words, toSet('--indent')).operands.slice(0, 1)) readPath(context, each)
    return { ...UNKNOWN_CONTENT, carries: input.carries }
  }
  if (name === 'dotenv') {
    const path = toKnownWord(texts.find((text) => /\.env/.test(text)) ?? '.env')
    return /^(?:list|get)$/.test(texts.find((text) => !text.startsWith('-')) ?? '')
      ? readPath(context, path)
      : UNKNOWN_CONTENT
  }
  const file = `${name.replaceAll('.', '/')}.py`
  const local = resolveOne(context, toKnownWord(file))
  if (local?.exists) return runFile(context, toKnownWord(file), words, { language: 'python' })
  return context.reading.runWords(enterStep(context), [toKnownWord(name), ...words], input)
}

const INTERPRETER_CODE: Readonly<Record<string, string>> = {
  ruby: '-e',
  perl: '-e -E',
  php: '-r -B -E',
  lua: '-e',
  luajit: '-e',
  Rscript: '-e',
  julia: '-e -E',
  groovy: '-e',
  osascript: '-e',
  tclsh: '',
  elixir: '-e',
}

/** Files of PHP that are the command line of a framework. */
const PHP_RUNNERS = /^(?:artisan|console|cake|yii|spark|occ|craft|drush|wp|wp-cli|magento|typo3|composer)$/

function readInterpreter(call: Call): Content {
  const { context, input, words, name } = call
  const letters = findOwn(INTERPRETER_CODE, name) ?? '-e'
  const isPerl = name === 'perl' || name === 'ruby'
  const parsed = parseArguments(
    words,
    toSet(
      `${letters} -I -M -m -r -d -f -c-x -F -C-x${isPerl || name === 'php' ? '' : ' -l'}`.replace(
        name === 'php' ? ' -r' : '\0',
        '',
      ),
    ),
    { stopAtOperand: true },
  )
  const codes = parsed.values(...toSet(letters))
  if (parsed.has('--version', '-v', '-V', '--help', '-h') && parsed.operands.length === 0 && codes.length === 0)
    return UNKNOWN_CONTENT
  const runner = posix.basename(readWord(parsed.operands[0] ?? toKnownWord('')) ?? '').replace(/\.(?:php|phar)$/, '')
  if (name === 'php' && PHP_RUNNERS.test(runner))
    return context.reading.runWords(
      enterStep(context),
      [toKnownWord(runner), ...words.slice(words.indexOf(parsed.operands[0] ?? toKnownWord('')) + 1)],
      input,
    )
  if (name === 'php' && parsed.has('-S')) return readServer(call)
  if (parsed.has('-c') && !isPerl) return UNKNOWN_CONTENT
  if (parsed.has('-l') && name === 'php') return UNKNOWN_CONTENT
  for (const each of name === 'perl' ? parsed.values('-M', '-m') : [])
    if (
      !/^(?:strict|warnings|feature|utf8|POSIX|Data::Dumper|List::Util|MIME::Base64|File::|Time::|JSON)/.test(
        showValue(each),
      )
    )
      noteUnseen(context, 'code', `perl -M${showValue(each)}`, 'run')
  const isInPlace = isPerl && [...parsed.options.keys()].includes('-i')
  const isLoop = isPerl && parsed.has('-n', '-p')
  if (codes.length > 0) {
    for (const code of codes) {
      runCodeWord(context, name, code)
      deleteListed(context, readWord(code), input)
    }
    const files = isLoop || isInPlace ? parsed.operands : []
    for (const file of files)
      if (isInPlace) writePath(context, file, 'edit')
      else readPath(context, file)
    return { ...UNKNOWN_CONTENT, carries: input.carries }
  }
  const file = parsed.value('-f') ?? parsed.operands[0]
  if (file && readWord(file) !== '-') return runFile(context, file, parsed.operands.slice(1), { language: name })
  return input === EMPTY_CONTENT ? UNKNOWN_CONTENT : runContent(context, input, name)
}

function readAwk(call: Call): Content {
  const { context, input } = call
  const parsed = parseCall(call, '-F -v -f -i -o --field-separator --assign --file --source -e')
  const isFile = parsed.has('-f', '--file')
  for (const each of parsed.values('-f', '--file')) {
    const { text, carries } = readPath(context, each)
    noteFlows(context, listRunnable(carries), 'run', 'awk')
    if (text !== null) readAwkCode(context, text)
  }
  const program = isFile ? null : (parsed.value('-e', '--source') ?? parsed.operands[0] ?? null)
  const code = program ? readWord(program) : null
  deleteListed(context, code, input)
  if (code !== null) readAwkCode(context, code)
  else if (program) noteUnseen(context, 'code', showValue(program), 'run')
  const files = parsed.operands
    .slice(isFile || parsed.has('-e', '--source') ? 0 : 1)
    .filter((each) => !/^\w+=/.test(readKnownStart(each)))
  const isInPlace = parsed.values('-i').some((each) => readWord(each) === 'inplace')
  const contents = files.map((each) => {
    if (isInPlace) writePath(context, each, 'edit')
    return readPath(context, each)
  })
  const taken = contents.length === 0 ? input.carries : new Set(contents.flatMap((each) => [...each.carries]))
  // A condition picks a few of the processes that are listed.
  const carries =
    taken.has('processes') && /\/.+\/|[=!]?~|[=<>]=?\s*["\d]/.test(code ?? '')
      ? new Set([...taken].filter((kind) => kind !== 'processes'))
      : taken
  const isEnvironment = code !== null && /\bENVIRON\b/.test(code)
  const isCopy = code !== null && /^\s*(?:1|\{\s*print(?:\s+\$0)?\s*(?:;\s*)?\})\s*$/.test(code)
  if (isCopy && !isInPlace && contents.length <= 1) return contents[0] ?? input
  return { ...UNKNOWN_CONTENT, carries: isEnvironment ? new Set([...carries, 'environment' as const]) : carries }
}

/** Notes the commands and files in an awk program. */
function readAwkCode(context: Context, code: string): void {
  const texts = new Map(
    [...code.matchAll(/(?<![\w$])([a-zA-Z_]\w{0,40})\s?=\s?"((?:[^"\\]|\\.){0,500})"\s?[;}\n]/g)].map(
      (match) => [match[1] ?? '', match[2] ?? ''] as const,
    ),
  )
  for (const match of code.matchAll(
    /\bsystem\s?\(\s?([a-zA-Z_]\w{0,40})\s?\)|(?<=[;{\s])([a-zA-Z_]\w{0,40})\s?\|\s?getline/g,
  )) {
    const script = texts.get(match[1] ?? match[2] ?? '')
    if (script !== undefined) context.reading.runScript(enterStep(context), script.replaceAll('\\"', '"'))
  }
  for (const match of code.matchAll(
    /system\s*\(\s*"((?:[^"\\]|\\.)*)"|\|\s*(?:&\s*)?"((?:[^"\\]|\\.)*)"|"((?:[^"\\]|\\.)*)"\s*\|\s*(?:&\s*)?getline/g,
  )) {
    const script = (match[1] ?? match[2] ?? match[3] ?? '').replaceAll('\\"', '"')
    context.reading.runScript(enterStep(context), script)
  }
  if (/\bwhile\s*\(\s*1\s*\)|for\s*\(\s*;\s*;/.test(code) && /system\s*\(\s*"[^"]*&\s*"/.test(code))
    noteChange(context, 'machine', 'fork-bomb', 'awk that starts processes without end')
  const connection = /\/inet[46]?\/(?:tcp|udp)\/\d+\/([\w.-]+)\//.exec(code)
  // Lines of a connection that are run are a shell for those at its other end.
  if (connection && (code.match(/\|&?\s*getline/g)?.length ?? 0) > 1)
    noteFlows(context, ['shell'], 'send', connection[1] ?? 'a host')
  else if (connection) sendTo(context, toKnownWord(connection[1] ?? 'a host'), UNKNOWN_CONTENT)
  if (/system\s*\(\s*[^"\s)]/.test(code) || /\|\s*(?:getline|\$)/.test(code.replaceAll(/"[^"]*"\s*\|\s*getline/g, '')))
    noteUnseen(context, 'code', 'awk system()', 'run')
  if (/system\s*\(/.test(code) && /sprintf\s*\(\s*"[^"]*%c/.test(code)) noteFlows(context, ['decode'], 'run', 'awk')
  // A name that goes on behind its first part is one of many.
  for (const match of code.matchAll(/>>?\s*"([^"]+)"(?=([ \t]*[$\w(])?)/g))
    writePath(context, match[2] ? toPatternWord(`${match[1] ?? ''}*`) : toKnownWord(match[1] ?? ''), 'replace')
  for (const match of code.matchAll(
    /\bprintf?\s?\(?\s?"((?:[^"\\]|\\.){0,500})"[^|;}]{0,200}\|\s*(?:&\s*)?"(?:\/\w+)*\/?(?:ba|z|da|k)?sh\b/g,
  ))
    context.reading.runScript(enterStep(context), (match[1] ?? '').replaceAll('\\"', '"'))
  for (const match of code.matchAll(/getline\b[^"<]*<\s*"([^"]+)"/g)) readPath(context, toKnownWord(match[1] ?? ''))
}

const PIP_VALUED =
  '-r -c -i -e -t --requirement --constraint --index-url --extra-index-url --find-links -f --target --prefix --root --python -p --with --from --spec --index --editable --proxy --group --extra --directory --project'

/** Channels of conda, and lists of versions that everyone installs by. */
const WELL_KNOWN_CHANNELS =
  /^https?:\/\/(?:conda\.anaconda\.org|repo\.anaconda\.com|repo\.prefix\.dev|raw\.githubusercontent\.com\/apache\/airflow)\//

function readPip(call: Call): Content {
  const { context, name, input } = call
  const parsed = parseCall(call, PIP_VALUED, { stopAtOperand: name === 'uvx' })
  const texts = parsed.operands.map((each) => readWord(each) ?? '?')
  const verb = texts.find((text) => text !== 'pip' && text !== 'tool') ?? ''
  const target = `${name} ${texts.join(' ')}`
  if (parsed.has('--help') && name !== 'uvx') return UNKNOWN_CONTENT
  if (verb === 'publish' || verb === 'upload') {
    if (!parsed.has('--dry-run')) noteChange(context, 'registry', 'publish', target)
    return UNKNOWN_CONTENT
  }
  for (const each of parsed.values('-r', '--requirement', '-c', '--constraint', '--channel')) {
    const text = readWord(each) ?? ''
    if (/^https?:/.test(text) && !WELL_KNOWN_CHANNELS.test(text)) fetchAndRun(context, text, name)
  }
  for (const each of parsed.values('--index-url', '-i', '--extra-index-url', '--index', '--find-links')) {
    const text = readWord(each) ?? '?'
    if (
      /^https?:/.test(text) &&
      !/\/\/(?:pypi\.org|test\.pypi\.org|files\.pythonhosted\.org|download\.pytorch\.org|localhost|127\.)/.test(text)
    )
      fetchAndRun(context, text, name)
  }
  if (name === 'uvx' || verb === 'run' || (name === 'pipx' && verb === 'run')) {
    const from = parsed.value('--from', '--with', '--spec')
    if (from && /^(?:git\+)?https?:/.test(readWord(from) ?? '')) fetchAndRun(context, readWord(from) ?? '', name)
    const start = call.words.findIndex((word) => readWord(word) === 'run')
    const command =
      name === 'uvx'
        ? parsed.operands
        : parseArguments(call.words.slice(start + 1), toSet(`${PIP_VALUED} -n --env-file --no-x`), {
            stopAtOperand: true,
          }).operands
    const first = command[0] ? readWord(command[0]) : null
    if (first !== null && /^(?:git\+)?https?:/.test(first)) {
      fetchAndRun(context, first, name)
      return UNKNOWN_CONTENT
    }
    if (first !== null && runTomlScript(context, first)) return UNKNOWN_CONTENT
    if (first !== null && /\.py$/.test(first))
      return runFile(context, toKnownWord(first), command.slice(1), { language: 'python' })
    return command.length > 0 ? context.reading.runWords(enterStep(context), command, input) : UNKNOWN_CONTENT
  }
  for (const each of parsed.operands) {
    const address = /^(?:[\w[\],.-]+\s*@\s*)?((?:git\+)?https?:\/\/.+)/.exec(readWord(each) ?? '')?.[1]
    if (address) fetchAndRun(context, address, name)
  }
  if (verb === 'install')
    for (const each of [...parsed.operands.slice(1), ...parsed.values('-e', '--editable')]) {
      const folder = readWord(each)
      if (folder === null || !/^\.{0,2}\/|^\.$/.test(folder)) continue
      const file = toKnownWord(posix.join(folder, 'setup.py'))
      if (resolveOne(context, file)?.exists) runFile(context, file, [], { language: 'python' })
    }
  const isRemoving = /^(?:uninstall|remove)$/.test(verb)
  const isAll =
    (name.startsWith('pip') &&
      (parsed.operands.length > 20 ||
        parsed.values('-r', '--requirement').some((each) => /\/dev\/fd\//.test(showValue(each))))) ||
    (/conda$|mamba$/.test(name) && parsed.has('-a', '--all') && texts.includes('base'))
  if (isRemoving && isAll) noteChange(context, 'machine', 'uninstall', target, 'likely')
  if (verb === 'config' && /index-url|extra-index-url/.test(target) && texts.includes('set'))
    noteFlows(context, ['fetch'], 'run', target)
  return UNKNOWN_CONTENT
}

function readCargo(call: Call): Content {
  const { context } = call
  const parsed = parseCall(
    call,
    '-p -j -F --package --features --target --manifest-path --git --path --registry --version --vers --bin --example --test --index -Z --config --branch --rev --tag',
  )
  const texts = parsed.operands.map((each) => readWord(each) ?? '?').filter((text) => !text.startsWith('+'))
  const verb = texts[0] ?? ''
  const target = `cargo ${texts.join(' ')}`
  if (parsed.has('--help', '--dry-run', '-n')) return UNKNOWN_CONTENT
  const isOfAll = /^(?:workspaces|ws)$/.test(verb) && texts[1] === 'publish'
  if (verb === 'publish' || isOfAll || (/release$/.test(verb) && parsed.has('-x', '--execute')))
    noteChange(context, 'registry', 'publish', target)
  else if (verb === 'yank') noteChange(context, 'registry', 'unpublish', target)
  else if (verb === 'owner' && parsed.has('--add', '--remove', '-a', '-r'))
    noteChange(context, 'registry', 'publish', target)
  else if (verb === 'install') {
    const git = parsed.value('--git')
    if (git) fetchAndRun(context, readWord(git) ?? '?', 'cargo install')
  } else if (verb === 'binstall' && parsed.value('--git'))
    fetchAndRun(context, readWord(parsed.value('--git') ?? toKnownWord('?')) ?? '?', 'cargo binstall')
  else if (verb === 'clean') deletePath(context, toKnownWord('target'), 'tree')
  else if (verb === 'watch') runWatched(call)
  return UNKNOWN_CONTENT
}

/** Runs what `cargo watch` starts at each change: scripts of the shell, subcommands, words behind `--`. */
function runWatched(call: Call): void {
  const { context, words } = call
  const entered = enterStep(context)
  const parsed = parseCall(call, '-s -x -w -i -d -C --shell --exec --watch --ignore --delay --workdir')
  for (const each of parsed.values('-s', '--shell'))
    context.reading.runScript(entered, readWord(each) ?? showValue(each))
  for (const each of parsed.values('-x', '--exec'))
    context.reading.runScript(entered, `cargo ${readWord(each) ?? showValue(each)}`)
  const at = words.findIndex((word) => readWord(word) === '--')
  if (at !== -1) context.reading.runWords(entered, words.slice(at + 1), EMPTY_CONTENT)
}

function readGo(call: Call): Content {
  const { context } = call
  const [verb = '', ...rest] = readCallWords(call.words)
  const words = call.words.slice(1)
  if (verb === 'env')
    for (const [name = '', value = ''] of rest.map((text) => text.split(/=(.*)/s, 2)))
      noteVariable(context, name, toKnownWord(value))
  // `go get` runs nothing of what it fetches; `go run` behind it does.
  if (verb === 'get') for (const text of rest) context.reading.settings.set(`go ${text.split('@')[0]}`, text)
  if (!/^(?:run|install|generate)$/.test(verb)) return UNKNOWN_CONTENT
  if (verb === 'run' && rest.some((text) => text === '-' || text === '/dev/stdin'))
    return runContent(context, call.input, 'go')
  if (verb === 'run' && /\.go$/.test(rest.find((text) => !text.startsWith('-')) ?? ''))
    return runFile(context, words.find((word) => /\.go$/.test(readWord(word) ?? '')) ?? toKnownWord('main.go'), [], {
      language: 'go',
    })
  for (const each of parseArguments(words, toSet('-tags -ldflags -o -exec -mod -modfile')).operands) {
    const word = readWord(each) ?? ''
    const text = context.reading.settings.has(`go ${word}`) ? `${word}@latest` : word
    if (
      /^[\w-]+(?:\.[\w-]+)+\/.*@/.test(text) &&
      !/^(?:github\.com|golang\.org|google\.golang\.org|gitlab\.com|gopkg\.in|go\.uber\.org|k8s\.io|sigs\.k8s\.io|honnef\.co|mvdan\.cc)\//.test(
        text,
      )
    )
      fetchAndRun(context, `https://${text}`, 'go')
  }
  return UNKNOWN_CONTENT
}

function readComposer(call: Call): Content {
  const { context, words } = call
  const parsed = parseCall(call, '-d --working-dir')
  const [verb = '', ...rest] = parsed.operands.map((each) => readWord(each) ?? '?')
  const name = /^(?:run|run-script|exec)$/.test(verb) ? (rest[0] ?? '') : verb
  const source =
    verb === 'config' && /^repo/.test(rest[0] ?? '') ? rest.find((text) => /^[a-z+]+:\/\//.test(text)) : undefined
  if (source) fetchAndRun(context, source, 'composer config')
  const path = resolveOne(context, toKnownWord('composer.json'))
  const text = path ? readSource(context, path.text) : null
  const script = text === null ? undefined : parseScripts(text)?.[name]
  const scripts = Array.isArray(script) ? script : [script]
  for (const each of scripts)
    if (typeof each === 'string')
      context.reading.runScript(
        enterStep(context, {
          text: `${name}: ${each}`.slice(0, 160),
          at: `composer.json:${findLine(text ?? '', `"${name}"`)}`,
        }),
        each,
      )
  if (verb === 'exec' && script === undefined)
    return context.reading.runWords(enterStep(context), words.slice(1), EMPTY_CONTENT)
  return UNKNOWN_CONTENT
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

/** Reads small servers of files: what lies outside the project is opened to others. */
function readServer(call: Call): Content {
  const { context, name } = call
  const parsed = parseCall(call, '-p -a -l -s-x -c --port --host --address --listen --config -t -S -d')
  const folder = parsed.value('-t', '-d') ?? (name === 'php' ? null : (parsed.operands[0] ?? null))
  const address = parsed.value('-a', '--host', '--address', '-S', '-l', '--listen')
  const host = address ? (readWord(address) ?? '') : ''
  const place = folder ? resolveOne(context, folder)?.place : 'project'
  const isOutside = place === 'home' || place === 'secret' || place === 'system' || place === 'neighbour'
  const isLocal = /^(?:127\.|localhost|\[?::1)/.test(host)
  const isOpen = /^(?:\w+:\/\/)?(?:0\.0\.0\.0|\*|\[?::\]?)(?::|$)/.test(host)
  if ((isOutside && !isLocal) || isOpen)
    note(context, { does: 'listen', on: `${name} ${readCallWords(call.words).join(' ')}` })
  return UNKNOWN_CONTENT
}

/** Runs a command behind variables and files of variables: `cross-env A=1 npm test`, `dotenv -e .env -- npm test`. */
function readSetting({ context, words, input, name }: Call): Content {
  const parsed = parseArguments(words, toSet('-e -f -c -q --file --env --quote'), { stopAtOperand: true })
  const verb = name === 'dotenv' ? readWord(parsed.operands[0] ?? toKnownWord('')) : null
  const file = parsed.value('-f', '--file') ?? toKnownWord('.env')
  if (verb === 'list' || verb === 'get') return readPath(context, file)
  if (verb === 'set' || verb === 'unset') {
    writePath(context, file, 'edit')
    return EMPTY_CONTENT
  }
  if (verb !== null && parsed.has('-f', '--file')) readPath(context, file, 'name')
  const operands = verb === 'run' ? parsed.operands.slice(1) : parsed.operands
  const command =
    operands[0] && /^\w+=/.test(readKnownStart(operands[0])) ? [toKnownWord('env'), ...operands] : operands
  return context.reading.runWords(enterStep(context), command, input)
}

function readShapeCode(call: Call): Content {
  const { context, name, input } = call
  const parsed = parseCall(call, '-e -c -o -ex -E --eval --expression -x --execute -eval -run', {
    oneDash: name === 'gdb' || name === 'lldb' || name === 'erl',
  })
  const codes = [...parsed.values('-e', '-c', '-o', '-ex', '-E', '--eval', '--expression', '-x', '--execute', '-eval')]
  const behind = call.words.findIndex((word) => /^--(?:args)?$/.test(readWord(word) ?? ''))
  if (/^(?:gdb|lldb)$/.test(name) && behind !== -1)
    context.reading.runWords(enterStep(context), call.words.slice(behind + 1), input)
  const [first, second] = parsed.operands
  if (readWord(first ?? toKnownWord('')) === 'eval' && second) codes.push(second)
  for (const each of codes) {
    const text = readWord(each)
    const line =
      text === null ? undefined : /^(?:shell|!|platform shell|process launch|spawn)\s*([^;]+)/s.exec(text)?.[1]
    if (line !== undefined) context.reading.runScript(enterStep(context), line)
    else runCodeWord(context, name, each)
  }
  if (codes.length > 0) return UNKNOWN_CONTENT
  if (input !== EMPTY_CONTENT && (!first || readWord(first) === '-')) return runContent(context, input, name)
  if (first && (/^https?:/.test(readKnownStart(first)) || resolveOne(context, first)?.exists))
    return runFile(context, first, [], { language: name })
  return UNKNOWN_CONTENT
}

function readBundle(call: Call): Content {
  const { context, words, input } = call
  const texts = readCallWords(words)
  const source = texts.find((text) => /^https?:\/\//.test(text))
  if (texts[0] === 'config' && texts.some((text) => /^mirror\./.test(text)))
    noteSource(context, 'mirror', texts.filter((text) => /^https?:\/\//.test(text)).at(-1) ?? source ?? '')
  if (texts[0] === 'add' && source) fetchAndRun(context, source, 'bundle add')
  const at = texts.indexOf('exec')
  return at === -1 ? UNKNOWN_CONTENT : context.reading.runWords(enterStep(context), words.slice(at + 1), input)
}

function readCmake(call: Call): Content {
  const { context, words } = call
  const parsed = parseCall(
    call,
    '-S -B -G -D -P -E-x --prefix --target --config --component --build --install -j --parallel --preset',
  )
  const texts = readCallWords(words)
  if (texts[0] === '-E') {
    const [verb = '', ...rest] = texts.slice(1)
    if (/^(?:rm|remove|remove_directory)$/.test(verb))
      for (const each of rest.filter((text) => !text.startsWith('-'))) deletePath(context, toKnownWord(each), 'tree')
    if (/^(?:copy|copy_directory|rename|touch)$/.test(verb))
      writePath(context, toKnownWord(rest.at(-1) ?? ''), 'replace')
    if (verb === 'env') return context.reading.runWords(enterStep(context), words.slice(2), EMPTY_CONTENT)
    return UNKNOWN_CONTENT
  }
  if (parsed.has('--install') || texts.includes('install')) {
    const prefix = parsed.value('--prefix') ?? toKnownWord('/usr/local')
    writePath(context, toKnownWord(`${(readWord(prefix) ?? '/usr/local').replace(/\/$/, '')}/*`), 'create')
  }
  const script = parsed.value('-P')
  if (script) runFile(context, script, [], { language: 'cmake' })
  return UNKNOWN_CONTENT
}

/** Targets that are followed in one Makefile. */
const MAX_TARGETS = 60

function readMake(call: Call): Content {
  const { context } = call
  const parsed = parseCall(call, '-C -f -E -j-x -I -o -W --directory --file --makefile --eval')
  if (parsed.has('-n', '--dry-run', '--just-print', '--recon', '-q', '--question', '-p', '--help', '--version'))
    return UNKNOWN_CONTENT
  const inner = moveFolder(context, parsed.value('-C', '--directory'))
  for (const each of parsed.values('--eval', '-E')) {
    const rule = readWord(each) ?? ''
    context.reading.runScript(enterStep(context), rule.replace(/^[^:\n]*:[^;\n]*(?:[;\n]|$)/, ''))
  }
  if (readCallWords(call.words).some((text) => /^(?:SHELL|\.SHELLFLAGS)=/.test(text)))
    noteUnseen(context, 'code', 'a shell of its own', 'run')
  const named = parsed.value('-f', '--file', '--makefile')
  if (named && /^(?:-|\/dev\/stdin)$/.test(readWord(named) ?? '') && call.input.text !== null) {
    const targets = parsed.operands.map((each) => readWord(each) ?? '').filter((text) => !text.includes('='))
    const path = posix.join(inner.shell.folders[0]?.path ?? inner.reading.world.folder, 'Makefile')
    runTargets(inner, { path, text: call.input.text, targets, variables: new Map() })
    return UNKNOWN_CONTENT
  }
  const files = named ? [named] : ['GNUmakefile', 'makefile', 'Makefile'].map((name) => toKnownWord(name))
  for (const file of files) {
    const path = resolveOne(inner, file)
    const text = path ? readSource(inner, path.text) : null
    if (!path || text === null) continue
    inner.reading.digests.set(path.text, digestText(text))
    const variables = new Map(
      parsed.operands.flatMap((each) => {
        const pair = /^(\w+)[:+?]?=(.*)$/s.exec(readWord(each) ?? '')
        return pair ? [[pair[1] ?? '', pair[2] ?? ''] as const] : []
      }),
    )
    const targets = parsed.operands
      .map((each) => readWord(each) ?? '')
      .filter((text) => text !== '' && !text.includes('='))
    runTargets(inner, { path: path.text, text, targets, variables })
    return UNKNOWN_CONTENT
  }
  noteFetchedFile(inner, posix.join(inner.shell.folders[0]?.path ?? '/', 'Makefile'))
  noteUnseen(inner, 'program', 'make')
  return UNKNOWN_CONTENT
}

interface Makefile {
  readonly path: string
  readonly text: string
  readonly targets: readonly string[]
  readonly variables: ReadonlyMap<string, string>
}

/** Characters of a file after which more of it may not have been read. */
const MAX_READ_CHARS = 60 * 1024

interface Rule {
  readonly needs: readonly string[]
  readonly lines: readonly { readonly text: string; readonly number: number }[]
}

function runTargets(context: Context, { path, text, targets, variables }: Makefile): void {
  const { rules, values, first, includes } = parseMakefile(text)
  for (const [name, value] of variables) values.set(name, value)
  if (includes) noteUnseen(context, 'code', `${showFile(context, path)}: include`)
  const done = new Set<string>()
  const visit = (target: string): void => {
    if (done.has(target) || done.size > MAX_TARGETS) return
    done.add(target)
    const rule =
      rules.get(target) ?? [...rules].find(([name]) => name.includes('%') && matchesWildcard(name, target, '%'))?.[1]
    if (!rule) {
      // A Makefile that is longer than what is read of it may have the target further down.
      const isCut = text.length >= MAX_READ_CHARS
      if (targets.includes(target)) noteUnseen(context, isCut ? 'too-much' : 'program', `make ${target}`, 'run')
      return
    }
    for (const need of rule.needs) visit(fillMake(context, need, values))
    for (const { text: line, number } of rule.lines) {
      const script = fillMake(context, line.replace(/^[@+-]+\s*/, ''), values)
      const step = { text: `${target}: ${script}`.slice(0, 160), at: `${showFile(context, path)}:${number}` }
      const shell = { ...context.shell, folders: [{ path: posix.dirname(path), certainty: 'certain' as const }] }
      context.reading.runScript({ ...enterStep(context, step), shell }, script)
    }
  }
  const otherwise = first ? [first] : []
  for (const target of targets.length > 0 ? targets : otherwise) visit(target)
}

function parseMakefile(text: string): {
  rules: Map<string, Rule>
  values: Map<string, string>
  first: string | null
  includes: boolean
} {
  const rules = new Map<string, Rule>()
  const values = new Map<string, string>()
  let first: string | null = null
  let includes = false
  let current: string[] = []
  const lines = text.replaceAll(/\\\n\s*/g, ' ').split('\n')
  lines.forEach((line, at) => {
    if (/^\t/.test(line) && current.length > 0) {
      for (const name of current) {
        const rule = rules.get(name)
        rules.set(name, {
          needs: rule?.needs ?? [],
          lines: [...(rule?.lines ?? []), { text: line.trim(), number: at + 1 }],
        })
      }
      return
    }
    const pair = /^\s*(?:export\s+|override\s+)?([\w.-]+)\s*(?::{0,3}|\+|\?|!)=\s*(.*)$/.exec(line)
    if (pair) {
      values.set(pair[1] ?? '', pair[2] ?? '')
      return
    }
    if (/^-?s?include\s/.test(line)) includes = true
    const rule = /^([^\s#:=][^#:=]*):{1,2}(?!=)\s*([^#;]*)(?:;(.*))?$/.exec(line)
    if (!rule) return
    current = (rule[1] ?? '').trim().split(/\s+/)
    for (const name of current) {
      const before = rules.get(name)
      const own = rule[3] ? [{ text: rule[3].trim(), number: at + 1 }] : []
      rules.set(name, {
        needs: [
          ...(before?.needs ?? []),
          ...(rule[2] ?? '')
            .trim()
            .split(/\s+/)
            .filter((each) => each !== '' && each !== '|'),
        ],
        lines: [...(before?.lines ?? []), ...own],
      })
      if (first === null && !name.startsWith('.')) first = name
    }
  })
  return { rules, values, first, includes }
}

function fillMake(context: Context, text: string, values: ReadonlyMap<string, string>, depth = 0): string {
  if (depth > 8 || text.length > 20_000) return text
  const filled = text.replaceAll(
    /\$(?:\(([^()]*)\)|\{([^{}]*)\}|([@<^*?$]))/g,
    (written, round: string | undefined, curly: string | undefined, sign: string | undefined) => {
      if (sign === '$') return '\0'
      if (sign) return '"$MAKE_AUTOMATIC"'
      const name = round ?? curly ?? ''
      const script = /^shell\s+(.*)$/.exec(name)
      if (script) return `\0(${script[1]})`
      const value = values.get(name)
      if (value !== undefined) return value
      if (/^\w+$/.test(name)) return `\0{${name}}`
      return /^\w+\s/.test(name) ? '"$MAKE_FUNCTION"' : written
    },
  )
  const next = filled === text ? filled : fillMake(context, filled, values, depth + 1)
  return depth === 0 ? next.replaceAll('\0', '$') : next
}

function readJust(call: Call): Content {
  const { context, name } = call
  const parsed = parseCall(call, '-f -d --justfile --working-directory --set --taskfile --dir')
  if (
    parsed.has(
      '--list',
      '-l',
      '--summary',
      '--show',
      '--dump',
      '--dry-run',
      '-n',
      '--help',
      '--version',
      '-T',
      '--tasks',
      '-P',
      '--evaluate',
      '--choose',
      '-a',
      '--list-all',
    )
  )
    return UNKNOWN_CONTENT
  const names: Readonly<Record<string, readonly string[]>> = {
    just: ['justfile', 'Justfile', '.justfile'],
    task: ['Taskfile.yml', 'Taskfile.yaml'],
    rake: ['Rakefile'],
    invoke: ['tasks.py'],
    inv: ['tasks.py'],
  }
  const own = parsed.value('-f', '--justfile', '--taskfile', '-t')
  for (const file of own ? [own] : (findOwn(names, name) ?? []).map((each) => toKnownWord(each))) {
    const path = resolveOne(context, file)
    const text = path ? readSource(context, path.text) : null
    if (!path || text === null) continue
    context.reading.digests.set(path.text, digestText(text))
    if (name === 'just')
      runRecipes(
        context,
        path.text,
        text,
        parsed.operands.map((each) => readWord(each) ?? ''),
      )
    else if (name === 'task')
      runTaskfile(
        context,
        path.text,
        text,
        parsed.operands.map((each) => readWord(each) ?? ''),
      )
    else for (const each of parsed.operands) runCodeTask(context, { path: path.text, text }, name, readWord(each) ?? '')
    break
  }
  if (name === 'rake' && parsed.operands.some((each) => readKnownStart(each).startsWith('db:')))
    return runRow(
      context,
      {
        verbs: [
          [
            /\bdb:(?:drop|reset|schema:load|purge|seed:replant|truncate_all)\b|\bdb:migrate VERSION=0\b/,
            'database drop',
          ],
        ],
      },
      'rake',
      call.words,
      EMPTY_CONTENT,
    )
  if (
    name === 'rake' &&
    parsed.operands.some((each) => /^(?:\w+:)?(?:release|gem:push|publish)$/.test(readWord(each) ?? ''))
  )
    noteChange(context, 'registry', 'publish', `rake ${readCallWords(call.words).join(' ')}`)
  noteUnseen(context, 'program', name)
  return UNKNOWN_CONTENT
}

/** Runs the part of a Rakefile or a tasks.py that a name stands for. */
function runCodeTask(
  context: Context,
  { path, text }: { path: string; text: string },
  tool: string,
  name: string,
): void {
  if (!/^[\w:-]+$/.test(name)) return
  const lines = text.split('\n')
  const shape = name.split(':').at(-1)?.replaceAll(/[-_]/g, '[-_]') ?? name
  const isPython = tool === 'invoke' || tool === 'inv'
  const start = lines.findIndex((line) =>
    new RegExp(isPython ? `^\\s*def ${shape}\\b` : `^\\s*task\\b.*\\b${shape}\\b`).test(line),
  )
  if (start === -1) {
    noteUnseen(context, 'code', `${showFile(context, path)}: ${name}`, 'run')
    return
  }
  const depth = /^\s*/.exec(lines[start] ?? '')?.[0].length ?? 0
  const rest = lines.slice(start + 1)
  const end = rest.findIndex((line) => line.trim() !== '' && (/^\s*/.exec(line)?.[0].length ?? 0) <= depth)
  const body = (end === -1 ? rest : rest.slice(0, end)).join('\n')
  const step = { text: name, at: `${showFile(context, path)}:${start + 1}` }
  context.reading.runCode(enterStep(context, step), isPython ? 'python' : 'ruby', body, EMPTY_CONTENT)
}

function runRecipes(context: Context, path: string, text: string, words: readonly string[]): void {
  const lines = text.split('\n')
  const values = new Map(
    [...text.matchAll(/^(\w+)\s*:=\s*["']?([^"'\n]*)["']?$/gm)].map((match) => [match[1] ?? '', match[2] ?? '']),
  )
  const recipes = new Map<string, { needs: string[]; at: number; parameters: string[] }>()
  lines.forEach((line, at) => {
    const head = /^@?([\w-]+)((?:\s+[^:]*)?):(?!=)\s*(.*)$/.exec(line)
    if (head && !/^\s/.test(line))
      recipes.set(head[1] ?? '', {
        needs: (head[3] ?? '').split(/\s+/).filter((each) => /^[\w-]+$/.test(each)),
        at,
        parameters: (head[2] ?? '')
          .trim()
          .split(/\s+/)
          .filter((each) => each !== ''),
      })
  })
  const done = new Set<string>()
  const visit = (name: string, args: readonly string[]): void => {
    const recipe = recipes.get(name)
    if (!recipe || done.has(name)) return
    done.add(name)
    for (const need of recipe.needs) visit(need, [])
    const own = new Map(values)
    for (const [at, parameter] of recipe.parameters.entries())
      own.set(
        parameter.replace(/=.*$/, '').replace(/^[+*$]+/, ''),
        args[at] ?? /=["']?([^"']*)/.exec(parameter)?.[1] ?? '',
      )
    for (let at = recipe.at + 1; at < lines.length && (/^\s/.test(lines[at] ?? '') || lines[at] === ''); at++) {
      const line = (lines[at] ?? '').trim().replace(/^[@-]+/, '')
      if (line === '' || line.startsWith('#')) continue
      const script = line.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (_, key: string) => own.get(key) ?? '"$JUST"')
      const shell = { ...context.shell, folders: [{ path: posix.dirname(path), certainty: 'certain' as const }] }
      context.reading.runScript(
        {
          ...enterStep(context, {
            text: `${name}: ${script}`.slice(0, 160),
            at: `${showFile(context, path)}:${at + 1}`,
          }),
          shell,
        },
        script,
      )
    }
  }
  const first = words.find((word) => recipes.has(word))
  if (first) for (const [at, word] of words.entries()) visit(word, words.slice(at + 1))
  else if (words.length === 0) visit(recipes.has('default') ? 'default' : (recipes.keys().next().value ?? ''), [])
  else noteUnseen(context, 'program', `just ${words.join(' ')}`)
}

function runTaskfile(context: Context, path: string, text: string, words: readonly string[]): void {
  const wanted = words.length > 0 ? words : ['default']
  const lines = text.split('\n')
  for (const name of wanted) {
    const start = lines.findIndex((line) =>
      new RegExp(`^\\s{1,8}["']?${name.replaceAll(/[^\w:-]/g, '.')}["']?:`).test(line),
    )
    if (start === -1) {
      noteUnseen(context, 'program', `task ${name}`)
      continue
    }
    const indent = /^\s*/.exec(lines[start] ?? '')?.[0].length ?? 0
    for (let at = start + 1; at < lines.length; at++) {
      const line = lines[at] ?? ''
      if (line.trim() !== '' && (/^\s*/.exec(line)?.[0].length ?? 0) <= indent) break
      const script = /^\s*(?:-\s+(?:cmd:\s*)?|cmds?:\s*(?=[^\s|]))(.+)$/.exec(line)?.[1]
      if (!script || /^(?:task|deps|vars|desc):/.test(script)) continue
      const plain = script.replace(/^(["'])(.*)\1$/, '$2')
      context.reading.runScript(
        enterStep(context, { text: `${name}: ${plain}`.slice(0, 160), at: `${showFile(context, path)}:${at + 1}` }),
        plain,
      )
    }
  }
}

function readRails({ context, words, input }: Call): Content {
  const texts = readCallWords(words)
  const line = texts.join(' ')
  const environment =
    /RAILS_ENV=(\w+)/.exec(line)?.[1] ?? readWord(context.shell.variables.get('RAILS_ENV') ?? toKnownWord('')) ?? ''
  const isTest = environment === 'test'
  if (/^(?:credentials|encrypted|secrets):(?:show|edit)\b/.test(line))
    note(context, {
      does: 'read',
      path: { text: 'credentials of Rails', place: 'secret', exists: true },
      what: 'content',
    })
  if (
    /\bdb:(?:drop|purge|reset|schema:load|migrate:reset|truncate_all|seed:replant)\b|\bdb:migrate\b.*\bVERSION=0\b/.test(
      line,
    )
  )
    noteChange(
      context,
      'database',
      'drop',
      `rails ${line}${environment === 'production' ? ' (production)' : ''}`,
      isTest ? 'possible' : 'certain',
    )
  if (/\b(?:delete_all|destroy_all|truncate_tables|drop_table)\b/.test(line))
    noteChange(context, 'database', 'delete-all', `rails ${line}`, isTest ? 'possible' : 'certain')
  const at = texts.findIndex((text) => text === 'runner' || text === 'r')
  if (at !== -1 && words[at + 1]) runCodeWord(context, 'ruby', words[at + 1] ?? null)
  if (/^(?:c|console|db|dbconsole|runner -)\b/.test(line) && input.text) {
    if (/\b(?:delete_all|destroy_all|truncate\w*|drop_table)\b|\bdrop\s+table|\btruncate\b/i.test(input.text))
      noteChange(context, 'database', 'delete-all', `rails ${line}`, isTest ? 'possible' : 'certain')
    runContent(context, input, 'ruby')
  }
  return UNKNOWN_CONTENT
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

const COMPILERS = /^(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+|tcc|rustc|ghc|swiftc)$/

/** Keeps what a program is made of, for when the same call runs it. */
function noteCompiled(context: Context, operands: readonly Value[], output: Value | null, input: Content): void {
  // A source that comes by a pipe is kept under a name of its own.
  if (input.text && operands.some((each) => readWord(each) === '-')) {
    const made = resolveOne(context, output ?? toKnownWord('a.out'))
    if (!made) return
    context.reading.files.set(`${made.text}.c`, input)
    context.reading.settings.set(`compiled ${made.text}`, `${made.text}.c`)
    return
  }
  const source = operands.find((each) => /\.(?:c|cc|cpp|cxx|rs|hs|swift)$/.test(readWord(each) ?? ''))
  const from = source && resolveOne(context, source)
  const made = resolveOne(context, output ?? toKnownWord('a.out'))
  if (from && made) context.reading.settings.set(`compiled ${made.text}`, from.text)
}

/** Tools that write what they make into the project; named outputs elsewhere are looked at. */
function readMaker(call: Call): Content {
  const { context, name } = call
  const parsed = parseCall(
    call,
    '-o -c -t -p -k -m -g -e -n -r -f -x -w-x --output --outDir --outdir --out --out-dir --outFile --outfile --config --project --reporter -d --dist --destination --host',
  )
  for (const each of parsed.values('--outDir', '--outdir', '--out', '--out-dir', '--outFile', '--outfile', '--output'))
    writePath(context, each, 'create')
  if (/^(?:gcc|g\+\+|cc|c\+\+|clang|ld|javac|protoc)$/.test(name))
    for (const each of parsed.values('-o', '-d')) writePath(context, each, 'create')
  if (COMPILERS.test(name)) noteCompiled(context, parsed.operands, parsed.value('-o'), call.input)
  const jar = name === 'java' ? call.words.findIndex((word) => readWord(word) === '-jar') : -1
  if (jar !== -1 && call.words[jar + 1])
    return context.reading.runWords(
      enterStep(context),
      [
        toKnownWord(posix.basename(readWord(call.words[jar + 1] ?? toKnownWord('')) ?? '')),
        ...call.words.slice(jar + 2),
      ],
      call.input,
    )
  if (name === 'java' && /\.java$/.test(readWord(parsed.operands[0] ?? toKnownWord('')) ?? ''))
    runFile(context, parsed.operands[0] ?? toKnownWord(''), [], { language: 'java' })
  return { ...UNKNOWN_CONTENT, carries: call.input.carries }
}

/** Options of agents that have the sound of such. */
const AGENT_LOOSE =
  /^--?[\w-]*(?:unsafe|danger|bypass|yolo|allow-all|auto-?approve|auto-?accept|skip-permission|no-confirm|no-approval|yes-always|trust-all|full-access|unattended)[\w-]*(?:=.*)?$/i

const AGENT_OPEN =
  /^--(?:dangerously(?:-[\w-]+)?|unsafe(?:-[\w-]+)?|bypass-[\w-]+|allow-all|disable-(?:hooks|guards?|sandbox|permissions|approvals?)|no-(?:hooks|guards?|permissions|approvals?)|yolo|full-auto|allow-all-tools|allow-all-paths|auto-approve|yes-always|trust-all-tools|no-sandbox|skip-permissions)$/

function readAgent({ context, name, words }: Call): Content {
  const texts = readCallWords(words)
  const line = texts.join(' ')
  const target = `${name} ${line}`
  if (name === 'goose' && texts.some((text) => /^(?:reset|down-to)$/.test(text)))
    noteChange(context, 'database', 'reset', target, 'likely')
  if (name === 'copilot' && /^(?:app|svc|env|job|task|pipeline|secret) delete\b/.test(line))
    noteChange(context, 'cloud', 'delete', target)
  const isOpen =
    texts.some((text) => AGENT_OPEN.test(text)) ||
    /--permission-mode[= ](?:bypassPermissions|auto|dontAsk)|--approval-mode[= ](?:yolo|auto|never)|--ask-for-approval[= ]never|(?:^|\s)-a never|--sandbox[= ]danger-full-access|-s danger-full-access|approval_policy\W+never|sandbox_mode\W+danger|--allowed-?tools[= ]\S*(?:Bash(?:\(\*\))?|\*)/i.test(
      line,
    ) ||
    (name === 'aider' && texts.includes('--yes')) ||
    (name === 'droid' && /--auto[= ](?:high|full)/.test(line)) ||
    ((name === 'gemini' || name === 'qwen') && texts.includes('-y')) ||
    (name === 'cursor-agent' && (texts.includes('-f') || texts.includes('--force')))
  if (isOpen) noteChange(context, 'agent', 'without-permissions', target)
  else if (texts.some((text) => AGENT_LOOSE.test(text)))
    noteChange(context, 'agent', 'without-permissions', target, 'likely')
  if (
    /^(?:config|settings?) (?:set|add|remove|unset|rm)\b/.test(line) ||
    /^mcp (?:add|add-json|remove|rm|add-from\S*|reset\S*|enable|disable)\b/.test(line) ||
    /^(?:plugin|plugins|extensions?) (?:install|add|uninstall|remove|rm|disable|enable|update|link|marketplace (?:add|remove|rm))\b/.test(
      line,
    ) ||
    /--(?:settings|mcp-config|setting-sources|plugin-dir|with-(?:remote-)?extension|with-builtin|add-mcp|mcp-server|additional-mcp-config)(?:[= ]|$)/.test(
      line,
    ) ||
    /^hooks? (?:disable|remove|off|trust)\b|^features? (?:disable|enable)\b/.test(line) ||
    texts.includes('--bare') ||
    texts.includes('--disable-hooks')
  )
    noteChange(context, 'agent', 'settings', target)
  return UNKNOWN_CONTENT
}

/** Reads `pm2`: `start` runs a file, or a line of the shell. */
function readPm2(call: Call): Content {
  const { operands } = parseCall(call, '-n --name -i --instances --interpreter -o -e -l --cron --max-memory-restart')
  const [verb, file] = operands
  const line = file ? readWord(file) : null
  if (/^(?:start|restart|reload)$/.test(readWord(verb ?? toKnownWord('')) ?? '') && file && line !== null) {
    if (/\s/.test(line)) call.context.reading.runScript(enterStep(call.context), line)
    else if (/[./]/.test(line)) runFile(enterStep(call.context), file, [])
  }
  return runRow(call.context, call.row, call.name, call.words, call.input)
}

function readHookline({ context, words }: Call): Content {
  const texts = readCallWords(words)
  if (findLoosening(texts) !== null) noteChange(context, 'agent', 'loosen', `hookline ${texts.join(' ')}`)
  return UNKNOWN_CONTENT
}

/** Reads `dotnet`: scripts are code by shape, the rest is in its row. */
function readDotnet(call: Call): Content {
  const [verb, ...rest] = call.words
  if (!/^(?:fsi|script|csi|exec-script)$/.test(readWord(verb ?? toKnownWord('')) ?? ''))
    return runRow(call.context, call.row, call.name, call.words, call.input)
  const [file, code] = rest.filter((word) => !readKnownStart(word).startsWith('-'))
  if (file && readWord(file) === 'eval' && code) return runCodeWord(call.context, 'dotnet', code)
  if (file) return runFile(call.context, file, [], { language: 'dotnet' })
  return call.input === EMPTY_CONTENT ? UNKNOWN_CONTENT : runContent(call.context, call.input, 'dotnet')
}

/** Reads `artisan`: what is given to its shell is PHP. */
function readArtisan(call: Call): Content {
  const code = parseCall(call, '--execute --env').value('--execute')
  if (code) runCodeWord(call.context, 'php', code)
  return runRow(call.context, call.row, call.name, call.words, call.input)
}

/** Commands that TeX starts where it is told so: `\\write18{…}`, `\\input{|"…"}`. */
const TEX_COMMAND = /\\(?:immediate\s*)?(?:write18|ShellEscape)\s*\{([^}]*)\}|\\input\s*\{?\|\s*"?([^"}]+)/g

function readTex({ context, words }: Call): Content {
  for (const word of words) {
    const path = resolveOne(context, word)
    const source = path && /\.tex$/.test(path.text) ? readSource(context, path.text) : null
    for (const match of (source ?? readWord(word) ?? '').matchAll(TEX_COMMAND))
      context.reading.runScript(enterStep(context), match[1] ?? match[2] ?? '')
  }
  return UNKNOWN_CONTENT
}

/** True where a text is a pattern with its wildcards filled: `test:*` of npm, `%.o` of make. */
function matchesWildcard(pattern: string, text: string, wildcard: '*' | '%'): boolean {
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
