import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Engine } from '../../src/index.ts'
import { compileMatcher } from '../../src/pattern/matcher.ts'
import { cpuMs } from '../support/cpu-time.ts'
import { matchedOn } from '../support/matched-row.ts'
import { until } from '../support/processes.ts'
import {
  bashCall,
  classicEngineWith,
  commands,
  engineWith,
  makeWorld,
  openOn,
  put,
  type World,
} from '../support/project.ts'

const stop = { hook_event_name: 'Stop', stop_hook_active: false } as const
const guard = { hooks: { PreToolUse: [commands('echo no >&2; exit 2')] } }
const PROJECT = 'project/.claude/settings.json'
const LOCAL = 'project/.claude/settings.local.json'
const USER = 'home/.claude/settings.json'

describe('matchers that are too much', () => {
  const matching = (matcher: unknown) => ({ PreToolUse: [{ matcher, ...commands('echo no >&2; exit 2') }] })

  it.each([
    ['a pattern of a megabyte', 'a.'.repeat(500_000)],
    ['look-ahead', '(?=B)Bash'],
    ['a back-reference', '(B)\\1'],
    ['a bracket that is not closed', '[Bash'],
    ['a repetition of nothing', '*Bash('],
    ['an expression that ends early', 'tool == '],
    ['an expression that is nested too deeply', `${'('.repeat(5000)}tool == "Bash"${')'.repeat(5000)}`],
  ])('reliability 85: sets a group aside whose matcher is %s, and matches nothing with it', async (_what, matcher) => {
    const engine = await classicEngineWith({
      PreToolUse: [...matching(matcher).PreToolUse, { matcher: 'Bash', ...commands('echo fine') }],
    })

    const { hooks, decision } = await engine.dispatch(bashCall)

    expect(decision.blocked).toBe(false)
    expect(hooks).toMatchObject([{ verdict: 'invalid' }, { verdict: 'ran' }])
    expect(engine.problems).toMatchObject([{ rule: 'V-HK-09', severity: 'error', line: 5 }])
  })

  it('reliability 85: sets aside a bad matcher of the policy, and opens', async () => {
    const world = await makeWorld({ 'managed.json': { hooks: matching('[Bash') } })

    const { hooks } = await (await openOn(world)).dispatch(bashCall)

    expect(hooks).toMatchObject([{ scope: 'managed', verdict: 'invalid' }])
  })

  const letters = randomLetters(20_000)
  const slow: Record<string, [pattern: string, subject: string]> = {
    'nested repetitions': ['(a+)+$', `${'a'.repeat(28)}!`],
    'alternatives that overlap': ['(a|aa)+$', `${'a'.repeat(5000)}!`],
    'repetitions side by side': ['(x+x+)+y', 'x'.repeat(20_000)],
    'optional parts by the hundred': [`${'(a?){100}'.repeat(3)}$`, 'a'.repeat(300)],
  }
  for (const [what, [pattern, subject]] of Object.entries(slow)) {
    it(`reliability 85: decides ${what} within milliseconds`, async () => {
      expect(await costOf(pattern, subject)).toBeLessThan(50)
    })
  }

  const tooSlow: Record<string, [pattern: string, subject: string]> = {
    'counted repetitions in a row': ['a{1000}'.repeat(400), 'a'],
    'counted letters in a row': ['\\pL{500}'.repeat(80), 'a'.repeat(29)],
    'a very long way back': ['[ab]*a[ab]{900}[cd]', letters],
    'alternatives a long way back': ['(a|b)*a(a|b){300}[cd]$', letters],
  }
  for (const [what, [pattern, subject]] of Object.entries(tooSlow)) {
    it(`reliability 85: refuses or decides ${what} within milliseconds`, async () => {
      expect(await costOf(pattern, subject)).toBeLessThan(50)
    })
  }

  it('reliability 85: refuses an expression of a megabyte', async () => {
    const engine = await engineWith(matching(Array(100_000).fill('tool=="Bash"').join('||')))

    expect(engine.problems).toMatchObject([{ rule: 'V-HK-09' }])
  })

  it.each([undefined, '', '*', null])('reliability 86: matches everything with the matcher %j', async (matcher) => {
    const engine = await engineWith(matching(matcher))

    expect((await engine.dispatch(bashCall)).decision.permission).toBe('deny')
  })

  it.each([5, true, { tool: 'Bash' }, [['Bash']]])(
    'reliability 86: calls the matcher %j an error, and matches nothing with it',
    async (matcher) => {
      const engine = await engineWith(matching(matcher))

      const { hooks } = await engine.dispatch(bashCall)

      expect(hooks).toMatchObject([{ verdict: 'invalid', because: expect.stringContaining('matcher') }])
      expect(engine.problems).toMatchObject([{ rule: 'V-HK-09', severity: 'error' }])
    },
  )

  /** The best of three, since the first one is also when the code is compiled, perhaps on a busy machine. */
  async function costOf(pattern: string, subject: string): Promise<number> {
    await compileMatcher('warm.*', matchedOn('tool_name'))
    let best = Number.POSITIVE_INFINITY
    for (let left = 3; left > 0; left--) {
      const started = cpuMs()
      const matcher = await compileMatcher(`tool_input.command matches "${pattern}"`, matchedOn('tool_name'))
      if ('kind' in matcher && matcher.kind === 'expression') matcher.test({ tool_input: { command: subject } })
      best = Math.min(best, cpuMs() - started)
    }
    return best
  }
})

describe('names that nobody knows', () => {
  it('reliability 87: suggests the event that was meant, and keeps the rest of the file', async () => {
    const engine = await engineWith({ PreToolUsed: [commands('true')], ...guard.hooks })

    expect((await engine.dispatch(bashCall)).decision.permission).toBe('deny')
    expect(engine.problems).toMatchObject([
      { rule: 'V-HK-03', line: 3, column: 5, message: '"PreToolUsed" is not an event. Did you mean "PreToolUse"?' },
    ])
  })

  it('reliability 87: suggests the field that was meant, and runs the hook', async () => {
    const engine = await engineWith({
      PreToolUse: [{ hooks: [{ type: 'command', command: 'echo no >&2; exit 2', timeuot: 5 }] }],
    })

    const { hooks, decision } = await engine.dispatch(bashCall)

    expect(decision.permission).toBe('deny')
    expect(hooks[0]?.warnings).toEqual(['"timeuot" is not a field of a hook. Did you mean "timeout"?'])
    expect(engine.problems).toMatchObject([{ rule: 'V-HK-16' }])
  })

  it('reliability 87: is not confused by names that every object has', async () => {
    const world = await makeWorld({
      [PROJECT]: `{ "hooks": { "__proto__": [], "constructor": [], "toString": [{ "hooks": [] }],
        "PreToolUse": [ { "hooks": [ { "type": "constructor", "__proto__": { "type": "command" } },
          { "type": "command", "command": "echo no >&2; exit 2", "__proto__": { "async": true }, "hasOwnProperty": 1 } ] } ] } }`,
    })

    const engine = await openOn(world)
    const { hooks, decision } = await engine.dispatch(bashCall)

    expect(hooks).toMatchObject([{ verdict: 'invalid' }, { verdict: 'ran' }])
    expect(decision.permission).toBe('deny')
    expect(engine.problems.filter(({ rule }) => rule === 'V-HK-03')).toHaveLength(3)
  })
})

describe('files that change while a session runs', () => {
  it('reliability 88: finishes an event with the hooks it began with, and begins the next with the same', async () => {
    const world = await makeWorld()
    const running = join(world.root, 'running')
    const changed = join(world.root, 'changed')
    const wait = `touch '${running}'; until [ -e '${changed}' ]; do sleep 0.02; done; echo old >&2; exit 2`
    await put(world, PROJECT, { hooks: { PreToolUse: [commands(wait)] } })
    const engine = await openOn(world)
    const first = engine.dispatch(bashCall)
    await until('it runs', () => existsSync(running))
    await put(world, PROJECT, { hooks: { PreToolUse: [commands('echo new >&2; exit 2')] } })
    writeFileSync(changed, '')

    expect((await first).decision.reason).toBe('old')
    const second = await engine.dispatch(bashCall)
    expect(second.decision.reason).toBe('old')
    expect(second.notices).toEqual([expect.stringContaining('.claude/settings.json changed on disk')])
    expect((await engine.dispatch(bashCall)).notices).toBeUndefined()
  })

  it('reliability 88: runs the new hooks after the review, in every later event', async () => {
    const world = await makeWorld({ [PROJECT]: guard })
    const engine = await openOn(world)
    await put(world, PROJECT, { hooks: { PreToolUse: [commands('echo new >&2; exit 2')] } })

    const changes = await engine.listChanges()
    expect(changes).toMatchObject([{ file: '.claude/settings.json', kind: 'changed' }])
    expect(changes[0]?.diff).toMatch(/^\+.*echo new/m)
    expect(await engine.accept()).toBe(1)
    expect((await engine.dispatch(bashCall)).decision.reason).toBe('new')
  })

  it('reliability 88: notices a part of the policy that is added while it runs', async () => {
    const world = await makeWorld({ 'managed-settings.d/10.json': guard })
    const engine = await openOn(world)
    await engine.dispatch(bashCall)
    await put(world, 'managed-settings.d/20.json', { allowManagedHooksOnly: true })

    const { notices } = await engine.dispatch(bashCall)

    expect(notices?.join()).toContain('managed-settings.d')
    expect(await engine.listChanges()).toMatchObject([{ kind: 'added' }])
  })

  it('reliability 88: keeps the policy when its file is deleted, and says so', async () => {
    const world = await makeWorld({ 'managed-settings.d/10.json': guard })
    const engine = await openOn(world)
    await engine.dispatch(bashCall)
    await rename(join(world.root, 'managed-settings.d/10.json'), join(world.root, 'gone'))

    const { decision, notices } = await engine.dispatch(bashCall)

    expect(decision.permission).toBe('deny')
    expect(notices?.join()).toContain('10.json changed on disk')
  })

  it('reliability 88: is not changed by what a caller does to what it is shown', async () => {
    const world = await makeWorld({ [PROJECT]: guard })
    const engine = await openOn(world)
    const record = await engine.dispatch(bashCall)

    tamper(engine, record.hooks)

    expect((await engine.dispatch(bashCall)).decision.permission).toBe('deny')
    expect((await engine.dispatch(bashCall)).hooks).toMatchObject([{ id: 'project:PreToolUse:0:0', verdict: 'ran' }])
  })

  function tamper(engine: Engine, lines: readonly object[]): void {
    for (const one of [...lines, ...engine.hooks]) Reflect.set(one, 'id', 'tampered')
    Reflect.set(lines, 'length', 0)
  }
})

describe('hooks that are the same', () => {
  const counting = (world: World): string => `echo ran >>'${join(world.root, 'count')}'`
  const runsIn = (world: World): number => readFileSync(join(world.root, 'count'), 'utf8').trim().split('\n').length

  it('reliability 89: runs a command once that several scopes have, the first in order', async () => {
    const world = await makeWorld()
    const same = { hooks: { Stop: [commands(counting(world))] } }
    for (const place of [PROJECT, LOCAL, USER]) await put(world, place, same)

    const { hooks } = await (await openOn(world)).dispatch(stop)

    expect(hooks).toMatchObject([
      { scope: 'local', verdict: 'ran' },
      { scope: 'project', verdict: 'duplicate' },
      { scope: 'user', verdict: 'duplicate' },
    ])
    expect(runsIn(world)).toBe(1)
  })

  it('reliability 89: runs a command once that twenty groups of a file have', async () => {
    const world = await makeWorld()
    await put(world, PROJECT, { hooks: { Stop: Array(20).fill(commands(counting(world), counting(world))) } })

    const { hooks } = await (await openOn(world)).dispatch(stop)

    expect(hooks.filter(({ verdict }) => verdict === 'duplicate')).toHaveLength(39)
    expect(runsIn(world)).toBe(1)
  })

  it('reliability 89: gives the one that runs the longest of the timeouts', async () => {
    const same = (timeout: number): object => ({ type: 'command', command: 'sleep 0.5; echo done', timeout })
    const world = await makeWorld({
      [LOCAL]: { hooks: { Stop: [{ hooks: [same(0.1)] }] } },
      [PROJECT]: { hooks: { Stop: [{ hooks: [same(20)] }] } },
    })

    const { hooks } = await (await openOn(world)).dispatch(stop)

    expect(hooks).toMatchObject([{ verdict: 'ran', timedOut: false, stdoutBytes: 5 }, { verdict: 'duplicate' }])
  })

  it('reliability 89: tells hooks apart that differ in type, plugin, or in running in the background', async () => {
    const world = await makeWorld()
    const text = counting(world)
    const same = { hooks: { Stop: [commands(text)] } }
    await put(world, 'one/hooks/hooks.json', same)
    await put(world, 'two/hooks/hooks.json', same)
    await put(world, PROJECT, {
      hooks: {
        Stop: [
          {
            hooks: [
              { type: 'command', command: text, async: true },
              { type: 'command', command: text },
            ],
          },
        ],
      },
    })
    const engine = await openOn(world, { plugins: [join(world.root, 'one'), join(world.root, 'two')] })

    const { hooks } = await engine.dispatch(stop)
    await engine.drain()

    expect(hooks.map(({ verdict }) => verdict)).toEqual(['ran', 'ran', 'backgrounded', 'ran'])
    expect(runsIn(world)).toBe(4)
  })

  it('reliability 89: does not let a hook that misses stand for its duplicate', async () => {
    const engine = await engineWith({
      PreToolUse: [
        { matcher: 'Write', ...commands('echo no >&2; exit 2') },
        { matcher: 'Bash', ...commands('echo no >&2; exit 2') },
      ],
    })

    const { hooks } = await engine.dispatch(bashCall)

    expect(hooks).toMatchObject([{ verdict: 'matcher-miss' }, { verdict: 'ran' }])
  })

  it('reliability 89: runs a `once` hook of a skill once, also when events overlap and the skill comes back', async () => {
    const world = await makeWorld()
    await put(world, 'project/.claude/skills/one/SKILL.md', skill('one', counting(world)))
    const engine = await openOn(world)
    await engine.activate('.claude/skills/one/SKILL.md')

    const records = await Promise.all([stop, stop, stop].map((event) => engine.dispatch(event)))
    await engine.activate('.claude/skills/one/SKILL.md')
    records.push(await engine.dispatch(stop))

    expect(records.map(({ hooks }) => hooks[0]?.verdict)).toEqual(['ran', 'once-spent', 'once-spent', 'once-spent'])
    expect(runsIn(world)).toBe(1)
  })

  it('reliability 89: tells the `once` hooks of two skills apart that have the same name', async () => {
    const world = await makeWorld({
      'project/.claude/skills/one/SKILL.md': skill('same', 'echo one'),
      'home/.claude/skills/two/SKILL.md': skill('same', 'echo two'),
    })
    const engine = await openOn(world)
    await engine.activate('.claude/skills/one/SKILL.md')
    await engine.dispatch(stop)
    await engine.activate(join(world.home, '.claude/skills/two/SKILL.md'))

    const { hooks } = await engine.dispatch(stop)

    expect(hooks).toMatchObject([{ verdict: 'once-spent' }, { verdict: 'ran', command: 'echo two' }])
  })

  const skill = (name: string, command: string): string =>
    `---\nname: ${name}\nhooks:\n  Stop:\n    - hooks:\n        - { type: command, once: true, command: ${JSON.stringify(command)} }\n---\n`
})

/** The same letters each time, with no order in them. */
function randomLetters(count: number): string {
  let seed = 1
  return Array.from({ length: count }, () => {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff
    return seed < 0x40000000 ? 'a' : 'b'
  }).join('')
}
