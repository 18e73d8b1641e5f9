import { posix } from 'node:path'
import { findOwn } from '../../text/table.ts'
import {
  type Context,
  deletePath,
  enterStep,
  fillScript,
  listRunnable,
  lowerCertainty,
  note,
  noteChange,
  noteFlows,
  noteShownSecret,
  noteSmallChange,
  noteUnseen,
  readPath,
  readSource,
  resolveOne,
  sendTo,
  takeFirst,
  writePath,
} from '../context.ts'
import { parseArguments, runRow, toSet } from '../program.ts'
import { runContent, runFile } from '../run-file.ts'
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
import { isSecretVariable } from '../words.ts'
import { type Call, parseCall, type Reader, readByRow, readCallWords } from './call.ts'
import { fetchAndRun, runCodeWord } from './handed-code.ts'
import { runPackageScript } from './npm.ts'

/** Readers of programs that run code which they are given. */
const INTERPRETER_READERS: Readonly<Record<string, Reader>> = {
  deno: readDeno,
  node: readNode,
  python: readPython,
  interpreter: readInterpreter,
  awk: readAwk,
  server: readServer,
  'run-words': readSetting,
  shape: readShapeCode,
  tex: readTex,
  artisan: readArtisan,
  rails: readRails,
}

/** Reads a call by the one of them that its row names. */
export const readInterpreterCall: Reader = (call) => readByRow(INTERPRETER_READERS, call)

/** Paths of a list that code deletes. */
const MAX_LISTED = 40

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
    !/\$_|\$[01]|\bunlink\b|stdin|STDIN|gets|\$<|-n|\/dev\/stdin/.test(code)
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
  // `ruby -run -e httpd` is a server for everybody.
  if (
    name === 'ruby' &&
    parsed.values('-r').some((each) => readWord(each) === 'un') &&
    readWord(codes[0] ?? toKnownWord('')) === 'httpd'
  ) {
    if (!readCallWords(words).some((text) => /^(?:--bind-address=)?(?:127\.|localhost$)/.test(text)))
      note(context, { does: 'listen', on: `ruby ${readCallWords(words).join(' ')}` })
    return UNKNOWN_CONTENT
  }
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
  if (code !== null) readAwkCode(context, code, input)
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
function readAwkCode(context: Context, code: string, input = UNKNOWN_CONTENT): void {
  const isListed = input.lists !== null || (input !== EMPTY_CONTENT && input.text !== null)
  const texts = new Map(
    [...code.matchAll(/(?<![\w$])([a-zA-Z_]\w{0,40})\s?=\s?"((?:[^"\\]|\\.){0,500})"\s?([;}\n]|[\w$(])/g)].map(
      (match) => [match[1] ?? '', { text: match[2] ?? '', goesOn: /[\w$(]/.test(match[3] ?? '') }] as const,
    ),
  )
  for (const match of code.matchAll(
    /\bsystem\s?\(\s?([a-zA-Z_]\w{0,40})\s?\)|(?<=[;{\s])([a-zA-Z_]\w{0,40})\s?\|\s?getline/g,
  )) {
    const command = texts.get(match[1] ?? match[2] ?? '')
    if (command) runAwkCommand(context, command.text.replaceAll('\\"', '"'), { ...command, isListed })
  }
  for (const match of code.matchAll(
    /system\s*\(\s*"((?:[^"\\]|\\.)*)"(\s*[\w$(])?|\|\s*(?:&\s*)?"((?:[^"\\]|\\.)*)"|"((?:[^"\\]|\\.)*)"\s*\|\s*(?:&\s*)?getline/g,
  )) {
    const text = (match[1] ?? match[3] ?? match[4] ?? '').replaceAll('\\"', '"')
    runAwkCommand(context, text, { goesOn: match[2] !== undefined, isListed })
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

/** Runs a command of awk, which may go on with a field of a line; of lines that are known `deleteListed` says what is deleted. */
function runAwkCommand(
  context: Context,
  text: string,
  { goesOn, isListed }: { readonly goesOn: boolean; readonly isListed: boolean },
): void {
  const field = toUnknownWord('field', isListed ? {} : { carries: carry('data') })
  const script = fillScript(context, goesOn ? join([toKnownWord(text.replace(/['"]$/, '')), field]) : toKnownWord(text))
  if (script !== null) context.reading.runScript(enterStep(context), script)
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
    noteSmallChange(
      context,
      'database',
      'drop',
      `rails ${line}${environment === 'production' ? ' (production)' : ''}`,
      isTest ? 'possible' : 'certain',
    )
  if (/\b(?:delete_all|destroy_all|truncate_tables|drop_table)\b/.test(line))
    noteSmallChange(context, 'database', 'delete-all', `rails ${line}`, isTest ? 'possible' : 'certain')
  const at = texts.findIndex((text) => text === 'runner' || text === 'r')
  if (at !== -1 && words[at + 1]) runCodeWord(context, 'ruby', words[at + 1] ?? null)
  if (/^(?:c|console|db|dbconsole|runner -)\b/.test(line) && input.text) {
    if (/\b(?:delete_all|destroy_all|truncate\w*|drop_table)\b|\bdrop\s+table|\btruncate\b/i.test(input.text))
      noteSmallChange(context, 'database', 'delete-all', `rails ${line}`, isTest ? 'possible' : 'certain')
    runContent(context, input, 'ruby')
  }
  return UNKNOWN_CONTENT
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
