import {
  type Context,
  deletePath,
  lowerCertainty,
  noteChange,
  readPath,
  resolveOne,
  sendTo,
  writePath,
} from '../context.ts'
import { runRow } from '../program.ts'
import {
  type Content,
  join,
  mergeCarried,
  readKnownStart,
  readWord,
  toKnownWord,
  toPatternWord,
  UNKNOWN_CONTENT,
  type Value,
} from '../value.ts'
import { type Call, parseCall, type Reader, readByRow, readCallWords } from './call.ts'

/** Readers of programs that tidy folders up: duplicates, old files, many names at once. */
const TIDY_READERS: Readonly<Record<string, Reader>> = {
  duplicates: readDuplicates,
  rename: readRename,
  'tidy-up': readTidyUp,
  'keep-same': readKeepSame,
  backups: readBackups,
  'in-place': readInPlace,
  patch: readPatch,
  converter: readConverter,
  'kde-files': readKdeFiles,
}

/** Reads a call by the one of them that its row names. */
export const readTidyCall: Reader = (call) => readByRow(TIDY_READERS, call)

/** Options with which programs that look for duplicates delete them, or put links in their place. */
const DELETES =
  /^(?:--?delete\w*|-deleteduplicates|-makehardlinks|-makesymlinks|-[a-zA-Z]*[dN][a-zA-Z]*|--noprompt|-D|--dedupe|--link\w*|-[a-zA-Z]*[BLl][a-zA-Z]*|--delete-method|--config=sh:remove)$/

function readDuplicates(call: Call): Content {
  const texts = readCallWords(call.words)
  const isDry = texts.some((text) => /^(?:-n|--dry-?run|-dryrun|-l|--list)$/.test(text))
  if (isDry || !texts.some((text) => DELETES.test(text))) return UNKNOWN_CONTENT
  const words = call.words.filter((word, at) => isPathLike(word) && !/^-[fetpmsS]$/.test(texts[at - 1] ?? ''))
  for (const word of words) deletePath(call.context, word, 'tree')
  return UNKNOWN_CONTENT
}

function isPathLike(word: Value): boolean {
  const text = readWord(word)
  return text === null || (!text.startsWith('-') && !/^(?:true|false|dup|big|empty-folders|[A-Z]{2,4}|\d+)$/.test(text))
}

/** Reads programs that give many files new names: what lies outside of the project goes away under its own. */
function readRename(call: Call): Content {
  const parsed = parseCall(call, '-e -E --expr --regex -s --subst-x')
  if (parsed.has('-n', '--nono', '--no-act', '--just-print', '--dry-run', '--help')) return UNKNOWN_CONTENT
  for (const each of parsed.operands)
    if (/^(?:\/|~|\.\.)/.test(readWord(each) ?? '/') && resolveOne(call.context, each)?.place !== 'temp')
      deletePath(call.context, each, 'move-away')
  return UNKNOWN_CONTENT
}

/** Reads programs that delete what is old in the folders they are given. */
function readTidyUp(call: Call): Content {
  const parsed = parseCall(call, '-M -U -T --protect --runtime -x --exclude -X --exclude-pattern -u --exclude-user')
  if (parsed.has('-t', '--test', '--dry-run')) return UNKNOWN_CONTENT
  for (const each of parsed.operands) if (!/^\d+\w?$/.test(readWord(each) ?? '')) deletePath(call.context, each, 'tree')
  return UNKNOWN_CONTENT
}

/** Reads programs that keep two folders the same: without a question either side may lose what it has. */
function readKeepSame(call: Call): Content {
  const { context } = call
  const parsed = parseCall(call, '-force -prefer -path -ignore -root --force --prefer', { oneDash: true })
  const isSilent = parsed.has('-batch', '-auto', '-force', '-silent', '--batch')
  const kept = readWord(parsed.value('-force') ?? toKnownWord(''))
  for (const each of isSilent ? parsed.operands : [])
    if (readWord(each) !== kept) deletePath(lowerCertainty(context, kept ? 'certain' : 'likely'), each, 'tree')
  return UNKNOWN_CONTENT
}

/** Reads programs of backups: what they forget is in no other place. */
function readBackups({ context, name, words }: Call): Content {
  const texts = readCallWords(words)
  if (texts.some((text) => /^(?:-n|--dry-run|--list)$/.test(text))) return UNKNOWN_CONTENT
  if (texts.some((text) => /^(?:backup|create|save|push|put|-c)$/.test(text)))
    for (const word of words)
      if (isPathLike(word) && resolveOne(context, word)?.place === 'secret')
        sendTo(context, toKnownWord(`the backup of ${name}`), readPath(context, word, 'tree'))
  const verb = texts.find((text) => VERBS.test(text))
  if (verb) noteChange(context, 'cloud', 'delete', [name, ...texts].join(' '))
  for (const [at, text] of texts.entries()) {
    const target = text === '--target' ? words[at + 1] : undefined
    if (target && texts.includes('restore')) deletePath(lowerCertainty(context as Context, 'likely'), target, 'tree')
  }
  return UNKNOWN_CONTENT
}

const VERBS =
  /^(?:forget|prune|delete|purge|wipe|repo-delete|remove-\S+|collection-delete|cleanup|nuke|key-remove|rm|--delete|--remove-older-than)$/

/** Programs that change their files only when an option says so. */
const CHANGES_WITH: Readonly<Record<string, RegExp>> = {
  exiftool: /^-(?:overwrite_original\w*|delete_original!?|\w[\w:]*[-+<]?=.*|restore_original)$/,
  exiv2: /^(?:rm|delete|modify|mo|adjust|ad|fixiso|mv|rename|-[dMk]\S*)$/,
  pngquant: /^(?:--ext(?:=.*)?|-f|--force)$/,
  jpegtran: /^-outfile$/,
  gifsicle: /^(?:-b|--batch)$/,
  zopflipng: /^-y$/,
  metaflac: /^--(?:remove|set|import)\S*$/,
  svgo: /^(?!-o$)/,
  jhead: /^-(?:purejpg|de|dt|dc|di|dx|mkexif|rgt|autorot|n\S*|ft|ts\S*)$/,
}

/** Reads programs that write into the files they are given: pictures made smaller, line ends turned, tags taken out. */
function readInPlace({ context, name, words }: Call): Content {
  const texts = readCallWords(words)
  const isElsewhere = texts.some((text) =>
    /^(?:-path|-o|-n|--output|--stdout|-c|--dest=.*|-d|--noact|--dry-run|--simulate)$/.test(text),
  )
  const shape = CHANGES_WITH[name]
  const changes = shape ? texts.some((text) => shape.test(text)) : !isElsewhere
  for (const word of words) {
    if (!isPathLike(word) || readKnownStart(word).startsWith('-')) continue
    if (changes) writePath(context, word, 'edit')
    else readPath(context, word, 'name')
  }
  return UNKNOWN_CONTENT
}

/** Reads converters: the last file is written, in the place of what is there. */
function readConverter({ context, name, words }: Call): Content {
  const texts = readCallWords(words)
  const keeps = texts.some((text) => /^(?:-n|--help|-version|--version|-h)$/.test(text))
  const asks = name === 'ffmpeg' && !texts.includes('-y')
  const out = texts.findIndex((text) => /^(?:-o|--output|--export-filename)$/.test(text))
  const attached = texts.find((text) => /^(?:-sOutputFile|--export-filename|--output)=/.test(text))
  const target = attached
    ? toKnownWord(attached.slice(attached.indexOf('=') + 1))
    : words[out === -1 ? words.length - 1 : out + 1]
  const isFile =
    target !== undefined &&
    words.length > 1 &&
    /[/.]/.test(readKnownStart(target)) &&
    !/^(?:-|\w+:\/\/)/.test(readKnownStart(target))
  if (isFile && !keeps && !(asks && resolveOne(context, target)?.exists)) writePath(context, target, 'replace')
  return UNKNOWN_CONTENT
}

/** Reads kioclient, the file manager of KDE as a command. */
function readKdeFiles({ context, words }: Call): Content {
  const [verb = '', ...rest] = readCallWords(words).filter((text) => !text.startsWith('-'))
  const paths = rest.map((text) => toKnownWord(text.replace(/^file:\/\//, '')))
  if (/^(?:del|remove|trash)$/.test(verb)) for (const each of paths) deletePath(context, each, 'tree')
  if (/^(?:move|mv)$/.test(verb)) for (const each of paths.slice(0, -1)) deletePath(context, each, 'move-away')
  if (verb === 'cat' || verb === 'copy') for (const each of paths.slice(0, 1)) readPath(context, each)
  return UNKNOWN_CONTENT
}

/** Reads patch: a reversed one that comes from `git diff` takes away what was just done. */
function readPatch(call: Call): Content {
  const { context, name, words, input, row } = call
  const isReversed = readCallWords(words).some((text) => /^(?:-[a-zA-Z]*R[a-zA-Z]*\d*|--reverse)$/.test(text))
  const isDry = readCallWords(words).includes('--dry-run')
  const carries = mergeCarried([input.carries, ...words.map((word) => word.carries)])
  if (isReversed && !isDry && carries.has('project')) noteChange(context, 'git', 'discard-work', 'patch -R')
  const { operands, value } = parseCall(call, '-p -D -F -i -o -d -B -r --input --directory --strip')
  const folder = value('-d', '--directory') ?? toKnownWord('.')
  const isInHome = resolveOne(context, folder)?.text === context.reading.world.home
  if (isInHome && !isDry && operands.length === 0) writePath(context, join([folder, toPatternWord('/*')]), 'edit')
  return runRow(context, { ...row, reader: '' }, name, words, input)
}
