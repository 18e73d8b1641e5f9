import { posix } from 'node:path'
import { type Context, deletePath, note, noteChange, noteShownSecret, noteUnseen, readPath } from '../context.ts'
import { changeFolder } from '../folder.ts'
import {
  type Content,
  carry,
  dropStart,
  EMPTY_CONTENT,
  join,
  mergeCarried,
  readKnownStart,
  readWord,
  showValue,
  toKnownWord,
  toUnknownWord,
  UNKNOWN_CONTENT,
  type Value,
} from '../value.ts'
import { noteVariable } from '../variables.ts'
import { readVariable } from '../words.ts'
import { type Call, parseCall, type Reader, readByRow, readCallWords } from './call.ts'

/** Readers of what shells do themselves, and of programs that print what they are given. */
const BUILTIN_READERS: Readonly<Record<string, Reader>> = {
  echo: readEcho,
  printf: readPrintf,
  calm: readCalm,
  env: readEnvironment,
  declare: readDeclare,
  set: readSet,
  alias: readAlias,
  read: readRead,
  trap: readTrap,
  cd: readCd,
  popd: readPopd,
  mktemp: readMktemp,
  history: readHistory,
  later: readLater,
  which: ({ words }) => showProgram(words.find((word) => !readKnownStart(word).startsWith('-'))),
}

/** Reads a call by the one of them that its row names. */
export const readBuiltinCall: Reader = (call) => readByRow(BUILTIN_READERS, call)

/** Notes variables that hold a secret and are printed. */
function showSecret(context: Context, words: readonly Value[]): void {
  for (const word of words) noteShownSecret(context, word)
}

function readEcho({ context, words }: Call): Content {
  const texts = readCallWords(words)
  let start = 0
  while (/^-[neE]+$/.test(texts[start] ?? '')) start += 1
  const hasEscapes = texts.slice(0, start).some((text) => text.includes('e'))
  const shown = words.slice(start)
  showSecret(context, shown)
  const value = join(shown, ' ')
  const text = readWord(value)
  const end = texts.slice(0, start).some((each) => each.includes('n')) ? '' : '\n'
  const isOpen = text === null || shown.some(({ pieces }) => pieces.some(({ is }) => is === 'glob'))
  const lists = isOpen && shown.length > 0 ? shown : null
  const printed = text === null ? null : (hasEscapes ? resolveEscapes(text) : text) + end
  return { text: lists ? null : printed, carries: value.carries, lists, source: null }
}

/** Escapes of echo -e and printf as the signs they mean. */
function resolveEscapes(text: string): string {
  return text.replaceAll(/\\(x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|0?[0-7]{1,3}|.)/g, (written, code: string) => {
    if (/^[xu]/.test(code)) return String.fromCodePoint(Number.parseInt(code.slice(1), 16))
    if (/^[0-7]/.test(code)) return String.fromCharCode(Number.parseInt(code, 8))
    const plain: Readonly<Record<string, string>> = {
      n: '\n',
      t: '\t',
      r: '\r',
      '\\': '\\',
      a: '',
      b: '',
      '"': '"',
      "'": "'",
    }
    return plain[code] ?? written
  })
}

function readPrintf({ context, words }: Call): Content {
  const texts = readCallWords(words)
  const isVariable = texts[0] === '-v'
  const rest = isVariable ? words.slice(2) : words.filter((_, at) => !(at === 0 && texts[0] === '--'))
  showSecret(context, rest)
  const content = formatText(rest)
  if (!isVariable) return content
  const name = texts[1] ?? ''
  context.shell.variables.set(
    name,
    content.text === null ? toUnknownWord(name, { carries: content.carries }) : toKnownWord(content.text),
  )
  return EMPTY_CONTENT
}

function formatText(words: readonly Value[]): Content {
  const carries = mergeCarried(words.map((word) => word.carries))
  const format = words[0] ? readWord(words[0]) : null
  const values = words.slice(1)
  const isList = format !== null && /^%s(?:\\n|\\0|\n| )?$/.test(format)
  const texts = values.map(readWord)
  const isPlain =
    texts.every((text) => text !== null) && values.every(({ pieces }) => pieces.every(({ is }) => is === 'text'))
  if (format === null || !isPlain) return { text: null, carries, lists: isList ? values : null, source: null }
  let text = ''
  let at = 0
  do {
    text += resolveEscapes(format).replaceAll(/%(?:%|-?\d*\.?\d*[sdbqcxXof])/g, (sign) => {
      if (sign === '%%') return '%'
      const value = texts[at++] ?? ''
      return sign.endsWith('b') ? resolveEscapes(value) : value
    })
  } while (at > 0 && at < texts.length)
  return { text, carries, lists: null, source: null }
}

/** The path of a program, as `which` and `command -v` print it. */
export function showProgram(program: Value | undefined): Content {
  const name = program ? readWord(program) : null
  return name === null || name.includes('/') ? UNKNOWN_CONTENT : { ...EMPTY_CONTENT, text: `/usr/bin/${name}\n` }
}

function readCalm({ context, name, words, input }: Call): Content {
  const texts = readCallWords(words)
  if (/^(?::|true|false|sleep)$/.test(name)) return EMPTY_CONTENT
  if (name === 'pwd') return { ...EMPTY_CONTENT, text: `${context.shell.folders[0]?.path ?? ''}\n` }
  if (name === 'shift') {
    context.shell.positional = context.shell.positional.slice(/^\d+$/.test(texts[0] ?? '') ? Number(texts[0]) : 1)
    return EMPTY_CONTENT
  }
  if ((name === 'basename' || name === 'dirname') && words[0]) return readPathName(name, words[0], texts[1])
  if (name === 'whoami' || name === 'logname') return { ...EMPTY_CONTENT, text: `${context.reading.world.user}\n` }
  if (name === 'seq') return readSeq(texts)
  if (name === 'getent' && texts[0] === 'shadow') return readPath(context, toKnownWord('/etc/shadow'))
  const isWide =
    name === 'pgrep' && texts.every((text, at) => text.startsWith('-') || /^-\w*[uUgG]$/.test(texts[at - 1] ?? ''))
  if (isWide) return { ...UNKNOWN_CONTENT, carries: carry('processes') }
  if (name === 'pgrep' || name === 'pidof')
    return { ...UNKNOWN_CONTENT, lists: [toUnknownWord(`${name} ${texts.join(' ')}`, { empty: false })] }
  if (name === 'test' || name === '[' || name === '[[') return EMPTY_CONTENT
  if (name === 'ps' || name === 'top') return listProcesses(context, texts)
  if (name === 'yes') {
    const line = `${words.length > 0 ? texts.join(' ') : 'y'}\n`
    return { ...UNKNOWN_CONTENT, text: line.includes('\0') ? null : line.repeat(2), carries: carry('endless') }
  }
  return { ...UNKNOWN_CONTENT, carries: input.carries }
}

/** Processes that `ps` lists: those that are named, or all. With `e` it shows the environment of each. */
function listProcesses(context: Context, texts: readonly string[]): Content {
  const clusters = texts.filter((_, at) => !/^-[a-zA-Z]*[CuUoOtgGps]$/.test(texts[at - 1] ?? ''))
  if (clusters.some((text) => /^[aAcfhjlmrSTuvwxXZ]*e[aAcefhjlmrSTuvwxXZ]*$/.test(text)))
    note(context, {
      does: 'read',
      path: { text: 'the environment of processes', place: 'secret', exists: true },
      what: 'content',
    })
  const isNamed = texts.some((text) => /^(?:-[a-zA-Z]*[pCgGt]|--(?:pid|ppid|sid|tty)\b.*)$/.test(text))
  return isNamed ? UNKNOWN_CONTENT : { ...UNKNOWN_CONTENT, carries: carry('processes') }
}

function readSeq(texts: readonly string[]): Content {
  if (/^inf(?:inity)?$/i.test(texts.at(-1) ?? '')) return { ...UNKNOWN_CONTENT, carries: carry('endless') }
  const numbers = texts.map(Number)
  if (numbers.some(Number.isNaN) || numbers.length === 0) return UNKNOWN_CONTENT
  const [first = 1, last = first] = numbers.length === 1 ? [1, numbers[0]] : [numbers[0], numbers.at(-1)]
  const count = Math.max(0, Math.min((last ?? 0) - (first ?? 0) + 1, 50))
  return { ...EMPTY_CONTENT, text: Array.from({ length: count }, (_, at) => `${(first ?? 0) + at}\n`).join('') }
}

function readPathName(name: string, value: Value, suffix?: string): Content {
  const text = readWord(value)
  if (text === null) return { ...UNKNOWN_CONTENT, carries: value.carries }
  return { ...EMPTY_CONTENT, text: `${name === 'dirname' ? posix.dirname(text) : posix.basename(text, suffix)}\n` }
}

function readEnvironment(call: Call): Content {
  const names = call.words.map((word) => readWord(word)).filter((text) => text !== null && !text.startsWith('-'))
  if (names.length === 0) {
    showLoaded(call.context)
    return { ...UNKNOWN_CONTENT, carries: carry('environment') }
  }
  const shown = names.map((name) => readVariable(call.context, name ?? ''))
  showSecret(call.context, shown)
  return { ...UNKNOWN_CONTENT, carries: mergeCarried(shown.map(({ carries }) => carries)) }
}

/** Notes the secrets that the call has put into variables, where all variables are printed. */
function showLoaded(context: Context): void {
  showSecret(
    context,
    [...context.shell.variables.values()].filter(({ carries }) => carries.has('secret-variable')),
  )
}

function readDeclare({ context, name, words }: Call): Content {
  const isReference = words.some((word) => /^-\w*n/.test(readKnownStart(word)))
  for (const word of words) {
    const start = readKnownStart(word)
    const equals = start.indexOf('=')
    if (start.startsWith('-') || equals <= 0) continue
    const variable = start.slice(0, equals).replace(/\+$/, '')
    const given = dropStart(word, equals + 1)
    if (isReference) {
      context.shell.variables.delete(variable)
      context.shell.references.set(variable, readWord(given) ?? '')
      continue
    }
    context.shell.variables.set(variable, given)
    noteVariable(context, variable, given)
  }
  const isListing = words.every((word) => readKnownStart(word).startsWith('-'))
  if (isListing && name !== 'local') showLoaded(context)
  return isListing && name !== 'local' ? { ...UNKNOWN_CONTENT, carries: carry('environment') } : EMPTY_CONTENT
}

function readSet({ context, name, words }: Call): Content {
  const texts = readCallWords(words)
  // `set -U` of fish keeps what it sets.
  if (name === 'set' && /^(?:-\w*U|--universal)/.test(texts[0] ?? ''))
    noteChange(context, 'machine', 'startup', `set ${texts.join(' ')}`)
  if (name === 'unset') for (const text of texts) context.shell.variables.delete(text)
  if (name === 'set') {
    if (texts.some((text) => /^-\w*f/.test(text))) context.shell.noGlobs = true
    if (texts.some((text, at) => /^-\w*[xv]/.test(text) || (text === '-o' && texts[at + 1] === 'xtrace')))
      context.shell.showsAll = true
    const at = texts.indexOf('--')
    if (at !== -1) context.shell.positional = words.slice(at + 1)
    if (texts.length === 0) {
      showLoaded(context)
      return { ...UNKNOWN_CONTENT, carries: carry('environment') }
    }
  }
  return EMPTY_CONTENT
}

function readAlias({ context, words }: Call): Content {
  if (words.some((word) => /^(?:-s|--save)$/.test(readWord(word) ?? '')))
    noteChange(context, 'machine', 'startup', `alias ${words.map(showValue).join(' ')}`)
  for (const word of words) {
    const text = readWord(word)
    const equals = text?.indexOf('=') ?? -1
    if (text === null || equals <= 0) continue
    context.shell.aliases.set(text.slice(0, equals), text.slice(equals + 1))
    if (text.startsWith('hookline=')) noteChange(context, 'agent', 'loosen', `alias ${text}`)
  }
  return UNKNOWN_CONTENT
}

function readRead(call: Call): Content {
  const { context, input } = call
  if (call.name !== 'read') return readLinesInto(call)
  const parsed = parseCall(call, '-p -d -n -N -t -u -i -a')
  const isArray = parsed.has('-a')
  const operands = [...parsed.values('-a'), ...parsed.operands]
  const end = parsed.value('-d') ? '\0' : '\n'
  const line = input.lists?.[0] ?? (input.text !== null ? toKnownWord(input.text.split(end)[0] ?? '') : null)
  const known = line ? readWord(line) : null
  const words = (known ?? '')
    .split(/[ \t]+/)
    .filter((word) => word !== '')
    .map((word) => toKnownWord(word))
  // The last name takes the rest of the line.
  const fields =
    operands.length === 1
      ? [line]
      : operands.map((_, at) => (at === operands.length - 1 && known !== null ? join(words.slice(at), ' ') : words[at]))
  const carries = input.text === null && !input.lists ? carry('data', input.carries) : input.carries
  operands.forEach((name, at) => {
    const text = readWord(name)
    if (text === null) return
    const value = fields[at] ?? toUnknownWord(text, { carries })
    context.shell.variables.set(text, value)
    context.shell.arrays.set(text, isArray && words.length > 0 ? words : [value])
  })
  if (operands.length === 0) context.shell.variables.set('REPLY', line ?? toUnknownWord('REPLY', { carries }))
  return EMPTY_CONTENT
}

/** Reads `mapfile` and `readarray`: each line is an element. */
function readLinesInto(call: Call): Content {
  const { context, input } = call
  const parsed = parseCall(call, '-d -n -O -s -u -C -c')
  const { operands } = parsed
  for (const callback of parsed.values('-C')) runText(context, callback)
  const name = operands[0] ? readWord(operands[0]) : 'MAPFILE'
  if (name === null) return EMPTY_CONTENT
  const lines = input.text?.split('\n').filter((line) => line !== '') ?? null
  const carries = input.text === null && !input.lists ? carry('data', input.carries) : input.carries
  const values = input.lists ?? lines?.map((line) => toKnownWord(line, carries)) ?? [toUnknownWord(name, { carries })]
  context.shell.arrays.set(name, values)
  return EMPTY_CONTENT
}

/** Reads `complete -C` and `bind -x`, whose commands run later in the same shell, and `hash -p`, which names a program anew. */
function readLater({ context, name, words }: Call): Content {
  const texts = readCallWords(words)
  const at = texts.findIndex((text) => /^-\w*[Cx]$/.test(text))
  const script = at === -1 ? undefined : words[at + 1]
  if (name === 'hash' && texts[0] === '-p' && texts[2] === 'hookline')
    noteChange(context, 'agent', 'loosen', `hash ${texts.join(' ')}`)
  if (name === 'hash' && texts[0] === '-p' && words[1])
    context.shell.variables.set(`BASH_CMDS[${texts[2] ?? ''}]`, words[1])
  else if (script) runText(context, mapStart(script))
  return EMPTY_CONTENT
}

/** The command behind the key of `bind -x '"\C-a": command'`. */
function mapStart(script: Value): Value {
  const key = /^"[^"]*"\s*:\s*/.exec(readKnownStart(script))
  return key ? dropStart(script, key[0].length) : script
}

function runText(context: Context, script: Value): void {
  const text = readWord(script)
  if (text !== null) context.reading.runScript({ ...context, depth: context.depth + 1 }, text)
  else noteUnseen(context, 'value', showValue(script), 'run')
}

function readTrap(call: Call): Content {
  const { operands } = parseCall(call, '')
  const [script] = operands
  if (script && operands.length > 1 && readWord(script) !== '-') runText(call.context, script)
  return EMPTY_CONTENT
}

function readCd(call: Call): Content {
  const { operands } = parseCall(call, '')
  const target = operands[0] ?? null
  const isBack = call.words.some((word) => readWord(word) === '-')
  changeFolder(call.context, isBack ? toKnownWord('-') : target)
  return EMPTY_CONTENT
}

function readPopd({ context }: Call): Content {
  const { shell } = context
  const here = shell.folders
  shell.folders = shell.before
  shell.before = here
  return EMPTY_CONTENT
}

function readMktemp(call: Call): Content {
  const { context } = call
  const parsed = parseCall(call, '-p -t --tmpdir --suffix')
  const folder = parsed.value('-p', '--tmpdir')
  const shape = parsed.operands[0] ? readWord(parsed.operands[0]) : null
  const base = folder ? (readWord(folder) ?? '/tmp') : (context.reading.world.temp[0] ?? '/tmp')
  const start = shape === null ? posix.join(base, 'tmp.') : shape.replace(/X.*$/s, '')
  const isBelow = !start.startsWith('/') && (folder !== null || parsed.has('-t'))
  const full = isBelow ? posix.join(base, start) : start
  const name: Value = {
    pieces: [
      { is: 'text', text: full },
      { is: 'unknown', name: 'mktemp', empty: false },
    ],
    carries: new Set(),
  }
  return { ...UNKNOWN_CONTENT, lists: [name] }
}

function readHistory(call: Call): Content {
  const { context, words } = call
  const path = toKnownWord(posix.join(context.reading.world.home, '.bash_history'))
  const texts = readCallWords(words)
  if (texts.some((text) => /^-\w*[cdw]/.test(text))) deletePath(context, path, 'truncate')
  // The shell of a call is not interactive: its list of commands is empty until it reads the file.
  else if (texts.some((text) => /^-\w*[rn]/.test(text))) return readPath(context, path)
  return EMPTY_CONTENT
}
