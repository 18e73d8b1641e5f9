import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Bridge } from '../../src/bridges/bridge.ts'
import { AGENTS, findBridge } from '../../src/bridges/list.ts'
import { runBridge } from '../../src/bridges/run.ts'
import { runWrapped } from '../../src/bridges/wrap.ts'
import { isObject } from '../../src/text/json.ts'
import { commands, makeWorld } from '../support/project.ts'
import { asRead, FATES } from './fates.ts'
import { ask, HOSTS, worldWith } from './host.ts'

/** Texts that no environment, argument or path can hold, or only just. */
const ODD = ['x\u0000y', 'z'.repeat(300_000), '\ud800\u0001\u0085\n=', '']

/** Every value that differs from another in one text, an odd one in its place, with the place. */
function* variants(value: unknown, odd: string): Generator<readonly [string, unknown]> {
  if (typeof value === 'string') yield ['', odd]
  if (Array.isArray(value))
    for (const [at, item] of value.entries())
      for (const [path, changed] of variants(item, odd)) yield [`[${at}]${path}`, value.with(at, changed)]
  if (isObject(value))
    for (const [name, member] of Object.entries(value))
      for (const [path, changed] of variants(member, odd)) yield [`.${name}${path}`, { ...value, [name]: changed }]
}

it('is shown to hooks without halves of characters, as what the agent starts would get it', async () => {
  const world = await worldWith({ PreToolUse: [commands('cat > "$CLAUDE_PROJECT_DIR/seen.json"')] })
  await ask(world, 'codex', 'PreToolUse', HOSTS.codex?.shell('a\ud800b \ud83d\ude00') ?? {})
  const seen = JSON.parse(readFileSync(join(world.project, 'seen.json'), 'utf8'))
  expect(seen.tool_input).toEqual({ command: 'a\ufffdb \ud83d\ude00' })
})

describe.each(AGENTS)('a call of %s', (agent) => {
  it('is refused by its guard, or as one that cannot be read, whatever its texts hold', {
    timeout: 60_000,
  }, async () => {
    const guard = { hooks: { PreToolUse: [commands('echo no >&2; exit 2')] } }
    const { home, managed, project: cwd } = await makeWorld({ 'home/.claude/settings.json': guard })
    const { before = '', shell } = HOSTS[agent] ?? {}
    const payload = { cwd, permission_mode: 'default', effort: { level: 'high' }, ...shell?.('ls', { cwd }) }
    for (const odd of ODD)
      for (const [path, changed] of variants(payload, odd)) {
        const answer = await runBridge({
          bridge: findBridge(agent) as Bridge, // it is in the list
          hostEvent: before,
          text: JSON.stringify(changed),
          env: { PATH: process.env.PATH },
          ...{ attended: false, nativeTranscript: true, limit: null, handOver: null },
          engine: { home, managed },
        })
        const fate = FATES[agent]?.(asRead(answer))
        expect([path, odd.slice(0, 9), fate]).toEqual([path, odd.slice(0, 9), 'refused'])
      }
  })

  it('is refused by a wrapped guard as well', { timeout: 60_000 }, async () => {
    const { home, project: cwd } = await makeWorld()
    const payload = { cwd, ...HOSTS[agent]?.shell('ls', { cwd }) }
    for (const [path, changed] of variants(payload, 'x\u0000y')) {
      const call = {
        ...{ event: 'PreToolUse', matcher: null, condition: null, seconds: null, decidesNothing: false },
        ...{ words: ['echo no >&2; exit 2'] as const, isProgram: false, env: { PATH: process.env.PATH }, home },
        text: JSON.stringify(changed),
      }
      const fate = FATES[agent]?.(asRead(await runWrapped(call, findBridge(agent) as Bridge))) // it is in the list
      expect([path, fate]).toEqual([path, 'refused'])
    }
  })
})
