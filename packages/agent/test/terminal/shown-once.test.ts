import { describe, expect, it } from 'vitest'
import type { Item } from '../../src/terminal/state/item.ts'
import { isVerbose } from '../../src/terminal/state/item.ts'
import { showEvent } from '../../src/terminal/state/show-event.ts'
import { INITIAL, type State } from '../../src/terminal/state/state.ts'
import { type Hook, hooked, specific } from '../support/current.ts'
import { bash } from '../support/opened-agent.ts'
import { drawn } from './support/drawn.ts'

const MARK = 'MARK-why'
const facts = { model: 'm', now: new Date(0) }
const task = { name: 'TaskCreate', input: { subject: 'a', description: 'b' }, id: 'toolu_1' }
const blocks = { decision: 'block', reason: MARK }

/** What hooks object to a call, wherever they may. */
const OBJECTIONS: readonly { readonly what: string; readonly hook: Hook; readonly call: typeof task | object }[] = [
  {
    what: 'a refusal before a call',
    hook: ['PreToolUse', () => specific('PreToolUse', { permissionDecision: 'deny', permissionDecisionReason: MARK })],
    call: bash('true'),
  },
  {
    what: 'a refusal in place of the dialog',
    hook: ['PermissionRequest', () => specific('PermissionRequest', { decision: { behavior: 'deny', message: MARK } })],
    call: { name: 'Write', input: { file_path: 'a.txt', content: 'x' }, id: 'toolu_1' },
  },
  { what: 'an objection to what a call makes', hook: ['TaskCreated', () => blocks], call: task },
  { what: 'an objection after a call', hook: ['PostToolUse', () => blocks], call: bash('true') },
  { what: 'an objection after a call that failed', hook: ['PostToolUseFailure', () => blocks], call: bash('exit 3') },
  { what: 'an objection after all calls', hook: ['PostToolBatch', () => blocks], call: bash('true') },
]

describe('the reason of a hook', () => {
  it.each(OBJECTIONS)('is shown once: $what', async ({ hook, call }) => {
    let state: State = INITIAL
    const turns = [{ tools: [call] }, { text: 'Over.' }] as Parameters<typeof hooked>[0]
    const { agent } = await hooked(turns, [hook], { onEvent: (event) => (state = showEvent(state, event, facts)) })
    await agent.run('Go')

    const visible = state.items.filter((item) => !isVerbose(item)).map(texts)
    expect(visible.join('\n').split(MARK).length - 1).toBe(1)
    expect(state.objections).toEqual([])
  })
})

function texts(item: Item): string {
  if (item.kind === 'call') return item.result
  return 'text' in item ? item.text : ''
}

describe('counts', () => {
  it('say "1 message", and "2 messages"', async () => {
    const session = { id: 'x', path: 'x', title: null, firstPrompt: 'Hello', changed: new Date(0), messages: 1 }
    const sessions = [session, { ...session, messages: 2 }]
    const screen = await drawn({ dialogs: [{ kind: 'sessions', sessions, answer: () => {} }] })
    expect(screen).toMatch(/ 1 message {2}Hello/)
    expect(screen).toMatch(/ 2 messages {2}Hello/)
  })

  it('say about how many tokens the model has streamed', async () => {
    const screen = await drawn({ work: 'Thinking', since: Date.now(), streaming: 'word '.repeat(80) })
    expect(screen).toMatch(/Thinking \(\d s, about 100 tokens, Esc interrupts\)/)
  })
})
