import { describe, expect, it } from 'vitest'
import type { Bridge } from '../../src/bridges/bridge.ts'
import { AGENTS, bridgeTo } from '../../src/bridges/list.ts'
import { runBridge } from '../../src/bridges/run.ts'
import { isObject } from '../../src/text/json.ts'
import { commands, makeWorld } from '../support/project.ts'
import { asRead, FATES } from './fates.ts'
import { HOSTS } from './host.ts'

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
          bridge: bridgeTo(agent) as Bridge, // it is in the list
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
})
