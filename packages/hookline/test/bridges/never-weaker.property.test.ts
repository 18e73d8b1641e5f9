import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AnswerSubject, answer } from '../../src/bridges/answer/answer.ts'
import type { Bridge } from '../../src/bridges/bridge.ts'
import { type DecidedPart, fold } from '../../src/bridges/call/fold.ts'
import { chooseParts } from '../../src/bridges/call/parts.ts'
import { AGENTS, findBridge } from '../../src/bridges/list.ts'
import { SessionMemory } from '../../src/bridges/memory.ts'
import type { Decision } from '../../src/protocol/record/record.ts'
import { commands, makeWorld } from '../support/project.ts'
import { asRead, FATES, type Fate, object, STRENGTH } from './fates.ts'
import { ask, HOSTS } from './host.ts'

const NO_DECISION: Decision = {
  halt: false,
  stopReason: null,
  blocked: false,
  permission: null,
  reason: null,
  interrupt: false,
  updatedInput: null,
  updatedPermissions: null,
  updatedToolOutput: null,
  context: [],
  contextFrom: [],
  instructions: null,
  messages: [],
}

const decision = fc.record({
  halt: fc.boolean(),
  stopReason: fc.constantFrom(null, 'enough'),
  permission: fc.constantFrom(null, 'allow' as const, 'ask' as const, 'defer' as const, 'deny' as const),
  reason: fc.constantFrom(null, '', 'because'),
  blocked: fc.boolean(),
  context: fc.constantFrom([], ['a text']),
  messages: fc.constantFrom([], [{ to: 'user' as const, text: 'told', hook: 'h' }]),
  updatedInput: fc.constantFrom(null, { command: 'ls' }),
})

/** The weakest that may become of a call about which this was decided. */
function atLeast({ halt, permission, blocked }: Pick<Decision, 'halt' | 'permission' | 'blocked'>): Fate {
  if (halt || permission === 'deny' || permission === 'defer' || (permission === null && blocked)) return 'refused'
  return permission === 'ask' ? 'asks' : 'runs'
}

const strength = (fate: Fate): number => STRENGTH.indexOf(fate)

describe.each(AGENTS)('what %s is answered', (name) => {
  it('is never milder than what any hook decided about any part of the call', async () => {
    const { home } = await makeWorld()
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(decision, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 3 }),
        fc.boolean(),
        fc.constantFrom('none', 'input', 'impossible'),
        async (given, attended, rewrite) => {
          const parts: DecidedPart[] = given.map((decisions, index) => ({
            label: `part ${index}`,
            decisions: decisions.map((one) => ({ ...NO_DECISION, ...one })),
          }))
          const wanted = {
            none: { rewrite: 'none' },
            input: { rewrite: 'input', input: { command: 'ls' } },
            impossible: { rewrite: 'impossible', wanted: '{}' },
          } as const
          const asked = await askedBy(await tables(name), { home, attended })
          const given_ = asRead(answer(asked, fold(parts), wanted[rewrite as keyof typeof wanted]))
          const fate = FATES[name]?.(given_) ?? 'runs'
          if (name === 'antigravity') expect(object(given_.stdout)).toHaveProperty('decision') // else it asks about every call
          const needed = Math.max(...given.flat().map((one) => strength(atLeast(one))))
          expect(strength(fate)).toBeGreaterThanOrEqual(rewrite === 'impossible' ? strength('refused') : needed)
        },
      ),
      { numRuns: 150 },
    )
  })

  it('gives back every input that it renames, as it was', async () => {
    const bridge = await tables(name)
    for (const rule of bridge.tools) {
      if ('parts' in rule || rule.rewrite === 'never') continue
      const input = Object.fromEntries(Object.values(rule.input).map((field) => [field, `value of ${field}`]))
      const tool = { name: rule.host, cwd: '/home/ada/project', base: '/home/ada/project' }
      const parts = chooseParts(bridge.tools, rule.host)
      const split = await parts.split({ ...input, riskLevel: 'low' }, tool)
      if (split === null || typeof split === 'string') throw new TypeError(`${rule.host}: ${split}`)
      expect(await parts.join({ ...input, riskLevel: 'low' }, split, tool)).toEqual({
        ...input,
        riskLevel: 'low',
      })
    }
  })
})

/** Fields by which a copy of a guard would be weaker than the guard. */
const WEAKER: readonly object[] = [
  { async: true },
  { asyncRewake: true },
  { once: true },
  { timeout: 0.01 },
  { if: 'Read(x)' },
  { async: true, once: true, timeout: 0.01 },
]

describe.each(AGENTS)('a guard in %s', (agent) => {
  it.each(WEAKER)('refuses although a project has a copy with %o', async (fields) => {
    const guard = 'sleep 0.05; echo no >&2; exit 2'
    const copy = { PreToolUse: [{ hooks: [{ type: 'command', command: guard, ...fields }] }] }
    const world = await makeWorld({
      'home/.claude/settings.json': { hooks: { PreToolUse: [commands(guard)] } },
      'project/.claude/settings.local.json': { hooks: copy },
    })
    const host = HOSTS[agent]
    const answer = await ask(world, agent, host?.before ?? '', host?.shell('ls', { cwd: world.project }) ?? {})
    expect(FATES[agent]?.(answer)).toBe('refused')
  })
})

it('a guard that a host cuts short refuses although a project has a copy with less time', async () => {
  const guard = 'sleep 30; exit 2'
  const copy = { PreToolUse: [{ hooks: [{ type: 'command', command: guard, timeout: 0.1 }] }] }
  const world = await makeWorld({
    'home/.claude/settings.json': { hooks: { PreToolUse: [commands(guard)] } },
    'project/.claude/settings.local.json': { hooks: copy },
  })
  const answer = await ask(world, 'codex', 'PreToolUse', HOSTS.codex?.shell('ls') ?? {}, { limit: 0.5 })
  expect(FATES.codex?.(answer)).toBe('refused')
})

async function tables(agent: string): Promise<Bridge> {
  const bridge = findBridge(agent)
  if (bridge === null) throw new TypeError(`no bridge to ${agent}`)
  return bridge
}

async function askedBy(
  bridge: Bridge,
  { home, attended }: { home: string; attended: boolean },
): Promise<AnswerSubject> {
  const memory = await SessionMemory.open(home, bridge.name, 's')
  const hostEvent = Object.entries(bridge.events).find(([, { as }]) => as === 'PreToolUse')?.[0] ?? ''
  return { bridge, hostEvent, event: 'PreToolUse', attended, observes: false, memory }
}
