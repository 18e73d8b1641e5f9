import { isObject } from '../text/json.ts'
import { toShellWord } from '../text/quote.ts'
import type { CallPart, JsonObject, ShownCall } from './bridge.ts'
import { isLikePath } from './fields.ts'
import { toAbsolutePath } from './folder.ts'

/** A tool that no table names, as it is called. */
interface UnlistedCall {
  readonly name: string
  readonly input: JsonObject
  readonly cwd: string
}

/**
 * A call of a tool that no table names: under its own name, and as every tool of Claude Code that its input suggests. A hook
 * sees the first that it matches; objects inside of the input are parts of their own.
 */
export function readUnlisted({ name, input, cwd }: UnlistedCall): [CallPart, ...CallPart[]] {
  const objects = listObjects(input)
  const [first = [], ...others] = objects.map((object) => suggestCalls(object, name, cwd))
  return [
    { label: name, calls: [{ tool: name, input }, ...first] },
    ...others.flatMap(([call, ...more]): CallPart[] =>
      call === undefined ? [] : [{ label: name, calls: [call, ...more] }],
    ),
    ...objects.flatMap((object) => makeCommandElsewhere(object, name, cwd)),
  ]
}

/** A command with a folder as it runs there; with the folder in its text it is among the other readings. */
function makeCommandElsewhere(object: JsonObject, label: string, cwd: string): CallPart[] {
  const [command, folder] = [findCommand(object), findFolder(object)]
  if (command === null || folder === null) return []
  return [{ label, calls: [{ tool: 'Bash', input: { ...object, command } }], cwd: toAbsolutePath(folder, cwd) }]
}

/** Objects in an input, the input first; a list of strings in a field is one object for each string. */
function listObjects(input: JsonObject): JsonObject[] {
  const found: JsonObject[] = []
  const visit = (value: unknown, depth: number): void => {
    if (found.length >= MAX_OBJECTS || depth > MAX_DEPTH) return
    if (Array.isArray(value)) for (const one of value) visit(one, depth + 1)
    if (!isObject(value)) return
    found.push(...spread(value))
    for (const one of Object.values(value)) if (typeof one === 'object') visit(one, depth + 1)
  }
  visit(input, 0)
  return found.slice(0, MAX_OBJECTS)
}

const MAX_OBJECTS = 64
const MAX_DEPTH = 6

/** The same object with each string of its lists alone; words of a command stay together. */
function spread(object: JsonObject): JsonObject[] {
  const lists = Object.entries(object).filter(
    ([name, value]) => isStrings(value) && value.length > 1 && !MEANS.command.test(toPlainName(name)),
  )
  const single = Object.fromEntries(
    Object.entries(object).map(([name, value]) => [name, isStrings(value) && !isWords(name) ? value[0] : value]),
  )
  const more = lists.flatMap(
    ([name, value]) => (value as string[]).slice(1).map((one) => ({ ...single, [name]: one })), // filtered above
  )
  return [single, ...more]
}

const isStrings = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string')

const isWords = (name: string): boolean => MEANS.command.test(toPlainName(name)) || MEANS.args.test(toPlainName(name))

/** Meanings of the names of fields, in one case and without separators. */
const MEANS = {
  command: /command|cmd|script|shell|bash|exec/,
  args: /^(?:args|argv|arguments|parameters|params)$/,
  folder: /cwd|^dir$|workdir|workingdir|directory|folder/,
  path: /path|file|notebook/,
  content: /content|text|data|body|code|source|lines|value/,
  old: /^old|^search|^find|^from|before|target/,
  now: /^new|replace|^to$|after/,
  pattern: /pattern|query|regex|search|grep|glob/,
  url: /url|uri|link|href/,
  words: /prompt|task|message|instruction|objective|goal/,
} as const

type Meaning = keyof typeof MEANS

const toPlainName = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

/** Calls of Claude Code that an object suggests, each tool once. */
function suggestCalls(object: JsonObject, name: string, cwd: string): ShownCall[] {
  const find = (meaning: Meaning): string | null => {
    const found = Object.entries(object).find(
      ([field, value]) => typeof value === 'string' && MEANS[meaning].test(toPlainName(field)),
    )
    return found === undefined ? null : String(found[1])
  }
  const tool = toPlainName(name)
  const command = findCommand(object)
  const path = findPath(object, cwd)
  const [content, old, now, pattern] = [find('content'), find('old'), find('now'), find('pattern')]
  const url =
    find('url') ?? Object.values(object).find((value) => typeof value === 'string' && /^https?:\/\//i.test(value))
  const calls: (ShownCall | null)[] = [
    command === null ? null : { tool: 'Bash', input: { ...object, command: withFolder(command, findFolder(object)) } },
    ...(path === null ? [] : suggestChanges(object, path, { tool, content, old, now })),
    path === null ? null : { tool: 'Read', input: { ...object, file_path: path } },
    pattern === null ? null : { tool: 'Grep', input: { ...object, pattern, ...(path === null ? {} : { path }) } },
    pattern === null ? null : { tool: 'Glob', input: { ...object, pattern, ...(path === null ? {} : { path }) } },
    typeof url === 'string' ? { tool: 'WebFetch', input: { ...object, url } } : null,
    pattern !== null && /web|internet|online/.test(tool)
      ? { tool: 'WebSearch', input: { ...object, query: pattern } }
      : null,
    find('words') !== null && /agent|task|delegate|spawn/.test(tool)
      ? { tool: 'Agent', input: { ...object, prompt: find('words') } }
      : null,
  ]
  return calls.filter((call) => call !== null)
}

/** The words of a command, its arguments behind it; null: nothing in an object is one. */
function findCommand(object: JsonObject): string | null {
  const isOne = (value: unknown): boolean => (typeof value === 'string' && value !== '') || isStrings(value)
  const found = Object.entries(object).find(([field, value]) => MEANS.command.test(toPlainName(field)) && isOne(value))
  if (found === undefined) return null
  const args = Object.entries(object).find(([field, value]) => MEANS.args.test(toPlainName(field)) && isStrings(value))
  const words = isStrings(found[1]) ? found[1].map(toShellWord) : [String(found[1])]
  return [...words, ...(args === undefined ? [] : (args[1] as string[]).map(toShellWord))].join(' ') // looked at above
}

function findFolder(object: JsonObject): string | null {
  const found = Object.entries(object).find(([field, value]) => MEANS.folder.test(toPlainName(field)) && value !== '')
  return typeof found?.[1] === 'string' ? found[1] : null
}

const withFolder = (command: string, folder: string | null): string =>
  folder === null ? command : `cd ${toShellWord(folder)} && ${command}`

/** A path by the name of its field, or by what it looks like. */
function findPath(object: JsonObject, cwd: string): string | null {
  const texts = Object.entries(object).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '',
  )
  const named = texts.find(
    ([field, value]) =>
      MEANS.path.test(toPlainName(field)) && !MEANS.content.test(toPlainName(field)) && !/\n/.test(value),
  )
  const found = named ?? texts.find(([field, value]) => !isWords(field) && isLikePath(value, cwd))
  return found === undefined ? null : toAbsolutePath(found[1], cwd)
}

interface Change {
  /** The name of the tool, in one case. */
  readonly tool: string
  readonly content: string | null
  readonly old: string | null
  readonly now: string | null
}

/** Names of tools that change files, in one case. */
const CHANGES = /write|create|save|append|insert|edit|replace|update|patch|delete|remove|unlink|move|rename|copy/

/** A file that is changed, as the fields or the name of the tool say. */
function suggestChanges(object: JsonObject, file_path: string, { tool, content, old, now }: Change): ShownCall[] {
  const text = now ?? content
  if (text === null && !CHANGES.test(tool)) return []
  const write: ShownCall = { tool: 'Write', input: { ...object, file_path, content: content ?? now ?? '' } }
  const change = { old_string: old ?? '', new_string: text ?? '', replace_all: false }
  const edit: ShownCall = { tool: 'Edit', input: { ...object, file_path, ...change } }
  return old === null ? [write, edit] : [edit, write]
}
