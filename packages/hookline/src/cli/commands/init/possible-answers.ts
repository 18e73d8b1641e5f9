import type { Effect } from '../../../protocol/effect.ts'
import type { EventRow, MergeName } from '../../../protocol/event-row.ts'

/** Answer that a hook may give: as JSON on stdout, as plain text there, or with exit code 2 and a reason on stderr. */
export interface PossibleAnswer {
  /** Effect, for a comment. */
  readonly does: string
  readonly how: { readonly json: object } | { readonly text: string } | { readonly exit2: string }
  /** The same as a reply of `defineHook`; null where that has no word for it. */
  readonly reply: Reply | null
}

/** A reply by its name, and what it is given. */
export type Reply = readonly [name: string, ...values: unknown[]]

const WHY = 'Say why here.'
const TEXT = 'Something the model should know.'

/** Lists what hooks of an event may decide and tell, derived from its row; what only warns or halts comes last. */
export function listPossibleAnswers(row: EventRow): PossibleAnswer[] {
  return [
    ...DECISIONS[row.merges](row),
    ...(row.blocksOn !== 'never' ? [makeExit2Answer(row)] : []),
    ...makeContextAnswers(row),
    ...Object.entries(row.effects).flatMap(([name, effect]) => (isAsking(effect) ? (EFFECTS[name]?.(row) ?? []) : [])),
    ...(row.systemMessageTo === 'none'
      ? []
      : [
          {
            does: `Warn the ${row.systemMessageTo}, and decide nothing`,
            how: { json: { systemMessage: WHY } },
            reply: ['systemMessage', WHY] as const,
          },
        ]),
    ...(row.canHalt
      ? [
          {
            does: 'Stop the agent, which overrides every other answer; the user sees why',
            how: { json: { continue: false, stopReason: WHY } },
            reply: ['halt', WHY] as const,
          },
        ]
      : []),
  ]
}

const DECISIONS: Readonly<Record<MergeName, (row: EventRow) => PossibleAnswer[]>> = {
  permission: (row) => [
    ...makePermissionAnswers(row, 'deny', `Refuse: ${row.onBlock}`),
    ...makePermissionAnswers(row, 'ask', 'Ask the user, who sees the reason'),
    ...makePermissionAnswers(row, 'allow', 'Allow it without asking; the user sees the reason'),
    ...makePermissionAnswers(
      row,
      'defer',
      'Leave the call open and end the run; hooks are asked again when it is resumed',
    ),
    ...rewrite(row),
  ],
  dialog: (row) => [
    {
      does: 'Answer the dialog with no; the model reads the message',
      how: { json: makeSpecificAnswer(row, { decision: { behavior: 'deny', message: WHY } }) },
      reply: ['deny', WHY],
    },
    {
      does: 'Answer it with yes',
      how: { json: makeSpecificAnswer(row, { decision: { behavior: 'allow' } }) },
      reply: ['allow'],
    },
  ],
  block: (row) => [
    {
      does: `Block: ${row.onBlock}`,
      how: { json: { decision: 'block', reason: WHY } },
      reply: ['block', WHY],
    },
  ],
  'exit-code': () => [],
  nothing: () => [],
}

/** Effects that can be asked of the host beyond a decision, by name; plain stdout asks for the others. */
export const EFFECTS: Readonly<Record<string, (row: EventRow) => PossibleAnswer[]>> = {
  sessionTitle: (row) => [makeEffectAnswer(row, 'Name the session', 'sessionTitle', 'What it is about')],
  initialUserMessage: (row) => [
    makeEffectAnswer(row, 'Give a first prompt, where no user types one', 'initialUserMessage', 'Run the tests first.'),
  ],
  watchPaths: (row) => [makeEffectAnswer(row, 'Have the host watch files', 'watchPaths', ['/path/of/a/file'])],
  reloadSkills: (row) => [makeEffectAnswer(row, 'Reload the skills', 'reloadSkills')],
  displayContent: (row) => [
    makeEffectAnswer(row, 'Show something else in place of the text', 'displayContent', 'Hidden.'),
  ],
  retry: (row) => [makeEffectAnswer(row, 'Tell the model that it may try again', 'retry')],
  classifierContext: (row) => [
    makeEffectAnswer(row, 'Tell something to the classifier that judges later calls', 'classifierContext', WHY),
  ],
  suppressOriginalPrompt: (row) => [
    {
      does: 'Block, and do not show the prompt beside the reason',
      how: { json: { decision: 'block', reason: WHY, ...makeSpecificAnswer(row, { suppressOriginalPrompt: true }) } },
      reply: ['block', WHY, { suppressOriginalPrompt: true }],
    },
  ],
  updatedToolOutput: (row) => {
    const updatedToolOutput = row.example[row.replaces ?? '']
    return [
      {
        does: 'Replace the output of the tool, in the same shape',
        how: { json: makeSpecificAnswer(row, { updatedToolOutput }) },
        reply: ['replaceOutput', updatedToolOutput],
      },
    ]
  },
  elicitation: (row) => [
    {
      does: 'Answer the server in place of the user',
      how: { json: makeSpecificAnswer(row, { action: 'accept', content: { name: 'Ada' } }) },
      reply: ['accept', { name: 'Ada' }],
    },
    { does: 'Decline', how: { json: makeSpecificAnswer(row, { action: 'decline' }) }, reply: ['decline'] },
    {
      does: 'Give up on the question',
      how: { json: makeSpecificAnswer(row, { action: 'cancel' }) },
      reply: ['cancel'],
    },
  ],
}

/** True if a field that hooks of any tool may give asks for an effect. */
const isAsking = ({ from, fields }: Effect): boolean => from === 'specific' && fields.length > 0

/** An effect that one field asks for, and a reply of the same name; without a value it is switched on. */
function makeEffectAnswer(
  row: EventRow,
  does: string,
  field: string,
  value?: string | readonly string[],
): PossibleAnswer {
  const json = makeSpecificAnswer(row, { [field]: value ?? true })
  return { does, how: { json }, reply: value === undefined ? [field] : [field, value] }
}

function makePermissionAnswers(row: EventRow, permissionDecision: string, does: string): PossibleAnswer[] {
  if (!row.permissionWords?.includes(permissionDecision)) return []
  const json = makeSpecificAnswer(row, { permissionDecision, permissionDecisionReason: WHY })
  return [{ does, how: { json }, reply: [permissionDecision, WHY] }]
}

function rewrite(row: EventRow): PossibleAnswer[] {
  if (row.rewrites === null) return []
  const updatedInput = row.example[row.rewrites]
  const json = makeSpecificAnswer(row, { updatedInput })
  const does = 'Replace the whole tool input, and leave the permission to others'
  return [{ does, how: { json }, reply: ['rewrite', updatedInput] }]
}

function makeExit2Answer({ onBlock, merges }: EventRow): PossibleAnswer {
  const reply: Reply | null = merges === 'exit-code' ? ['block', WHY] : null
  return { does: `With exit code 2: ${onBlock}`, how: { exit2: WHY }, reply }
}

function makeContextAnswers(row: EventRow): PossibleAnswer[] {
  const { answerFields, plainStdout } = row
  return [
    ...(answerFields.includes('additionalContext')
      ? [
          {
            does: 'Tell the model something',
            how: { json: makeSpecificAnswer(row, { additionalContext: TEXT }) },
            reply: ['context', TEXT] as const,
          },
        ]
      : []),
    ...(plainStdout === 'context' ? [{ does: 'The same as plain text', how: { text: TEXT }, reply: null }] : []),
    ...(plainStdout === 'instructions'
      ? [
          {
            does: 'Add to the instructions of the compaction',
            how: { text: 'Keep the file names.' },
            reply: ['instructions', 'Keep the file names.'] as const,
          },
        ]
      : []),
  ]
}

function makeSpecificAnswer({ name }: EventRow, fields: object): object {
  return { hookSpecificOutput: { hookEventName: name, ...fields } }
}
