import { resolve } from 'node:path'
import { readText } from '../../files/read.ts'
import { isObject } from '../../text/json.ts'
import { toShellWord } from '../../text/quote.ts'
import type { CallPart, JsonObject, PartsName, RenamedTool, ShownCall, SplitTool, ToolRule } from '../bridge.ts'
import { INERT, isAbsent, isGuardedField } from './fields.ts'
import { isTwin, joinFolders, showFolders, toAbsolutePath } from './folder.ts'
import { joinPatch, makeDeletion, splitPatch } from './patch.ts'
import { readPatchCommand } from './patch-command.ts'

/** One call of a host as calls of Claude Code, and back. */
export interface Parts {
  /** Null for an input that cannot be read, or a sentence that says why. */
  readonly split: (input: unknown, tool: HostTool) => Promise<readonly CallPart[] | string | null>
  /** The input with the parts as they are wanted; null when that cannot be written. */
  readonly join: (input: unknown, wanted: readonly CallPart[], tool: HostTool) => Promise<unknown>
}

/** A tool of a host, and where it is called. */
export interface HostTool {
  readonly name: string
  readonly cwd: string
  /** The folder that the session began in. */
  readonly base: string
}

/** Chooses how calls of a tool are taken apart: by the first rule that fits, else as they are. */
export function chooseParts(tools: readonly ToolRule[], name: string): Parts {
  const rule = findToolRow(tools, name)
  if (rule === undefined) return isOfServer(name) ? AS_IT_IS : UNLISTED
  return withFolders('parts' in rule ? SPLIT[rule.parts](rule, tools) : makeRenamedParts(rule), rule)
}

/** The row of a tool in the table of an agent. */
export function findToolRow(tools: readonly ToolRule[], name: unknown): ToolRule | undefined {
  for (const row of tools) if (row.host === name) return row
  return undefined
}

/** True for the name of a tool of an MCP server, as hooks know it. */
export const isOfServer = (tool: string): boolean => tool.startsWith('mcp__')

/** Commands that run elsewhere than the session are shown with their folder, which a host names in a field or in the event. */
function withFolders(parts: Parts, { folder }: ToolRule): Parts {
  const split: Parts['split'] = async (input, tool) => {
    const own = await parts.split(input, tool)
    if (own === null || typeof own === 'string') return own
    const named = folder === undefined || !isObject(input) ? null : input[folder]
    const { cwd, base } = tool
    return showFolders(own, { named: typeof named === 'string' && named !== '' ? named : null, cwd, base })
  }
  return {
    split,
    join: async (input, wanted, tool) => {
      const now = await split(input, tool)
      const own = now === null || typeof now === 'string' ? null : joinFolders(now, wanted)
      return own === null ? null : parts.join(input, own, tool)
    },
  }
}

/**
 * True where an input comes out of the map as hooks want it. Fields that say nothing to guards may stay although a hook left
 * them out, and the twin of a changed command changes with it.
 */
export function isAsWanted(
  back: readonly CallPart[],
  wanted: readonly CallPart[],
  isChanged: (index: number) => boolean,
): boolean {
  return (
    back.length === wanted.length &&
    wanted.every((part, index) => {
      const [now, want] = [back[index]?.calls[0].input ?? {}, part.calls[0].input]
      if (isTwin(part) && !isChanged(index)) return true
      const extra = Object.keys(now).filter((name) => !(name in want))
      const isSame = Object.entries(want).every(([name, value]) => JSON.stringify(now[name]) === JSON.stringify(value))
      return isSame && extra.every((name) => INERT.has(name) || !isGuardedField(part.calls[0].tool, name))
    })
  )
}

/** A tool of an MCP server is what it is in Claude Code too. */
const AS_IT_IS: Parts = {
  split: async (input, { name }) => (isObject(input) ? [{ label: name, calls: [{ tool: name, input }] }] : null),
  join: async (_, wanted) => wanted[0]?.calls[0].input ?? null,
}

/** A tool that no table names. A patch anywhere in its input is one. */
const UNLISTED: Parts = {
  split: async (input, { name, cwd }) => {
    if (!isObject(input)) return null
    const { readUnlisted } = await import('./readings.ts') // few calls need it
    const parts: CallPart[] | string = readUnlisted({ name, input, cwd })
    if (typeof parts === 'string') return parts
    for (const text of findPatches(input)) {
      const files = await splitPatch(text, cwd)
      if (files === null) return UNREADABLE_PATCH
      parts.push(...files)
    }
    return parts
  },
  join: async (input, wanted) => {
    const want = wanted[0]?.calls[0].input
    if (want === undefined || !isObject(input)) return null
    return Object.keys(input).every((name) => name in want) ? want : null // else it is the input of another reading
  },
}

function findPatches(value: unknown): string[] {
  if (typeof value === 'string') return value.includes('*** Begin Patch') ? [value] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(findPatches) : []
}

/** Fields under their other names; what a host adds stays under its own. */
function makeRenamedParts(rule: RenamedTool): Parts {
  const { input: names, rewrite, list, constant = {} } = rule
  const [claude, ...others] = [rule.claude].flat() as [string, ...string[]] // the type says that there is one
  const makeCalls = (input: JsonObject, cwd: string): CallPart['calls'] => {
    const fields = { ...constant, ...mapFields(names, input, cwd) }
    const all = { ...fields, ...pickOwnFields(input, { mapped: names, taken: fields, folder: rule.folder }) }
    return [
      { tool: claude, input: withDefaults(claude, all) },
      ...others.map((tool) => ({ tool, input: withDefaults(tool, all) })),
    ]
  }
  return {
    split: async (input, { cwd }) => {
      if (!isObject(input)) return null
      const entries = list === undefined ? undefined : input[list]
      const inputs =
        list === undefined || !Array.isArray(entries) ? [input] : entries.map((one) => ({ ...input, [list]: one }))
      return inputs.map((one) => {
        const calls = makeCalls(one, cwd)
        return { label: labelCall(calls[0]), calls }
      })
    },
    join: async (input, wanted, { cwd }) => {
      const want = wanted[0]?.calls[0].input
      if (rewrite === 'never' || want === undefined || wanted.length > 1 || !isObject(input)) return null
      const now = makeCalls(input, cwd)[0].input
      const extra = Object.keys(want).filter((name) => !(name in names) && !(name in now) && !(name in constant))
      if (extra.some((name) => !Object.hasOwn(DEFAULTS[claude] ?? {}, name))) return null
      const theirs = Object.values(names)
      const kept = Object.entries(input).filter(([name]) => !theirs.includes(name))
      const written = Object.entries(names).flatMap(([ours, field]) => {
        const value = ours in want || !INERT.has(ours) ? want[ours] : now[ours]
        if (value === undefined) return []
        return [[field, JSON.stringify(value) === JSON.stringify(now[ours]) ? input[field] : value]]
      })
      const changed = kept.map(([name, value]) => [name, name in want && !(name in names) ? want[name] : value])
      return Object.fromEntries([...changed, ...written])
    },
  }
}

/** The fields of an input under the names of Claude Code; paths of files are absolute. */
function mapFields(names: Readonly<Record<string, string>>, input: JsonObject, cwd: string): JsonObject {
  const found = Object.entries(names).flatMap(([ours, theirs]) => {
    const value = input[theirs]
    return isAbsent(value) ? [] : [[ours, FILES.has(ours) ? toAbsoluteOrSame(value, cwd) : value]]
  })
  return Object.fromEntries(found)
}

const FILES: ReadonlySet<string> = new Set(['file_path', 'notebook_path'])

interface Mapping {
  readonly mapped: Readonly<Record<string, string>>
  /** Fields of Claude Code that have a value. */
  readonly taken: JsonObject
  readonly folder?: string | undefined
}

/** The fields of an input that are not mapped, under their own names, or another where Claude Code means something else by it. */
function pickOwnFields(input: JsonObject, { mapped, taken, folder }: Mapping): JsonObject {
  const theirs = new Set([...Object.values(mapped), ...(folder === undefined ? [] : [folder])])
  const left = Object.entries(input).filter(([name, value]) => !theirs.has(name) && value !== undefined)
  return Object.fromEntries(
    left.map(([name, value]) => [name in taken || name in mapped ? `host_${name}` : name, value]),
  )
}

/** Fields that Claude Code fills in. */
const DEFAULTS: Readonly<Record<string, JsonObject>> = { Edit: { replace_all: false } }

const withDefaults = (tool: string, input: JsonObject): JsonObject => ({
  ...input,
  ...listMissingDefaults(DEFAULTS[tool] ?? {}, input),
})

const listMissingDefaults = (defaults: JsonObject, input: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(defaults).filter(([name]) => !(name in input)))

const UNREADABLE_PATCH =
  'the patch cannot be read: write it from "*** Begin Patch" to "*** End Patch", with each file once, and nothing around a path'
const PATCH_AMONG_OTHERS =
  'a patch in a command can be read only where it is the whole command, after "cd FOLDER &&" at most: call apply_patch with it instead'

/** A patch over any number of files. */
function makePatchParts({ field }: SplitTool): Parts {
  return {
    split: async (input, { cwd }) => {
      const text = readInputText(input, field)
      const parts = text === null ? null : await splitPatch(text, cwd)
      if (text === null || parts === null) return text && UNREADABLE_PATCH
      return parts.map((part) => addFields(part, omitSplitField(input, field)))
    },
    join: async (input, wanted, { cwd }) => {
      const text = readInputText(input, field)
      const own = wanted.map((part) => omitPartFields(part, omitSplitField(input, field)))
      const patch = text === null ? null : await joinPatch(text, own, cwd)
      return patch === null ? null : withText(input, field, patch)
    },
  }
}

/** The fields of an input beside the one that is split. */
function omitSplitField(input: unknown, field: string | null): JsonObject {
  if (field === null || !isObject(input)) return {}
  const { [field]: _, ...more } = input
  return more
}

const mapInputs = (part: CallPart, change: (input: JsonObject) => JsonObject): CallPart => {
  const [first, ...others] = part.calls.map((call) => ({ ...call, input: change(call.input) }))
  return first === undefined ? part : { ...part, calls: [first, ...others] }
}

const addFields = (part: CallPart, more: JsonObject): CallPart => mapInputs(part, (input) => ({ ...more, ...input }))

const omitPartFields = (part: CallPart, more: JsonObject): CallPart =>
  mapInputs(part, (input) => Object.fromEntries(Object.entries(input).filter(([name]) => !(name in more))))

/** The fields of an edit where a tool of one name takes that or a patch. */
const EDIT: RenamedTool = {
  host: 'Edit',
  claude: 'Edit',
  input: { file_path: 'path', old_string: 'old_str', new_string: 'new_str' },
  rewrite: 'rename',
}

const SPLIT: Readonly<Record<PartsName, (rule: SplitTool, tools: readonly ToolRule[]) => Parts>> = {
  patch: makePatchParts,
  // chosen by the input: which of both it is depends on the model, and the name of the tool does not say it.
  patchOrEdit: (rule) => {
    const makeInnerParts = (input: unknown): Parts =>
      typeof input === 'string' ? makePatchParts(rule) : makeRenamedParts(EDIT)
    return {
      split: (input, tool) => makeInnerParts(input).split(input, tool),
      join: (input, wanted, tool) => makeInnerParts(input).join(input, wanted, tool),
    }
  },
  // The host applies a patch that a command holds by itself: no other event tells of it.
  shellPatch: ({ field }) => ({
    split: async (input, { cwd }) => {
      const command = readInputText(input, field)
      if (command === null || !isObject(input)) return null
      const whole: CallPart = { label: 'Bash', calls: [{ tool: 'Bash', input: { ...input, command } }] }
      const patch = readPatchCommand(command)
      if (patch.kind !== 'patch') return patch.kind === 'none' ? [whole] : PATCH_AMONG_OTHERS
      const files = await splitPatch(patch.text, resolve(cwd, patch.folder))
      return files === null ? UNREADABLE_PATCH : [whole, ...files]
    },
    join: async (input, wanted) => {
      const command = wanted[0]?.calls[0].input.command
      return wanted.length === 1 && typeof command === 'string' ? withText(input, field, command) : null
    },
  }),
  each: makeEntryParts,
  // A whole new content for a file that is there is an edit to those who look at edits.
  overwrite: () => ({
    split: async (input, { cwd }) => {
      if (!isObject(input)) return null
      const file = toAbsoluteOrSame(input.file_path, cwd)
      const write: ShownCall = { tool: 'Write', input: { ...input, file_path: file } }
      const old = typeof file === 'string' ? await readText(file) : null
      if (old?.read !== 'text') return [{ label: labelCall(write), calls: [write] }]
      const { content = '', ...more } = input
      const change = { old_string: old.text, new_string: content, replace_all: false }
      const edit: ShownCall = { tool: 'Edit', input: { ...more, file_path: file, ...change } }
      return [{ label: labelCall(write), calls: [write, edit] }]
    },
    join: async (input, wanted) => {
      const { file_path, content, ...more } = wanted[0]?.calls[0].input ?? {}
      if (!isObject(input) || content !== input.content) return null // of a changed content the host takes nothing
      return Object.entries(more).every(([name, value]) => input[name] === value) ? { ...input, file_path } : null
    },
  }),
  writeOrEdit: ({ input: names = {} }) => ({
    split: async (input, { cwd }) => {
      const part = isObject(input) ? writeOrEdit(input, names, cwd) : null
      return part === null || typeof part === 'string' ? part : [part]
    },
    join: async (input, wanted, { cwd }) => {
      const call = wanted[0]?.calls[0]
      if (call === undefined || !isObject(input)) return null
      const { replace_all: _, ...want } = call.input
      const written = Object.entries(want).map(([ours, value]) => [names[ours] ?? ours, value])
      const isSame = toAbsoluteOrSame(input[names.file_path ?? ''], cwd) === want.file_path
      const path = isSame ? [[names.file_path, input[names.file_path ?? '']]] : []
      return { ...input, ...Object.fromEntries([...written, ...path]) }
    },
  }),
  edits: ({ field, input: names = {} }) => ({
    split: async (input, { cwd }) => {
      const edits = field !== null && isObject(input) ? input[field] : null
      if (!isObject(input) || field === null || !Array.isArray(edits)) return null
      if (edits.length === 0 || !edits.every(isObject)) return null
      const { [field]: _, ...more } = input
      const parts = edits.map((edit) => writeOrEdit({ ...more, ...edit }, names, cwd))
      return parts.find((part) => typeof part === 'string') ?? parts.filter((part) => typeof part !== 'string')
    },
    join: async () => null, // no host that has it takes a changed input
  }),
  deletion: () => ({
    split: async (input, { cwd }) => {
      const file = isObject(input) ? toAbsoluteOrSame(input.file_path, cwd) : null
      return typeof file === 'string' && file !== '' ? [await makeDeletion(file, file)] : null
    },
    join: async () => null,
  }),
  // A tool that calls another one: the inner call is what is done.
  inner: (_, tools) => {
    const readInnerCall = (input: unknown): { name: string; arguments: unknown } | null =>
      isObject(input) && typeof input.name === 'string' ? { name: input.name, arguments: input.arguments ?? {} } : null
    return {
      split: async (input, tool) => {
        const inner = readInnerCall(input)
        return inner && chooseParts(tools, inner.name).split(inner.arguments, { ...tool, name: inner.name })
      },
      join: async (input, wanted, tool) => {
        const inner = readInnerCall(input)
        if (inner === null || !isObject(input)) return null
        const { name } = inner
        const now = await chooseParts(tools, name).join(inner.arguments, wanted, { ...tool, name })
        return now === null ? null : { ...input, arguments: now }
      },
    }
  },
}

/** A text for a file: in place of another, or as its whole content, where a hook sees it as what it asks for. */
function writeOrEdit(input: JsonObject, names: Readonly<Record<string, string>>, cwd: string): CallPart | string {
  const readOwnField = (name: string): unknown => input[names[name] ?? '']
  const file_path = toAbsoluteOrSame(readOwnField('file_path'), cwd)
  if (typeof file_path !== 'string' || file_path === '') return 'it names no file'
  const [old, text] = [readOwnField('old_string') ?? '', readOwnField('content') ?? readOwnField('new_string') ?? '']
  const replaces = old !== ''
  const isBoth = replaces && names.content !== names.new_string && (readOwnField('content') ?? '') !== ''
  if (isBoth) return `it has a whole content and a replacement for ${file_path}, and only one of both is made`
  const more = pickOwnFields(input, { mapped: names, taken: {} })
  const replace_all = readOwnField('replace_all') ?? false
  const edit: ShownCall = {
    tool: 'Edit',
    input: { ...more, file_path, old_string: old, new_string: readOwnField('new_string') ?? text, replace_all },
  }
  if (replaces) return { label: labelCall(edit), calls: [edit] }
  const unused =
    names.content !== names.new_string && !isAbsent(readOwnField('new_string')) && !isAbsent(readOwnField('content'))
  const write: ShownCall = {
    tool: 'Write',
    input: {
      ...more,
      file_path,
      content: text,
      ...(unused ? { [names.new_string ?? '']: readOwnField('new_string') } : {}),
    },
  }
  return { label: labelCall(write), calls: [write, edit] }
}

/** One call for each entry of a list: a string, or an object that has it in a field. One that is alone may be without a list. */
function makeEntryParts({ field, as, input: names, optional = [], folder }: SplitTool): Parts {
  if (field === null || as === undefined) throw new TypeError('a list is in a field, and is shown as a tool')
  const { args, ...mapped } = names ?? { [as.field]: as.field }
  const makeEntryCall = (entry: unknown, input: JsonObject, cwd: string): ShownCall | null => {
    const { [field]: _, ...rest } = input
    const own = isObject(entry) ? entry : { [mapped[as.field] ?? as.field]: entry }
    const fields = mapFields(mapped, own, cwd)
    if (typeof fields[as.field] !== 'string') return null
    const words = args === undefined ? [] : (own[args] ?? [])
    if (!Array.isArray(words) || !words.every((word) => typeof word === 'string')) return null
    const text = [fields[as.field], ...words.map(toShellWord)].join(' ')
    const hidden = { ...mapped, ...(args === undefined ? {} : { args }) }
    const more = {
      ...pickOwnFields(rest, { mapped: {}, taken: fields, folder }),
      ...pickOwnFields(own, { mapped: hidden, taken: fields }),
    }
    return { tool: as.tool, input: withDefaults(as.tool, { ...more, ...fields, [as.field]: text }) }
  }
  const listEntries = (input: JsonObject): readonly unknown[] =>
    Array.isArray(input[field]) ? input[field] : [input[field]]
  return {
    split: async (input, { cwd }) => {
      if (!isObject(input)) return null
      if (isAbsent(input[field]) && optional.includes(field))
        return [
          {
            label: as.tool,
            calls: [{ tool: as.tool, input: pickOwnFields(input, { mapped: {}, taken: {}, folder }) }],
          },
        ]
      const calls = listEntries(input).map((entry) => makeEntryCall(entry, input, cwd))
      if (calls.length === 0 || calls.includes(null)) return null
      return calls.flatMap((call) => (call === null ? [] : [{ label: labelCall(call), calls: [call] as const }]))
    },
    join: async (input, wanted, { cwd }) => {
      if (!isObject(input) || isAbsent(input[field]) || listEntries(input).length !== wanted.length) return null
      const now = wanted.map(({ calls: [{ input: want }] }, index) => {
        const entry = listEntries(input)[index]
        const own = makeEntryCall(entry, input, cwd)?.input ?? {}
        if (own[as.field] === want[as.field]) return entry
        if (isObject(entry) && args !== undefined && !isAbsent(entry[args])) return null // the words are not the hook's
        return isObject(entry) ? { ...entry, [mapped[as.field] ?? as.field]: want[as.field] } : want[as.field]
      })
      if (now.includes(null)) return null
      return { ...input, [field]: Array.isArray(input[field]) ? now : now[0] }
    },
  }
}

/** Names a part in a refusal. */
function labelCall({ tool, input }: ShownCall): string {
  const told = input.file_path ?? input.command
  return typeof told === 'string' ? told : tool
}

function readInputText(input: unknown, field: string | null): string | null {
  const text = field === null || !isObject(input) ? input : input[field]
  return typeof text === 'string' ? text : null
}

function withText(input: unknown, field: string | null, text: string): unknown {
  return field === null || !isObject(input) ? text : { ...input, [field]: text }
}

const toAbsoluteOrSame = (path: unknown, cwd: string): unknown =>
  typeof path === 'string' && path !== '' ? toAbsolutePath(path, cwd) : path

/** Reads what a table holds under a word that the host chose: not what every object has. */
export function readOwnValue<Value>(table: Readonly<Record<string, Value>>, word: unknown): Value | undefined {
  return typeof word === 'string' && Object.hasOwn(table, word) ? table[word] : undefined
}

/** The ways to split a call that tables may name. */
export const PARTS_NAMES = Object.keys(SPLIT)
