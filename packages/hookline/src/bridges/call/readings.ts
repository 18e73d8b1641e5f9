import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isProgramName } from '../../programs/table.ts'
import { isObject } from '../../text/json.ts'
import { toShellWord } from '../../text/quote.ts'
import type { CallPart, JsonObject, ShownCall } from '../bridge.ts'
import { isLikePath, toPlainName } from './fields.ts'
import { toAbsolutePath } from './folder.ts'

/** A tool that no table names, as it is called. */
interface UnlistedCall {
  readonly name: string
  readonly input: JsonObject
  readonly cwd: string
}

/**
 * Reads a call of a tool that no table names: under its own name, and as every tool of Claude Code that its input suggests,
 * once for each text that may be what is run, read or written. A hook sees the first of a part that it matches; objects inside
 * of the input are read like the input. Gives a sentence for an input of which a part would go unread.
 */
export function readUnlisted({ name, input, cwd }: UnlistedCall): [CallPart, ...CallPart[]] | string {
  const objects = collectObjects(input)
  if (objects === null) return `the input of ${name} is too large or too deep for hooks to be shown all of it`
  const [first = [], ...others] = objects.flatMap((object) => suggestReadings(object, name, cwd))
  return [
    { label: name, calls: [{ tool: name, input }, ...first] },
    ...others.map((calls): CallPart => ({ label: name, calls })),
    ...objects.flatMap((object) => listCommandsElsewhere(object, name, cwd)),
  ]
}

/** Objects and levels of an input that are looked at. */
const MAX_OBJECTS = 2000
const MAX_DEPTH = 32

/** Collects the objects of an input, the input first, with those that a text holds as JSON; null: there are too many. */
function collectObjects(input: JsonObject): JsonObject[] | null {
  const found: JsonObject[] = []
  let isWhole = true
  const visit = (value: unknown, depth: number): void => {
    if (found.length >= MAX_OBJECTS || depth > MAX_DEPTH) isWhole = false
    else if (Array.isArray(value)) {
      if (isArgumentList(value)) found.push({ argv: value })
      for (const one of value) visit(one, depth + 1)
    } else if (typeof value === 'string') visit(parseContainer(value), depth + 1)
    else if (isObject(value)) {
      found.push(value)
      const isFile = listPaths(value).length > 0
      for (const [field, one] of Object.entries(value)) {
        if (isObject(one)) found.push(...listEntries(field, one))
        if (!isFile || typeof one === 'object' || !MEANS.content.test(toPlainName(field))) visit(one, depth + 1)
      }
    }
  }
  visit(input, 0)
  found.push(...listEntries('', input))
  return isWhole ? found : null
}

/** Reads a text that is JSON of an object or a list; null: it is none. */
function parseContainer(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return null
  try {
    return JSON.parse(text)
  } catch {
    return null // a text like any other
  }
}

/** Lists what the entries of an object are where these have names that mean something: files by their paths, commands by their systems. */
function listEntries(field: string, object: JsonObject): JsonObject[] {
  const entries = Object.entries(object)
  if (MEANS.command.test(toPlainName(field)))
    return entries.flatMap(([, value]) => (typeof value === 'string' ? [{ command: value }] : []))
  const isFiles = field !== '' && (MEANS.path.test(toPlainName(field)) || entries.some(([name]) => name.includes('/')))
  return entries
    .filter(([name]) => isFiles || isFileName(name))
    .map(([path, value]) => (isObject(value) ? { ...value, path } : { path, content: value }))
}

/** True for the words of a call of a program: `["git", "push"]`. */
const isArgumentList = (list: readonly unknown[]): boolean =>
  list.length > 1 && list.every((one) => typeof one === 'string') && isProgramName(String(list[0]))

/** Meanings of the names of fields, in one case and without separators. */
const MEANS = {
  command: /command|cmd|(?<!de|tran|sub)script|shell|bash|exec|^run|program|^exe$|^argv0$|binary/,
  typed:
    /^code$|sourcecode|snippet|expression|^expr$|^eval|statement|^input$|stdin|chars|characters|keys$|keystroke|^line$|^cells?$/,
  args: /^(?:args|argv|arguments|parameters|params)$/,
  folder: /cwd|^dir$|workdir|workingdir|directory|folder/,
  path: /path|file|notebook|document|destination|^dest|^dst$|target|^source$|^src$|^from$|^to$|^into$|^out|output$|saveas/,
  label: /^(?:name|title|key|id)$/,
  content: /content|text|data|body|code|source|lines|value|insert|append|prepend|diff|patch/,
  old: /^old|^search|^find|^from|before|target/,
  now: /^new|replace|^to$|after/,
  pattern: /pattern|query|regex|search|grep|glob/,
  url: /url|uri|link|href/,
  words: /prompt|task|message|instruction|objective|goal/,
} as const

/** Names of fields that say plainly what they are: read before others of the same meaning. */
const PLAIN_FIELD_NAMES =
  /^(?:command|cmd|commands|script|path|filepath|file|filename|notebookpath|content|contents|newstring|oldstring|pattern|url|prompt)$/

/** Names of tools that say what is done, in one case. */
const TOOLS = {
  runs: /shell|bash|terminal|console|command|cmd|exec|^run|repl$|interpret|^eval|process|spawn|launch|tmux|pty$|python|node$|javascript|^js$|keyboard|^type|computer/,
  changes:
    /write|create|save|append|prepend|insert|edit|replace|update|patch|delete|remove|unlink|truncate|touch|move|rename|copy|upload|download|output|trash|erase|discard|scaffold|generate|dump|merge|symlink|chmod|chown|extract|unpack|unzip|restore|revert|screenshot|(?:^|[^a-z])(?:rm|mv|cp|put|tee|set|dest|into)(?![a-z])/,
  opens: /file|document|note|read|write|open|edit|save/,
  searchesWeb: /web|internet|online/,
  delegates: /agent|task|delegate|spawn/,
} as const

type Meaning = keyof typeof MEANS

/** Fields of an object by their reduced names, the plain ones first. */
function listFields(object: JsonObject): [name: string, value: unknown][] {
  const fields = Object.entries(object).map(([name, value]): [string, unknown] => [toPlainName(name), value])
  return [
    ...fields.filter(([name]) => PLAIN_FIELD_NAMES.test(name)),
    ...fields.filter(([name]) => !PLAIN_FIELD_NAMES.test(name)),
  ]
}

/** Texts of an object that a predicate takes by the name of their field; each of a list is one. */
function listFieldTexts(object: JsonObject, isMeant: (field: string) => boolean): string[] {
  const found = listFields(object).flatMap(([field, value]) => (isMeant(field) ? [value].flat() : []))
  return [...new Set(found.filter((value): value is string => typeof value === 'string' && value !== ''))]
}

/** Suggests the calls of Claude Code that an object may be: readings, each with a tool once. */
function suggestReadings(object: JsonObject, name: string, cwd: string): [ShownCall, ...ShownCall[]][] {
  const tool = toPlainName(name)
  const listMeant = (meaning: Meaning): string[] => listFieldTexts(object, (field) => MEANS[meaning].test(field))
  const contents = listMeant('content')
  const isOpened = contents.length > 0 || TOOLS.opens.test(tool)
  const files = [
    ...listPaths(object),
    ...listPatchedFiles(object),
    ...(isOpened ? listMeant('label').filter(isOneLine) : []),
    ...listLikely(object, cwd),
  ]
  const paths = [...new Set(files.map((path) => toAbsolutePath(path, cwd)))]
  const folder = findFolder(object)
  const patterns = listMeant('pattern')
  const places = paths.length === 0 ? [{}] : paths.map((path) => ({ path }))
  const searches = patterns.flatMap((pattern) => places.map((place) => ({ ...object, pattern, ...place })))
  const urls = listFieldTexts(object, () => true).filter((text) => /^https?:\/\//i.test(text))
  const byTool: readonly (readonly ShownCall[])[] = [
    listCommands(object, tool).map((command) => makeCall('Bash', { ...object, command: leadCommand(folder, command) })),
    ...suggestChanges(object, paths, { tool, contents, olds: listMeant('old'), news: listMeant('now') }),
    paths.map((file_path) => makeCall('Read', { ...object, file_path })),
    searches.map((input) => makeCall('Grep', input)),
    searches.map((input) => makeCall('Glob', input)),
    [...new Set([...urls, ...listMeant('url')])].map((url) => makeCall('WebFetch', { ...object, url })),
    (TOOLS.searchesWeb.test(tool) ? patterns : []).map((query) => makeCall('WebSearch', { ...object, query })),
    (TOOLS.delegates.test(tool) ? listMeant('words') : []).map((prompt) => makeCall('Agent', { ...object, prompt })),
  ]
  const count = Math.max(...byTool.map((calls) => calls.length))
  return Array.from(
    { length: count },
    (_, at) => byTool.flatMap((calls) => calls[at] ?? []) as [ShownCall, ...ShownCall[]],
  ) // the longest list has one
}

const makeCall = (tool: string, input: JsonObject): ShownCall => ({ tool, input })

/** A command with a folder as it runs there; with the folder in its text it is among the other readings. */
function listCommandsElsewhere(object: JsonObject, name: string, cwd: string): CallPart[] {
  const folder = findFolder(object)
  if (folder === null) return []
  return listCommands(object, toPlainName(name)).map((command) => ({
    label: name,
    calls: [makeCall('Bash', { ...object, command })],
    cwd: toAbsolutePath(folder, cwd),
  }))
}

/**
 * Lists the texts of an object that may be run: by the names of their fields, else any where the tool is one that runs things,
 * else what may be typed or is a list of arguments.
 */
function listCommands(object: JsonObject, tool: string): string[] {
  const fields = listFields(object)
  const args = fields.flatMap(([name, value]) => (MEANS.args.test(name) ? [joinArguments(value)] : []))
  const named = fields.flatMap(([name, value]) => (MEANS.command.test(name) ? listCommandTexts(name, value) : []))
  const isOther = (name: string): boolean => !MEANS.folder.test(name) && !MEANS.args.test(name)
  const unnamed = TOOLS.runs.test(tool) ? listFieldTexts(object, isOther) : listTyped(object)
  const texts = [...(named.length > 0 ? named : unnamed), ...listCommandLines(object), ...listOfProgram(object, tool)]
  return [...new Set(texts.map((text) => [text, ...args].filter((part) => part !== '').join(' ')))]
}

/** Lists the texts that begin with a program and give it words, whatever their fields are called; prose may begin so too. */
function listCommandLines(object: JsonObject): string[] {
  const hasFile = listPaths(object).length > 0
  const isProse = (field: string): boolean => MEANS.words.test(field) || PROSE.test(field)
  const isMeant = (field: string): boolean => !isProse(field) && !(hasFile && MEANS.content.test(field))
  return listFieldTexts(object, isMeant).filter((text) => {
    const [, program, more] = /^\s*(?:\w+=\S*\s+)*([\w./+-]+)\s+(\S)/.exec(text) ?? []
    return program !== undefined && more !== undefined && isProgramName(program)
  })
}

/** Names of fields with a text for people. */
const PROSE = /description|reason|comment|note|title|explanation|summary|subject|label|question|answer|thought|query/

/** Reads a tool that is called like a program as that program, with all texts of its input as words. */
function listOfProgram(object: JsonObject, tool: string): string[] {
  if (!isProgramName(tool)) return []
  const words = listFieldTexts(object, (field) => !MEANS.args.test(field) && !MEANS.folder.test(field))
  return [[tool, ...words.map(toShellWord)].join(' ')]
}

/** Lists what is typed into a program or evaluated by one; where a file is named, code is what that is to hold. */
function listTyped(object: JsonObject): string[] {
  const typed = listPaths(object).length > 0 ? [] : listFieldTexts(object, (field) => MEANS.typed.test(field))
  const isList = listFields(object).some(([name, value]) => MEANS.args.test(name) && Array.isArray(value))
  return typed.length === 0 && isList ? [''] : typed
}

/** Commands in the value of a field: a text, the words of one, or several. */
function listCommandTexts(name: string, value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value]
  if (!Array.isArray(value) || value.length === 0) return []
  const words = value.filter((one) => typeof one !== 'object').map(String)
  return [words.map(toShellWord).join(' '), ...(name.endsWith('s') ? words : [])].filter((text) => text !== '')
}

function joinArguments(value: unknown): string {
  if (Array.isArray(value)) return value.map((one) => toShellWord(String(one))).join(' ')
  return typeof value === 'string' ? value : ''
}

const findFolder = (object: JsonObject): string | null =>
  listFieldTexts(object, (field) => MEANS.folder.test(field))[0] ?? null

const leadCommand = (folder: string | null, command: string): string =>
  folder === null ? command : `cd ${toShellWord(folder)} && ${command}`

const isOneLine = (text: string): boolean => !/\n/.test(text) && !/^https?:\/\//i.test(text)

/** Paths by the names of their fields. */
function listPaths(object: JsonObject): string[] {
  const isNamed = (field: string): boolean =>
    MEANS.path.test(field) && (!MEANS.content.test(field) || field === 'source')
  return listFieldTexts(object, isNamed).filter(isOneLine).map(readFileAddress)
}

/** Texts that look like paths, whatever their fields are called. */
function listLikely(object: JsonObject, cwd: string): string[] {
  const texts = listFieldTexts(object, (field) => !MEANS.command.test(field) && !MEANS.args.test(field)).filter(
    isOneLine,
  )
  return texts.map(readFileAddress).filter((text) => isLikePath(text, cwd) || isFileName(text) || isInFolder(text, cwd))
}

/** True for a text that may be the name of a file by its ending, or by the dot that it begins with. */
const isFileName = (text: string): boolean =>
  text.length < 256 && /^[^\s:]*(?:[^\s.:]\.|^\.|[/\\]\.)[a-z]\w{0,9}(?::\d+)*$/i.test(text)

/** True for the name of something in the folder. */
const isInFolder = (text: string, cwd: string): boolean =>
  text.length < 256 && !/[\s\0]/.test(text) && text !== '.' && existsSync(resolve(cwd, text))

/** The files that patches in an object name, in either of their two forms. */
function listPatchedFiles(object: JsonObject): string[] {
  const patches = listFieldTexts(object, () => true).filter((text) => text.includes('\n'))
  return patches.flatMap((text) => [...text.matchAll(PATCHED_FILE)].map(([, file = '', other = file]) => other.trim()))
}

const PATCHED_FILE =
  /^(?:(?:\+\+\+|---|rename (?:to|from)|copy to) (?:[ab]\/)?(?!\/dev\/null)(\S[^\t\n]*)|\*\*\* (?:(?:Add|Update|Delete) File|Move to): ?([^\n]+))/gm

function readFileAddress(text: string): string {
  try {
    return /^file:/i.test(text) ? fileURLToPath(text) : text
  } catch {
    return text // no address of a file here
  }
}

/** True for an object with a patch, or that says by the name of a field, or by a word in one, that something is changed. */
function isSayingChange(object: JsonObject): boolean {
  if (listPatchedFiles(object).length > 0) return true
  return listFields(object).some(
    ([field, value]) =>
      (TOOLS.changes.test(field) && value !== false) || (typeof value === 'string' && CHANGE_WORD.test(value)),
  )
}

const CHANGE_WORD = new RegExp(`^[\\w-]{0,16}(?:${TOOLS.changes.source})[\\w-]{0,16}$`, 'i')

interface Change {
  /** The name of the tool, in one case. */
  readonly tool: string
  readonly contents: readonly string[]
  readonly olds: readonly string[]
  readonly news: readonly string[]
}

/** Suggests changes of files, as the fields or the name of the tool say: those of one tool, then those of the other. */
function suggestChanges(
  object: JsonObject,
  paths: readonly string[],
  { tool, contents, olds, news }: Change,
): ShownCall[][] {
  const texts = [...new Set([...news, ...contents])]
  if (texts.length === 0 && !TOOLS.changes.test(tool) && !isSayingChange(object)) return []
  const pairs = paths.flatMap((file_path) => (texts.length === 0 ? [''] : texts).map((text) => ({ file_path, text })))
  const writes = pairs.map(({ file_path, text }) => makeCall('Write', { ...object, file_path, content: text }))
  const edits = pairs.map(({ file_path, text }) =>
    makeCall('Edit', { ...object, file_path, old_string: olds[0] ?? '', new_string: text, replace_all: false }),
  )
  return olds.length === 0 ? [writes, edits] : [edits, writes]
}
