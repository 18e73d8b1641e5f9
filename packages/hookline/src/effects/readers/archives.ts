import {
  type Context,
  deletePath,
  enterStep,
  lowerCertainty,
  noteUnseen,
  readPath,
  resolveOne,
  sendTo,
  spend,
  takeFirst,
  writePath,
} from '../context.ts'
import { runRow } from '../program.ts'
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
  UNKNOWN_CONTENT,
  type Value,
} from '../value.ts'
import { type Call, parseCall, type Reader, readByRow, readCallWords } from './call.ts'
import { forgetText } from './printed.ts'

/** Readers of programs that pack and unpack files. */
const ARCHIVE_READERS: Readonly<Record<string, Reader>> = {
  compress: readCompress,
  tar: readTar,
  zip: readZip,
  unzip: readUnzip,
  'copy-in': readArchiver,
}

/** Reads a call by the one of them that its row names. */
export const readArchiveCall: Reader = (call) => readByRow(ARCHIVE_READERS, call)

function readCompress(call: Call): Content {
  const { context, name, input } = call
  const { operands, has } = parseCall(call, '-S -o -T --suffix --threads')
  const isOut = has('-c', '--stdout', '--to-stdout')
  const isOpening = /^(?:un|g?un)|unzip|d$/.test(name) || has('-d', '--decompress')
  if (operands.length === 0)
    return isOpening ? { ...UNKNOWN_CONTENT, carries: carry('decode', input.carries) } : forgetText(input)
  if (has('-t', '-l', '--list', '--test')) return UNKNOWN_CONTENT
  const contents = operands.map((each) => {
    const content = readPath(context, each)
    const isKept = has('-k', '--keep') || isOut
    if (!isKept && resolveOne(context, each)?.place === 'home') writePath(context, each, 'edit')
    if (!isOut) writePath(context, join([each, toKnownWord(isOpening ? '.out' : '.gz')]), 'create', forgetText(content))
    return content
  })
  return isOut ? { ...UNKNOWN_CONTENT, carries: mergeCarried(contents.map(({ carries }) => carries)) } : EMPTY_CONTENT
}

const TAR_VALUED =
  '-f -C -T -X -b -K -N -H -V -g -I -F --file --directory --exclude --files-from --exclude-from --transform --strip-components --owner --group --mode --to-command --use-compress-program --checkpoint-action --info-script --rsh-command'

function readTar(call: Call): Content {
  const { context } = call
  const first = call.words[0] ? readWord(call.words[0]) : null
  const isBare = first !== null && /^[cxtruA][a-zA-Z]*$/.test(first)
  const words = isBare && first !== null ? [toKnownWord(`-${first}`), ...call.words.slice(1)] : call.words
  const parsed = parseCall({ ...call, words }, TAR_VALUED)
  const { operands, has, value, values } = parsed
  for (const each of values('--use-compress-program', '-I', '--checkpoint-action', '--info-script'))
    runOption(context, each)
  for (const each of values('--to-command'))
    if (/\s/.test(readWord(each) ?? '')) context.reading.runScript(enterStep(context), readWord(each) ?? '')
    else context.reading.runWords(enterStep(context), [each], UNKNOWN_CONTENT)
  const folder = value('-C', '--directory')
  const archive = value('-f', '--file')
  const isStream = archive === null || readWord(archive) === '-'
  if (has('-c', '-r', '-u', '--create', '--append', '--update')) {
    const contents = operands.map((each) =>
      readPath(
        context,
        folder && !readKnownStart(each).startsWith('/') ? join([folder, toKnownWord('/'), each]) : each,
        'tree',
      ),
    )
    const content: Content = { ...UNKNOWN_CONTENT, carries: mergeCarried(contents.map(({ carries }) => carries)) }
    if (!isStream && archive) writeArchive(context, archive, content)
    if (has('--remove-files')) for (const each of operands) deletePath(context, each, 'tree')
    return isStream ? content : EMPTY_CONTENT
  }
  const source = archive && !isStream ? readPath(context, archive, 'name') : call.input
  if (has('-t', '--list')) return UNKNOWN_CONTENT
  if (has('-O', '--to-stdout')) {
    const named = operands.map((each) => readPath(lowerCertainty(context, 'likely'), each))
    return { ...UNKNOWN_CONTENT, carries: mergeCarried([source.carries, ...named.map(({ carries }) => carries)]) }
  }
  if (has('-x', '--extract', '--get')) {
    const target = folder ?? toKnownWord('.')
    markFetched(context, target, source)
    // With -P the names in an archive are taken as they are, from the root on.
    if (has('-P', '--absolute-names')) writePath(lowerCertainty(context, 'likely'), toPatternWord('/*'), 'replace')
    for (const each of operands) {
      const file = toPatternWord(showValue(each))
      writePath(context, folder ? join([folder, toKnownWord('/'), file]) : file, 'create', forgetText(source))
    }
    if (operands.length > 0) return EMPTY_CONTENT
    if (folder) writePath(context, join([target, toPatternWord('/*')]), 'create', forgetText(source))
    else writePath(context, toPatternWord('*'), 'create', forgetText(source))
  }
  return EMPTY_CONTENT
}

/** Remembers that a folder holds what came from the network, for what is run there later in the call. */
function markFetched(context: Context, folder: Value, content: Content): void {
  const path = content.carries.has('fetch') ? resolveOne(context, folder) : null
  if (path) context.reading.settings.set(`fetched ${path.text}`, 'the network')
}

/** A remote archive, as in `tar cf host:file`, is sent. */
function writeArchive(context: Context, archive: Value, content: Content): void {
  const text = readWord(archive)
  if (text !== null && /^[\w.@-]+:/.test(text))
    sendTo(context, toKnownWord(text.split(':')[0]?.split('@').at(-1) ?? ''), content)
  else writePath(context, archive, 'replace', content)
}

function runOption(context: Context, value: Value): void {
  const text = readWord(value)
  if (text === null) noteUnseen(context, 'value', showValue(value), 'run')
  else if (/^(?:gzip|bzip2|xz|zstd|pigz|lz4|pbzip2|zstdmt|lzma)\b/.test(text)) spend(context)
  else context.reading.runScript({ ...context, depth: context.depth + 1 }, text.replace(/^exec=/, ''))
}

function readZip(call: Call): Content {
  const { context, name } = call
  const isSeven = name !== 'zip'
  const { operands, has } = parseCall(call, '-x -i -P -b -n -t --unzip-command')
  runTester(context, call.words)
  const names = operands.slice(isSeven ? 1 : 0)
  const command = isSeven ? readWord(operands[0] ?? toKnownWord('')) : 'a'
  if (command === 'l' || command === 't') return UNKNOWN_CONTENT
  const [archive, ...files] = names
  if (command === 'x' || command === 'e') {
    const out = call.words.map((word) => readWord(word)).find((text) => text?.startsWith('-o'))
    writePath(context, out ? join([toKnownWord(out.slice(2)), toPatternWord('/*')]) : toPatternWord('*'), 'create')
    return EMPTY_CONTENT
  }
  const contents = files.map((each) => readPath(context, each, 'tree'))
  const content: Content = { ...UNKNOWN_CONTENT, carries: mergeCarried(contents.map(({ carries }) => carries)) }
  if (archive && readWord(archive) !== '-') writePath(context, archive, 'replace', content)
  const isMoving = isSeven
    ? /^m[fv]?$/.test(command ?? '') || readCallWords(call.words).some((text) => /^-(?:sdel|df)$/.test(text))
    : has('-m', '--move')
  if (isMoving) for (const each of files) deletePath(context, each, 'tree')
  return archive && readWord(archive) === '-' ? content : EMPTY_CONTENT
}

/** `zip -TT COMMAND` tests the archive by a command. */
function runTester(context: Context, words: readonly Value[]): void {
  const at = words.findIndex((word) => readWord(word) === '-TT')
  const script = at === -1 ? null : readWord(words[at + 1] ?? toKnownWord(''))
  if (script) context.reading.runScript(enterStep(context), script)
}

function readUnzip(call: Call): Content {
  const { context } = call
  const { operands, has, value } = parseCall(call, '-d -x -P')
  const [archive, ...members] = operands
  const source = archive ? readPath(context, archive, 'name') : UNKNOWN_CONTENT
  if (has('-l', '-t', '-v', '-Z', '-z')) return UNKNOWN_CONTENT
  if (has('-p', '-c')) {
    const named = members.map((each) => readPath(lowerCertainty(context, 'certain'), each))
    return { ...UNKNOWN_CONTENT, carries: mergeCarried([source.carries, ...named.map(({ carries }) => carries)]) }
  }
  const last = call.name === 'unrar' ? operands.at(-1) : undefined
  const folder = value('-d') ?? (/\/$|^~/.test(last ? readKnownStart(last) : '') ? (last ?? null) : null)
  markFetched(context, folder ?? toKnownWord('.'), source)
  for (const each of call.name === 'unzip' ? members : []) {
    const file = toPatternWord(showValue(each))
    writePath(context, folder ? join([folder, toKnownWord('/'), file]) : file, 'create', forgetText(source))
  }
  if (call.name === 'unzip' && members.length > 0) return EMPTY_CONTENT
  writePath(context, folder ? join([folder, toPatternWord('/*')]) : toPatternWord('*'), 'create', forgetText(source))
  return EMPTY_CONTENT
}

/** Reads the files that a list names; answers with an archive of them. */
function packListed(context: Context, { lists, text }: Content): Content {
  const files = lists ?? (text ?? '').split(/[\n\0]/).flatMap((line) => (line === '' ? [] : [toKnownWord(line)]))
  const contents = takeFirst(context, files, MAX_PACKED, 'files of an archive').map((each) => readPath(context, each))
  return { ...UNKNOWN_CONTENT, carries: mergeCarried(contents.map(({ carries }) => carries)) }
}

/** Files of one archive that are looked at. */
const MAX_PACKED = 200

/** Reads `cpio` and `pax`: the last operand of a call that passes files on is where they go. */
function readArchiver(call: Call): Content {
  const { context, name, words } = call
  const isPassing =
    name !== 'ar' && words.some((word) => /^-[a-z]*p|^--pass-through$|^-[a-z]*rw/.test(readKnownStart(word)))
  const target = isPassing ? parseCall(call, '-D -I -O -E -H -C -F').operands.at(-1) : undefined
  if (target) writePath(context, target, 'replace', call.input)
  // A list says what is packed.
  const isPacking = name === 'cpio' && words.some((word) => /^-[a-zA-Z]*o|^--create$/.test(readKnownStart(word)))
  if (isPacking) return packListed(context, call.input)
  // Archives are unpacked into the folder of the moment, wherever that is.
  const isTakingOut = name !== 'ar' && words.some((word) => /^-[a-z]*[ir]|^--extract$/.test(readKnownStart(word)))
  const here = isTakingOut && !isPassing ? context.shell.folders[0] : undefined
  if (here && /^(?:system|home)$/.test(resolveOne(context, toKnownWord(here.path))?.place ?? ''))
    writePath(lowerCertainty(context, 'likely'), toPatternWord(`${here.path.replace(/\/$/, '')}/*`), 'edit')
  return runRow(context, { ...call.row, operands: 'value uses' }, name, words, call.input)
}
