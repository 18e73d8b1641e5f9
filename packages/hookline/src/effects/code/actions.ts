import { findProgramRow } from '../../programs/table.ts'
import {
  type Context,
  deletePath,
  enterStep,
  fetchFrom,
  fillScript,
  lowerCertainty,
  noteChange,
  noteFlows,
  noteShownSecret,
  noteUnseen,
  readPath,
  resolveOne,
  sendTo,
  writePath,
} from '../context.ts'
import { noteSql } from '../readers/databases.ts'
import { noteRemoteDelete, reachAddress } from '../readers/network.ts'
import { runFile } from '../run-file.ts'
import {
  type Content,
  carry,
  EMPTY_CONTENT,
  join,
  mergeCarried,
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
import {
  type Action,
  type Code,
  isInline,
  listValues,
  mapText,
  NOTHING,
  type Thing,
  takeArgument,
  toValue,
} from './code.ts'

/** Reads a variable of the environment. */
export function readEnvironment({ context }: Code, name: string | null): Thing {
  const { world } = context.reading
  if (name === 'HOME' || name === 'USERPROFILE') return { ...NOTHING, value: toKnownWord(world.home) }
  if (name === 'PWD') return { ...NOTHING, value: toKnownWord(world.folder) }
  if (name === 'USER') return { ...NOTHING, value: toKnownWord(world.user) }
  if (name === 'TMPDIR') return { ...NOTHING, value: toKnownWord(world.temp[0] ?? '/tmp') }
  return {
    ...NOTHING,
    value: toUnknownWord(
      name ?? 'variable',
      name !== null && isSecretVariable(name) ? { carries: carry('secret-variable') } : {},
    ),
  }
}

const remove =
  (how: 'tree' | 'file'): Action =>
  ({ context }, args) => {
    for (const value of listValues(args[0])) deletePath(context, value, how)
    return NOTHING
  }

/** Deletes folders with all that is in them. */
export const removeTree = remove('tree')

/** Deletes files. */
export const removeFile = remove('file')

/** Reads a file or an address. */
export const read: Action = ({ context }, args) => {
  const value = takeArgument(args)
  if (/^https?:/.test(readKnownStart(value)))
    return {
      ...NOTHING,
      value: toUnknownWord('content', {
        carries: reachAddress(context, value, { carries: new Set(), isSending: false }).carries,
      }),
    }
  const content = readPath(context, value)
  return { ...NOTHING, value: toValue(content), ...(content.source === null ? {} : { source: content.source }) }
}

const write =
  (how: 'replace' | 'append'): Action =>
  ({ context }, args) => {
    const data = takeArgument(args, 1)
    const text = readWord(data)
    writePath(context, takeArgument(args), how, {
      ...UNKNOWN_CONTENT,
      text: args.length > 1 ? text : null,
      carries: data.carries,
    })
    return { ...NOTHING, value: takeArgument(args) }
  }

/** Writes a file anew. */
export const rewriteFile = write('replace')

/** Adds to a file. */
export const appendToFile = write('append')

/** Opens a file, by its mode for reading or writing. */
export const openFile: Action = (code, args, name) => {
  const mode =
    readWord(takeArgument(args, 1)) ??
    readWord(args.find(({ fields }) => fields?.has('mode'))?.fields?.get('mode')?.value ?? toKnownWord('')) ??
    'r'
  const path = takeArgument(args)
  if (name === 'open' && code.language === 'perl') return openPerl(code, args)
  if (code.language === 'ruby' && readKnownStart(path).startsWith('|'))
    return runShellText(code, [{ ...NOTHING, value: toKnownWord((readWord(path) ?? '').slice(1)) }], name)
  if (/^[wx]|^>|\+/.test(mode)) writePath(code.context, path, 'replace')
  else if (/^a/.test(mode)) writePath(code.context, path, 'append')
  else return read(code, args, name)
  return { ...NOTHING, value: path }
}

function openPerl({ context }: Code, args: readonly Thing[]): Thing {
  const mode = readWord(takeArgument(args, 1)) ?? ''
  const target = args[2]
    ? takeArgument(args, 2)
    : mapText(takeArgument(args, 1), (text) => text.replace(/^\s*[<>+]+\s*/, ''))
  if (/^\s*>>/.test(mode)) writePath(context, target, 'append')
  else if (/^\s*\+?>/.test(mode)) writePath(context, target, 'replace')
  else if (/\||-\|/.test(mode))
    context.reading.runScript(enterStep(context), (readWord(target) ?? '').replace(/^\s*\||\|\s*$/g, ''))
  else readPath(context, target)
  return NOTHING
}

/** Runs a command line in a shell, or a list of words. */
export const runShellText: Action = ({ context }, args) => {
  const options = args[0]?.fields
  const first = options?.get('command') ?? options?.get('cmd') ?? options?.get('args') ?? args[0]
  if (!first) return NOTHING
  if (
    first.items ||
    (args.length > 1 &&
      args[1]?.fields === null &&
      readWord(takeArgument(args, 1)) !== null &&
      first.items === null &&
      readWord(first.value) !== null &&
      !/\s/.test(readWord(first.value) ?? ' '))
  )
    return runWordList({ context }, args)
  const text = readWord(first.value)
  noteFlows(
    context,
    [...first.value.carries].filter((each) => each === 'fetch' || each === 'decode'),
    'run',
    'sh',
  )
  if (text === null) noteUnseen(context, 'value', showValue(first.value), 'run')
  const filled = text ?? fillScript(context, first.value)
  const output = filled === null ? UNKNOWN_CONTENT : runWithInput(context, filled, findInput(args))
  return { ...NOTHING, value: toValue(output) }
}

/** Runs a script; one that is a single word is a program that takes the input. */
function runWithInput(context: Context, script: string, input: Content): Content {
  const words = script.trim().split(/\s+/)
  return input === EMPTY_CONTENT || /[|;&<>$`'"(]/.test(script)
    ? context.reading.runScript(enterStep(context), script)
    : context.reading.runWords(
        enterStep(context),
        words.map((word) => toKnownWord(word)),
        input,
      )
}

/** Content that code hands to a program by `input=…`. */
function findInput(args: readonly Thing[]): Content {
  const given = args.find(({ fields }) => fields?.has('input'))?.fields?.get('input')
  if (!given) return EMPTY_CONTENT
  return { ...UNKNOWN_CONTENT, text: readWord(given.value), carries: given.value.carries }
}

function runWordList({ context }: Pick<Code, 'context'>, args: readonly Thing[]): Thing {
  const [first, second] = args
  const words = first?.items
    ? first.items
    : [first ?? NOTHING, ...(second?.items ?? args.slice(1).filter(({ fields }) => fields === null))]
  const output = context.reading.runWords(
    enterStep(context),
    words.map(({ value }) => value),
    findInput(args),
  )
  return { ...NOTHING, value: toValue(output) }
}

/** A program and its words; a single string with a shell, or with blanks, is a script. */
export const runProgram: Action = (code, args, name) => {
  const options = args.find(({ fields }) => fields !== null)?.fields
  // Words may come by the name of their parameter: `Popen(args=…)`, `new Deno.Command('rm', { args: … })`.
  const words = options?.get('args') ?? options?.get('command') ?? options?.get('cmd')
  const named = args[0]?.fields ? words : undefined
  const first = named ?? args[0]
  if (words && first !== words && first)
    return runWordList(code, [{ ...NOTHING, items: [first, ...(words.items ?? [words])] }])
  const isShell =
    options?.has('shell') &&
    readWord(options.get('shell')?.value ?? toKnownWord('')) !== 'False' &&
    options.get('shell')?.name !== 'False' &&
    options.get('shell')?.name !== 'false'
  if (first?.items && !isShell) return runWordList(code, args)
  if (first?.items) return runShellText(code, [first.items[0] ?? NOTHING], name)
  if (isShell || /\s/.test(readWord(first?.value ?? toKnownWord('')) ?? '') || args.length === 1)
    return runShellText(code, [first ?? NOTHING], name)
  return runWordList(code, args)
}

/** `execlp(file, argv0, …)` and `execvp(file, argv)` name the program twice. */
export const replaceProgram: Action = (code, args) => {
  const rest = args[1]?.items ? args[1].items : args.slice(1)
  return runWordList(code, [args[0] ?? NOTHING, { ...NOTHING, items: rest.slice(1) }])
}

/** Runs code that is made of a value. */
export const evaluate: Action = ({ context, language }, args, name) => {
  const isFunction = name === 'Function' && args.length > 1
  if (isFunction) noteUnseen(context, 'code', 'Function', 'run')
  const value = takeArgument(args, isFunction ? args.length - 1 : 0)
  const text = readWord(value)
  noteFlows(
    context,
    [...value.carries].filter((each) => each === 'fetch' || each === 'decode'),
    'run',
    language,
  )
  const source = args[0]?.source
  if (source !== undefined) {
    runFile(context, toKnownWord(source), [], { language })
    return NOTHING
  }
  const isFetching = text === null && context.reading.effects.some(({ does }) => does === 'fetch')
  if (isFetching) noteFlows(lowerCertainty(context, 'likely'), ['fetch'], 'run', language)
  if (text === null || args[0]?.name) noteUnseen(context, 'code', showValue(value), 'run')
  else context.reading.runCode(enterStep(context), language, text, EMPTY_CONTENT)
  return NOTHING
}

/** Fetches from an address, or sends to it. */
export const fetchUrl: Action = (code, args, name) => {
  const { context } = code
  // `request('DELETE', url)` has its method first.
  const [first, ...others] = args
  const named = first && /(?:^|\.)request$/.test(name) ? readWord(first.value) : null
  if (named !== null && /^[A-Z]{3,7}$/i.test(named)) {
    if (/^delete$/i.test(named)) noteRemoteDelete(context, showValue(takeArgument(others)))
    return /^(?:get|head)$/i.test(named) ? fetchUrl(code, others, 'get') : post(code, others, 'post')
  }
  const options = args.find(({ fields }) => fields !== null)?.fields
  const method = readWord(options?.get('method')?.value ?? toKnownWord('GET')) ?? 'GET'
  const isSending =
    options?.has('body') === true ||
    options?.has('data') === true ||
    options?.has('json') === true ||
    options?.has('files') === true ||
    /^(?:POST|PUT|PATCH|DELETE)$/i.test(method)
  const carries = mergeCarried(args.slice(1).map(({ value }) => value.carries))
  const address = args[0]?.fields?.get('url')?.value ?? takeArgument(args)
  if (/^DELETE$/i.test(method)) noteRemoteDelete(context, showValue(address))
  const content = reachAddress(context, address, { carries, isSending })
  // `urlretrieve(url, file)` writes what it fetches.
  if (/(?:urlretrieve|download\w*)$/.test(name) && args[1] && args[1].fields === null)
    writePath(context, takeArgument(args, 1), 'replace', content)
  return { ...NOTHING, value: toUnknownWord('content', { carries: content.carries }) }
}

/** Sends to an address. */
export const post: Action = ({ context }, args, name) => {
  if (/(?:^|\.)delete$/.test(name)) noteRemoteDelete(context, showValue(takeArgument(args)))
  const carries = mergeCarried(args.slice(1).map(({ value }) => value.carries))
  sendTo(context, takeArgument(args), { carries })
  return { ...NOTHING, value: toUnknownWord('content', { carries: carry('fetch') }) }
}

/** Notes variables that hold a secret and are printed: the model reads what a call prints. */
export function printArgument(code: Code, args: readonly Thing[]): Thing {
  for (const { value } of args) noteShownSecret(code.context, value)
  return returnArgument(code, args, 'print')
}

/** Joins a path of its segments. */
export const joinSegments: Action = (_, args) => {
  const values = args.map(({ value }) => value)
  const last = values.findLastIndex((value) => readKnownStart(value).startsWith('/'))
  return { ...NOTHING, value: join(values.slice(Math.max(last, 0)), '/') }
}

/** Returns its argument. */
export const returnArgument: Action = (_, args) => ({
  ...NOTHING,
  value: takeArgument(args),
  items: args[0]?.items ?? null,
})

/** Lists the names in a folder. */
export const listFolder: Action = ({ context }, args) => {
  readPath(context, args.length > 0 ? takeArgument(args) : toKnownWord('.'), 'name')
  return { ...NOTHING, value: toPatternWord('*') }
}

/** Lists all that is below a folder. */
export const walkFolder: Action = (_, args) => ({
  ...NOTHING,
  value: join([args.length > 0 ? takeArgument(args) : toKnownWord('.'), toPatternWord('/**')]),
})

/** Returns the home folder. */
export const returnHome: Action = ({ context }) => ({ ...NOTHING, value: toKnownWord(context.reading.world.home) })

/** Moves a file. */
export const moveFile: Action = ({ context }, args) => {
  context.reading.runWords(
    enterStep(context),
    [toKnownWord('mv'), takeArgument(args), takeArgument(args, 1)],
    EMPTY_CONTENT,
  )
  return NOTHING
}

/** Copies a file, or fetches one. */
export const copyFile: Action = ({ context }, args) => {
  if (/^https?:/.test(readKnownStart(takeArgument(args)))) {
    const content = reachAddress(context, takeArgument(args), { carries: new Set(), isSending: false })
    writePath(context, takeArgument(args, 1), 'replace', content)
    return NOTHING
  }
  context.reading.runWords(
    enterStep(context),
    [toKnownWord('cp'), toKnownWord('-r'), takeArgument(args), takeArgument(args, 1)],
    EMPTY_CONTENT,
  )
  return NOTHING
}

/** Makes folders or files. */
export const makePath: Action = ({ context }, args) => {
  for (const value of listValues(args[0])) writePath(context, value, 'create')
  return { ...NOTHING, value: takeArgument(args) }
}

/** Links a file. */
export const linkFile: Action = ({ context }, args) => {
  context.reading.runWords(
    enterStep(context),
    [toKnownWord('ln'), toKnownWord('-s'), takeArgument(args), takeArgument(args, 1)],
    EMPTY_CONTENT,
  )
  return NOTHING
}

/** Loads a module, or a file of code beside this one. */
export const loadModule: Action = (code, args) => {
  const name = readWord(takeArgument(args))
  if (name === null) {
    noteUnseen(code.context, 'code', showValue(takeArgument(args)), 'run')
    return NOTHING
  }
  if (/^https?:\/\//.test(name)) loadFromNetwork(code, name)
  else if (/\.json$/.test(name)) readPath(code.context, toKnownWord(name))
  else if (/^\.{0,2}\//.test(name) && isInline(code.context))
    runFile(code.context, addEnding(code.context, name, '.js'), [], { language: 'javascript' })
  return { ...NOTHING, name: name.replace(/^node:/, '') }
}

/** Notes a module that comes from the network. */
export function loadFromNetwork({ context, language }: Code, address: string): void {
  const { carries } = fetchFrom(context, toKnownWord(address))
  if (isInline(context)) noteFlows(context, carries, 'run', `${language} module`)
}

function addEnding(context: Context, name: string, ending: string): Value {
  const path = resolveOne(context, toKnownWord(name))
  return toKnownWord(path && !path.exists && !/\.\w+$/.test(name) ? `${name}${ending}` : name)
}

/** Connects to a host. */
export const connect: Action = ({ context }, args) => {
  const host = args
    .flatMap((each) => (each.items ? each.items : [each]))
    .map(({ value }) => readWord(value) ?? '')
    .find((text) => /[a-z.]/i.test(text) && !/^\d+$/.test(text))
  if (host && !/^(?:localhost|127\.|\/)/.test(host)) sendTo(context, toKnownWord(host), { carries: new Set() })
  return NOTHING
}

/** Empties a file. */
export const truncateFile: Action = ({ context }, args) => {
  deletePath(context, takeArgument(args), 'truncate', { follow: true })
  return NOTHING
}

/** Changes the mode or owner of a file. */
export const changeMode: Action = ({ context }, args) => {
  writePath(context, takeArgument(args), 'mode')
  return NOTHING
}

/** Ends processes: the first one of all, or every one that the user has. */
export const killProcess: Action = ({ context }, args, name) => {
  // Ruby and Perl name the signal first.
  const targets = /^(?:Process\.kill|kill)$/.test(name) ? args.slice(1) : args.slice(0, 1)
  if (targets.some(({ value }) => /^(?:-1|1)$/.test(readWord(value) ?? '')))
    noteChange(context, 'machine', 'process', `${name}(${targets.map(({ value }) => showValue(value)).join(', ')})`)
  return NOTHING
}

/** Changes the folder. */
export const moveTo: Action = ({ context }, args) => {
  context.reading.runWords(context, [toKnownWord('cd'), takeArgument(args)], EMPTY_CONTENT)
  return NOTHING
}

/** `exec` is code in Python and JavaScript, and a command elsewhere. */
export const runExec: Action = (code, args, name) =>
  code.language === 'python' || code.language === 'javascript'
    ? evaluate(code, args, name)
    : runShellText(code, args, name)

/** A file of code that is run from code. */
export function runOtherFile({ context, language }: Code, args: readonly Thing[]): Thing {
  runFile(context, takeArgument(args), [], { language })
  return NOTHING
}

/** Runs a statement of SQL. */
export function runSql(code: Code, args: readonly Thing[], name = ''): Thing {
  const { context } = code
  const text = readWord(takeArgument(args))
  if (text !== null && /^\s*(?:drop|truncate|delete|update|alter|grant|copy|with|begin)\b/i.test(text))
    noteSql(context, text, '')
  else if (/\.run$/.test(name)) return runLikelyCommand(code, args)
  return NOTHING
}

/** `c.run('make')` of task files: a text that begins with a program that is known. */
export function runLikelyCommand(code: Code, args: readonly Thing[]): Thing {
  const { context } = code
  const words = args.filter(({ fields }) => fields === null)
  const isList = words.length > 1 && findProgramRow(readWord(words[0]?.value ?? toKnownWord('')) ?? '') !== undefined
  if (isList) return runWordList(code, words)
  const text = readWord(takeArgument(args))
  const name = text === null ? null : /^[\w./-]+/.exec(text)?.[0]
  if (text !== null && name && findProgramRow(name.split('/').at(-1) ?? ''))
    context.reading.runScript(enterStep(context), text)
  return NOTHING
}
