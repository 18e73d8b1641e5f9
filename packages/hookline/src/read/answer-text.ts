import { formatMisfit } from '../protocol/check.ts'
import type { EventRow } from '../protocol/event-row.ts'
import type { AnswerRules, CommonField } from '../protocol/rules.ts'
import { removeControls } from '../text/clean.ts'
import { isObject } from '../text/json.ts'
import { parseStrictly } from '../text/strict-json.ts'

/** A JSON object. */
export type JsonObject = Record<string, unknown>

/** Words of a hook, as far as they can be understood. */
export type HookWords =
  | { readonly said: 'nothing' }
  | { readonly said: 'text'; readonly text: string; readonly remark: string | null }
  | { readonly said: 'answer'; readonly answer: JsonObject; readonly raw: string }
  /** Meant as an answer and not usable as one: plain text, and everything that is wrong with it. */
  | { readonly said: 'misfit'; readonly text: string; readonly faults: readonly string[] }
  /** JSON that other readers take, each perhaps for another answer. */
  | { readonly said: 'ambiguous'; readonly text: string; readonly faults: readonly string[] }
  /** Starts as an answer, and its end was not kept. */
  | { readonly said: 'cut'; readonly text: string }

const BYTE_ORDER_MARK = '\uFEFF'
/** More faults of one answer are counted, not told. */
const MAX_ANSWER_FAULTS = 20

/** Tells an answer from plain text: only when the whole of it is JSON that fits is it one. */
export function understandText(stdout: string, row: EventRow, { truncated }: { truncated: boolean }): HookWords {
  const whole = removeByteOrderMark(stdout)
  const text = removeControls(whole).trim()
  if (text === '') return { said: 'nothing' }
  if (truncated && whole.startsWith('{')) return { said: 'cut', text }
  const { answers } = row.rules
  if (!FORMS[answers.form](whole, answers)) return { said: 'text', text, remark: findBuriedAnswer(whole, answers) }
  const parsed = parseStrictly(whole)
  if ('fault' in parsed) {
    const faults = [`stdout starts with { but cannot be read: ${parsed.fault}`]
    return { said: parsed.isJson ? 'ambiguous' : 'misfit', text, faults }
  }
  return understandValue(parsed.value, row, text)
}

/** Tests for text that is meant as an answer. */
const FORMS: Readonly<Record<AnswerRules['form'], (whole: string, rules: AnswerRules) => boolean>> = {
  'opening-brace': (whole) => whole.startsWith('{'),
  'braces-around': (whole, rules) =>
    whole.startsWith('{') && whole.endsWith('}') && !isLinesOfOtherObjects(whole, rules),
}

/** True if a text is a log of objects, a line each, of which none is an answer. */
function isLinesOfOtherObjects(whole: string, rules: AnswerRules): boolean {
  if (!whole.includes('\n')) return false // as most are
  const lines = whole.split('\n').filter((line) => line.trim() !== '')
  if (lines.length < 2) return false
  const values = lines.map((line) => parseStrictly(line.trim()))
  return values.every((one) => 'value' in one && isObject(one.value) && !hasAnswerField(one.value, rules))
}

/** Reason why a hook objects, from its stdout: the reason that its JSON gives, else the text as it is. */
export function readStdoutReason(stdout: string): string {
  const whole = removeByteOrderMark(stdout)
  const parsed = whole.startsWith('{') ? parseStrictly(whole) : { value: null }
  const reason = 'value' in parsed && isObject(parsed.value) ? findReason(parsed.value) : undefined
  return reason ?? removeControls(whole).trim()
}

/** The first text of an answer that says why, wherever it may stand. */
function findReason(answer: JsonObject): string | undefined {
  const specific = isObject(answer.hookSpecificOutput) ? answer.hookSpecificOutput : {}
  const dialog = isObject(specific.decision) ? specific.decision : {}
  const places = [specific.permissionDecisionReason, dialog.message, specific.reason, answer.reason, answer.stopReason]
  return places.map((said) => (typeof said === 'string' ? removeControls(said).trim() : '')).find((said) => said !== '')
}

function removeByteOrderMark(stdout: string): string {
  return (stdout.startsWith(BYTE_ORDER_MARK) ? stdout.slice(1) : stdout).trim()
}

/** Holds a value against what the event's hooks may answer. */
function understandValue(value: unknown, row: EventRow, raw: string): HookWords {
  const present = isObject(value) ? NULL_FIELDS[row.rules.answers.nullFields](value) : null
  const misfits = present !== null ? row.checkAnswer(present) : [{ path: [], message: 'must be an object' }]
  if (misfits.length === 0) return { said: 'answer', answer: value as JsonObject, raw } // the value fits an object schema
  const byPath = new Map(misfits.map((misfit) => [misfit.path.join('.'), misfit])) // of several about one field the last says most
  const sentences = [...byPath.values()].map((misfit) => `the answer does not fit: ${formatMisfit(misfit, 'it')}`)
  return { said: 'misfit', text: raw, faults: limitSentences(MAX_ANSWER_FAULTS, sentences) }
}

/** The first of many sentences, and how many more there are. */
export function limitSentences(most: number, sentences: readonly string[]): string[] {
  const left = sentences.length - most
  return left > 0 ? [...sentences.slice(0, most), `and ${left} more of this kind`] : [...sentences]
}

/** An answer as its fields are meant that are null. */
export const NULL_FIELDS: Readonly<Record<AnswerRules['nullFields'], (answer: JsonObject) => JsonObject>> = {
  absent: removeNulls,
  misfit: (answer) => answer,
}

/** The answer without the fields that are null, which means absent; the values of fields stay as they are. */
export function removeNulls(answer: JsonObject): JsonObject {
  if (!hasNulls(answer)) return answer
  const present = Object.entries(answer).filter(([, value]) => value !== null)
  return Object.fromEntries(present.map(([name, value]) => [name, isNested(name, value) ? removeNulls(value) : value]))
}

function hasNulls(answer: JsonObject): boolean {
  for (const [name, value] of Object.entries(answer))
    if (value === null || (isNested(name, value) && hasNulls(value))) return true
  return false
}

/** The fields whose own fields belong to the answer, not to the host's data. */
function isNested(name: string, value: unknown): value is JsonObject {
  return (name === 'hookSpecificOutput' || name === 'decision') && isObject(value)
}

/** An answer among other output is lost; that is worth a remark. */
function findBuriedAnswer(text: string, rules: AnswerRules): string | null {
  const lines = text
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => line.slice(Math.max(0, line.indexOf('{'))))
  const whole = text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)
  const buried = [whole, ...lines].some((part) => part.startsWith('{') && isLikeAnswer(part, rules))
  return buried ? 'there is JSON among other output; all of stdout is read as plain text' : null
}

function isLikeAnswer(text: string, rules: AnswerRules): boolean {
  const parsed = parseStrictly(text)
  return 'value' in parsed && isObject(parsed.value) && hasAnswerField(parsed.value, rules)
}

function hasAnswerField(value: JsonObject, rules: AnswerRules): boolean {
  return Object.keys(value).some((field) => isTopField(field, rules))
}

/** True if a field may stand at the top level of any answer. */
export function isTopField(field: string, { commonFields }: AnswerRules): boolean {
  if (field === 'hookSpecificOutput') return true
  return Object.hasOwn(commonFields, field) && commonFields[field as CommonField] !== 'unknown' // a key of the table itself
}
