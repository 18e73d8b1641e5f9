import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import type { DispatchRecord } from '../../src/index.ts'
import { answering, commands, engineWith } from '../support/project.ts'

const bashOutput = { stdout: 'token=abc', stderr: '', interrupted: false, exit: null }
const bashEnd = { hook_event_name: 'PostToolUse' as string, tool_name: 'Bash', tool_response: bashOutput as unknown }

const specific = (event: string, fields: object): object => ({
  hookSpecificOutput: { hookEventName: event, ...fields },
})

/** The record of an event whose hooks give these answers. */
async function answered(event: { hook_event_name: string }, ...answers: object[]): Promise<DispatchRecord> {
  const engine = await engineWith({}, { profile: 'current' })
  for (const answer of answers) await engine.on(event.hook_event_name, () => answer)
  return engine.dispatch(event)
}

const replacing = (updatedToolOutput: unknown): object => specific('PostToolUse', { updatedToolOutput })

describe('an output that replaces that of a tool', () => {
  it.each([
    ['of the same kind and keys', { ...bashOutput, stdout: 'token=…' }],
    ['with more keys', { ...bashOutput, note: 'redacted' }],
    ['with something where the tool had null', { ...bashOutput, exit: 1 }],
  ])('counts %s', async (_, output) => {
    const { decision, hooks } = await answered(bashEnd, replacing(output))
    expect(decision.updatedToolOutput).toEqual(output)
    expect(hooks[0]?.warnings).toEqual([])
  })

  it.each<[string, unknown, string]>([
    ['of another kind', 'token=…', 'it is a string'],
    ['that is a list', [bashOutput], 'it is a list'],
    ['that is null within an answer', null, 'it is null'],
    ['without a key', { stdout: '' }, 'it has no "stderr"'],
    ['with a key of another kind', { ...bashOutput, stdout: 1 }, 'its "stdout" is a number'],
  ])('%s is ignored with a warning', async (_, output, why) => {
    const { decision, hooks } = await answered(bashEnd, replacing(output))
    expect(decision.updatedToolOutput).toBeNull()
    expect(hooks[0]?.warnings).toEqual([expect.stringContaining(`updatedToolOutput is ignored: ${why}`)])
  })

  it.each([
    ['an MCP tool', { ...bashEnd, tool_name: 'mcp__srv__raw' }],
    ['a tool whose output the host did not give', { hook_event_name: 'PostToolUse', tool_name: 'Bash' }],
  ])('of %s may be anything', async (_, event) => {
    const { decision } = await answered(event, replacing('NEW'))
    expect(decision.updatedToolOutput).toBe('NEW')
  })

  it('is the last of several, each of which is told that they disagree', async () => {
    const { decision, hooks } = await answered(
      bashEnd,
      replacing({ ...bashOutput, stdout: 'one' }),
      replacing({ ...bashOutput, stderr: 'mine alone' }),
      replacing({ ...bashOutput, stdout: 'three' }),
    )
    expect(decision.updatedToolOutput).toMatchObject({ stdout: 'three' })
    const conflict = 'conflict: updatedToolOutput.stdout is rewritten differently'
    expect(hooks.map(({ warnings }) => warnings)).toEqual([
      [expect.stringContaining(conflict)],
      [],
      [expect.stringContaining(conflict)],
    ])
  })
})

it('hands all texts for the classifier on', async () => {
  const { decision } = await answered(
    bashEnd,
    specific('PostToolUse', { classifierContext: 'one' }),
    specific('PostToolUse', { classifierContext: 'two' }),
  )
  expect(decision.classifierContext).toBe('one\n\ntwo')
})

describe('a text of more than 10,000 characters', () => {
  const long = 'x'.repeat(10_001)

  /** Holds a text against what stands for a long one, and reads the file that it names. */
  async function expectSpilled(text: string | null | undefined): Promise<void> {
    expect(text?.length).toBeLessThan(3000)
    const [, file = ''] = /^<persisted-output>\n.* saved to: (\S.*)\n/.exec(text ?? '') ?? []
    expect(await readFile(file, 'utf8')).toBe(long)
  }

  it.each([
    ['additionalContext', ({ context }: DispatchRecord['decision']) => context[0]],
    ['initialUserMessage', ({ initialUserMessage }: DispatchRecord['decision']) => initialUserMessage],
  ])('goes into a file when it is an %s', async (field, textIn) => {
    const start = { hook_event_name: 'SessionStart', source: 'startup' }
    const { decision } = await answered(start, specific('SessionStart', { [field]: long }))
    await expectSpilled(textIn(decision))
  })

  it('goes into a file when it is a systemMessage, whether for the user or the model', async () => {
    for (const event of [bashEnd, { hook_event_name: 'DirectoryAdded', source: 'slash_command' }]) {
      const { decision } = await answered(event, { systemMessage: long })
      await expectSpilled(decision.messages.find(({ to }) => to !== 'verbose')?.text)
    }
  })

  it('goes into a file when it comes late', async () => {
    const answer = { systemMessage: long, ...specific('PostToolUse', { additionalContext: long }) }
    const late = { ...commands(answering(answer)).hooks[0], async: true }
    const engine = await engineWith({ PostToolUse: [{ hooks: [late] }] }, { profile: 'current' })
    await engine.dispatch(bashEnd)
    const [delivery] = await engine.drain()
    await expectSpilled(delivery?.context[0])
    await expectSpilled(delivery?.messages.find(({ to }) => to === 'model')?.text)
  })

  it('stays as it is when it is a reason', async () => {
    const { decision } = await answered(bashEnd, { decision: 'block', reason: long })
    expect(decision.reason).toBe(long)
  })
})

it('hands sequences for the terminal on that set a title or notify, and no others', async () => {
  const sequences = [
    '\x07',
    '\x1b]0;title\x07',
    '\x1b]9;done\x1b\\',
    '\x1b[2J',
    '\x1b]52;c;x\x07',
    `\x1b]0;${'t'.repeat(5000)}\x07`,
  ]
  const { decision } = await answered(bashEnd, ...sequences.map((terminalSequence) => ({ terminalSequence })))
  expect(decision.terminalSequences).toEqual(sequences.slice(0, 3))
})
