import { existsSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import { isObject } from '../../text/json.ts'
import type { FieldType, ToolRule } from '../bridge.ts'

/** Fields that tools of Claude Code need; all are strings. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  Bash: ['command'],
  Monitor: ['command'],
  Write: ['file_path', 'content'],
  Edit: ['file_path', 'old_string', 'new_string'],
  Read: ['file_path'],
  NotebookEdit: ['notebook_path'],
  Grep: ['pattern'],
  Glob: ['pattern'],
  WebFetch: ['url'],
  WebSearch: ['query'],
  Agent: ['prompt'],
  Skill: ['skill'],
}

/** Fields of Claude Code that are strings wherever they occur. */
const STRINGS: ReadonlySet<string> = new Set([...Object.values(NEEDED).flat(), 'path', 'glob'])

/** Fields of Claude Code that say nothing to guards: a hook that leaves them out of a changed input leaves them as they are. */
export const INERT: ReadonlySet<string> = new Set(['description', 'timeout', 'run_in_background'])

/** Parts of names of fields that may move or replace what is done. */
const MOVING = /cwd|dir|folder|path|root|command|cmd|script|args|env|shell|host|stdin/

/** A field that a row does not name, and why it matters. */
export interface UnknownField {
  readonly field: string
  /** The field may move or replace what is done. */
  readonly moves: boolean
}

/** Reason why an input cannot be shown as what its row says: a field that is needed is missing, or is of another type; null: it can. */
export function findMisfit(rule: ToolRule, input: unknown): string | null {
  if (typeof input === 'string' && 'parts' in rule && rule.field === null) return null // the text is what is split
  if (!isObject(input)) return `the input of ${rule.host} is not an object`
  for (const [field, type] of Object.entries(listRequiredFields(rule))) {
    if (isAbsent(input[field])) return `${rule.host} is called without "${field}", which must be ${TYPE_NAMES[type]}`
    if (!isOfType(input[field], type) && !isExpectedList(rule, field, input[field]))
      return describeMisfit(rule, field, type)
  }
  for (const [ours, theirs] of isPerEntry(rule) ? [] : Object.entries(rule.input ?? {})) {
    const value = STRINGS.has(ours) ? input[theirs] : undefined
    if (!isAbsent(value) && typeof value !== 'string' && !isExpectedList(rule, theirs, value))
      return describeMisfit(rule, theirs, 'string')
  }
  const { folder } = rule
  return folder !== undefined && !isAbsent(input[folder]) && typeof input[folder] !== 'string'
    ? describeMisfit(rule, folder, 'string')
    : null
}

/** The fields of an input, and of the entries of a list that is split, that the row of the tool does not name. */
export function findUnknownFields(rule: ToolRule, input: unknown, cwd: string): UnknownField[] {
  if (!isObject(input)) return []
  const known = new Set(listRowFields(rule))
  const entries = 'parts' in rule && isPerEntry(rule) && rule.field !== null ? [input[rule.field]].flat() : []
  const unknown: UnknownField[] = []
  for (const one of [input, ...entries.filter(isObject)]) {
    for (const [field, value] of Object.entries(one)) {
      if (known.has(field) || isAbsent(value)) continue
      unknown.push({ field, moves: isMoving(field, value, cwd) || isLikeKnownField(field, rule, known) })
    }
  }
  return unknown
}

/** The tools of Claude Code that calls of a row are shown as. */
export function listShownTools(rule: ToolRule): readonly string[] {
  if (!('parts' in rule)) return [rule.claude].flat()
  return rule.as === undefined ? (MADE_OF[rule.parts] ?? []) : [rule.as.tool]
}

const MADE_OF: Readonly<Record<string, readonly string[]>> = {
  patch: ['Write', 'Edit', 'Bash'],
  patchOrEdit: ['Edit', 'Write', 'Bash'],
  shellPatch: ['Bash', 'Write', 'Edit'],
  overwrite: ['Write', 'Edit'],
  writeOrEdit: ['Write', 'Edit'],
  edits: ['Write', 'Edit'],
  deletion: ['Edit', 'Bash'],
  inner: [],
}

/** The names of all fields that a row knows. */
export function listRowFields(rule: ToolRule): string[] {
  const { required = {}, harmless = [], folder, input = {} } = rule
  const own = 'parts' in rule ? [...(rule.field === null ? [] : [rule.field]), ...(FIELDS[rule.parts] ?? [])] : []
  return [...Object.values(input), ...Object.keys(required), ...harmless, ...own, ...(folder ? [folder] : [])]
}

/** Fields that ways to split read by themselves. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  overwrite: ['file_path', 'content'],
  patchOrEdit: ['path', 'old_str', 'new_str'],
  deletion: ['file_path'],
  inner: ['name', 'arguments'],
}

/** The fields of the host that a call must have. */
export function listRequiredFields(rule: ToolRule): Readonly<Record<string, FieldType>> {
  if ('parts' in rule) return rule.required ?? {}
  const needed = [rule.claude].flat().flatMap((tool) => NEEDED[tool] ?? [])
  const mapped = needed.flatMap((ours) => (ours in rule.input ? [[rule.input[ours], 'string' as const]] : []))
  const optional = new Set(rule.optional ?? [])
  return { ...Object.fromEntries(mapped.filter(([field]) => !optional.has(String(field)))), ...rule.required }
}

const TYPE_NAMES: Readonly<Record<FieldType, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  list: 'a list',
  object: 'an object',
}

const describeMisfit = ({ host }: ToolRule, field: string, type: FieldType): string =>
  `${host} is called with a "${field}" that is not ${TYPE_NAMES[type]}`

function isOfType(value: unknown, type: FieldType): boolean {
  if (type === 'list') return Array.isArray(value)
  return type === 'object' ? isObject(value) : typeof value === type
}

/** True for a list of strings in the field of a row that may be one. */
function isExpectedList(rule: ToolRule, field: string, value: unknown): boolean {
  const isStrings = Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string')
  return isStrings && 'list' in rule && rule.list === field
}

/** True for a row that shows each entry of a list: its fields are those of an entry. */
const isPerEntry = (rule: ToolRule): boolean => 'parts' in rule && (rule.parts === 'each' || rule.parts === 'edits')

/** True for a field that a tool of Claude Code has and that guards look at. */
export const isGuardedField = (tool: string, field: string): boolean =>
  field === 'replace_all' || field === 'path' || field === 'glob' || (NEEDED[tool]?.includes(field) ?? false)

/** Hosts and models write nothing as null, as an empty string, or not at all. */
export const isAbsent = (value: unknown): boolean => value === undefined || value === null

function isMoving(field: string, value: unknown, cwd: string): boolean {
  if (value === '' || value === false) return false
  return MOVING.test(toPlainName(field)) || hasPath(value, cwd)
}

/** True for a field that is written almost like a known one, or as Claude Code writes one of the tool's. */
function isLikeKnownField(field: string, rule: ToolRule, known: ReadonlySet<string>): boolean {
  const claude = listShownTools(rule).flatMap((tool) => NEEDED[tool] ?? [])
  const names = [...known, ...Object.keys(rule.input ?? {}), ...claude]
  return names.some((name) => toPlainName(name) === toPlainName(field))
}

/** True for a text with a path, or an object with one anywhere inside. */
function hasPath(value: unknown, cwd: string): boolean {
  if (Array.isArray(value)) return value.some((one) => hasPath(one, cwd))
  if (isObject(value)) return Object.entries(value).some(([name, one]) => isMoving(name, one, cwd))
  return typeof value === 'string' && isLikePath(value, cwd)
}

/** Beginnings of a path: a folder, the home, a drive, a computer, an address of a file, a variable. */
const PATH_START = /^(?:\.\.?(?:[/\\]|$)|~|[A-Za-z]:[/\\]|\\\\|file:|\$\{?\w+\}?[/\\]|%\w+%[/\\])/i
/** Blanks, hidden characters and quotes around a path, which a program may strip. */
const PATH_OPENING = /^[\s\p{Cc}\p{Cf}"'`<]+/u
const PATH_CLOSING = /(?<![\s\p{Cc}\p{Cf}"'`>])[\s\p{Cc}\p{Cf}"'`>]+$/u

/** True for a text that is a path from the root, the home or the folder, or that has a slash and is there. */
export function isLikePath(text: string, cwd: string): boolean {
  const path = text.replace(PATH_OPENING, '')
  if (isAbsolute(path) || PATH_START.test(path)) return true
  if (!/[/\\]/.test(path) || /^[a-z]+:\/\//i.test(path) || path.length > MAX_PATH_LENGTH) return false
  return existsSync(resolve(cwd, path.replace(PATH_CLOSING, '')))
}

/** Characters; a longer text is not looked for on disk. */
const MAX_PATH_LENGTH = 4096

export const toPlainName = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

/** The types that tables may name. */
export const FIELD_TYPES = Object.keys(TYPE_NAMES)
