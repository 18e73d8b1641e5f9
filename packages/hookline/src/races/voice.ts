import type { EventRow } from '../protocol/event-row.ts'
import type { DispatchRecord, HookLine } from '../protocol/record.ts'
import type { Json } from '../read/answer-text.ts'
import { opinionOf } from '../read/opinion.ts'

/** What one hook said about an event, and how: clients treat exit codes and JSON differently. */
export interface Voice {
  readonly hook: string
  readonly permission: 'allow' | 'ask' | 'deny' | null
  readonly by: 'json' | 'exit-code'
  readonly reason: string | null
  readonly updatedInput: Json | null
}

/** The hooks of a record that said something, in configuration order. */
export function voicesIn(record: DispatchRecord, row: EventRow): Voice[] {
  return record.hooks.map((line) => voiceOf(line, record, row)).filter((voice) => voice !== null)
}

function voiceOf(line: HookLine, { decision }: DispatchRecord, row: EventRow): Voice | null {
  const { id: hook, outcome, answer } = line
  if (outcome === 'blocking' && !answer) {
    const reason = decision.messages.find((message) => message.hook === hook && message.to === row.exit2.to)?.text
    return { hook, permission: 'deny', by: 'exit-code', reason: reason ?? null, updatedInput: null }
  }
  if (!answer || (outcome !== 'success' && outcome !== 'blocking')) return null
  const { blocks, permission, reason, updatedInput } = opinionOf(answer, row)
  if (!blocks && permission === null && updatedInput === null) return null
  return { hook, permission: blocks ? 'deny' : permission, by: 'json', reason, updatedInput }
}
