import { posix } from 'node:path'
import { deletePath, enterStep, noteChange, noteFlows, readSource, resolveOne } from '../context.ts'
import { parseArguments, runRow, toSet } from '../program.ts'
import { runContent, runFile } from '../run-file.ts'
import {
  type Content,
  EMPTY_CONTENT,
  readKnownStart,
  readWord,
  showValue,
  toKnownWord,
  UNKNOWN_CONTENT,
} from '../value.ts'
import { noteSource, noteVariable } from '../variables.ts'
import { type Call, parseCall, type Reader, readByRow, readCallWords } from './call.ts'
import { fetchAndRun, runCodeWord } from './handed-code.ts'
import { findLine, parseScripts } from './npm.ts'
import { runTomlScript } from './task-files.ts'

/** Readers of programs that install packages of a language, and build with them. */
const PACKAGE_MANAGER_READERS: Readonly<Record<string, Reader>> = {
  pip: readPip,
  cargo: readCargo,
  go: readGo,
  composer: readComposer,
  bundle: readBundle,
  dotnet: readDotnet,
}

/** Reads a call by the one of them that its row names. */
export const readPackageManagerCall: Reader = (call) => readByRow(PACKAGE_MANAGER_READERS, call)

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
  for (const each of [...parsed.operands, ...parsed.values('-e', '--editable', '--from', '--with', '--spec')]) {
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
