import { effectsOf, type OwnTables } from '../effects/effects-of.ts'
import type { ToolCall } from '../effects/tool-calls.ts'
import { listEffects, type View } from '../effects/view.ts'
import type { World } from '../effects/world.ts'
import type { Finding, GuardAnswer, GuardName } from './guard.ts'
import { GUARDS } from './guards.ts'

/** Levels of strictness, the mildest first. */
export const LEVELS = ['calm', 'normal', 'strict'] as const

/** Strictness of the guards. */
export type Level = (typeof LEVELS)[number]

/** Settings of one guard: its usual answers, an answer instead of them, or none. */
export const GUARD_ANSWERS = ['on', 'ask', 'deny', 'off'] as const

/** Setting of one guard. */
export type GuardSetting = (typeof GUARD_ANSWERS)[number]

/** An exception from a guard, about an effect. */
export interface Exception {
  readonly guard: GuardName
  /** True for a subject that the exception lets pass. */
  readonly matches: (subject: string) => boolean
  readonly reason: string
}

/** Settings by which calls are judged. */
export interface GuardRules extends OwnTables {
  readonly level?: Level
  /** Answers that replace those of a guard; `off` silences it. */
  readonly guards?: Readonly<Partial<Record<GuardName, GuardSetting>>>
  readonly allow?: readonly Exception[]
  /** True where nobody can be asked: questions become refusals. */
  readonly nobodyAsked?: boolean
  /** Guards to ask; all of them unless it is given. */
  readonly only?: readonly GuardName[]
}

/** The verdict on one call, with everything that led to it. */
export interface Verdict {
  /** `pass`: the guards have nothing against the call; the host decides as it would without them. */
  readonly answer: GuardAnswer
  readonly findings: readonly Finding[]
  /** Findings that an exception let pass. */
  readonly excused: readonly (Finding & { readonly reason: string })[]
  readonly view: View
}

/** Judges a call. Never throws: a guard that fails asks, and says that it was its own fault. */
export function judge(call: ToolCall, world: World, rules: GuardRules = {}): Verdict {
  const view = effectsOf(call, world, rules)
  const look = { view: view.guesses.length > 0 ? { ...view, effects: listEffects(view) } : view, world }
  const found = [...GUARDS.flatMap((guard) => ask(guard, look, rules)), ...judgeUnseen(view, rules)]
  const excused: (Finding & { readonly reason: string })[] = []
  const findings = found.filter((finding) => {
    const exception = finding.final
      ? undefined
      : rules.allow?.find((each) => each.guard === finding.guard && each.matches(finding.subject))
    if (exception) excused.push({ ...finding, reason: exception.reason })
    return exception === undefined
  })
  const answer = sumUp(findings)
  return { answer, findings: sortFindings(findings), excused, view }
}

function sumUp(findings: readonly Finding[]): GuardAnswer {
  if (findings.some(({ answer }) => answer === 'deny')) return 'deny'
  return findings.length > 0 ? 'ask' : 'pass'
}

function sortFindings(findings: readonly Finding[]): readonly Finding[] {
  return [...findings].sort((one, other) => Number(one.answer === 'ask') - Number(other.answer === 'ask'))
}

function ask(
  guard: (typeof GUARDS)[number],
  look: { view: View; world: World },
  rules: GuardRules,
): readonly Finding[] {
  const set = rules.guards?.[guard.name]
  if (set === 'off' || (rules.only && !rules.only.includes(guard.name))) return []
  try {
    return guard.find(look).flatMap((finding) => {
      if (rules.level === 'calm' && finding.certainty !== 'certain') return []
      const answer = set === 'deny' || set === 'ask' ? set : finding.answer
      const strict = answer === 'ask' && rules.nobodyAsked && guard.hard
      return [{ ...finding, answer: strict ? 'deny' : answer }]
    })
  } catch (error) {
    return [makeFaultFinding(guard.name, error instanceof Error ? error.message : 'unknown', rules)] // a mistake in a guard must not let the call pass
  }
}

function makeFaultFinding(guard: GuardName, message: string, rules: GuardRules): Finding {
  return {
    guard,
    answer: rules.nobodyAsked ? 'deny' : 'ask',
    says: `the guard itself failed (${message}): this is a fault of the guard, not of the call`,
    instead: 'Split the call into smaller ones.',
    certainty: 'possible',
    subject: '',
    about: { reason: 'not-parsed', of: message, from: [] },
    final: true,
  }
}

/** Calls that could not be read to their end are asked about, at every level and whichever guards are asked; in `strict` so is everything unseen that runs. */
function judgeUnseen(view: View, rules: GuardRules): Finding[] {
  const reasons =
    rules.level === 'strict'
      ? ['too-much', 'too-deep', 'not-parsed', 'code', 'program', 'binary', 'value', 'remote']
      : ['too-much', 'too-deep', 'not-parsed']
  const unseen = view.unseen.find(
    ({ reason, role }) => reasons.includes(reason) && (role === 'run' || reason === 'program' || reason === 'too-much'),
  )
  if (!unseen) return []
  return [
    {
      guard: rules.only?.[0] ?? 'system',
      answer: rules.nobodyAsked ? 'deny' : 'ask',
      says: `the guard cannot read all of this call (${unseen.reason}: ${unseen.of.slice(0, 60)})`,
      instead: 'Split it into smaller, plainer calls.',
      certainty: 'possible',
      subject: '',
      about: unseen,
      final: false,
    },
  ]
}
