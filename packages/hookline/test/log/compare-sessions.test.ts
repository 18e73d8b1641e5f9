import { describe, expect, it } from 'vitest'
import { compareSessions, type SessionDifference } from '../../src/log/compare-sessions.ts'
import type { LogEntry } from '../../src/log/record-store.ts'
import type { HookLine, PastRecord } from '../../src/protocol/record/record.ts'
import { ranHook, recordWith } from '../support/log-lines.ts'

const HOOKS = ['guard.sh', 'format.sh', 'context.py']

/** A session of so many events; every third is about a call of its own. */
function makeSession(events: number, session: string): LogEntry[] {
  return Array.from({ length: events }, (_, nth) => {
    const hooks = HOOKS.map((command, at) => ranHook(`project:PreToolUse:0:${at}`, { command, durationMs: 40 + at }))
    const record = recordWith({ sessionId: session, id: `${session}/1/${nth}`, event: 'PreToolUse', hooks })
    const command = nth % 3 === 0 ? `call ${nth}` : `often ${nth % 7}`
    return { record, input: { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command } } }
  })
}

function changeRecord(entry: LogEntry | undefined, change: (record: PastRecord) => Partial<PastRecord>): LogEntry {
  if (entry === undefined) throw new Error('there is no such event')
  return { ...entry, record: { ...entry.record, ...change(entry.record) } }
}

const changeDecision = (entry: LogEntry | undefined, decision: object): LogEntry =>
  changeRecord(entry, (record) => ({ decision: { ...record.decision, ...decision } }))

function changeHook(entry: LogEntry | undefined, hook: Partial<HookLine>): LogEntry {
  return changeRecord(entry, ({ hooks }) => ({
    hooks: hooks.map((line, at) => (at === 1 ? { ...line, ...hook } : line)),
  }))
}

/** Changes that are made to an event, and the kind of difference that each is. */
const CHANGES: readonly [SessionDifference['kind'], (entry: LogEntry | undefined) => LogEntry][] = [
  ['decision', (entry) => changeDecision(entry, { blocked: true, permission: 'deny' })],
  ['reason', (entry) => changeDecision(entry, { reason: 'another reason' })],
  ['context', (entry) => changeDecision(entry, { context: ['new'], contextFrom: [{ hook: 'x', kind: 'context' }] })],
  ['input', (entry) => changeDecision(entry, { updatedInput: { command: 'rewritten' } })],
  ['hook', (entry) => changeRecord(entry, ({ hooks }) => ({ hooks: hooks.slice(0, 2) }))],
  ['order', (entry) => changeRecord(entry, ({ hooks }) => ({ hooks: hooks.toReversed() }))],
  ['slower', (entry) => changeHook(entry, { durationMs: 82 })],
]

describe('two sessions side by side', () => {
  it('have no difference where the same happened', () => {
    expect(compareSessions(makeSession(500, 'a'), makeSession(500, 'b'))).toMatchObject({
      paired: 500,
      differences: [],
    })
    expect(compareSessions([], [])).toMatchObject({ paired: 0, differences: [] })
  })

  it('show each of 200 changes, and nothing else', () => {
    const a = makeSession(2000, 'a')
    const b = makeSession(2000, 'b')
    const wanted: string[] = []
    for (let nth = 0; nth < 200; nth++) {
      const at = nth * 10
      const [kind, change] = CHANGES[nth % CHANGES.length] ?? []
      if (kind === undefined || change === undefined) throw new Error('there is a change')
      b[at] = change(b[at])
      wanted.push(`${kind} b/1/${at}`)
    }
    const { differences, paired } = compareSessions(a, b)
    expect(paired).toBe(2000)
    expect(differences.map(({ kind, ids }) => `${kind} ${ids[1]}`).sort()).toEqual(wanted.sort())
  })

  it('show events that one of them lacks, and events that came in another order', () => {
    const a = makeSession(60, 'a')
    const b = makeSession(60, 'b')
    const [removed] = b.splice(30, 1) // call 30, which is there once
    const [moved] = b.splice(9, 1)
    b.push(...(moved === undefined ? [] : [moved]))
    const { differences } = compareSessions(a, b)
    expect(removed?.record.id).toBe('b/1/30')
    expect(differences.map(({ kind, ids }) => [kind, ...ids]).sort()).toEqual([
      ['event', 'a/1/30', null],
      ['order', 'a/1/9', 'b/1/9'],
    ])
    expect(differences.find(({ kind }) => kind === 'order')).toMatchObject({ a: 'event 10 of 60', b: 'event 59 of 59' })
  })

  it('name the hook that stands behind a difference: it refused, or failed, or put words into the context', () => {
    const [a] = makeSession(1, 'a')
    const context = changeDecision(a, {
      context: ['new'],
      contextFrom: [{ hook: 'project:PreToolUse:0:2', kind: 'context' }],
    })
    const failed = changeHook(a, { outcome: 'non_blocking_error', exitCode: 1 })
    const both = [a, changeHook(context, { outcome: 'blocking', answer: { decision: 'block' } })]
    const refused = changeDecision(both[1], { blocked: true, permission: 'deny' })
    const nameHooks = (from: LogEntry | undefined, to: LogEntry | undefined) =>
      compareSessions(from === undefined ? [] : [from], to === undefined ? [] : [to]).differences.map(
        ({ kind, hook }) => `${kind} ${hook}`,
      )
    expect(nameHooks(a, context)).toEqual(['context context.py'])
    expect(nameHooks(a, failed)).toEqual(['decision format.sh'])
    expect(nameHooks(failed, a)).toEqual(['decision format.sh'])
    expect(nameHooks(a, refused)).toEqual(['decision format.sh', 'context context.py'])
  })

  it('differ in no recorder of a tap, which sees all and decides nothing', () => {
    const [a] = makeSession(1, 'a')
    const recorder = ranHook('user:PreToolUse:0:0', { command: '~/.hookline/bin/hookline tap record >/dev/null 2>&1' })
    const replayed = changeRecord(a, ({ hooks }) => ({ hooks: [recorder, ...hooks] }))
    expect(compareSessions([changeHook(a, {})], [replayed])).toEqual({ paired: 1, differences: [], problem: null })
  })

  it('are compared by their events alone where a tap saw no hooks of one, and say so', () => {
    const seen = makeSession(3, 'a')
    const tapped = makeSession(4, 'b').map((entry) => ({ ...changeRecord(entry, () => ({ hooks: [] })), tapped: [] }))
    const { differences, problem } = compareSessions(seen, tapped)
    expect(differences.map(({ kind, ids }) => [kind, ...ids])).toEqual([['event', null, 'b/1/3']])
    expect(problem).toContain('Session B was seen by a tap without wrapped hooks')
    expect(compareSessions(tapped, seen).problem).toContain('Session A')
    expect(compareSessions(tapped, tapped).problem).toBeNull()
  })

  it('take a hook for slower by the factor and the milliseconds that hookline stats takes', () => {
    const [a] = makeSession(1, 'a')
    const compare = (durationMs: number) =>
      compareSessions([changeHook(a, {})], [changeHook(a, { durationMs })]).differences
    expect(compare(60)).toEqual([]) // 41 ms before: less than 20 ms more
    expect(compare(62)).toMatchObject([{ kind: 'slower', hook: 'format.sh', a: '41 ms', b: '62 ms (+21)' }])
    expect(compare(15)).toMatchObject([{ kind: 'faster', hook: 'format.sh' }])
  })
})
