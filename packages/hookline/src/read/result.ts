import type { EventInput } from '../protocol/event-input.ts'
import type { EventRow } from '../protocol/event-row.ts'
import type { HookLine } from '../protocol/record/record.ts'
import type { RunnableType } from '../run/execute.ts'
import { removeControls } from '../text/clean.ts'
import type { JsonObject } from './answer-text.ts'
import { NO_OPINION, type Opinion } from './opinion.ts'

/** Kind of a text, which decides who reads it. */
export type TextKind = 'objection' | 'remark' | 'failure' | 'stdout' | 'json' | 'warning'

/** A text of a result. */
export interface ResultText {
  readonly kind: TextKind
  readonly text: string
  /** The row that says who reads it, where that is not the one of its hook. */
  readonly row?: EventRow
}

/** Meaning of a run. */
export interface Result {
  readonly outcome: NonNullable<HookLine['outcome']>
  readonly answer: JsonObject | null
  readonly opinion: Opinion
  readonly texts: readonly ResultText[]
  readonly warnings: readonly string[]
  /** Failure to come to a decision, when there was one. */
  readonly failed: string | null
}

/** Facts about the event that reading needs besides the run. */
export interface ReadContext {
  readonly row: EventRow
  readonly input: EventInput
  /** Type of the hook, which says what the facts amount to. */
  readonly type: RunnableType
  /** The hook as configured, for texts that name it. */
  readonly name: string
  /** Party that says that a failure of this hook blocks where the event can block: itself, or the host for its scope. */
  readonly failClosed: 'hook' | 'scope' | null
  /** True if the tool of the event is one of an MCP server; undefined: the name says so. */
  readonly mcp?: boolean | undefined
}

/** The result of a hook that says nothing. */
export const SILENT: Result = {
  outcome: 'success',
  answer: null,
  opinion: NO_OPINION,
  texts: [],
  warnings: [],
  failed: null,
}

/** A hook that failed: its own words where it has some, else how. Nothing is decided. */
export function makeFailure(words: string, how: string): Result {
  const text = `Failed with non-blocking status code: ${words || removeControls(how)}`
  return { ...SILENT, outcome: 'non_blocking_error', texts: [{ kind: 'failure', text }], failed: how }
}

/** The same of a process: on some events whatever fails blocks. */
export function makeProcessFailure({ row, name }: ReadContext, words: string, how: string): Result {
  if (row.blocksOn !== 'any-failure') return makeFailure(words, how)
  return makeBlocked(words || removeControls(how), { ...SILENT, outcome: 'blocking', failed: how }, name)
}

/** Makes the result of a guard that did not decide, where that closes: a block, and never a denial. */
export function makeClosed(failed: string, name: string, result: Result = SILENT): Result {
  const reason = `the hook failed and its scope fails closed: ${failed}`
  return makeBlocked(reason, { ...result, failed }, name)
}

/** A result that blocks for a reason of ours. */
export function makeBlocked(reason: string, result: Result, name: string): Result {
  return {
    ...result,
    opinion: { ...NO_OPINION, blocks: true, reason },
    texts: [...result.texts, { kind: 'objection', text: `[${name}]: ${reason}` }],
  }
}

/** A hook that came to no end of its own. */
export function makeCancelled(how: string, { name }: ReadContext): Result {
  return { ...SILENT, outcome: 'cancelled', texts: [{ kind: 'remark', text: `[${name}]: ${how}` }], failed: how }
}
