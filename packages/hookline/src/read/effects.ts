import { resolve } from 'node:path'
import type { Effect, EffectForm, EffectSource, EffectStdout, OutputShape } from '../protocol/effect.ts'
import type { EventInput } from '../protocol/event-input.ts'
import type { EventRow } from '../protocol/event-row.ts'
import { isObject } from '../text/json.ts'
import type { JsonObject } from './answer-text.ts'

/** Effects that one hook asks for beyond a decision, by name; what it does not ask for is not there. */
export type Effects = Readonly<Record<string, unknown>>

/** Of a hook that asks for nothing. */
export const NO_EFFECTS: Effects = Object.freeze({})

interface EffectPlaces {
  readonly answer: JsonObject
  readonly specific: JsonObject
}

/** Places where a field that asks for an effect is looked for. */
const SOURCES: Readonly<Record<EffectSource, (field: string, places: EffectPlaces) => unknown>> = {
  specific: (field, { specific }) => specific[field],
  top: (field, { answer }) => answer[field],
  anywhere: (field, { specific, answer }) => specific[field] ?? answer[field],
}

/** Forms that the fields of an effect are brought into, given how one of them is looked up; undefined: it is not asked for. */
const FORMS: Readonly<
  Record<EffectForm, (fields: readonly string[], lookUp: (field: string) => unknown, input: EventInput) => unknown>
> = {
  object: (fields, lookUp) => {
    const [first = ''] = fields
    if (lookUp(first) === undefined) return undefined
    return Object.fromEntries(fields.map((field) => [field, lookUp(field) ?? null]))
  },
  'terminal-sequence': (fields, lookUp) => fields.map(lookUp).find((value) => isTerminalSequence(value)),
  path: (fields, lookUp, input) => {
    const path = fields.map(lookUp).find((value) => typeof value === 'string' && value !== '')
    return path === undefined ? undefined : resolvePath(String(path), input)
  },
}

function resolvePath(path: string, { cwd }: EventInput): string {
  return resolve(typeof cwd === 'string' ? cwd : '', path)
}

/** The effects that an answer asks for, of those that the event has, and a warning for each that cannot be had. */
export function readEffects(
  answer: JsonObject,
  row: EventRow,
  { isMcpTool, input }: { isMcpTool: boolean; input: EventInput },
): { readonly effects: Effects; readonly warnings: readonly string[] } {
  const specific = isObject(answer.hookSpecificOutput) ? answer.hookSpecificOutput : {}
  const effects: Record<string, unknown> = {}
  const warnings: string[] = []
  for (const name in row.effects) {
    const effect = row.effects[name]
    if (effect === undefined) continue
    const value = findEffectValue({ answer, specific }, effect, { isMcpTool, input })
    if (value === undefined) continue
    const original = isMcpTool || effect.shapedLike === undefined ? undefined : input[effect.shapedLike]
    const shape = row.matchOn === null ? undefined : lookUpShape(effect, input[row.matchOn])
    const misfit = findMisfit(value, original, shape)
    if (misfit === null) effects[name] = keepOptionalKeys(value, original, shape)
    else warnings.push(`${name} is ignored: ${misfit}, and the tool's own output is otherwise`)
  }
  return { effects, warnings }
}

function lookUpShape({ shapes }: Effect, value: unknown): OutputShape | undefined {
  return shapes !== undefined && typeof value === 'string' && Object.hasOwn(shapes, value) ? shapes[value] : undefined
}

/** Finds how a value differs from one that it is to replace, in its kind or its required keys; null: it fits, or there is nothing to compare it with. */
function findMisfit(value: unknown, original: unknown, shape: OutputShape | undefined): string | null {
  if (original === undefined || original === null || (shape === undefined && isObject(value))) return null
  if (nameKind(value) !== nameKind(original)) return `it is ${nameKind(value)}`
  if (!isObject(value) || !isObject(original)) return null
  for (const key of shape?.required ?? []) {
    const own = original[key]
    if (own === undefined) continue
    if (!Object.hasOwn(value, key)) return `it has no ${JSON.stringify(key)}`
    if (own !== null && nameKind(value[key]) !== nameKind(own))
      return `its ${JSON.stringify(key)} is ${nameKind(value[key])}`
  }
  return null
}

/** Adds what a replacement may leave out, from the original; nothing else of that stays. */
function keepOptionalKeys(value: unknown, original: unknown, shape: OutputShape | undefined): unknown {
  if (!isObject(value) || !isObject(original)) return value
  const missing = (shape?.optional ?? []).filter((key) => Object.hasOwn(original, key) && !Object.hasOwn(value, key))
  return missing.length === 0 ? value : { ...value, ...Object.fromEntries(missing.map((key) => [key, original[key]])) }
}

function nameKind(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

function findEffectValue(
  places: EffectPlaces,
  { fields, mcpFields = [], from, as }: Effect,
  { isMcpTool, input }: { isMcpTool: boolean; input: EventInput },
): unknown {
  const lookUp = (field: string): unknown => SOURCES[from](field, places)
  if (as !== undefined) return FORMS[as](fields, lookUp, input)
  return [...fields, ...(isMcpTool ? mcpFields : [])].map(lookUp).find((value) => value !== undefined)
}

/** Parts of plain stdout that are taken. */
const OF_STDOUT: Readonly<Record<EffectStdout, (text: string) => string | undefined>> = {
  whole: (text) => text,
  'last-line': (text) =>
    text
      .split('\n')
      .map((line) => line.trim())
      .findLast((line) => line !== ''),
}

/** The effects that plain stdout asks for. */
export function readStdoutEffects(text: string, { effects }: EventRow, input: EventInput): Effects {
  const asked = Object.entries(effects).flatMap(([name, { stdout, as }]) => {
    const value = stdout === undefined ? undefined : OF_STDOUT[stdout](text)
    if (value === undefined) return []
    return [[name, as === 'path' ? resolvePath(value, input) : value] as const]
  })
  return Object.fromEntries(asked)
}

/** A bell, or an operating system command that sets a title or notifies, ended by a bell or a string terminator. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what they are made of
const TERMINAL_SEQUENCES = /^(?:\x07|\x1b\](?:0|1|2|9|99|777)(?:;[^\x00-\x1f\x7f-\x9f]*)?(?:\x07|\x1b\\))+$/

/** Characters: no title or notification is longer. */
const MAX_SEQUENCE_CHARS = 4096

function isTerminalSequence(value: unknown): boolean {
  return typeof value === 'string' && value.length <= MAX_SEQUENCE_CHARS && TERMINAL_SEQUENCES.test(value)
}
