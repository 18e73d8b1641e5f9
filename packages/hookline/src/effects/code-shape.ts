import { findProgramRow } from '../programs/table.ts'
import {
  type Context,
  deletePath,
  enterStep,
  fetchFrom,
  lowerCertainty,
  noteFlows,
  noteUnseen,
  readPath,
  resolveOne,
  takeFirst,
  writePath,
} from './context.ts'
import { noteNamedPlaces } from './named-places.ts'
import { reachAddress } from './readers/network.ts'
import { toKnownWord, toPatternWord, type Value } from './value.ts'
import { noteSource } from './variables.ts'

/** Strings and paths of one text that are looked at. */
const MAX_WORDS = 400

/** Longer code is not taken for a straight line. */
const MAX_STRAIGHT_CHARS = 400

const DELETES =
  /\b(?:delete\w*|remove\w*|unlink|rm|rm_?rf?|rmtree|rmdir|erase\w*|wipe\w*|trash\w*|(?:ensure\s*=>|state\s*[=:])\s*['"]?absent|deleteRecursively|deleteDir|removeItem|RemoveAll|remove_dir_all|remove_file|REMOVE_RECURSE)\b|\(delete-|file delete/i
const RUNS =
  /\b(?:system2?|exec\w*|spawn\w*|shell\w*|popen|run|Runtime|ProcessBuilder|Process|Command|syscmd|esyscmd|cmd|callProcess|readProcess|call-process|start-process|async-shell-command|do shell script)\b|\.execute\(|shell-command|:!/i
const WRITES =
  /\b(?:write\w*|append\w*|create\w*|save\w*|copy\w*|rename\w*|move\w*|puts|spit|cat)\b|write-region|\.output/i
const READS = /\b(?:read\w*|open\w*|load\w*|slurp|getLines|scan|source|cat|print\w*|file)\b|insert-file/i
const FETCHES = /\b(?:url\w*|http\w*|download\w*|get|fetch|open)\b/i

/** Words by which code goes one of several ways, or runs later. */
const BRANCHES =
  /\b(?:if|unless|when|cond|case|switch|match|while|for|foreach|until|try|catch|rescue|def|defn?|fun|func|function|fn|lambda|proc|sub|else)\b|->|=>|&&|\|\||\?/

/** Expressions for the home folder in front of a string: `homedir()*"/x"`, `os.getenv("HOME").."/x"`. */
const HOME_BEFORE =
  /(?:[\w.:$]{0,40}(?:home_?dir|user\.home|homePath|expanduser|getHome|Dir\.home)\w{0,20}(?:\(\s{0,4}["']?~?["']?\s{0,4}\))?|[\w.:$]{0,40}(?:get_?env|ENV|environ|getProperty|System\.get_env)!?\s{0,4}[([{]\s{0,4}["']?(?:HOME|user\.home)["']?\s{0,4}[)\]}]|\$HOME)\s{0,8}(?:(?:\.\.|<>|\+\+|[*+.~&,])\s{0,8})?(["'])\/?/gi

/**
 * Reads code of a language that has no reader of its own, by shape: commands in its strings, paths beside words that delete, write or read.
 * What it finds is likely, and certain only where code without a branch hands the string itself to a word that runs or deletes; that there is more to the code is noted as unseen.
 */
export function runByShape(context: Context, language: string, code: string): void {
  noteUnseen(context, 'code', language, 'run')
  const text = code.replaceAll(HOME_BEFORE, (_, sign: string) => `${sign}${context.reading.world.home}/`)
  const isStraight = text.length <= MAX_STRAIGHT_CHARS && !BRANCHES.test(text)
  const entered = enterStep(context)
  const likely = lowerCertainty(entered, 'likely')
  const deletes = DELETES.test(text)
  const runs = RUNS.test(text)
  for (const { word, before } of takeFirst(context, listWords(text), MAX_WORDS, language)) {
    if (runs && isCommand(word)) {
      const isHanded =
        isStraight &&
        (isHandedTo(RUNS, before) || /^\s*(?:\.execute\(|\.!)/.test(text.slice(before.length + word.length + 2)))
      context.reading.runScript(isHanded ? entered : likely, word)
      continue
    }
    if (/^https?:\/\//.test(word)) {
      if (
        /\b(?:repos?|url)\s{0,4}=\s{0,4}["']?$|\b(?:install\w*|Pkg\.(?:add|develop))\b[^;\n]{0,80}["']?$/i.test(
          before.slice(-120),
        ) &&
        /\binstall|\bPkg\./.test(before)
      )
        noteSource(likely, language, word)
      else if (isLoaded(before)) noteFlows(likely, fetchFrom(likely, toKnownWord(word)).carries, 'run', language)
      else if (FETCHES.test(text)) reachAddress(likely, toKnownWord(word), { carries: new Set(), isSending: false })
      continue
    }
    if (!/^(?:~|\/|\.{1,2}\/|\.[a-z])/.test(word) || /\s/.test(word)) continue
    const path = toPath(context, word)
    if (READS.test(text) && resolveOne(context, path)?.place === 'secret') readPath(likely, path)
    if (deletes) deletePath(isStraight && isHandedTo(DELETES, before) ? entered : likely, path, 'tree')
    else if (WRITES.test(text)) writePath(likely, path, 'replace')
  }
  if (deletes) deleteBelowHome(likely, text)
  noteNamedPlaces(context, text)
  if (runs) runWordList(likely, text)
}

/** Words for the home folder, however a language says them. */
const HOME_WORD = /User_?Home_?Dir|home_?dir\b|user\.home|homePath|UserProfile|HomeDirectory|Dir\.home|\bHOME\b/i

/** Names that are joined to the home by calls: `filepath.Join(h, "Documents")`, `home.join("Documents")`, `new File(h, "x")`. */
const JOINED =
  /(?:join|child|resolve|appending\w{0,40}|File|Path|Combine|of|get|push|\/)\s{0,8}(?:\(\s{0,8})?(?:[\w.&]{1,64}\s{0,8},\s{0,8})?"([\w .-]{1,256})"/gi

/** Folders of the home that code deletes, where it takes the home into a name first. */
function deleteBelowHome(context: Context, text: string): void {
  if (!HOME_WORD.test(text)) return
  for (const match of text.matchAll(JOINED))
    deletePath(context, toKnownWord(`${context.reading.world.home}/${match[1] ?? ''}`), 'tree')
}

/** True where what a string names is put to work as code: `source("…")`, `include(download("…"))`. */
function isLoaded(before: string): boolean {
  return /\b(?:source(?:_url)?|include|eval(?:uate|file|_string)?|load|dofile|require|install_url|Code\.eval_\w+|runScript|use)\s{0,4}[("'\s]{1,4}(?:[\w.:$]{1,40}\s{0,4}[("'\s]{1,4}){0,3}$/i.test(
    `${before.slice(-120)}"`,
  )
}

/** True where one of these words is the last before a string, with nothing but signs and options between. */
function isHandedTo(words: RegExp, before: string): boolean {
  const last = /(?:do shell script|file\s+delete|[\w:.-]+)[!(\s"'`[{]*(?:-\w+\s+)*[!(\s[{]*$/.exec(
    before.slice(-80),
  )?.[0]
  return last !== undefined && words.test(last)
}

interface ShapeWord {
  readonly word: string
  /** Code in front of it. */
  readonly before: string
}

/** Strings of the code, and words outside of them that are paths. */
function listWords(text: string): readonly ShapeWord[] {
  const strings = [
    ...text.matchAll(/"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|`([^`\n']*)['`]|<([\w./-]+(?: [^<>\s"=]+)+)>/g),
  ].map((match) => ({
    word: match[1] ?? match[2] ?? match[3] ?? match[4] ?? '',
    before: text.slice(0, match.index),
  }))
  const bare = [...text.matchAll(/(?<=^|[\s=])(~?\/[\w./*-]+)(?=$|[\s;),])/gm)].map((match) => ({
    word: match[1] ?? '',
    before: text.slice(0, match.index),
  }))
  return [...strings, ...bare]
}

function isCommand(word: string): boolean {
  const name = /^\s*(?:sudo\s+)?([\w./-]+)(?:\s|$)/.exec(word)?.[1]
  return name !== undefined && /\s/.test(word) && findProgramRow(name.split('/').at(-1) ?? '') !== undefined
}

/** Lists of words: `["rm", "-rf", "/x"]`. */
function runWordList(context: Context, text: string): void {
  for (const match of text.matchAll(/"([\w./-]+)"\s*,\s*(?:\[\s*)?((?:"[^"\n]*"\s*,?\s*){1,12})/g)) {
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
