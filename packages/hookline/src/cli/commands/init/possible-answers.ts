import type { EventRow, MergeName } from '../../../protocol/event-row.ts'

/** Something that a hook may say: as JSON on stdout, as plain text there, or with exit code 2 and a reason on stderr. */
export interface PossibleAnswer {
  /** What it does, for a comment. */
  readonly does: string
  readonly how: { readonly json: object } | { readonly text: string } | { readonly exit2: string }
  /** The same with `defineHook`; null where that has no word for it. */
  readonly reply: string | null
}

const WHY = 'Say why here.'
const TEXT = 'Something the model should know.'

/** Everything that hooks of an event may decide and tell, derived from its row; what only warns or halts comes last. */
export function possibleAnswers(row: EventRow): PossibleAnswer[] {
  return [
    ...DECISIONS[row.merges](row),
    ...(row.blocksOn !== 'never' ? [exit2(row)] : []),
    ...contextAnswers(row),
    ...(row.systemMessageTo === 'none'
      ? []
      : [
          {
            does: `Warn the ${row.systemMessageTo}, and decide nothing`,
            how: { json: { systemMessage: WHY } },
            reply: `reply.systemMessage('${WHY}')`,
          },
        ]),
    ...(row.canHalt
      ? [
          {
            does: 'Halt the agent, which outranks everything; the user reads why',
            how: { json: { continue: false, stopReason: WHY } },
            reply: `reply.halt('${WHY}')`,
          },
        ]
      : []),
  ]
}

const DECISIONS: Readonly<Record<MergeName, (row: EventRow) => PossibleAnswer[]>> = {
  permission: (row) => [
    permission(row, 'deny', 'Refuse the call; the model reads the reason'),
    permission(row, 'ask', 'Let the user decide, who reads the reason'),
    permission(row, 'allow', 'Let the call run without asking; the user reads the reason'),
    ...rewrite(row),
  ],
  dialog: (row) => [
    {
      does: 'Answer the dialog with no; the model reads the message',
      how: { json: specific(row, { decision: { behavior: 'deny', message: WHY } }) },
      reply: `reply.deny('${WHY}')`,
    },
    {
      does: 'Answer it with yes',
      how: { json: specific(row, { decision: { behavior: 'allow' } }) },
      reply: 'reply.allow()',
    },
  ],
  block: (row) => [
    {
      does: `Block: ${row.onBlock}`,
      how: { json: { decision: 'block', reason: WHY } },
      reply: `reply.block('${WHY}')`,
    },
  ],
  'exit-code': () => [],
  nothing: () => [],
}

function permission(row: EventRow, permissionDecision: 'allow' | 'ask' | 'deny', does: string): PossibleAnswer {
  const json = specific(row, { permissionDecision, permissionDecisionReason: WHY })
  return { does, how: { json }, reply: `reply.${permissionDecision}('${WHY}')` }
}

function rewrite(row: EventRow): PossibleAnswer[] {
  if (row.rewrites === null) return []
  const updatedInput = row.example[row.rewrites]
  const json = specific(row, { updatedInput })
  const does = 'Replace the whole tool input, and leave the permission to others'
  return [{ does, how: { json }, reply: `reply.rewrite(${JSON.stringify(updatedInput)})` }]
}

function exit2({ onBlock, merges }: EventRow): PossibleAnswer {
  const reply = merges === 'exit-code' ? `reply.block('${WHY}')` : null
  return { does: `With exit code 2: ${onBlock}`, how: { exit2: WHY }, reply }
}

function contextAnswers(row: EventRow): PossibleAnswer[] {
  const { answerFields, plainStdout } = row
  return [
    ...(answerFields.includes('additionalContext')
      ? [
          {
            does: 'Tell the model something',
            how: { json: specific(row, { additionalContext: TEXT }) },
            reply: `reply.context('${TEXT}')`,
          },
        ]
      : []),
    ...(plainStdout === 'context' ? [{ does: 'The same as plain text', how: { text: TEXT }, reply: null }] : []),
    ...(plainStdout === 'instructions'
      ? [
          {
            does: 'Add to the instructions of the compaction',
            how: { text: 'Keep the file names.' },
            reply: "reply.instructions('Keep the file names.')",
          },
        ]
      : []),
  ]
}

function specific({ name }: EventRow, fields: object): object {
  return { hookSpecificOutput: { hookEventName: name, ...fields } }
}
