import { type Context, deletePath, lowerCertainty, noteChange, resolveOne } from '../context.ts'
import { type Content, readWord, toKnownWord, UNKNOWN_CONTENT, type Value } from '../value.ts'
import { type Call, parseCall, type Reader, readCallWords } from './call.ts'

/** Readers of programs that tidy folders up: duplicates, old files, many names at once. */
export const TIDY_READERS: Readonly<Record<string, Reader>> = {
  duplicates: readDuplicates,
  rename: readRename,
  'tidy-up': readTidyUp,
  'keep-same': readKeepSame,
  backups: readBackups,
}

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
  const verb = texts.find((text) => VERBS.test(text))
  if (verb) noteChange(context, 'cloud', 'delete', [name, ...texts].join(' '))
  for (const [at, text] of texts.entries()) {
    const target = text === '--target' ? words[at + 1] : undefined
    if (target && texts.includes('restore')) deletePath(lowerCertainty(context as Context, 'likely'), target, 'tree')
  }
  return UNKNOWN_CONTENT
}

const VERBS =
  /^(?:forget|prune|delete|purge|wipe|repo-delete|remove-\S+|collection-delete|cleanup|nuke|key-remove|rm|--delete)$/
