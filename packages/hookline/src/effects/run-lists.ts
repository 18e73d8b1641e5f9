import { type Context, enterStep, noteChange, readPath, takeFirst } from './context.ts'
import { runScriptWord } from './handed-commands.ts'
import { parseArguments, toSet } from './program.ts'
import {
  type Content,
  EMPTY_CONTENT,
  join,
  mergeCarried,
  readWord,
  toKnownWord,
  toUnknownWord,
  UNKNOWN_CONTENT,
  type Value,
} from './value.ts'

/** Runs of one command by xargs that are looked at. */
const MAX_LINES = 200

/** Runs the command of xargs with the words of a list. */
export function runXargs(context: Context, args: readonly Value[], input: Content): Content {
  const parsed = parseArguments(
    args,
    toSet(
      '-I -i-x -n -P -d -E -L -s -a --max-args --max-procs --delimiter --max-lines --max-chars --arg-file --replace --eof',
    ),
    { stopAtOperand: true },
  )
  const file = parsed.value('-a', '--arg-file')
  const from = file ? readPath(context, file) : input
  if (from.carries.has('endless') && /^0$/.test(readWord(parsed.value('-P', '--max-procs') ?? toKnownWord('1')) ?? ''))
    noteChange(context, 'machine', 'fork-bomb', 'xargs that starts processes without end')
  const sign = parsed.value('-I', '--replace') ?? (parsed.has('-i', '--replace') ? toKnownWord('{}') : null)
  const command = parsed.operands.length > 0 ? parsed.operands : [toKnownWord('echo')]
  const isByLine = sign !== null || parsed.has('-d', '--delimiter', '-L', '-0', '--null')
  const delimiter = isByLine ? /[\0\n]/ : /\s+/
  const lines = listLines(context, from, delimiter)
  const inner = enterStep(context)
  const mark = sign ? readWord(sign) : null
  if (mark !== null) {
    const outputs = lines.map((line) =>
      context.reading.runWords(inner, replaceMark(command, mark, line), EMPTY_CONTENT),
    )
    return { ...UNKNOWN_CONTENT, carries: mergeCarried(outputs.map(({ carries }) => carries)) }
  }
  return context.reading.runWords(inner, [...command, ...lines], EMPTY_CONTENT)
}

/** Runs the command of parallel once for each line of a list. */
export function runParallel(context: Context, args: readonly Value[], input: Content): Content {
  const at = args.findIndex((word) => /^:::\+?$|^::::\+?$/.test(readWord(word) ?? ''))
  const own = at === -1 ? args : args.slice(0, at)
  const isFile = at !== -1 && (readWord(args[at] ?? toKnownWord('')) ?? '').startsWith('::::')
  const values =
    at === -1 || isFile
      ? listLines(context, isFile && args[at + 1] ? readPath(context, args[at + 1] ?? toKnownWord('')) : input, /\n/)
      : args.slice(at + 1).filter((word) => !/^:::/.test(readWord(word) ?? ''))
  const { operands } = parseArguments(
    own,
    toSet('-j -a -I --jobs --arg-file --delay --timeout --joblog --tempdir -S --sshlogin'),
    { stopAtOperand: true },
  )
  if (operands.length === 0) {
    for (const each of values) runScriptWord(context, each)
    return UNKNOWN_CONTENT
  }
  const hasMark = operands.some((word) => (readWord(word) ?? '').includes('{}'))
  const given = values.length > 0 ? values : [toKnownWord('')]
  const carries = takeFirst(context, given, MAX_LINES, 'lines of a list').map((value) => {
    const quoted = quoteWord(value)
    const words = hasMark ? replaceMark(operands, '{}', quoted) : [...operands, quoted]
    return runScriptWord(context, join(words, ' ')).carries
  })
  return { ...UNKNOWN_CONTENT, carries: mergeCarried(carries) }
}

/** The lines that a program reads, as words. */
function listLines(context: Context, input: Content, delimiter: RegExp): readonly Value[] {
  if (input.lists) return input.lists
  if (input.text === null) return [toUnknownWord('stdin', { carries: new Set([...input.carries, 'data']) })]
  const lines = input.text
    .split(delimiter)
    .map((line) => line.replace(/^(['"])(.*)\1$/, '$2'))
    .filter((line) => line.trim() !== '')
  return takeFirst(context, lines, MAX_LINES, 'lines of a list').map((line) => toKnownWord(line, input.carries))
}

function replaceMark(words: readonly Value[], mark: string, value: Value): readonly Value[] {
  return words.map((word) => {
    const text = readWord(word)
    if (text === null || mark === '' || !text.includes(mark)) return word
    return join(text.split(mark).flatMap((part, at) => (at === 0 ? [toKnownWord(part)] : [value, toKnownWord(part)])))
  })
}

/** A word as a shell takes it for one, as parallel hands words on. */
function quoteWord(value: Value): Value {
  const text = readWord(value)
  const isPlain = text === null || text === '' || /^[\w./:@%+=,~*?-]+$/.test(text)
  return isPlain ? value : toKnownWord(`'${text.replaceAll("'", "'\\''")}'`, value.carries)
}
