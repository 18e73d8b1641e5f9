import { isAbsolute, resolve } from 'node:path'
import { readText } from '../files/read.ts'
import { isObject } from '../text/json.ts'
import type { Call, Json, Part, PartsName, RenamedTool, SplitTool, ToolRule } from './bridge.ts'
import { joinPatch, splitPatch } from './patch.ts'
import { readPatchCommand } from './patch-command.ts'

/** One call of a host as calls of Claude Code, and back. */
export interface Parts {
  /** Null for an input that cannot be read, or a sentence that says why. */
  readonly split: (input: unknown, tool: HostTool) => Promise<readonly Part[] | string | null>
  /** The input with the parts as they are wanted; null when that cannot be written. */
  readonly join: (input: unknown, wanted: readonly Part[], tool: HostTool) => Promise<unknown>
}

/** A tool of a host, and where it is called. */
export interface HostTool {
  readonly name: string
  readonly cwd: string
}

/** How calls of a tool are taken apart: by the first rule that fits, else as they are. */
export function partsFor(tools: readonly ToolRule[], name: string): Parts {
  const rule = tools.find(({ host }) => host === name)
  if (rule === undefined) return AS_IT_IS
  return 'parts' in rule ? SPLIT[rule.parts](rule) : renamed(rule)
}

const AS_IT_IS: Parts = {
  split: async (input, { name }) => (isObject(input) ? [{ label: name, calls: [{ tool: name, input }] }] : null),
  join: async (_, wanted) => wanted[0]?.calls[0].input ?? null,
}

/** Fields under their other names; what a host adds stays out of the way and is kept. */
function renamed(rule: RenamedTool): Parts {
  const { claude, input: names, rewrite } = rule
  return {
    split: async (input, { cwd }) => {
      if (!isObject(input)) return null
      const fields = Object.entries(names).flatMap(([ours, theirs]) => {
        const value = input[theirs]
        return value === undefined ? [] : [[ours, ours === 'file_path' ? absolute(value, cwd) : value]]
      })
      const call: Call = { tool: claude, input: withDefaults(claude, Object.fromEntries(fields)) }
      return [{ label: labelOf(call), calls: [call] }]
    },
    join: async (input, wanted, { cwd }) => {
      const want = wanted[0]?.calls[0].input
      if (rewrite === 'never' || want === undefined || !isObject(input)) return null
      const known = new Set(Object.keys(names))
      if (Object.keys(want).some((name) => !known.has(name) && !(name in (DEFAULTS[claude] ?? {})))) return null
      const kept = Object.entries(input).filter(([name]) => !Object.values(names).includes(name))
      const written = Object.entries(names).flatMap(([ours, theirs]) => {
        const value = want[ours]
        if (value === undefined) return []
        const same = ours === 'file_path' && value === absolute(input[theirs], cwd)
        return [[theirs, same ? input[theirs] : value]]
      })
      return Object.fromEntries([...kept, ...written])
    },
  }
}

/** Fields that Claude Code fills in. */
const DEFAULTS: Readonly<Record<string, Json>> = { Edit: { replace_all: false } }

const withDefaults = (tool: string, input: Json): Json => ({ ...input, ...missing(DEFAULTS[tool] ?? {}, input) })

const missing = (defaults: Json, input: Json): Json =>
  Object.fromEntries(Object.entries(defaults).filter(([name]) => !(name in input)))

const UNREADABLE_PATCH =
  'the patch cannot be read: write it from "*** Begin Patch" to "*** End Patch", with each file once, and nothing around a path'
const PATCH_AMONG_OTHERS =
  'a patch in a command can be read only where it is the whole command, after "cd FOLDER &&" at most: call apply_patch with it instead'

/** A patch over any number of files. */
function patched({ field }: SplitTool): Parts {
  return {
    split: async (input, { cwd }) => {
      const text = textIn(input, field)
      return text === null ? null : ((await splitPatch(text, cwd)) ?? UNREADABLE_PATCH)
    },
    join: async (input, wanted, { cwd }) => {
      const text = textIn(input, field)
      const patch = text === null ? null : await joinPatch(text, wanted, cwd)
      return patch === null ? null : withText(input, field, patch)
    },
  }
}

/** The fields of an edit where a tool of one name takes that or a patch. */
const EDIT: RenamedTool = {
  host: 'Edit',
  claude: 'Edit',
  input: { file_path: 'path', old_string: 'old_str', new_string: 'new_str' },
  rewrite: 'rename',
}

const SPLIT: Readonly<Record<PartsName, (rule: SplitTool) => Parts>> = {
  patch: patched,
  // Which of both it is depends on the model, and the name of the tool does not say it.
  patchOrEdit: (rule) => {
    const partsOf = (input: unknown): Parts => (typeof input === 'string' ? patched(rule) : renamed(EDIT))
    return {
      split: (input, tool) => partsOf(input).split(input, tool),
      join: (input, wanted, tool) => partsOf(input).join(input, wanted, tool),
    }
  },
  // The host applies a patch that a command holds by itself: no other event tells of it.
  shellPatch: ({ field }) => ({
    split: async (input, { cwd }) => {
      const command = textIn(input, field)
      if (command === null || !isObject(input)) return null
      const whole: Part = { label: 'Bash', calls: [{ tool: 'Bash', input: { command } }] }
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
  each: eachEntry,
  // A whole new content for a file that is there is an edit to those who look at edits.
  overwrite: () => ({
    split: async (input, { cwd }) => {
      if (!isObject(input)) return null
      const file = absolute(input.file_path, cwd)
      const write: Call = { tool: 'Write', input: { ...input, file_path: file } }
      const old = typeof file === 'string' ? await readText(file) : null
      if (old?.read !== 'text') return [{ label: labelOf(write), calls: [write] }]
      const change = { old_string: old.text, new_string: input.content ?? '', replace_all: false }
      const edit: Call = { tool: 'Edit', input: { file_path: file, ...change } }
      return [{ label: labelOf(write), calls: [write, edit] }]
    },
    join: async (input, wanted) => {
      const { file_path, content, ...more } = wanted[0]?.calls[0].input ?? {}
      const same = isObject(input) && content === input.content && Object.keys(more).length === 0
      return same ? { ...input, file_path } : null // of a changed content the host takes nothing
    },
  }),
  writeOrEdit: ({ input: names = {} }) => ({
    split: async (input, { cwd }) => (isObject(input) ? [writeOrEdit(input, names, cwd)] : null),
    join: async (input, wanted, { cwd }) => {
      const call = wanted[0]?.calls[0]
      if (call === undefined || !isObject(input)) return null
      const { replace_all: _, ...want } = call.input
      const written = Object.entries(want).map(([ours, value]) => [names[ours] ?? '', value])
      const isSame = absolute(input[names.file_path ?? ''], cwd) === want.file_path
      const path = isSame ? [[names.file_path, input[names.file_path ?? '']]] : []
      return { ...input, ...Object.fromEntries([...written, ...path]) }
    },
  }),
  edits: ({ field, input: names = {} }) => ({
    split: async (input, { cwd }) => {
      const edits = field !== null && isObject(input) ? input[field] : null
      if (!Array.isArray(edits) || edits.length === 0 || !edits.every(isObject)) return null
      return edits.map((edit) => writeOrEdit({ ...(input as Json), ...edit }, names, cwd)) // it holds the list
    },
    join: async () => null, // no host that has it takes a changed input
  }),
}

/** A text for a file: in place of another, or as its whole content, where a hook sees it as what it asks for. */
function writeOrEdit(input: Json, names: Readonly<Record<string, string>>, cwd: string): Part {
  const at = (name: string): unknown => input[names[name] ?? '']
  const file_path = absolute(at('file_path'), cwd)
  const [old, text] = [at('old_string'), at('content') ?? at('new_string') ?? '']
  const edit: Call = {
    tool: 'Edit',
    input: { file_path, old_string: old ?? '', new_string: at('new_string') ?? text, replace_all: false },
  }
  if (old !== undefined && old !== null && old !== '') return { label: labelOf(edit), calls: [edit] }
  const write: Call = { tool: 'Write', input: { file_path, content: text } }
  return { label: labelOf(write), calls: [write, edit] }
}

/** One call for each entry of a list: a text, or an object that has it in a field. */
function eachEntry({ field, as }: SplitTool): Parts {
  if (field === null || as === undefined) throw new TypeError('a list is in a field, and is shown as a tool')
  const callOf = (text: unknown, cwd: string): Call => ({
    tool: as.tool,
    input: { [as.field]: as.field === 'file_path' ? absolute(text, cwd) : text },
  })
  return {
    split: async (input, { cwd }) => {
      const entries = isObject(input) ? input[field] : null
      if (!Array.isArray(entries) || entries.length === 0) return null
      const texts = entries.map((entry) => textFieldOf(entry)?.text)
      if (texts.includes(undefined)) return null
      return texts.map((text) => {
        const call = callOf(text, cwd)
        return { label: labelOf(call), calls: [call] as const }
      })
    },
    join: async (input, wanted, { cwd }) => {
      const entries = isObject(input) ? input[field] : null
      if (!isObject(input) || !Array.isArray(entries) || entries.length !== wanted.length) return null
      const now = wanted.map(({ calls: [{ input: want }] }, index) => {
        const { name = null, text } = textFieldOf(entries[index]) ?? {}
        const isSame = callOf(text, cwd).input[as.field] === want[as.field]
        const value = isSame ? text : want[as.field]
        return name === null ? value : { ...entries[index], [name]: value }
      })
      return { ...input, [field]: now }
    },
  }
}

const TEXT_FIELDS = ['path', 'command', 'url', 'query']

function textFieldOf(entry: unknown): { readonly name: string | null; readonly text: string } | null {
  if (typeof entry === 'string') return { name: null, text: entry }
  if (!isObject(entry)) return null
  for (const name of TEXT_FIELDS) {
    const text = entry[name]
    if (typeof text === 'string') return { name, text }
  }
  return null
}

/** What a refusal calls a part. */
function labelOf({ tool, input }: Call): string {
  const told = input.file_path ?? input.command
  return typeof told === 'string' ? told : tool
}

function textIn(input: unknown, field: string | null): string | null {
  const text = field === null || !isObject(input) ? input : input[field]
  return typeof text === 'string' ? text : null
}

function withText(input: unknown, field: string | null, text: string): unknown {
  return field === null || !isObject(input) ? text : { ...input, [field]: text }
}

/** A path as hooks expect it: absolute, without `..`; links stay as they are. */
function absolute(path: unknown, cwd: string): unknown {
  if (typeof path !== 'string' || path === '') return path
  return isAbsolute(path) ? resolve(path) : resolve(cwd, path)
}

/** What a table holds under a word that the host chose: not what every object has. */
export function ownValue<Value>(table: Readonly<Record<string, Value>>, word: unknown): Value | undefined {
  return typeof word === 'string' && Object.hasOwn(table, word) ? table[word] : undefined
}

/** The ways to split a call that tables may name. */
export const PARTS_NAMES = Object.keys(SPLIT)
