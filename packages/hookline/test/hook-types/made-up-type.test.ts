import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { formatTrustLines } from '../../../agent/src/terminal/text/trust-lines.ts'
import { hookTypeSection } from '../../generate/hook-types-page.ts'
import { check } from '../../src/check/check.ts'
import { findSubjectsInPlay } from '../../src/check/find-subjects.ts'
import { formatHook } from '../../src/cli/view/hook-view.ts'
import { formatTrust } from '../../src/cli/view/trust-view.ts'
import { makeProfileSource } from '../../src/engine/profiles.ts'
import { reviewTrust } from '../../src/engine/trust-review.ts'
import { HooklineError, openEngine } from '../../src/index.ts'
import { readStatistics } from '../../src/log/statistics.ts'
import { classic, compileProfile } from '../../src/protocol/index.ts'
import { DEFAULT_PROFILE } from '../../src/protocol/profiles.ts'
import { bashCall, makeWorld, openOn } from '../support/project.ts'
import { echo } from './echo.ts'

const hookTypes = { ...DEFAULT_PROFILE.hookTypes, echo }
const profile = compileProfile('with-echo', classic, { hookTypes })
const settings = { hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'echo', say: 'not on Fridays' }] }] } }

const TERMINAL = {
  width: 100,
  paint: new Proxy({}, { get: () => (text: string) => text }),
} as unknown as Parameters<typeof formatHook>[1] // colours change nothing about what is said

describe('a hook type of one file', () => {
  it('is run, recorded, logged and counted', async () => {
    const world = await makeWorld({ 'project/.claude/settings.json': settings })
    const log = join(world.root, 'log.jsonl')
    const engine = await openOn(world, { profile, log })
    const record = await engine.dispatch(bashCall)
    await engine.close()
    expect(record.decision).toMatchObject({ blocked: true, reason: 'not on Fridays' })
    expect(record.hooks).toMatchObject([
      { verdict: 'ran', type: 'echo', say: 'not on Fridays', outcome: 'blocking', timedOut: false },
    ])
    const logged = JSON.parse(await readFile(log, 'utf8'))
    expect(logged.record.hooks).toMatchObject([{ type: 'echo', say: 'not on Fridays' }])
    expect(await readStatistics(log)).toMatchObject({ hooks: [{ runs: 'not on Fridays', ran: 1, blocked: 1 }] })
  })

  it('is listed, explained and told apart from its duplicates', async () => {
    const [group] = settings.hooks.PreToolUse
    const twice = { hooks: { PreToolUse: [group, group, { hooks: [{ type: 'echo', say: 'nor on Mondays' }] }] } }
    const engine = await openOn(await makeWorld({ 'project/.claude/settings.json': twice }), { profile })
    const listed = engine.list()
    expect(listed.map(({ hook }) => hook.shown.text)).toEqual(['not on Fridays', 'not on Fridays', 'nor on Mondays'])
    expect(listed.map(({ duplicateOf }) => duplicateOf)).toEqual([null, 'project:PreToolUse:0:0', null])
    const [line] = engine.explain(bashCall).hooks
    expect(line && formatHook(line, TERMINAL).join('\n')).toContain('echo     not on Fridays')
  })

  it('is shown before it is trusted, by the command and by the agent', async () => {
    const world = await makeWorld({ 'project/.claude/settings.json': settings })
    const { project, home, managed } = world
    const review = await reviewTrust({ project, home, managed, profile })
    for (const shown of [formatTrust(review, TERMINAL), formatTrustLines(review.request)]) {
      expect(shown.join('\n')).toMatch(/PreToolUse {2}Bash {2}.claude\/settings.json:\d+ {2}echo\n +not on Fridays/)
    }
  })

  it('is validated: fields that it does not have, and those that it needs', async () => {
    const hooks = [{ type: 'echo', say: 'no', volume: 11 }, { type: 'echo' }, { type: 'echo', say: 'no', loud: 'very' }]
    const world = await makeWorld({ 'project/.claude/settings.json': { hooks: { Stop: [{ hooks }] } } })
    const findings = await check(await findSubjectsInPlay({ ...world, plugins: [] }, makeProfileSource(profile)))
    const messages = findings.map(({ message }) => message)
    expect(messages).toContainEqual(expect.stringContaining('"volume" is not a field of a hook.'))
    expect(messages).toContainEqual(expect.stringContaining('A echo hook needs a "say".'))
    expect(messages).toContainEqual(expect.stringContaining('loud must be a boolean; its default holds.'))
  })

  it('is unknown to a profile without it', async () => {
    const engine = await openOn(await makeWorld({ 'project/.claude/settings.json': settings }))
    expect(engine.problems).toContainEqual(
      expect.objectContaining({ rule: 'V-HK-05', message: '"echo" is not a hook type.' }),
    )
  })

  it('is documented', () => {
    expect(hookTypeSection('echo', { mine: echo }).join('\n')).toContain(
      '| `say` | required | what it says to the model |',
    )
  })

  it('is the one that CONTRIBUTING.md shows', async () => {
    const page = await readFile(new URL('../../../../CONTRIBUTING.md', import.meta.url), 'utf8')
    const file = await readFile(new URL('echo.ts', import.meta.url), 'utf8')
    const [, diff = ''] = /## Add a hook type[\s\S]*?```diff\n([\s\S]*?)```/.exec(page) ?? []
    const added = diff.split('\n').filter((line) => line.startsWith('+') && !line.startsWith('+++'))
    expect(added.map((line) => `${line.slice(1)}\n`).join('')).toBe(file.replaceAll('../../src/', '../'))
  })
})

it('does not open an engine with a type that nothing runs', async () => {
  const without = compileProfile('without-code', classic, { hookTypes: { carrier: { fields: {}, required: [] } } })
  await expect(openEngine({ profile: without })).rejects.toThrow(
    new HooklineError('The profile "without-code" does not say how a "carrier" hook runs.'),
  )
})
