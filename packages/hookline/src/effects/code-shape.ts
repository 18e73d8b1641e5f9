import {
  type Context,
  deletePath,
  enterStep,
  lowerCertainty,
  noteUnseen,
  readPath,
  resolveOne,
  writePath,
} from './context.ts'
import { findProgramRow } from './programs/table.ts'
import { reachAddress } from './readers/network.ts'
import { toKnownWord, toPatternWord, type Value } from './value.ts'

/** Strings and paths of one text that are looked at. */
const MAX_WORDS = 60

const DELETES =
  /\b(?:delete\w*|remove\w*|unlink|rm|rm_?rf?|rmtree|rmdir|erase\w*|wipe\w*|trash\w*|deleteRecursively|deleteDir|removeItem|RemoveAll|remove_dir_all|remove_file)\b|\(delete-|file delete/i
const RUNS =
  /\b(?:system2?|exec\w*|spawn\w*|shell\w*|popen|run|Runtime|ProcessBuilder|Process|Command|syscmd|esyscmd|cmd|callProcess|readProcess|call-process|start-process|async-shell-command|do shell script)\b|\.execute\(|shell-command|:!/i
const WRITES =
  /\b(?:write\w*|append\w*|create\w*|save\w*|copy\w*|rename\w*|move\w*|puts|spit|cat)\b|write-region|\.output/i
const READS = /\b(?:read\w*|open\w*|load\w*|slurp|getLines|scan|source|cat|print\w*|file)\b|insert-file/i
const FETCHES = /\b(?:url\w*|http\w*|download\w*|get|fetch|open)\b/i

/**
 * Reads code of a language that has no reader of its own, by shape: commands in its strings, paths beside words that delete, write or read.
 * What it finds is likely, never certain; that there is more to the code is noted as unseen.
 */
export function runByShape(context: Context, language: string, text: string): void {
  noteUnseen(context, 'code', language, 'run')
  const inner = lowerCertainty(enterStep(context), 'likely')
  const deletes = DELETES.test(text)
  const runs = RUNS.test(text)
  for (const word of listWords(text)) {
    if (runs && isCommand(word)) {
      context.reading.runScript(inner, word)
      continue
    }
    if (/^https?:\/\//.test(word)) {
      if (FETCHES.test(text)) reachAddress(inner, toKnownWord(word), { carries: new Set(), isSending: false })
      continue
    }
    if (!/^(?:~|\/|\.{1,2}\/|\.[a-z])/.test(word) || /\s/.test(word)) continue
    const path = toPath(context, word)
    if (deletes) deletePath(inner, path, 'tree')
    else if (WRITES.test(text)) writePath(inner, path, 'replace')
    else if (READS.test(text) && resolveOne(context, path)?.place === 'secret') readPath(inner, path)
  }
  if (runs) runWordList(inner, text)
}

/** Strings of the code, and words outside of them that are paths. */
function listWords(text: string): readonly string[] {
  const strings = [...text.matchAll(/"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|`([^`\n']*)['`]/g)].map(
    (match) => match[1] ?? match[2] ?? match[3] ?? '',
  )
  const bare = [...text.matchAll(/(?<=^|\s)(~?\/[\w./*-]+)(?=$|[\s;)])/gm)].map((match) => match[1] ?? '')
  return [...strings, ...bare].slice(0, MAX_WORDS)
}

function isCommand(word: string): boolean {
  const name = /^(?:sudo\s+)?([\w./-]+)(?:\s|$)/.exec(word)?.[1]
  return name !== undefined && /\s/.test(word) && findProgramRow(name.split('/').at(-1) ?? '') !== undefined
}

/** Lists of words: `["rm", "-rf", "/x"]`. */
function runWordList(context: Context, text: string): void {
  for (const match of text.matchAll(/"([\w./-]+)"\s*,\s*\[?\s*((?:"[^"\n]*"\s*,?\s*){1,12})/g)) {
    if (!findProgramRow((match[1] ?? '').split('/').at(-1) ?? '')) continue
    const rest = [...(match[2] ?? '').matchAll(/"([^"]*)"/g)].map((each) => toKnownWord(each[1] ?? ''))
    context.reading.runWords(context, [toKnownWord(match[1] ?? ''), ...rest], {
      text: '',
      carries: new Set(),
      lists: null,
      source: null,
    })
  }
}

function toPath({ reading }: Context, word: string): Value {
  const path = word.replace(/^~(?=\/|$)/, reading.world.home)
  return /[*?]/.test(path) ? toPatternWord(path) : toKnownWord(path)
}
