import { runByShape } from '../code-shape.ts'
import {
  type Context,
  enterStep,
  lowerCertainty,
  note,
  noteChange,
  noteFlows,
  noteUnseen,
  readPath,
  readSource,
  resolveOne,
  writePath,
} from '../context.ts'
import { isCommandLine } from '../handed-commands.ts'
import { type Arguments, runRow } from '../program.ts'
import { noteWrittenCommands } from '../self-running.ts'
import {
  type Content,
  carry,
  EMPTY_CONTENT,
  join,
  leaveOut,
  mergeCarried,
  readKnownStart,
  readWord,
  showValue,
  toKnownWord,
  toPatternWord,
  UNKNOWN_CONTENT,
  type Value,
} from '../value.ts'
import { type Call, parseCall, type Reader, readByRow, readCallWords } from './call.ts'
import { forgetText } from './printed.ts'

/** Readers of programs that look for text, and change it. */
const TEXT_READERS: Readonly<Record<string, Reader>> = {
  grep: readGrep,
  sed: readSed,
  jq: readJq,
  tr: readTr,
  base64: readBase64,
  xxd: readXxd,
  editor: readEditorCall,
}

/** Reads a call by the one of them that its row names. */
export const readTextCall: Reader = (call) => readByRow(TEXT_READERS, call)

/** Runs the command behind `+!` of a pager, which it runs before it shows anything; false for any other word. */
export function runPagerCommand({ context, name }: Call, word: Value): boolean {
  const text = readWord(word) ?? ''
  if (!/^(?:less|more|most)$/.test(name) || !text.startsWith('+')) return false
  if (/^\+[!|]/.test(text)) context.reading.runScript(enterStep(context), text.slice(2))
  return true
}

const GREP_VALUED =
  '-e -f -m -A -B -C -g -t -T -d -D -E -M -r --regexp --file --max-count --after-context --before-context --context --include --exclude --exclude-dir --glob --iglob --type --type-not --color --max-depth --sort --replace --encoding --ignore-file --threads -j'

/** Variables that a search of the environment prints: those whose names are asked for. */
function noteGreppedSecret({ context }: Call, parsed: Arguments): void {
  if (parsed.has('-v', '--invert-match')) return
  const patterns = [...parsed.values('-e', '--regexp'), ...parsed.operands.slice(0, 1)].map(readKnownStart)
  const asked = patterns.find((pattern) => /token|secret|passw|key(?!board)|cred|auth|dsn|database_url/i.test(pattern))
  if (!asked) return
  const path = { text: `$${asked.replaceAll(/\W+/g, '_').toUpperCase()}`, place: 'secret', exists: true } as const
  note(context, { does: 'read', path, what: 'content' }, 'likely')
}

function readGrep(call: Call): Content {
  const { context, input, name } = call
  const isSearch = /^(?:rg|ag|ack|ugrep|ripgrep)$/.test(name)
  const valued = isSearch
    ? GREP_VALUED.replace(name === 'rg' || name === 'ripgrep' ? '\0' : ' -r', '')
    : GREP_VALUED.replace(' -g -t -T', '').replace(' -E -M -r', '').replace(' -j', '')
  const parsed = parseCall(call, valued)
  if (parsed.has('--help', '--version', '--files', '--type-list') && !parsed.has('-e')) return UNKNOWN_CONTENT
  for (const file of parsed.values('-f', '--file')) readPath(context, file)
  const pre = parsed.value('--pre')
  if (pre) context.reading.runWords(context, [pre], EMPTY_CONTENT)
  const hasPattern = parsed.has('-e', '--regexp', '-f', '--file')
  const files = hasPattern ? parsed.operands : parsed.operands.slice(1)
  const isTree = isSearch || parsed.has('-r', '-R', '--recursive')
  const namesOnly = parsed.has(
    '-l',
    '-L',
    '-c',
    '-q',
    '--files-with-matches',
    '--count',
    '--quiet',
    '--files-without-match',
  )
  if (input.carries.has('environment') && !namesOnly && files.length === 0) noteGreppedSecret(call, parsed)
  const isChanged = namesOnly || parsed.has('-o', '-n', '--only-matching', '--line-number')
  if (files.length === 0 && !isTree) return pickProcesses(isChanged ? forgetText(input) : input, parsed)
  if (isTree && !namesOnly) readSecretNames(call, parsed)
  if (isSearch && !namesOnly && files.length === 0) readHidden(call, parsed)
  if (files.length === 0)
    return { ...UNKNOWN_CONTENT, carries: carry('project'), lists: namesOnly ? [toPatternWord('**')] : null }
  const contents = files.map((file) => readPath(context, file, readKind(context, file, { isTree, namesOnly })))
  return {
    ...UNKNOWN_CONTENT,
    carries: mergeCarried(contents.map(({ carries }) => carries)),
    lists: namesOnly ? files.map((file) => join([file, toPatternWord('/**')])) : null,
  }
}

/** Takes the mark of all processes away where a search picks some of them; one that only leaves some out keeps it. */
function pickProcesses(content: Content, parsed: Arguments): Content {
  if (!content.carries.has('processes') || parsed.has('-v', '--invert-match')) return content
  return { ...content, carries: leaveOut(content.carries, 'processes') }
}

/** Reads the secrets that a search names by a pattern of files: `--include='.env*'`. */
function readSecretNames({ context }: Call, parsed: Arguments): void {
  for (const each of parsed.values('--include', '-g', '--glob', '--iglob')) {
    const pattern = readWord(each) ?? ''
    const path = pattern === '' || pattern.startsWith('!') ? null : resolveOne(context, toPatternWord(`**/${pattern}`))
    if (path?.place === 'secret' && path.exists) readPath(context, toPatternWord(`**/${pattern}`))
  }
}

/** Words that stand in the names of secrets. */
const SECRET_WORD = /key|secret|token|passw|credential/i

/** Reads the secrets of the folder where a search for one takes in what is hidden and what git leaves out. */
function readHidden({ context, words }: Call, parsed: Arguments): void {
  const isOpen = parsed.has('--hidden', '-.') && parsed.has('--no-ignore', '-u', '--no-ignore-vcs')
  const pattern = parsed.value('-e', '--regexp') ?? parsed.operands[0]
  if (
    !(isOpen || readCallWords(words).some((text) => /^-u{2,3}$/.test(text))) ||
    !pattern ||
    !SECRET_WORD.test(showValue(pattern))
  )
    return
  const env = toKnownWord('.env')
  if (resolveOne(context, env)?.exists) readPath(context, env)
}

function readKind(
  context: Context,
  file: Value,
  { isTree, namesOnly }: { isTree: boolean; namesOnly: boolean },
): 'content' | 'name' | 'tree' {
  if (namesOnly) return 'name'
  const path = isTree ? resolveOne(context, file) : null
  return path && context.reading.world.findKind(path.text) !== 'file' ? 'tree' : 'content'
}

function readSed(call: Call): Content {
  const { context, input } = call
  const parsed = parseCall(call, '-e -f -l --expression --file --line-length')
  const isInPlace = parsed.has('-i', '-I', '--in-place')
  const scripts = [...parsed.values('-e', '--expression')]
  const operands = [...parsed.operands]
  // On macOS the word behind -i is a suffix, and often empty.
  if (isInPlace && operands[0] && readWord(operands[0]) === '') operands.shift()
  if (scripts.length === 0 && !parsed.has('-f', '--file')) {
    const script = operands.shift()
    if (script) scripts.push(script)
  }
  for (const each of parsed.values('-f', '--file')) readPath(context, each)
  for (const each of scripts) readSedScript(context, readWord(each))
  for (const each of isInPlace ? scripts : []) noteReplacements(context, readWord(each) ?? '')
  const contents = operands.map((each) => {
    if (!isInPlace) return readPath(context, each)
    writePath(context, each, 'edit')
    return EMPTY_CONTENT
  })
  if (operands.length === 0) {
    // With -n only some of the lines are printed; which ones is not followed.
    const made = parsed.has('-n') ? null : putBefore(input, scripts)
    const { text, source } = changeBySed(context, input, scripts)
    const isWhole = !parsed.has('-n')
    return {
      ...forgetText(input),
      text: isWhole ? (made ?? text) : null,
      lists: made === null ? input.lists : null,
      source,
    }
  }
  const only = contents.length === 1 ? contents[0] : undefined
  return {
    ...UNKNOWN_CONTENT,
    carries: mergeCarried(contents.map(({ carries }) => carries)),
    ...changeBySed(context, only ?? UNKNOWN_CONTENT, scripts),
  }
}

/** Text that sed makes of content, and the file that it is lines of where sed changes none. */
function changeBySed(
  context: Context,
  { text, source }: Content,
  scripts: readonly Value[],
): Pick<Content, 'text' | 'source'> {
  if (scripts.every((each) => PICKS_LINES.test(readWord(each) ?? '\0')))
    return { text: replaceBySed(text, scripts), source }
  return { text: replaceBySed(text ?? (source === null ? null : readSource(context, source)), scripts), source: null }
}

/** Scripts of sed that leave lines out, and change none. */
const PICKS_LINES = /^(?:[\d$,~+!\s;{}pPdDqn=]|\/(?:\\.|[^/\\])*\/)*$/

/** Any line behind what sed puts in front of it, where that begins a command: `s/^/rm -rf /`. */
function putBefore(input: Content, scripts: readonly Value[]): string | null {
  if (input.text !== null) return null
  for (const script of scripts) {
    const [, , start, by = ''] =
      /^\s*s(\W)(\^|(?:\^?\.\*|\^?\\?\(\.\*\\?\))\$?)\1((?:\\.|(?!\1).)*)\1[gE]*\s*$/.exec(readWord(script) ?? '') ?? []
    const line = (start === '^' ? `${by}*` : by.replaceAll(/\\1|(?<!\\)&/g, '*')).replaceAll(/\\(.)/g, '$1')
    if (isCommandLine(line)) return `${line}\n`
  }
  return null
}

/** Text after the substitutions of sed, as far as they are plain ones; other commands only leave lines out. */
function replaceBySed(text: string | null, scripts: readonly Value[]): string | null {
  if (text === null) return null
  let changed = text
  for (const script of scripts.flatMap((each) => (readWord(each) ?? '\0').split(/[;\n]/))) {
    if (script === '\0') return null
    const match = /^\s*s(\W)((?:\\.|(?!\1).)*)\1((?:\\.|(?!\1).)*)\1([gI]*)\s*$/.exec(script)
    if (!match) continue
    const shape = compileSedPattern(match[2] ?? '', match[4] ?? '')
    if (!shape) return null
    changed = changed
      .split('\n')
      .map((line) => (line === '' ? '' : line.replace(shape, (...found) => fillReplacement(match[3] ?? '', found))))
      .join('\n')
  }
  return changed
}

/** Text in the place of what a substitution found: `&` is all of it, `\\1` its first group. */
function fillReplacement(by: string, found: readonly unknown[]): string {
  return by.replaceAll(/\\(\d)|\\(.)|&/g, (all, group, letter) =>
    all === '&' || group !== undefined ? String(found[Number(group ?? 0)] ?? '') : letter,
  )
}

function compileSedPattern(pattern: string, flags: string): RegExp | null {
  // Groups of basic expressions mean something else in ours.
  if (/\\[(){}+?|]/.test(pattern)) return null
  // Two repetitions may share the letters of a long line in very many ways.
  if (pattern.length > 200 || /[+?(){}|*]{2}|[+*}].*[+*}]/s.test(pattern)) return null
  try {
    return new RegExp(pattern, `${flags.includes('g') ? 'g' : ''}${flags.includes('I') ? 'i' : ''}`)
  } catch {
    return null // a pattern of another dialect
  }
}

/** Commands that a script of sed puts into files. */
function noteReplacements(context: Context, script: string): void {
  for (const match of script.matchAll(/(?:^|[;\s\d$/{])s([^\w\s\\])(?:\\.|(?!\1).)*\1((?:\\.|(?!\1).)*)\1/gm))
    noteWrittenCommands(context, match[2] ?? '')
  for (const match of script.matchAll(/(?:^|[;\s\d$/{])[aic]\\?\s*(.+)$/gm))
    noteWrittenCommands(context, match[1] ?? '')
}

/** Commands of sed that run programs or write files. */
function readSedScript(context: Context, script: string | null): void {
  if (script === null) return
  const run = /^(?:\d+|\$|\/[^/\n]*\/)?[ \t]*e\s+(.+)$/m.exec(script)
  if (run?.[1]) context.reading.runScript(context, run[1])
  for (const each of script.matchAll(
    /(?:^|[;}\s\d$/])s([^\w\s\\])(?:\\.|(?!\1).)*\1((?:\\.|(?!\1).)*)\1[gipI\d]*e/gm,
  )) {
    noteUnseen(context, 'code', 'sed s///e', 'run')
    context.reading.runScript(lowerCertainty(context, 'likely'), (each[2] ?? '').replaceAll(/\\(?=\D)/g, ''))
  }
  const write = /(?:^|[;}\s\d$/])w\s+(\/\S+|~\S+)/m.exec(script)
  if (write?.[1]) writePath(context, toKnownWord(write[1]), 'replace')
}

function readJq(call: Call): Content {
  const { context, input } = call
  const parsed = parseCall(call, '--indent -L --tab-x -p -o -I --input-format --output-format -r-x')
  const isFileFilter = parsed.has('-f', '--from-file')
  const filter = readWord(parsed.operands[0] ?? toKnownWord('')) ?? ''
  if (call.name === 'dasel' && /^(?:put|delete)$/.test(filter)) {
    for (const each of parsed.values('-f', '--file')) writePath(context, each, 'edit')
    return EMPTY_CONTENT
  }
  if (/[|.\w\]]\s*\|?=(?!=)/.test(filter)) noteWrittenCommands(context, filter)
  const skip = call.words.filter((word) => /^--(?:slurpfile|rawfile)$/.test(readWord(word) ?? ''))
  const operands = parsed.operands.slice(isFileFilter ? 0 : 1)
  const start =
    /^(?:eval|e|eval-all|ea|read|r|write|w)$/.test(readWord(parsed.operands[0] ?? toKnownWord('')) ?? '') &&
    call.name === 'yq'
      ? 1
      : 0
  if (skip.length > 0)
    for (const word of parsed.operands) if (readWord(word)?.startsWith('.env')) readPath(context, word)
  const files = operands.slice(start)
  if (parsed.has('-i', '--inplace', '--in-place')) {
    for (const each of files) writePath(context, each, 'edit')
    return EMPTY_CONTENT
  }
  const contents = files.filter((each) => !/^-/.test(readKnownStart(each))).map((each) => readPath(context, each))
  const environment = /\benv\b|\$ENV\b/.test(readWord(parsed.operands[0] ?? toKnownWord('')) ?? '')
    ? [carry('environment')]
    : []
  return {
    ...UNKNOWN_CONTENT,
    carries: mergeCarried([
      files.length === 0 ? input.carries : mergeCarried(contents.map(({ carries }) => carries)),
      ...environment,
    ]),
  }
}

function readTr(call: Call): Content {
  const { operands, has } = parseCall(call, '')
  const { input } = call
  const from = operands[0] ? readWord(operands[0]) : null
  const to = operands[1] ? readWord(operands[1]) : ''
  if (input.text === null || from === null || to === null || has('-s', '-c', '-C')) return forgetText(input)
  const source = listCharacters(from)
  const target = listCharacters(to)
  const text = [...input.text].map((sign) => {
    const at = source.lastIndexOf(sign)
    if (at === -1) return sign
    return has('-d') ? '' : (target[at] ?? target.at(-1) ?? sign)
  })
  return { ...input, text: text.join(''), carries: carry('decode', input.carries) }
}

function listCharacters(set: string): string[] {
  const plain = set
    .replaceAll('[:upper:]', 'A-Z')
    .replaceAll('[:lower:]', 'a-z')
    .replaceAll('[:digit:]', '0-9')
    .replaceAll('[:space:]', ' \t\n')
    .replaceAll('\\n', '\n')
    .replaceAll('\\t', '\t')
  const found: string[] = []
  for (let at = 0; at < plain.length && found.length < 1000; at++) {
    const end = plain[at + 1] === '-' ? plain.charCodeAt(at + 2) : Number.NaN
    if (Number.isNaN(end)) {
      found.push(plain[at] ?? '')
      continue
    }
    for (let code = plain.charCodeAt(at); code <= end && found.length < 1000; code++)
      found.push(String.fromCharCode(code))
    at += 2
  }
  return found
}

function readBase64(call: Call): Content {
  const { operands, has } = parseCall(call, '-w -i -o -b --wrap --input --output --break')
  const content = operands[0] && readWord(operands[0]) !== '-' ? readPath(call.context, operands[0]) : call.input
  if (!has('-d', '-D', '--decode')) {
    return content.text === null
      ? forgetText(content)
      : { ...content, text: Buffer.from(content.text, 'utf8').toString('base64') }
  }
  return decode(content, 'base64')
}

/** Content after a decoder: known text is decoded. */
export function decode(content: Content, encoding: 'base64' | 'hex'): Content {
  const written = content.text?.replaceAll(/\s+/g, '') ?? null
  const text = written === null ? null : Buffer.from(written.slice(0, 65_536), encoding).toString('utf8')
  return { ...UNKNOWN_CONTENT, text, carries: carry('decode', content.carries) }
}

function readXxd(call: Call): Content {
  const { operands, has } = parseCall(call, '-c -l -s -g -o -n')
  const file = operands[0]
  const content = file && readWord(file) !== '-' ? readPath(call.context, file) : call.input
  if (operands[1]) writePath(call.context, operands[1], 'replace', forgetText(content))
  return has('-r') ? decode(content, 'hex') : forgetText(content)
}

/** Lines of an editor's script that are looked at. */
const MAX_EDITOR_LINES = 200

/** Reads one command of ex: `!rm x`, `r !cat x`, `%w !curl …`, `w! ~/.bashrc`, `e ~/.netrc`. */
function readEditorLine(context: Context, line: string): void {
  const run =
    /^:?\s*(?:sil\w*!?\s+)?(?:(?:[\d.,$%'<>]+\s*)?(?:(?:r|re|rea|read)\s*|(?:w|wr|wri|write)\s+)?!)(.+)$|system\(["'](.+?)["']\)/.exec(
      line,
    )
  if (run) {
    context.reading.runScript(enterStep(context), run[1] ?? run[2] ?? '')
    return
  }
  const file =
    /^:?\s*(?:[\d.,$%'<>]+\s*)?(r|read|e|edit|sp|tabe|w|write|sav|saveas|wq|W)!?\s+([~/.]\S*|\S+\.\w+)\s*$/.exec(line)
  if (!file) return
  const path = toKnownWord((file[2] ?? '').replace(/^~(?=\/)/, context.reading.world.home))
  if (/^[wsW]/.test(file[1] ?? '') && file[1] !== 'sp') writePath(context, path, 'replace')
  else readPath(context, path)
}

function readEditorCall(call: Call): Content {
  const { context, words, name } = call
  const texts = readCallWords(words)
  if (texts.includes('--install-extension')) {
    const what = texts[texts.indexOf('--install-extension') + 1] ?? ''
    noteChange(
      context,
      'machine',
      'startup',
      `${name} --install-extension ${what}`,
      /\.vsix$|^https?:/.test(what) ? 'certain' : 'likely',
    )
    return UNKNOWN_CONTENT
  }
  if (texts[0] === 'tunnel') note(context, { does: 'listen', on: `${name} tunnel` })
  if (texts.includes('--add-mcp')) noteChange(context, 'agent', 'settings', `${name} --add-mcp`)
  const isEmacs = name === 'emacs' || name === 'emacsclient'
  const parsed = parseCall(
    call,
    isEmacs
      ? '--eval -eval -e -l -load --load -f -funcall --funcall'
      : '-c -u -S --cmd -g --goto --folder-uri --eval --batch-x -l --load',
    { oneDash: isEmacs },
  )
  for (const each of parsed.values('-c', '--cmd')) {
    const script = readWord(each)
    if (script !== null) readEditorLine(context, script)
  }
  if (/^(?:ed|ex|vi|vim|nvim)$/.test(name) && call.input.text)
    for (const line of call.input.text.split('\n', MAX_EDITOR_LINES)) readEditorLine(context, line)
  for (const each of [
    ...parsed.values('--eval', '-eval', '-e', '-c', '--cmd'),
    ...parsed.operands.filter((word) => /^\+./.test(readKnownStart(word))),
  ]) {
    const text = (readWord(each) ?? showValue(each)).replace(/^\+/, '')
    const address = /\bso(?:urce)?!?\s+(https?:\/\/\S+)/.exec(text)?.[1]
    if (address) noteFlows(context, ['fetch'], 'run', address)
    if (/delete|write|system|shell|call\s|process|execute|remove|rmdir|unlink/.test(text))
      runByShape(context, name, text)
  }
  const isTerminal = /^(?:vi|vim|nvim|nano|emacs|ed|ex|micro|helix|hx|pico|joe)$/.test(name)
  for (const each of isTerminal ? parsed.operands : []) {
    readPath(context, each)
    writePath(lowerCertainty(context, 'likely'), each, 'edit')
  }
  return runRow(context, {}, name, [], EMPTY_CONTENT)
}
