import { mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Subject } from '../../src/protocol/event-subject.ts'
import { recordWith } from '../support/log-lines.ts'
import { answer, call, eventsIn, type Held, prompt, result, transcriptOf, transcripts } from '../support/sessions.ts'

function counts({ events }: Held): Partial<Record<Subject, number>> {
  const found: Partial<Record<Subject, number>> = {}
  for (const { subject } of events) found[subject] = (found[subject] ?? 0) + 1
  return found
}

const names = ({ events }: Held): string[] => events.map(({ input }) => input.hook_event_name)

describe('the events that a client wrote down', () => {
  it.each([
    ['2.1.325.bash-write', { prompt: 1, call: 4, result: 4, stop: 1 }],
    ['2.1.325.compact', { prompt: 1, stop: 1 }],
    ['2.1.325.mcp-echo', { prompt: 1, call: 2, result: 1, failure: 1, stop: 1 }],
    ['2.1.325.twelve-events', { prompt: 1, call: 3, result: 2, failure: 1, stop: 3 }],
    ['2.1.34.task-completed', { prompt: 1, call: 2, result: 2, stop: 1 }],
    ['2.1.7.bash-fail', { prompt: 1, call: 1, failure: 1, stop: 1 }],
    ['2.1.7.bash-write', { prompt: 1, call: 4, result: 4, stop: 1 }],
    ['2.1.7.subagent', { prompt: 1, call: 2, result: 2, stop: 2 }],
  ])('are all found in %s', async (name, expected) => {
    const held = await eventsIn(join(transcripts, `${name}.jsonl`))
    expect(counts(held)).toEqual(expected)
    expect(held.leftovers.torn).toBe(0)
  })

  it('are found in a folder, subagents as parts of their sessions, lines of other kinds counted', async () => {
    const held = await eventsIn(transcripts)
    expect(held.sessions).toBe(8)
    expect(counts(held)).toEqual({ prompt: 8, call: 18, result: 15, failure: 3, stop: 11 })
    expect(Object.fromEntries(held.leftovers.skipped)).toEqual({
      'queue-operation': 16,
      'last-prompt': 13,
      system: 5,
      'user (injected)': 5,
    })
  })

  it('carry what hooks were given', async () => {
    const file = join(transcripts, '2.1.325.bash-write.jsonl')
    const { events } = await eventsIn(file)
    const common = {
      session_id: '7cdac568-ce0a-413a-9d1d-a0ce5b6a17bd',
      transcript_path: file,
      cwd: '/home/dev/project',
      permission_mode: 'default',
    }
    const bash = {
      tool_name: 'Bash',
      tool_input: { command: 'echo hi', description: 'say hi' },
      tool_use_id: 'toolu_fake_0001',
    }
    expect(events.slice(0, 3).map(({ input }) => input)).toEqual([
      { ...common, hook_event_name: 'UserPromptSubmit', prompt: 'Say hello.' },
      { ...common, hook_event_name: 'PreToolUse', ...bash },
      {
        ...common,
        hook_event_name: 'PostToolUse',
        ...bash,
        tool_response: { stdout: 'hi', stderr: '', interrupted: false, isImage: false, noOutputExpected: false },
      },
    ])
    expect(events.at(-1)?.input).toEqual({ ...common, hook_event_name: 'Stop', stop_hook_active: false })
  })

  it('of a subagent stand where they happened, with its id, its type and its own transcript', async () => {
    const held = await eventsIn(join(transcripts, '2.1.7.subagent.jsonl'))
    expect(names(held)).toEqual([
      'UserPromptSubmit',
      'PreToolUse',
      'PreToolUse',
      'PostToolUse',
      'SubagentStop',
      'PostToolUse',
      'Stop',
    ])
    expect(held.events[4]?.input).toMatchObject({
      transcript_path: join(transcripts, '2.1.7.subagent.jsonl'),
      agent_id: 'a24a528',
      agent_type: 'general-purpose',
      agent_transcript_path: join(transcripts, '2.1.7.subagent.subagent1.jsonl'),
    })
  })

  it('of a subagent are found in the folder of its session, as newer clients lay them out', async () => {
    const side = { isSidechain: true, agentId: 'a1' }
    const done = answer([{ type: 'text', text: 'done' }], { timestamp: '2026-11-15T09:01:00.000Z' })
    const main = await transcriptOf([prompt('go'), done], 's1.jsonl')
    const folder = join(dirname(main), 's1', 'subagents')
    await mkdir(folder, { recursive: true })
    await rename(await transcriptOf([prompt('look', side), call('t1', 'ls', side)]), join(folder, 'agent-a1.jsonl'))
    expect(names(await eventsIn(main))).toEqual(['UserPromptSubmit', 'PreToolUse', 'Stop'])
  })

  it('tell how a failed call failed', async () => {
    const { events } = await eventsIn(join(transcripts, '2.1.7.bash-fail.jsonl'))
    const failures = events.filter(({ subject }) => subject === 'failure')
    expect(failures.map(({ input }) => input.error)).toEqual(['Exit code 3\nerr\n\nout'])
  })
})

describe('a call that was refused', () => {
  it.each([
    ['hook', 'PreToolUse:Bash hook error: [./guard.sh]: no rm here'],
    ['hook', 'Hook PreToolUse:Write denied this tool'],
    ['person', "The user doesn't want to proceed with this tool use. The tool use was rejected."],
    ['person', '[Request interrupted by user for tool use]'],
    ['rule', 'Permission to use Bash with command rm has been denied.'],
    ['rule', "Claude requested permissions to write to a.txt, but you haven't granted it yet."],
  ])('by a %s is told by the words "%s"', async (by, words) => {
    const held = await eventsIn(await transcriptOf([prompt('go'), call('t1'), result('t1', words, { failed: true })]))
    expect(held.events[1]?.before).toEqual({ was: 'refused', by })
    expect(names(held)).toEqual(['UserPromptSubmit', 'PreToolUse'])
  })

  it('with nothing but a reason is told by the reminder beside it', async () => {
    const beside = '<system-reminder>\nPreToolUse:Bash hook blocking error from command: "g": no\n</system-reminder>'
    const content = [
      { type: 'tool_result', tool_use_id: 't1', content: 'no', is_error: true },
      { type: 'text', text: beside },
    ]
    const { events } = await eventsIn(await transcriptOf([call('t1'), prompt(content)]))
    expect(events[0]?.before).toEqual({ was: 'refused', by: 'hook' })
  })

  it('is told by the decision that newer clients write down', async () => {
    const permissionDecision = { decision: 'reject', source: 'hook' }
    const file = await transcriptOf([call('t1'), result('t1', 'no', { failed: true, permissionDecision })])
    expect((await eventsIn(file)).events[0]?.before).toEqual({ was: 'refused', by: 'hook' })
  })

  it('is told by the note that newer clients attach', async () => {
    const attachment = {
      type: 'hook_blocking_error',
      hookName: 'PreToolUse:Bash',
      hookEvent: 'PreToolUse',
      toolUseID: 't1',
    }
    const lines = [call('t1'), { type: 'attachment', attachment }, result('t1', 'no', { failed: true })]
    expect((await eventsIn(await transcriptOf(lines))).events[0]?.before).toEqual({ was: 'refused', by: 'hook' })
  })

  const ran = (event: string, id = 't1'): object => ({
    type: 'progress',
    data: { type: 'hook_progress', hookEvent: event, hookName: `${event}:Bash`, command: './guard.sh' },
    toolUseID: id,
    parentToolUseID: id,
  })

  it('by JSON, with nothing but a reason, is told by the hook that ran before it and none after', async () => {
    const lines = [prompt('go'), call('t1'), ran('PreToolUse'), result('t1', 'not on a Friday', { failed: true })]
    const held = await eventsIn(await transcriptOf([...lines, answer('Fine.')]))
    expect(held.events[1]?.before).toEqual({ was: 'refused', by: 'hook' })
    expect(names(held)).toEqual(['UserPromptSubmit', 'PreToolUse', 'Stop'])
  })

  it.each([
    ['says so itself', [ran('PreToolUse'), result('t1', 'Exit code 1\nno', { failed: true })]],
    ['had hooks after it', [ran('PreToolUse'), ran('PostToolUseFailure'), result('t1', 'odd', { failed: true })]],
    [
      'had hooks after its result',
      [ran('PreToolUse'), result('t1', 'odd', { failed: true }), ran('PostToolUseFailure')],
    ],
    ['had no hooks', [result('t1', 'odd', { failed: true })]],
  ])('is none when a call that failed %s', async (_why, lines) => {
    const held = await eventsIn(await transcriptOf([call('t1'), ...lines, answer('Fine.')]))
    expect(held.events[0]?.before).toEqual({ was: 'passed' })
    expect(names(held)).toEqual(['PreToolUse', 'PostToolUseFailure', 'Stop'])
  })

  it('is told by a note that comes after the result, too', async () => {
    const attachment = {
      type: 'hook_blocking_error',
      hookName: 'PreToolUse:Bash',
      hookEvent: 'PreToolUse',
      toolUseID: 't1',
    }
    const lines = [call('t1'), result('t1', 'no', { failed: true }), { type: 'attachment', attachment }]
    const held = await eventsIn(await transcriptOf([...lines, answer('Fine.')]))
    expect(held.events[0]?.before).toEqual({ was: 'refused', by: 'hook' })
    expect(names(held)).toEqual(['PreToolUse', 'Stop'])
  })

  it('because it did not fit its tool was no event: no hook was asked', async () => {
    const words = '<tool_use_error>InputValidationError: Bash failed: command is missing</tool_use_error>'
    const held = await eventsIn(
      await transcriptOf([prompt('go'), call('t1'), result('t1', words, { failed: true }), answer('Sorry.')]),
    )
    expect(names(held)).toEqual(['UserPromptSubmit', 'Stop'])
  })

  it('is none when the call failed by itself', async () => {
    const held = await eventsIn(await transcriptOf([call('t1'), result('t1', 'Exit code 1', { failed: true })]))
    expect(held.events[0]?.before).toEqual({ was: 'passed' })
    expect(names(held)).toEqual(['PreToolUse', 'PostToolUseFailure'])
  })
})

describe('a call that was made and that a hook spoke against', () => {
  const feedback = 'PostToolUse:Bash hook blocking error from command: "lint": unused'
  const attachment = {
    type: 'hook_blocking_error',
    hookName: 'PostToolUse:Bash',
    hookEvent: 'PostToolUse',
    toolUseID: 't1',
  }

  it.each([
    ['a note beside it', [result('t1', 'ok'), { type: 'attachment', attachment }]],
    [
      'a line behind it',
      [result('t1', 'ok'), prompt(`<system-reminder>\n${feedback}\n</system-reminder>`, { isMeta: true })],
    ],
    [
      'a text with it',
      [
        prompt([
          { type: 'tool_result', tool_use_id: 't1', content: 'ok' },
          { type: 'text', text: feedback },
        ]),
      ],
    ],
  ])('is told by %s', async (_how, lines) => {
    const done = answer([{ type: 'text', text: 'done' }])
    const { events } = await eventsIn(await transcriptOf([call('t1'), ...lines, done]))
    expect(events.map(({ input, before }) => [input.hook_event_name, before.was])).toEqual([
      ['PreToolUse', 'passed'],
      ['PostToolUse', 'refused'],
      ['Stop', 'passed'],
    ])
  })
})

describe('the end of a turn', () => {
  const text = [{ type: 'text', text: 'done' }]

  it('is found where no line says that it is one', async () => {
    expect(names(await eventsIn(await transcriptOf([prompt('go'), answer(text, { stop: null })])))).toEqual([
      'UserPromptSubmit',
      'Stop',
    ])
  })

  it('is not a text before a call of the same message', async () => {
    const lines = [prompt('go'), answer(text, { stop: null, id: 'msg_t1' }), call('t1'), result('t1', 'ok')]
    expect(names(await eventsIn(await transcriptOf(lines)))).toEqual(['UserPromptSubmit', 'PreToolUse', 'PostToolUse'])
  })

  it('is none when a person interrupts', async () => {
    const lines = [prompt('go'), answer(text), prompt([{ type: 'text', text: '[Request interrupted by user]' }])]
    expect(names(await eventsIn(await transcriptOf(lines)))).toEqual(['UserPromptSubmit'])
  })

  it('that a hook refused sends the agent on, and the next one knows it', async () => {
    const lines = [
      prompt('go'),
      answer(text),
      prompt('Stop hook feedback:\n[./check.sh]: run the tests', { isMeta: true }),
      answer(text, { id: 'msg_2' }),
    ]
    const { events } = await eventsIn(await transcriptOf(lines))
    expect(events.slice(1).map(({ input, before }) => [input.stop_hook_active, before.was])).toEqual([
      [false, 'refused'],
      [true, 'passed'],
    ])
  })

  const summary = (preventedContinuation: boolean): object => ({
    type: 'system',
    subtype: 'stop_hook_summary',
    hookCount: 1,
    hookErrors: [],
    preventedContinuation,
  })

  it('is told by the summary of its hooks, also where the answer does not say that it is one', async () => {
    const lines = [prompt('go'), answer([{ type: 'thinking', thinking: '…' }], { stop: null }), summary(false)]
    const { events } = await eventsIn(await transcriptOf([...lines, prompt('more')]))
    expect(events.map(({ input }) => input.hook_event_name)).toEqual(['UserPromptSubmit', 'Stop', 'UserPromptSubmit'])
    expect(events[1]?.before).toEqual({ was: 'passed' })
  })

  it('at which a hook halted everything was refused', async () => {
    const { events } = await eventsIn(await transcriptOf([prompt('go'), answer('Done.'), summary(true)]))
    expect(events[1]).toMatchObject({ input: { hook_event_name: 'Stop' }, before: { was: 'refused', by: 'hook' } })
    expect(events).toHaveLength(2)
  })

  it.each([
    ['by its id', { agentId: 'acompact-3f5c' }, 'Sum it up.'],
    [
      'by what it is asked',
      { agentId: 'a830a8b' },
      'Your task is to create a detailed summary of the conversation so far.',
    ],
  ])('of a compaction, known %s, is no end of a subagent', async (_how, fields, asked) => {
    const side = { isSidechain: true, ...fields }
    const lines = [prompt('go'), answer('Done.'), prompt(asked, side), answer('Summary.', { id: 'msg_2', ...side })]
    const { events } = await eventsIn(await transcriptOf(lines))
    expect(events.map(({ input }) => input.hook_event_name).toSorted()).toEqual(['Stop', 'UserPromptSubmit'])
  })

  it('is none where the provider failed', async () => {
    const lines = [prompt('go'), answer(text, { stop: 'stop_sequence', isApiErrorMessage: true })]
    expect(names(await eventsIn(await transcriptOf(lines)))).toEqual(['UserPromptSubmit'])
  })
})

describe('what is no prompt', () => {
  it.each([
    ['a line of the client', prompt('Caveat', { isMeta: true })],
    ['a summary', prompt('This session…', { isCompactSummary: true })],
    ['a command', prompt('<command-name>/compact</command-name>')],
    ['the output of a command', prompt('<local-command-stdout>ok</local-command-stdout>')],
    ['a shell line', prompt('<bash-input>ls</bash-input>')],
    ['a notification', prompt('<task-notification>…', { origin: { kind: 'task-notification' } })],
    ['an image alone', prompt([{ type: 'image', source: {} }])],
  ])('is %s', async (_what, line) => {
    const { events, leftovers } = await eventsIn(await transcriptOf([line]))
    expect(events).toEqual([])
    expect(leftovers.skipped.get('user (injected)')).toBe(1)
  })

  it('is what an editor puts beside one', async () => {
    const content = [
      { type: 'text', text: '<ide_opened_file>The user opened a.ts</ide_opened_file>' },
      { type: 'text', text: 'Mend it' },
    ]
    const { events } = await eventsIn(await transcriptOf([prompt(content)]))
    expect(events.map(({ input }) => input.prompt)).toEqual(['Mend it'])
  })

  it('is one that a hook dropped, which is kept with its words', async () => {
    const content = 'UserPromptSubmit operation blocked by hook:\nno secrets\n\nOriginal prompt: my key is x'
    const { events } = await eventsIn(await transcriptOf([{ type: 'system', subtype: 'informational', content }]))
    expect(events.map(({ input, before }) => [input.prompt, before])).toEqual([
      ['my key is x', { was: 'refused', by: 'hook' }],
    ])
  })
})

describe('a file that is not as it should be', () => {
  it('has its torn lines counted and the others read', async () => {
    const { events, leftovers } = await eventsIn(
      await transcriptOf([prompt('one'), '{"type":"user","message":{"con', '', '[1]', prompt('two')]),
    )
    expect(events.map(({ input }) => input.prompt)).toEqual(['one', 'two'])
    expect(leftovers.torn).toBe(2)
  })

  it('may end in the middle of a call', async () => {
    const { events } = await eventsIn(await transcriptOf([prompt('go'), call('t1')]))
    expect(events[1]?.before).toEqual({ was: 'unknown' })
  })

  it('may hold results of calls that it does not hold', async () => {
    expect((await eventsIn(await transcriptOf([result('t0', 'ok'), prompt('go')]))).events).toHaveLength(1)
  })

  it('may write a call twice', async () => {
    const held = await eventsIn(await transcriptOf([call('t1'), call('t1'), result('t1', 'ok')]))
    expect(names(held)).toEqual(['PreToolUse', 'PostToolUse'])
  })

  it('is named when it is not there', async () => {
    await expect(eventsIn('/nowhere/at-all.jsonl')).rejects.toThrow(
      '/nowhere/at-all.jsonl cannot be read (ENOENT). Name a transcript, a log, or a folder of them.',
    )
  })

  it('holds nothing when it is empty', async () => {
    const path = await transcriptOf([])
    await writeFile(path, '')
    expect((await eventsIn(path)).events).toEqual([])
  })
})

describe('a subagent in the file of its session, as older clients write it', () => {
  it('stops by itself and leaves the prompts alone', async () => {
    const side = { isSidechain: true }
    const lines = [
      prompt('go'),
      call('t1'),
      prompt('look around', side),
      answer([{ type: 'text', text: 'seen' }], side),
      result('t1', 'seen'),
      answer([{ type: 'text', text: 'done' }], { id: 'msg_9' }),
    ]
    const held = await eventsIn(await transcriptOf(lines))
    expect(counts(held)).toEqual({ prompt: 1, call: 1, result: 1, stop: 2 })
    expect(names(held)).toContain('SubagentStop')
  })
})

describe('our own log', () => {
  it('gives each event back with what was decided', async () => {
    const record = recordWith({ sessionId: 's9', event: 'PreToolUse', decision: { blocked: true } })
    const input = { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'rm x' } }
    const { events } = await eventsIn(await transcriptOf([{ record, input }]))
    expect(events).toMatchObject([
      { input: { ...input, session_id: 's9' }, subject: 'call', before: { was: 'refused', by: 'hook' }, line: 1 },
    ])
  })

  it('has no event where a blocked prompt was erased', async () => {
    const record = recordWith({ event: 'UserPromptSubmit', decision: { blocked: true } })
    const input = { hook_event_name: 'UserPromptSubmit', prompt: '[erased]' }
    const { events, leftovers } = await eventsIn(await transcriptOf([{ record, input }]))
    expect(events).toEqual([])
    expect(Object.fromEntries(leftovers.skipped)).toEqual({ 'erased prompt': 1 })
  })
})
