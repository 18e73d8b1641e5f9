import type { EventRow } from '../protocol/event-row.ts'
import type { Message } from '../protocol/record.ts'
import type { Result, TextKind } from '../read/result.ts'

type Addressed = Omit<Message, 'hook'>

/** Who sees what. */
const READERS: Readonly<Record<TextKind, (text: string, row: EventRow) => Addressed[]>> = {
  objection: (text, { reasonTo }) => (reasonTo === 'none' ? [] : [{ to: reasonTo, text }]),
  remark: (text) => [{ to: 'user', text }],
  warning: (text, { systemMessageTo }) => (systemMessageTo === 'none' ? [] : [{ to: systemMessageTo, text }]),
  failure: (text) => {
    const [first = ''] = text.split('\n', 1)
    return first === text
      ? [{ to: 'user', text }]
      : [
          { to: 'user', text: first },
          { to: 'verbose', text },
        ]
  },
  stdout: (text) => [{ to: 'verbose', text }],
  json: (text) => [{ to: 'verbose', text }],
}

/** A result's texts with their readers. */
export function messagesOf(result: Result, row: EventRow, hook: string): Message[] {
  return result.texts.flatMap(({ kind, text }) => READERS[kind](text, row).map((message) => ({ ...message, hook })))
}
