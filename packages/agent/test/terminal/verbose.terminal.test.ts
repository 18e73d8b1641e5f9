import { expect, it } from 'vitest'
import { answering } from '../../../hookline/test/support/project.ts'
import { group, openSession } from './support/session.ts'

const call = { tools: [{ name: 'Bash', input: { command: 'true' } }] }
const args = ['--allowed-tools', 'Bash']

/** What a hook says, and who reads it: `docs/writing-a-hook.md`. */
const rows = [
  {
    what: 'stderr of exit 2, where it goes to the model',
    hooks: { PreToolUse: [group('echo MARK-stderr >&2; exit 2')] },
    always: ['MARK-stderr'],
    verbose: ['MARK-stderr'],
    never: [],
  },
  {
    what: 'stderr of exit 2 on an event that cannot block',
    hooks: { SessionStart: [group('echo MARK-stderr >&2; exit 2')] },
    always: ['MARK-stderr'],
    verbose: ['MARK-stderr'],
    never: [],
  },
  {
    what: 'stderr of another failing code: its first line, in the verbose view all',
    hooks: { PostToolUse: [group('printf "MARK-first\\nMARK-second\\n" >&2; exit 3')] },
    always: ['MARK-first'],
    verbose: ['MARK-first', 'MARK-second'],
    never: [],
  },
  {
    what: 'plain output: in the verbose view',
    hooks: { PostToolUse: [group('echo MARK-plain')] },
    always: [],
    verbose: ['MARK-plain'],
    never: [],
  },
  {
    what: 'JSON as it is: in the verbose view',
    hooks: { PostToolUse: [group(answering({ suppressOutput: false, systemMessage: 'MARK-warning' }))] },
    always: ['MARK-warning'],
    verbose: ['"systemMessage":"MARK-warning"'],
    never: [],
  },
  {
    what: 'JSON that asks for it: nowhere',
    hooks: { PostToolUse: [group(answering({ suppressOutput: true, systemMessage: 'MARK-warning' }))] },
    always: ['MARK-warning'],
    verbose: ['MARK-warning'],
    never: ['"systemMessage"'],
  },
  {
    what: 'the reason of a denial',
    hooks: {
      PreToolUse: [
        group(
          answering({
            hookSpecificOutput: {
              hookEventName: 'PreToolUse',
              permissionDecision: 'deny',
              permissionDecisionReason: 'MARK-reason',
            },
          }),
        ),
      ],
    },
    always: ['MARK-reason'],
    verbose: ['MARK-reason'],
    never: [],
  },
  {
    what: 'context for the model: in the verbose view',
    hooks: {
      PostToolUse: [
        group(answering({ hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: 'MARK-context' } })),
      ],
    },
    always: [],
    verbose: ['MARK-context'],
    never: [],
  },
  {
    what: 'why a hook stopped the turn',
    hooks: { PostToolUse: [group(answering({ continue: false, stopReason: 'MARK-stop' }))] },
    always: ['MARK-stop'],
    verbose: ['MARK-stop'],
    never: [],
  },
]

it.each(rows)('shows $what', async ({ hooks, always, verbose, never }) => {
  const { terminal } = await openSession({ turns: [call, { text: 'Over.' }], hooks, args, rows: 50 })
  await terminal.see('Ask something')
  await terminal.enter('Go')
  await terminal.see(/Over\.|MARK-stop/)
  await terminal.see('Ask something')

  const plain = withoutInputs(await terminal.everything())
  for (const mark of always) expect(plain).toContain(mark)
  for (const mark of verbose.filter((each) => !always.includes(each))) expect(plain).not.toContain(mark)
  await terminal.press('C-o')
  await terminal.see('verbose')
  const full = withoutInputs(await terminal.everything())
  for (const mark of verbose) expect(full).toContain(mark)
  for (const mark of never) expect(full).not.toContain(mark)
})

it('shows when hooks start and end, how, and how long they took, in the verbose view only', async () => {
  const hooks = { PreToolUse: [group('exit 0')] }
  const { terminal } = await openSession({ turns: [call, { text: 'Over.' }], hooks, args })
  await terminal.see('Ask something')
  await terminal.enter('Go')
  expect(await terminal.see('Over.')).not.toContain('hook project:PreToolUse:0:0')

  await terminal.press('C-o')

  await terminal.see('PreToolUse hook project:PreToolUse:0:0 started')
  await terminal.see(/PreToolUse hook project:PreToolUse:0:0 ended: success, exit 0, \d+ ms/)
  await terminal.press('C-o')
  await terminal.seeGone('PreToolUse hook project:PreToolUse:0:0')
})

/** Without the names of hooks, which are commands that hold the marks. */
function withoutInputs(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/\[[^\]]*\]:|ms {1,2}(printf|echo)[^◆●❯]*/g, '')
}
