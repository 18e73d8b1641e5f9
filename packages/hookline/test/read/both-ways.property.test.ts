import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decide } from '../../src/decide/decision.ts'
import { makeProfileSource } from '../../src/engine/profiles.ts'
import type { Decision } from '../../src/index.ts'
import type { EventRow } from '../../src/protocol/event-row.ts'
import { PROFILE_NAMES } from '../../src/protocol/profiles.ts'
import { read } from '../../src/read/read.ts'
import type { RunnableType } from '../../src/run/execute.ts'
import type { Run } from '../../src/run/run.ts'
import { typeThatRan } from '../support/hook-types.ts'

const seed = Number(process.env.HOOKLINE_SEED ?? Date.now() % 2 ** 31)
const source = makeProfileSource(undefined)
const profiles = await Promise.all(PROFILE_NAMES.map((name) => source.load(name)))
const readings = await Promise.all(PROFILE_NAMES.map((name) => source.loadReading(name)))
const shared = [...(profiles[0]?.events.keys() ?? [])].filter((name) =>
  profiles.every(({ events }) => events.has(name)),
)

const words = fc.constantFrom('no', 'because', '')
const input = fc.constantFrom({ command: 'a' }, { command: 'b', force: true })
const rules = fc.constantFrom([], [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }])

const dialog = fc.record(
  {
    behavior: fc.constantFrom('allow', 'deny'),
    message: words,
    interrupt: fc.boolean(),
    updatedInput: input,
    updatedPermissions: rules,
  },
  { requiredKeys: ['behavior'] },
)

/** Anything that a hook of either protocol may print, in place or not, and much that only one of them reads. */
const answer = (event: string): fc.Arbitrary<string> =>
  fc
    .record<Record<string, unknown>>(
      {
        continue: fc.constantFrom(true, false, null),
        stopReason: words,
        systemMessage: words,
        suppressOutput: fc.boolean(),
        decision: fc.constantFrom('approve', 'block', 'allow', 'deny', null, 'perhaps'),
        reason: words,
        additionalContext: words,
        hookSpecificOutput: fc.record<Record<string, unknown>>(
          {
            hookEventName: fc.constantFrom(event, event, event, 'Other'),
            permissionDecision: fc.constantFrom('allow', 'deny', 'ask', 'defer', null),
            permissionDecisionReason: words,
            decision: fc.oneof(dialog, fc.constantFrom('block', 'deny')),
            reason: words,
            updatedInput: input,
            additionalContext: words,
            updatedToolOutput: fc.constantFrom('x', { stdout: 'x', stderr: '', interrupted: false }),
          },
          { requiredKeys: ['hookEventName'] },
        ),
      },
      { requiredKeys: [] },
    )
    .chain((value) =>
      fc.constantFrom(JSON.stringify(value), `${JSON.stringify(value)}\nbye`, `log\n${JSON.stringify(value)}`),
    )

const stream = (text: string) => ({ kept: Buffer.from(text), bytes: Buffer.byteLength(text) })

const ended = (event: string): fc.Arbitrary<Run> =>
  fc
    .record({
      code: fc.constantFrom(0, 0, 0, 1, 1, 2, 2, 127),
      stdout: fc.oneof({ weight: 6, arbitrary: answer(event) }, words),
      stderr: words,
      how: fc.constantFrom('exited' as const, 'exited' as const, 'signalled' as const, 'timed-out' as const),
    })
    .map(({ code, stdout, stderr, how }): Run => {
      const said = { stdout: stream(stdout), stderr: stream(stderr), leftChild: false, durationMs: 1 }
      if (how === 'exited') return { ended: how, code, ...said }
      return how === 'signalled' ? { ended: how, signal: 'SIGKILL', ...said } : { ended: how, ...said }
    })

/** What servers, tools of servers and functions of the host answer. */
const answered = (event: string): fc.Arbitrary<Run> =>
  fc
    .record({
      text: fc.oneof({ weight: 6, arbitrary: answer(event) }, words),
      how: fc.constantFrom('replied' as const, 'called' as const, 'returned' as const),
      status: fc.constantFrom(200, 200, 204, 400, 500),
      isError: fc.boolean(),
    })
    .map(({ text, how, status, isError }): Run => {
      const said = { stdout: stream(text), stderr: stream(''), leftChild: false, durationMs: 1 }
      if (how === 'replied') return { ended: how, status, ...said }
      return how === 'called' ? { ended: how, isError, ...said } : { ended: how, value: text, durationMs: 1 }
    })

/** What models say of a condition, in the words of either protocol and in others. */
const judged = fc
  .record({
    verdict: fc.record(
      {
        ok: fc.constantFrom(true, false, 'no'),
        decision: fc.constantFrom('approve', 'block', 'deny'),
        reason: words,
        impossible: fc.boolean(),
        continue: fc.boolean(),
        systemMessage: words,
      },
      { requiredKeys: [] },
    ),
    goesOn: fc.boolean(),
    turns: fc.constantFrom(null, 2),
  })
  .map(({ verdict, goesOn, turns }): Run => {
    const spent = { durationMs: 1, model: 'm', usage: { inputTokens: 1, outputTokens: 1 }, attempts: 1, turns }
    return { ended: 'judged', text: JSON.stringify(verdict), goesOn, ...spent }
  })

const run = (event: string): fc.Arbitrary<Run> =>
  fc.oneof({ weight: 3, arbitrary: ended(event) }, answered(event), judged)

/** A hook type of either profile whose runs end in this way. */
function typeOf(ran: Run): RunnableType {
  const name = { replied: 'http', called: 'mcp_tool' }[String(ran.ended)]
  const type = name === undefined ? typeThatRan(ran) : profiles.at(-1)?.hookTypes[name]
  if (!type) throw new TypeError('one of the profiles has it')
  return type
}

/** Outcomes, the mildest first. */
const OUTCOMES = ['allowed', 'nothing', 'asked', 'deferred', 'refused', 'halted']

function outcomeOf({ halt, blocked, permission }: Decision): number {
  if (halt) return OUTCOMES.indexOf('halted')
  if (blocked) return OUTCOMES.indexOf('refused')
  const level = { allow: 'allowed', ask: 'asked', defer: 'deferred', deny: 'refused', null: 'nothing' }[`${permission}`]
  return OUTCOMES.indexOf(level)
}

function decisionOf(row: EventRow, ran: Run, failClosed: 'hook' | null): Decision {
  const event = { hook_event_name: row.name, ...row.example }
  const result = read(ran, { row, input: event, type: typeOf(ran), name: 'hook', failClosed })
  return decide(row, [{ hook: 'some', row, result }])
}

describe(`an answer that no profile was chosen for (seed ${seed}; set HOOKLINE_SEED to run it again)`, () => {
  it('comes to the stricter of both readings, and adds up what they give', () => {
    const event = fc.constantFrom(...shared).chain((name) =>
      fc.record({
        name: fc.constant(name),
        ran: run(name),
        failClosed: fc.constantFrom('hook' as const, null, null),
      }),
    )
    fc.assert(
      fc.property(event, ({ name, ran, failClosed }) => {
        const alone = profiles.map(({ events }) => decisionOf(events.get(name) as EventRow, ran, failClosed)) // both have it
        const strictest = Math.max(...alone.map(outcomeOf))
        for (const { events } of readings) {
          const joined = decisionOf(events.get(name) as EventRow, ran, failClosed) // it has what either has
          expect(OUTCOMES[outcomeOf(joined)]).toBe(OUTCOMES[strictest])
          if (joined.permission === 'allow') expect(alone.every(({ permission }) => permission === 'allow')).toBe(true)
          if (joined.updatedPermissions !== null)
            expect(alone.map(({ updatedPermissions }) => updatedPermissions)).toEqual([
              joined.updatedPermissions,
              joined.updatedPermissions,
            ])
          if (joined.blocked || failClosed !== null) continue
          expect(joined.context).toEqual(expect.arrayContaining(alone.flatMap(({ context }) => context)))
          expect(joined.updatedInput === null).toBe(alone.every(({ updatedInput }) => updatedInput === null))
          expect(joined.updatedToolOutput === null).toBe(
            alone.every(({ updatedToolOutput }) => updatedToolOutput === null),
          )
        }
      }),
      { numRuns: 5000, seed },
    )
  })
})
