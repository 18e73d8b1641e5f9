import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { DEFAULT_PROFILE } from '../../src/protocol/profiles.ts'
import type { Decision } from '../../src/protocol/record/record.ts'
import { findRaces, type RaceReport } from '../../src/races/find-races.ts'
import { decideByLast, findRacesBetween, type HookAnswer } from '../../src/races/races.ts'
import { makeLeftovers } from '../../src/replay/past-event.ts'
import { findSessions } from '../../src/replay/sessions.ts'
import { openStage } from '../../src/replay/stage.ts'
import { answering, commands, makeWorld } from '../support/project.ts'
import { call, transcriptOf } from '../support/sessions.ts'

async function racesOf(...hooks: string[]): Promise<RaceReport> {
  const settings = { hooks: { PreToolUse: [commands(...hooks)] } }
  const world = await makeWorld({ 'project/.claude/settings.json': settings })
  const stage = await openStage({ kind: 'folder', folder: world.project }, { ...world, trust: 'accepted' })
  onTestFinished(() => stage.close())
  const sessions = await findSessions([await transcriptOf([call('t1', 'ls'), call('t2', 'pwd')])])
  return findRaces(sessions, { stage, events: DEFAULT_PROFILE.events, leftovers: makeLeftovers() })
}

const says = (answer: object): string => answering({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...answer } })
const rewrites = (command: string): string => says({ updatedInput: { command } })

describe('hooks that answer the same call', () => {
  it('conflict when both rewrite its input: here the later one in the configuration counts, elsewhere the last to end', async () => {
    const { calls, contested, races } = await racesOf(rewrites('a'), rewrites('b'))
    expect([calls, contested]).toEqual([2, 2])
    expect(races).toMatchObject([
      {
        kind: 'rewrite',
        hooks: ['project:PreToolUse:0:0', 'project:PreToolUse:0:1'],
        here: { updatedInput: { command: 'b' } },
        there: [{ updatedInput: { command: 'a' } }, { updatedInput: { command: 'b' } }],
        times: 2,
        event: { input: { tool_input: { command: 'ls' } }, line: 1 },
      },
    ])
  })

  it('conflict when one refuses by exit code and the other allows by JSON', async () => {
    const { races } = await racesOf('echo no >&2; exit 2', says({ permissionDecision: 'allow' }))
    expect(races).toMatchObject([
      { kind: 'undone', here: { permission: 'deny' }, there: [{ permission: 'allow' }, { permission: 'allow' }] },
    ])
  })

  it('conflict when both refuse with reasons of their own: elsewhere only one is read', async () => {
    const deny = (reason: string): string => says({ permissionDecision: 'deny', permissionDecisionReason: reason })
    const { races } = await racesOf(deny('one'), deny('two'))
    expect(races).toMatchObject([
      { kind: 'reason', here: { reason: 'one\ntwo' }, there: [{ reason: 'one' }, { reason: 'two' }] },
    ])
  })

  it('do not conflict when they say the same, or only one says something', async () => {
    expect((await racesOf(rewrites('a'), `${rewrites('a')} # twice`)).races).toEqual([])
    expect((await racesOf(rewrites('a'), 'true')).races).toEqual([])
  })
})

describe('the pairs that are named', () => {
  const permission = fc.constantFrom('allow', 'ask', 'deny', null)
  const reason = fc.constantFrom('one', 'two', null)
  const updatedInput = fc.constantFrom({ command: 'a' }, { command: 'b' }, null)
  const json = fc.record({ by: fc.constant('json' as const), permission, reason, updatedInput })
  const exit = fc.record({
    by: fc.constant('exit-code' as const),
    permission: fc.constant('deny' as const),
    reason,
    updatedInput: fc.constant(null),
  })
  const answers = fc
    .array(fc.oneof(json, exit), { maxLength: 4 })
    .map((all) => all.map((answer, at): HookAnswer => ({ hook: `h${at}`, ...answer })))
  const decision = { permission: null, reason: null, updatedInput: null } as Decision // only these three are looked at

  it('are there exactly when some order of ending changes what comes out', () => {
    fc.assert(
      fc.property(answers, (all) => {
        const outcomes = new Set(ordersOf(all).map((order) => JSON.stringify(decideByLast(order))))
        const races = findRacesBetween(all, decision)
        const dependent = races.filter(({ there: [first, second] }) => !isDeepStrictEqual(first, second))
        expect(dependent.length > 0).toBe(outcomes.size > 1)
        expect(races.filter(({ kind }) => kind !== 'undone').every((race) => dependent.includes(race))).toBe(true)
      }),
    )
  })
})

function ordersOf(all: readonly HookAnswer[]): HookAnswer[][] {
  if (all.length < 2) return [[...all]]
  return all.flatMap((first) => ordersOf(all.filter((one) => one !== first)).map((rest) => [first, ...rest]))
}
