import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decide, type HookResult } from '../../src/decide/decision.ts'
import { hasSufficientEffect } from '../../src/decide/merge.ts'
import type { Decision, Engine, EngineOptions } from '../../src/index.ts'
import type { EventRow } from '../../src/protocol/event-row.ts'
import { PROFILE_NAMES, type ProfileName } from '../../src/protocol/profiles.ts'
import { read } from '../../src/read/read.ts'
import { makeClosed, type ReadContext } from '../../src/read/result.ts'
import type { Run } from '../../src/run/run.ts'
import { typeThatRan } from '../support/hook-types.ts'
import { eventsOfAllProfiles } from '../support/profiles.ts'
import { engineWith } from '../support/project.ts'

const seed = Number(process.env.HOOKLINE_SEED ?? Date.now() % 2 ** 31)
const events = await eventsOfAllProfiles()

const text = fc.constantFrom('no', 'yes', 'because', '')
const json = fc.dictionary(fc.constantFrom('command', 'path', 'force'), fc.constantFrom('a', 'b'), { maxKeys: 2 })

/** An engine of each profile, by its name. */
async function openEachProfile(options: EngineOptions = {}): Promise<Readonly<Record<ProfileName, Engine>>> {
  const opened = PROFILE_NAMES.map(async (profile) => [profile, await engineWith({}, { ...options, profile })])
  return Object.fromEntries(await Promise.all(opened))
}

/** Anything a hook may answer an event with, in place or not. */
const answerTo = (event: string): fc.Arbitrary<object> =>
  fc.record<Record<string, unknown>>(
    {
      continue: fc.boolean(),
      stopReason: text,
      systemMessage: text,
      decision: fc.constantFrom('approve', 'block', 'allow', 'deny'),
      reason: text,
      additionalContext: text,
      hookSpecificOutput: fc.record<Record<string, unknown>>(
        {
          hookEventName: fc.constant(event),
          ...(event === 'PermissionRequest'
            ? { decision: fc.record({ behavior: fc.constantFrom('allow', 'deny'), message: text, updatedInput: json }) }
            : { permissionDecision: fc.constantFrom('allow', 'deny', 'ask', 'defer') }),
          ...(event.startsWith('Elicitation') ? { action: fc.constantFrom('accept', 'decline', 'cancel') } : {}),
          watchPaths: fc.constantFrom([], ['/a'], ['/a', '/b']),
          sessionTitle: text,
          worktreePath: text,
          updatedInput: json,
          additionalContext: text,
        },
        { requiredKeys: ['hookEventName'] },
      ),
    },
    { requiredKeys: [] },
  )

/** The few answers that matter to a merge, one for each way to decide. */
const DECISIVE_ANSWERS = (event: string): object[] => [
  { continue: false },
  { decision: 'block' },
  { decision: 'approve' },
  ...[
    { permissionDecision: 'allow' },
    { permissionDecision: 'ask' },
    { permissionDecision: 'defer' },
    { permissionDecision: 'deny' },
    { decision: { behavior: 'allow' } },
    { decision: { behavior: 'deny' } },
    { decision: { behavior: 'deny', interrupt: true } },
    { action: 'accept' },
    { action: 'decline' },
    { action: 'cancel' },
    { worktreePath: '/tmp' },
  ].map((specific) => ({ hookSpecificOutput: { hookEventName: event, ...specific } })),
]

const SEVERITY = { null: 0, allow: 1, ask: 2, defer: 3, deny: 4 }

/** Whether a decision stops at least as much as another. */
function atLeastAsStrict(strict: Decision, mild: Decision): boolean {
  const permission = strict.permission === 'allow' && mild.permission === null ? true : rank(strict) >= rank(mild)
  const interrupts = strict.interrupt || !mild.interrupt
  const declines = refuses(strict) || !refuses(mild)
  return (strict.halt || !mild.halt) && (strict.blocked || !isObjection(mild)) && permission && interrupts && declines
}

/** Whether a hook objected; a thing that no hook gave is not an objection, and another hook may give it. */
const isObjection = ({ blocked, reason }: Decision): boolean => blocked && !reason?.startsWith('No hook gave')

/** Whether an MCP server that asks the user is refused. */
const refuses = ({ elicitation }: Decision): boolean =>
  (elicitation ?? null) !== null && elicitation?.action !== 'accept'

const rank = ({ permission }: Decision): number => SEVERITY[`${permission}`]

/** A guard that only another profile runs, where its scope fails closed. */
const CANNOT_RUN = 'cannot run'

describe(`merging (seed ${seed}; set HOOKLINE_SEED to run it again)`, () => {
  it('gives the same decision in whatever order the hooks finish', { timeout: 120_000 }, async () => {
    const repeatable = events.filter(({ row }) => !row.endsSession) // hooks of the session are gone after the others
    const event = fc.constantFrom(...repeatable).chain(({ profile, row }) =>
      fc.record({
        profile: fc.constant(profile),
        row: fc.constant(row),
        hooks: fc.array(
          fc.record({ answer: fc.oneof(answerTo(row.name), text), turns: fc.tuple(fc.nat(4), fc.nat(4)) }),
          { maxLength: 6 },
        ),
      }),
    )
    const engines = await openEachProfile()
    await fc.assert(
      fc.asyncProperty(event, async ({ profile, row, hooks }) => {
        const engine = engines[profile]
        let pass = 0
        const registered = []
        for (const { answer, turns } of hooks) {
          registered.push(
            await engine.on(row.name, async () => {
              for (let left = turns[pass as 0 | 1]; left > 0; left--) await new Promise(setImmediate)
              return answer
            }),
          )
        }
        const input = { hook_event_name: row.name, ...row.example }
        const first = await engine.dispatch(input)
        pass = 1
        const second = await engine.dispatch(input)
        for (const { remove } of registered) remove()
        expect(first.hooks).toHaveLength(hooks.length)
        expect(second.decision).toEqual(first.decision)
      }),
      { numRuns: 1000, seed },
    )
  })

  it('never becomes milder with one hook more, wherever it stands', () => {
    const stream = (words: string) => ({ kept: Buffer.from(words), bytes: words.length })
    const exited = (code: number, stdout: string, stderr: string): Run => ({
      ended: 'exited',
      code,
      stdout: stream(stdout),
      stderr: stream(stderr),
      leftChild: false,
      durationMs: 1,
    })
    /** What decides in every way there is: drawn often, so that each meets each other one. */
    const decisive = (row: EventRow): Run[] => [
      ...DECISIVE_ANSWERS(row.name).map((answer) => exited(0, JSON.stringify(answer), '')),
      exited(0, '', ''),
      exited(1, '', 'broken'),
      exited(2, '', 'no'),
    ]
    const run = (row: EventRow): fc.Arbitrary<Run> => {
      const spoken = fc.record({
        durationMs: fc.constant(1),
        stdout: fc
          .oneof(
            text,
            answerTo(row.name).map((answer) => JSON.stringify(answer)),
          )
          .map(stream),
        stderr: text.map(stream),
        leftChild: fc.constant(false),
      })
      return fc.oneof(
        { weight: 8, arbitrary: fc.constantFrom(...decisive(row)) },
        fc
          .tuple(spoken, fc.constantFrom(0, 0, 0, 1, 2))
          .map(([said, code]): Run => ({ ended: 'exited', code, ...said })),
        spoken.map((said): Run => ({ ended: 'signalled', signal: 'SIGKILL', ...said })),
        spoken.map((said): Run => ({ ended: 'timed-out', ...said })),
      )
    }
    const event = fc.constantFrom(...events).chain(({ row }) => {
      const hook = fc.record({ run: run(row), failClosed: fc.constantFrom('hook' as const, 'scope' as const, null) })
      return fc.record({
        row: fc.constant(row),
        runs: fc.array(hook, { maxLength: 3 }),
        more: fc.oneof({ weight: 8, arbitrary: hook }, fc.constant(CANNOT_RUN)),
        at: fc.nat(3),
      })
    })
    fc.assert(
      fc.property(event, ({ row, runs, more, at }) => {
        const resultOf = (one: { run: Run; failClosed: ReadContext['failClosed'] } | typeof CANNOT_RUN): HookResult => {
          if (one === CANNOT_RUN) return { hook: 'some', row, result: makeClosed('it does not run here', 'some') }
          const input = { hook_event_name: row.name, ...row.example }
          const { failClosed } = one
          const context: ReadContext = { row, input, type: typeThatRan(one.run), name: 'hook', failClosed }
          return { hook: 'some', row, result: read(one.run, context) }
        }
        const results = runs.map(resultOf)
        fc.pre(more !== CANNOT_RUN || row.canBlock) // elsewhere it is only told
        const added = resultOf(more)
        fc.pre(!hasSufficientEffect(row, [added.result.opinion.effects])) // one of them is enough, whatever others did
        const withMore = results.toSpliced(Math.min(at, results.length), 0, added)
        expect(atLeastAsStrict(decide(row, withMore), decide(row, results))).toBe(true)
      }),
      { numRuns: 5000, seed },
    )
  })

  it('never becomes milder with a hook more that cannot run here, wherever it stands', {
    timeout: 120_000,
  }, async () => {
    const stands: Readonly<Record<string, readonly object[]>> = {
      classic: [
        { args: ['x'] },
        { if: 'Bash(ls)' },
        { type: 'http', url: 'http://127.0.0.1:9/' },
        { shell: 'zsh' },
        { type: 'mcp_tool', server: 's', tool: 't' },
      ],
      current: [
        { type: 'prompt', prompt: 'no model is provided' },
        { type: 'agent', prompt: 'no model is provided' },
      ],
    }
    const engines = await openEachProfile({ failClosed: 'all' })
    const event = fc.constantFrom(...events).chain(({ profile, row }) =>
      fc.record({
        profile: fc.constant(profile),
        row: fc.constant(row),
        answers: fc.array(fc.oneof(answerTo(row.name), text), { maxLength: 4 }),
        more: fc.constantFrom(...(stands[profile] ?? [])),
        first: fc.boolean(),
      }),
    )
    await fc.assert(
      fc.asyncProperty(event, async ({ profile, row, answers, more, first }) => {
        const engine = engines[profile]
        const input = { hook_event_name: row.name, ...row.example }
        const unable = { [row.name]: [{ hooks: [{ type: 'command', command: 'true', ...more }] }] }
        const registered = first ? [await engine.register(unable)] : []
        for (const answer of answers) registered.push(await engine.on(row.name, () => answer))
        if (!first) registered.push(await engine.register(unable))
        const strict = await engine.dispatch(input)
        registered.at(first ? 0 : -1)?.remove()
        const mild = await engine.dispatch(input)
        for (const { remove } of registered) remove()
        expect(atLeastAsStrict(strict.decision, mild.decision)).toBe(true)
        expect(strict.decision.blocked).toBe(row.canBlock)
      }),
      { numRuns: 300, seed },
    )
  })
})
