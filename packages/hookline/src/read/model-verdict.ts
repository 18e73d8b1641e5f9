import type { VerdictRules } from '../protocol/rules.ts'
import { removeControls } from '../text/clean.ts'
import { isObject } from '../text/json.ts'
import { type JsonObject, removeNulls } from './answer-text.ts'
import { type BracedText, findBracedTexts } from './json-in-prose.ts'

/** Decision of a model. */
export interface ModelVerdict {
  /** True if the condition is met. */
  readonly ok: boolean
  readonly reason: string | null
  readonly halt: boolean
  readonly stopReason: string | null
  readonly systemMessage: string | null
  /** The object that says so. */
  readonly answer: JsonObject
  readonly warnings: readonly string[]
}

/** Reason why there is no verdict, as the end of "it cannot be read: …". */
export interface Unreadable {
  readonly fault: string
}

const NEW_WORDS: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [true, true],
  [false, false],
  ['true', true],
  ['false', false],
])
const OLD_WORDS: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  ['approve', true],
  ['allow', true],
  ['block', false],
  ['deny', false],
])
/** Fields that count beside the older word alone. */
const OLD_FIELDS = ['continue', 'stopReason', 'systemMessage']

/** Characters; no verdict needs so many, and looking through them blocks the event loop. */
const MAX_VERDICT_CHARS = 100_000
const DISAGREE = 'the model gave several verdicts that disagree; the stricter counts'
const NEITHER = '"ok" must be true or false'

/** Thoughts that some models utter before they answer. */
const THOUGHTS = /^\s*<(think|thinking|reasoning)>[\s\S]*?<\/\1>/
/** Key of a text that may have been meant as a verdict although it cannot be read. */
const VERDICT_KEY = /^\s*(?:ok|decision)\s*$/i
const SAID_WORD = /"(?:ok|decision)"\s*:\s*"?(\w+)/gi
const LOOKS_LIKE_VERDICT = /\b(?:ok|decision)\b\W{0,3}:/i

/**
 * Finds the verdict in what a model said: `{"ok": …}` or the older `{"decision": …}`, alone, fenced or among prose. Of
 * several that disagree the stricter counts, and a condition is met only when all that looks like a verdict can be read:
 * a quoted verdict lets nothing through.
 */
export function readVerdict(text: string, rules: VerdictRules): ModelVerdict | Unreadable {
  const spoken = text.replace(THOUGHTS, '')
  if (spoken.length > MAX_VERDICT_CHARS) return { fault: `it has more than ${MAX_VERDICT_CHARS} characters` }
  const found = findBracedTexts(spoken).flatMap((braced) => VERDICTS[rules.words](braced) ?? [])
  const verdicts = found.filter((one): one is ModelVerdict => !('fault' in one))
  const unreadable = found.find((one): one is Unreadable => 'fault' in one)
  const last = verdicts.findLast(({ ok }) => !ok) ?? verdicts.at(-1)
  if (unreadable && (!last || last.ok)) return unreadable
  if (!last) return { fault: 'there is no {"ok": …} in it' }
  const halting = verdicts.findLast(({ halt }) => halt)
  const agreed = verdicts.every(({ ok, halt }) => ok === last.ok && halt === last.halt)
  const warnings = agreed ? last.warnings : [...last.warnings, DISAGREE]
  return { ...last, halt: halting !== undefined, stopReason: halting?.stopReason ?? null, warnings }
}

/** Reason why a model's answer cannot be read; null when it can. */
export function findVerdictFault(text: string, rules: VerdictRules): string | null {
  const verdict = readVerdict(text, rules)
  return 'fault' in verdict ? verdict.fault : null
}

/** The verdict that an object is, by the words that count; null when it is about something else. */
const VERDICTS: Readonly<Record<VerdictRules['words'], (braced: BracedText) => ModelVerdict | Unreadable | null>> = {
  'ok-or-decision': toVerdict,
  ok: (braced) => {
    const { parsed } = braced
    if ('fault' in parsed || !isObject(parsed.value)) return toVerdict(braced)
    const { decision, ...rest } = parsed.value
    if (decision !== undefined && rest.ok === undefined) return { fault: 'the verdict must be {"ok": true or false}' }
    return toVerdict({ ...braced, parsed: { value: rest } })
  },
}

function toVerdict({ source, parsed }: BracedText): ModelVerdict | Unreadable | null {
  if ('fault' in parsed) return LOOKS_LIKE_VERDICT.test(source) ? readUnparsed(source, parsed.fault) : null
  if (!isObject(parsed.value)) return null
  const said = removeNulls(parsed.value)
  const { ok, decision } = said
  if (ok === undefined && decision === undefined) {
    return Object.keys(parsed.value).some((key) => VERDICT_KEY.test(key)) ? { fault: NEITHER } : null
  }
  const byOk = NEW_WORDS.get(typeof ok === 'string' ? ok.toLowerCase() : ok)
  const byDecision = OLD_WORDS.get(decision)
  if (ok !== undefined && byOk === undefined) return { fault: NEITHER }
  if (decision === undefined) return makeVerdict(said, byOk === true, parsed.value)
  if (byDecision === undefined) return { fault: '"decision" must be "approve" or "block"' }
  if (said.continue !== undefined && typeof said.continue !== 'boolean') {
    return { fault: '"continue" must be true or false' }
  }
  const verdict = makeVerdict(said, byDecision && byOk !== false, parsed.value)
  return ok === undefined || byOk === byDecision ? verdict : { ...verdict, warnings: [...verdict.warnings, DISAGREE] }
}

/** An object whose only fault is a word that stands in it twice says no when one of them does. */
function readUnparsed(source: string, fault: string): ModelVerdict | Unreadable {
  const broken = { fault: `its JSON is broken: ${fault}` }
  let answer: unknown
  try {
    answer = JSON.parse(source)
  } catch {
    return broken
  }
  const refused = [...source.matchAll(SAID_WORD)].some(
    ([, word]) => NEW_WORDS.get(word?.toLowerCase()) === false || OLD_WORDS.get(word) === false,
  )
  if (!isObject(answer) || !refused) return broken
  return { ...makeVerdict(removeNulls(answer), false, answer), warnings: [DISAGREE] }
}

function makeVerdict(said: JsonObject, ok: boolean, answer: JsonObject): ModelVerdict {
  const { reason, stopReason, systemMessage } = said
  const isOld = said.decision !== undefined
  const halt = isOld && said.continue === false
  const without = isOld ? [] : OLD_FIELDS.filter((field) => said[field] !== undefined)
  return {
    ok,
    reason: toWordsOrNull(reason),
    halt,
    stopReason: halt ? toWordsOrNull(stopReason) : null,
    systemMessage: isOld ? toWordsOrNull(systemMessage) : null,
    answer,
    warnings: without.map((field) => `misplaced field: ${field} has no effect beside "ok"`),
  }
}

/** A text worth showing, also where something else than a text was given. */
function toWordsOrNull(value: unknown): string | null {
  if (value === undefined) return null
  return removeControls(typeof value === 'string' ? value : JSON.stringify(value)).trim() || null
}
