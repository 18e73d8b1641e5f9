import { isDeepStrictEqual } from 'node:util'
import type { ProfileRow } from '../protocol/event-row.ts'
import { NO_OPINION, type Opinion } from './opinion.ts'
import type { Result } from './result.ts'

/** Meaning of a run to one profile. */
interface Reading extends ProfileRow {
  readonly result: Result
}

/**
 * Makes one result of two readings of a run, of which the first leads. The stricter one counts; an allow, and what it grants,
 * only where both give it. What either adds counts too: context, messages, rewrites and other effects.
 */
export function joinResults(lead: Reading, other: Reading): Result {
  if (isDeepStrictEqual(lead.result, other.result)) return lead.result
  const isOther = isStricter(other.result, lead.result)
  const [counted, milder] = isOther ? [other, lead] : [lead, other]
  const opinion = joinOpinions(counted.result.opinion, milder.result.opinion)
  const isAdded = !isDeepStrictEqual(opinion, counted.result.opinion)
  return {
    ...counted.result,
    outcome: milder.result.outcome === 'blocking' ? 'blocking' : counted.result.outcome,
    opinion,
    answer: counted.result.answer ?? milder.result.answer,
    texts: joinTexts(lead, { counted, milder }),
    warnings: [...joinWarnings(counted.result, milder.result, { isAdded }), ...listDifferences(counted, milder)],
    failed: rankStrictness(opinion) > UNDECIDED ? counted.result.failed : (lead.result.failed ?? other.result.failed),
  }
}

/** True for the stricter of two results, and of two that are as strict for the one that is a decision, and no failure. */
function isStricter(one: Result, other: Result): boolean {
  const more = rankStrictness(one.opinion) - rankStrictness(other.opinion)
  return more > 0 || (more === 0 && one.opinion.blocks && one.failed === null && other.failed !== null)
}

/** Outcomes, the mildest first. */
const OUTCOMES = ['allows', 'says nothing', 'asks', 'defers', 'refuses', 'halts'] as const
const UNDECIDED = OUTCOMES.indexOf('says nothing')

function rankStrictness(opinion: Opinion): number {
  return OUTCOMES.indexOf(findOutcome(opinion))
}

function findOutcome({ halt, blocks, permission }: Opinion): (typeof OUTCOMES)[number] {
  if (halt) return 'halts'
  if (blocks) return 'refuses'
  return permission === null ? 'says nothing' : PERMISSIONS[permission]
}

const PERMISSIONS = { allow: 'allows', ask: 'asks', defer: 'defers' } as const

function joinOpinions(counted: Opinion, milder: Opinion): Opinion {
  const known = new Set(counted.context.map(({ text }) => text))
  const isGranted = isDeepStrictEqual(counted.updatedPermissions, milder.updatedPermissions)
  return {
    ...counted,
    blocks: counted.blocks || milder.blocks,
    permission: chooseStricterPermission(counted.permission, milder.permission), // one that halts may allow beside it
    reason: counted.reason ?? (counted.halt ? milder.reason : null),
    interrupt: counted.interrupt || milder.interrupt,
    updatedInput: counted.blocks ? counted.updatedInput : (counted.updatedInput ?? milder.updatedInput),
    updatedPermissions: isGranted ? counted.updatedPermissions : null,
    context: [...counted.context, ...milder.context.filter(({ text }) => !known.has(text))],
    effects: { ...milder.effects, ...counted.effects },
  }
}

function chooseStricterPermission(one: Opinion['permission'], other: Opinion['permission']): Opinion['permission'] {
  const [own, second] = [one, other].map((permission) => rankStrictness({ ...NO_OPINION, permission }))
  return (second ?? 0) > (own ?? 0) ? other : one
}

/** The texts of the reading that counts, and messages of the other one; those that are not of the leading row carry their own. */
function joinTexts(lead: Reading, { counted, milder }: { counted: Reading; milder: Reading }): Result['texts'] {
  const withRow = ({ row, result }: Reading): Result['texts'] =>
    row === lead.row ? result.texts : result.texts.map((text) => ({ ...text, row }))
  const known = new Set(counted.result.texts.filter((text) => isHeard(text, counted)).map(({ text }) => text))
  const added = withRow(milder).filter((text) => text.kind === 'warning' && !known.has(text.text))
  return [...withRow(counted), ...added]
}

/** True if someone is told a message: not every event of every protocol has a reader for it. */
function isHeard({ kind }: Result['texts'][number], { row }: Reading): boolean {
  return kind !== 'warning' || row.systemMessageTo !== 'none'
}

/** an oddity of one reading and the other honours is not odd. */
function joinWarnings(counted: Result, milder: Result, { isAdded }: { isAdded: boolean }): readonly string[] {
  return isAdded ? counted.warnings.filter((warning) => milder.warnings.includes(warning)) : counted.warnings
}

/** Says once that the readings differ in what they decide. */
function listDifferences(counted: Reading, milder: Reading): string[] {
  const [one, other] = [findOutcome(counted.result.opinion), findOutcome(milder.result.opinion)]
  if (one === other) return []
  return [`read as ${counted.profile} it ${one}, as ${milder.profile} it ${other}: the stricter counts`]
}
