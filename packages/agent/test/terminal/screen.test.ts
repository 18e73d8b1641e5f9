import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import { HOSTILE, HOSTILE_LINE, residueOf } from '../../../hookline/test/support/hostile.ts'
import type { PermissionUpdate } from '../../src/permission/update.ts'
import { makeEditor } from '../../src/terminal/keys/editor.ts'
import { toQuestion } from '../../src/terminal/plain/question-of.ts'
import { DrawnScreen } from '../../src/terminal/screen.ts'
import type { Dialog } from '../../src/terminal/state/dialog.ts'
import type { HookWork } from '../../src/terminal/state/hook-work.ts'
import type { Item } from '../../src/terminal/state/item.ts'
import type { State } from '../../src/terminal/state/state.ts'
import { formatAskedCall } from '../../src/terminal/text/asked-lines.ts'
import type { WantedChange } from '../../src/terminal/text/hunks.ts'
import { makeBuiltinTools } from '../../src/tools/builtin.ts'
import { drawn, hostIn } from './support/drawn.ts'

const { signal } = new AbortController()
const hunk = { oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: [`-${HOSTILE_LINE}`, `+${HOSTILE_LINE}`] }
const work: HookWork = {
  events: [HOSTILE],
  ran: 2,
  failed: 1,
  interrupted: 1,
  ms: 38,
  background: [HOSTILE],
  refusedBy: [HOSTILE],
  blockedBy: [HOSTILE],
  rewrites: [{ by: HOSTILE, before: { command: HOSTILE }, after: { command: `${HOSTILE}!` } }],
}
const call = { name: HOSTILE, input: { [HOSTILE]: HOSTILE }, agent: HOSTILE, work } as const

const ITEMS: Readonly<Record<Item['kind'], readonly Item[]>> = {
  banner: [{ kind: 'banner', title: HOSTILE, lines: [HOSTILE] }],
  user: [{ kind: 'user', text: HOSTILE }],
  model: [
    { kind: 'model', text: HOSTILE, agent: HOSTILE },
    {
      kind: 'model',
      text: `# ${HOSTILE}\n- ${HOSTILE_LINE}\n> ${HOSTILE_LINE}\n**${HOSTILE_LINE}** \`${HOSTILE_LINE}\``,
      agent: null,
    },
    { kind: 'model', text: `\`\`\`\n${HOSTILE}\n\`\`\``, agent: null },
    { kind: 'model', text: `\`\`\`ts\n"${HOSTILE}" // ${HOSTILE_LINE}\n\`\`\``, agent: null },
    { kind: 'model', text: `|a|b|\n|-|-|\n|${HOSTILE_LINE}|x|\n- [x] [${HOSTILE_LINE}](${HOSTILE_LINE})`, agent: null },
  ],
  call: [
    { kind: 'call', ...call, hunks: [], result: HOSTILE, failed: false },
    { kind: 'call', ...call, hunks: [], result: HOSTILE, failed: true },
    { kind: 'call', ...call, input: { command: HOSTILE }, hunks: [hunk], result: '', failed: false },
  ],
  read: [{ kind: 'read', text: HOSTILE }],
  told: [{ kind: 'told', text: HOSTILE, verbose: true }],
  work: [{ kind: 'work', work }],
  hook: [{ kind: 'hook', text: HOSTILE }],
  note: [{ kind: 'note', text: HOSTILE, tone: 'bad' }],
}

const always: PermissionUpdate = {
  type: 'addRules',
  rules: [{ toolName: HOSTILE, ruleContent: HOSTILE }],
  behavior: 'allow',
  destination: 'session',
}
const asking = (input: unknown, tool = HOSTILE, change: WantedChange | null = null): Dialog => ({
  kind: 'permission',
  change,
  question: { tool, input, reason: HOSTILE, suggestions: [always], signal },
  answer: () => {},
})
const session = { id: 'x', path: HOSTILE, title: null, firstPrompt: HOSTILE, changed: new Date(0), messages: 1 }
const properties = { [HOSTILE]: { title: HOSTILE, enum: [HOSTILE] } }

const DIALOGS: Readonly<
  Record<Exclude<Dialog['kind'], 'hooks' | 'permissions' | 'plan' | 'trust'>, readonly Dialog[]>
> = {
  permission: [
    ...makeBuiltinTools().map(({ name: tool }) =>
      asking({ command: HOSTILE, file_path: HOSTILE, description: HOSTILE }, tool),
    ),
    asking({ file_path: HOSTILE, content: HOSTILE }),
    asking({ file_path: HOSTILE, old_string: HOSTILE, new_string: HOSTILE }, 'Edit', {
      hunks: [hunk],
      problem: HOSTILE,
    }),
    asking({ [HOSTILE]: [HOSTILE] }),
    asking(HOSTILE),
  ],
  form: [
    {
      kind: 'form',
      question: { server: HOSTILE, message: HOSTILE, schema: { type: 'object', properties }, signal },
      answer: () => {},
    },
  ],
  sessions: [{ kind: 'sessions', sessions: [session], answer: () => {} }],
  rewind: [{ kind: 'rewind', points: [{ text: HOSTILE, at: 0, files: [HOSTILE] }], answer: () => {} }],
}

const AROUND: Readonly<Record<string, Partial<State>>> = {
  'what is being said': { streaming: HOSTILE, work: 'Thinking' },
  'calls under way': {
    work: 'Thinking',
    calls: [{ id: '1', ...call, running: true, hunks: [], output: HOSTILE, startedAt: 0 }],
  },
  'messages of hooks': { work: 'Thinking', hooks: [{ id: '1', event: HOSTILE, statusMessage: HOSTILE }] },
  'the status line': { statusLine: HOSTILE },
  'a hint': { hint: HOSTILE },
  'what is typed': { editor: makeEditor(HOSTILE) },
  'what is searched for': { search: { query: HOSTILE, skip: 0 } },
  'what was found': { search: { query: '', skip: 0 }, history: { entries: [HOSTILE], back: 0, draft: '' } },
  'whose words are typed': { playing: [{ as: HOSTILE, answer: () => {} }] },
  'what waits': { queued: [HOSTILE] },
  'the mode': { session: { id: '1', transcriptPath: HOSTILE, cwd: HOSTILE, mode: HOSTILE, title: HOSTILE } },
}

/** What ink itself writes to draw: it goes up line by line, and hides the cursor. */
const DRAWING = new RegExp(`${'\u001b'}\\[(?:2K|1A|G|\\?25[lh]|\\?2026[lh])`, 'g')
const foreignTo = (output: string): string[] => residueOf(output.replaceAll(DRAWING, ''))

it('takes a terminal that does not say its size for a usual one', () => {
  const written: string[] = []
  const stdout = Object.assign(new EventEmitter(), { columns: 0, rows: 0, write: (text: string) => written.push(text) })
  const screen = new DrawnScreen(stdout as unknown as NodeJS.WriteStream, { unicode: true }) // as far as it is used
  expect([screen.stream.columns, screen.stream.rows]).toEqual([80, 24])
  screen.stream.write('\u001b[2J\u001b[3J\u001b[Hone\ntwo')
  screen.clear(() => {})
  expect(written[0]).toMatch(/one\ntwo$/)
})

it.each([
  [1, 1],
  [5, 3],
  [20, 2],
])('draws a dialog and the prompt in %i columns and %i rows', async (columns, rows) => {
  for (const state of [
    { dialogs: [asking({ command: 'ls\ntouch X' }, 'Bash')] },
    { streaming: 'a\nb', work: 'Thinking' },
  ])
    expect((await drawn(state, { columns, rows })).length).toBeGreaterThan(0)
})

it.each(Array.from({ length: 40 }, (_, at) => 12 + at))(
  'begins no wrapped row with a blank in %i columns',
  async (columns) => {
    const words = 'the lamp is lit at six and stays lit until the morning comes over the hills of the north'
    const items: Item[] = [
      { kind: 'user', text: words },
      { kind: 'model', text: `${words}\n\n- ${words}`, agent: null },
      { kind: 'told', text: words, verbose: false },
      { kind: 'note', text: `${words}\n  ${words}`, tone: 'plain' },
    ]
    const rows = (await drawn({ items, over: true }, { columns })).split('\n').map((row) => row.replaceAll(DRAWING, ''))
    const text = rows.filter((row) => /\w/.test(row))
    const deeper = text.filter((row) => /^ {3}/.test(row))
    expect(deeper).toEqual([]) // the deepest indent is that of a mark, and of the line that has one of its own
    expect(text.filter((row) => /^ {2}\S/.test(row)).length).toBeGreaterThan(0)
    expect(text.filter((row) => /^ \S/.test(row))).toEqual([])
    expect(
      text
        .join(' ')
        .replaceAll(/[❯•↯⎿\-*]/g, ' ')
        .match(/\w+/g)
        ?.join(' '),
    ).toBe(Array(6).fill(words).join(' '))
  },
)

it('keeps the indents of lines that it wraps', async () => {
  const text = `if (lit) {\n    ${'lamp '.repeat(12).trim()}\n}`
  const output = await drawn({ items: [{ kind: 'note', text, tone: 'plain' }], over: true }, { columns: 24 })
  expect(output).toContain('if (lit) {\n    lamp lamp lamp lamp\nlamp lamp')
})

describe('what others wrote', () => {
  it.each(Object.entries(ITEMS))('is drawn as letters in an item of kind %s', async (_kind, items) => {
    expect(foreignTo(await drawn({ items, verbose: true }))).toEqual([])
    expect(foreignTo(await drawn({ items, verbose: false }))).toEqual([])
  })

  it.each(Object.entries(DIALOGS))('is drawn as letters in a dialog of kind %s', async (_kind, dialogs) => {
    for (const dialog of dialogs) {
      const output = await drawn({ dialogs: [dialog] })
      expect(foreignTo(output)).toEqual([])
      expect(output).toContain('\\u{1b}')
    }
  })

  it.each(Object.entries(AROUND))('is drawn as letters in %s', async (_where, state) => {
    expect(foreignTo(await drawn(state))).toEqual([])
  })

  it('keeps the lines of a command apart in the dialog that asks for it', async () => {
    const command = 'ls # just looking\ntouch X'
    const [output, plain] = [
      await drawn({ dialogs: [asking({ command }, 'Bash')] }),
      toQuestion(asking({ command }, 'Bash'), hostIn({})).text,
    ]
    expect(output).toMatch(/│ +ls # just looking +│\n│ +touch X +│/)
    expect(plain).toMatch(/^ {2}ls # just looking\n {2}touch X$/m)
  })

  it('does not read as one line of a comment where a call is told', async () => {
    const item = {
      kind: 'call',
      ...call,
      name: 'Bash',
      agent: null,
      input: { command: 'ls # x\ntouch X' },
      hunks: [],
      result: '',
      failed: false,
    } as const
    expect(await drawn({ items: [item] })).toContain('Bash(ls # x ⏎ touch X)')
  })

  it('is shown whole in a dialog: every field of the input, and how many lines do not fit', async () => {
    const input = { command: 'ls', timeout: 5, run_in_background: true, other: 'a\nb' }
    expect(formatAskedCall(input, '/').map(({ text }) => text)).toEqual([
      'ls',
      'timeout: 5',
      'run_in_background: true',
      'other:',
      '  a',
      '  b',
    ])
    const long = Array.from({ length: 60 }, (_, at) => `step ${at}`).join('\n')
    const output = await drawn({ dialogs: [asking({ command: `${long}\n${'x'.repeat(500)}` }, 'Bash')] }, { rows: 38 })
    expect(output).toContain('step 0')
    expect(output).toMatch(/\d+ more lines: PageUp and PageDown/)
    expect(output).toContain('(in this session)') // where an answer for always is kept is never cut off
    expect(output.split('\n').length).toBeLessThanOrEqual(38)
  })
})
