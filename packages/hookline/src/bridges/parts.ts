import { isAbsolute, resolve } from 'node:path'
import { readText } from '../files/read.ts'
import type { Call, Json, Part, PartsName, RenamedTool, SplitTool, ToolRule } from './bridge.ts'
import { joinPatch, patchInCommand, splitPatch } from './patch.ts'

/** One call of a host as calls of Claude Code, and back. */
export interface Parts {
  /** Null for an input that cannot be read. */
  readonly split: (input: unknown, tool: HostTool) => Promise<readonly Part[] | null>
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

const SPLIT: Readonly<Record<PartsName, (rule: SplitTool) => Parts>> = {
  patch: ({ field }) => ({
    split: async (input, { cwd }) => {
      const text = textIn(input, field)
      return text === null ? null : splitPatch(text, cwd)
    },
    join: async (input, wanted, { cwd }) => {
      const text = textIn(input, field)
      const patch = text === null ? null : await joinPatch(text, wanted, cwd)
      return patch === null ? null : withText(input, field, patch)
    },
  }),
  // The host applies a patch that a command holds by itself: no other event tells of it.
  shellPatch: ({ field }) => ({
    split: async (input, { cwd }) => {
      const command = textIn(input, field)
      if (command === null || !isObject(input)) return null
      const whole: Part = { label: 'Bash', calls: [{ tool: 'Bash', input: { command } }] }
      const patch = patchInCommand(command)
      const files = patch === null ? [] : await splitPatch(patch, cwd)
      return files === null ? null : [whole, ...files]
    },
    join: async (input, wanted) => {
      const command = wanted[0]?.calls[0].input.command
      return wanted.length === 1 && typeof command === 'string' ? withText(input, field, command) : null
    },
  }),
  files: ({ field }) =>
    listOf(field, (file, cwd) => ({ tool: 'Read', input: { file_path: absolute(file, cwd) } }), 'file_path'),
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
}

/** One call for each entry of a list. */
function listOf(field: string | null, callOf: (entry: unknown, cwd: string) => Call, back: string): Parts {
  const entriesIn = (input: unknown): readonly unknown[] | null => {
    const entries = field !== null && isObject(input) ? input[field] : null
    return Array.isArray(entries) && entries.length > 0 ? entries : null
  }
  return {
    split: async (input, { cwd }) =>
      entriesIn(input)?.map((entry) => {
        const call = callOf(entry, cwd)
        return { label: labelOf(call), calls: [call] as const }
      }) ?? null,
    join: async (input, wanted) => {
      if (field === null || !isObject(input)) return null
      return { ...input, [field]: wanted.map(({ calls: [{ input: want }] }) => want[back]) }
    },
  }
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

/** Whether a value is an object of JSON. */
export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What a table holds under a word that the host chose: not what every object has. */
export function ownValue<Value>(table: Readonly<Record<string, Value>>, word: unknown): Value | undefined {
  return typeof word === 'string' && Object.hasOwn(table, word) ? table[word] : undefined
}
