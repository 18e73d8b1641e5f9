import type { EventInput } from '../protocol/event-input.ts'
import type { EventRow } from '../protocol/event-row.ts'
import type { Decision, DispatchRecord, HookLine } from '../protocol/record/record.ts'
import { ERASED, type Erase, makeEraser } from '../text/erase.ts'

/** A field of which nothing may stay when its event is refused. */
export interface Erasure {
  readonly erase: Erase
  /** Resolves, once there is a decision, with whether the field is erased. */
  readonly decided: Promise<boolean>
  readonly decide: (erased: boolean) => void
}

/** The erasure that hangs on an event's decision; null where there is nothing to erase. */
export function makeErasure({ erases }: EventRow, input: EventInput): Erasure | null {
  const field = erases === null ? undefined : input[erases]
  if (typeof field !== 'string') return null
  let decide: Erasure['decide'] = () => {}
  const decided = new Promise<boolean>((resolve) => {
    decide = resolve
  })
  return { erase: makeEraser(field), decided, decide }
}

/** True if a decision means that the field is erased. */
export function isErasing({ erases }: EventRow, { blocked, halt }: Decision): boolean {
  return erases !== null && (blocked || halt)
}

/** An event as it may be written down once its field is erased. */
export function eraseInput({ erases, matchOn }: EventRow, input: EventInput, erase: Erase): EventInput {
  const kept = new Set(['hook_event_name', 'session_id', 'transcript_path', 'cwd', 'permission_mode', matchOn])
  const members = Object.entries(input).map(([key, value]) => {
    if (key === erases) return [key, ERASED]
    return [key, kept.has(key) ? value : eraseValue(value, erase)]
  })
  return Object.fromEntries(members) as EventInput // the same fields
}

/** A record in which no text quotes what was erased. */
export function eraseRecord(record: DispatchRecord, erase: Erase): DispatchRecord {
  const { decision, hooks, notices } = record
  const { reason, stopReason, context, messages, instructions } = decision
  return {
    ...record,
    decision: {
      ...decision,
      reason: reason === null ? null : erase(reason),
      stopReason: stopReason === null ? null : erase(stopReason),
      instructions: instructions === null ? null : erase(instructions),
      context: context.map(erase),
      messages: messages.map((message) => ({ ...message, text: erase(message.text) })),
    },
    hooks: hooks.map((line) => eraseLine(line, erase)),
    ...(notices === undefined ? {} : { notices: notices.map(erase) }),
  }
}

/** A hook's line in which no text quotes what was erased; what was configured stays. */
export function eraseLine(line: HookLine, erase: Erase): HookLine {
  const { failed, answer, warnings, stdoutTail, stderrTail } = line
  const isUntold = failed === undefined && answer === undefined && warnings.length === 0
  if (isUntold && stdoutTail === undefined) return line
  return {
    ...line,
    ...(failed === undefined ? {} : { failed: erase(failed) }),
    ...(stdoutTail === undefined ? {} : { stdoutTail: erase(stdoutTail) }),
    ...(stderrTail === undefined ? {} : { stderrTail: erase(stderrTail) }),
    ...(answer === undefined ? {} : { answer: eraseValue(answer, erase) as HookLine['answer'] }), // an object stays one
    warnings: warnings.map(erase),
  }
}

/** Nothing that is nested deeper is kept. */
const MAX_ERASED_DEPTH = 500

/** A value of JSON with every text in it erased, keys too. */
function eraseValue(value: unknown, erase: Erase, depth = 0): unknown {
  if (typeof value === 'string') return erase(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth > MAX_ERASED_DEPTH) return ERASED
  if (Array.isArray(value)) return value.map((one) => eraseValue(one, erase, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [erase(key), eraseValue(one, erase, depth + 1)]))
}
