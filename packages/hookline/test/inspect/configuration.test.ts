import { chmod, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { watchConfiguration } from '../../src/cli/input/watched-configuration.ts'
import { compareWithToday } from '../../src/inspect/event-view.ts'
import type { HookLine } from '../../src/protocol/record/record.ts'
import { recordWith } from '../support/log-lines.ts'
import { commands, makeWorld, put } from '../support/project.ts'

const SETTINGS = 'project/.claude/settings.json'

describe('the configuration that the page shows', () => {
  it('is that of the settings files as they are at each question', async () => {
    const world = await makeWorld({ [SETTINGS]: { hooks: { Stop: [commands('true')] } } })
    const { project, home } = world
    const configuration = watchConfiguration({ project, home, trust: true })
    const listNames = async () => (await configuration.list()).hooks.map(({ name }) => name)
    expect(await listNames()).toEqual(['true'])
    expect(await listNames()).toEqual(['true'])
    await put(world, SETTINGS, JSON.stringify({ hooks: { Stop: [commands('true', 'echo more')] } }))
    expect(await listNames()).toEqual(['true', 'echo more'])
    await put(world, 'project/.claude/settings.local.json', JSON.stringify({ hooks: { Stop: [commands('echo own')] } }))
    expect(await listNames()).toContain('echo own')
    const { hooks } = await configuration.explain({ hook_event_name: 'Stop', stop_hook_active: false })
    expect(hooks).toHaveLength(3)
    await rm(join(project, '.claude'), { recursive: true })
    expect(await listNames()).toEqual([])
  })

  it('tells of itself when a script is gone that no settings file changed for', async () => {
    const world = await makeWorld({ [SETTINGS]: { hooks: { Stop: [commands('./.claude/guard.sh')] } } })
    const { project, home } = world
    const script = await put(world, 'project/.claude/guard.sh', '#!/bin/sh\n')
    await chmod(script, 0o755)
    const configuration = watchConfiguration({ project, home, trust: true })
    let told = 0
    configuration.watch(() => told++)
    expect((await configuration.list()).hooks).toMatchObject([{ state: 'active' }])
    await rm(script)
    await vi.waitFor(
      async () => {
        await configuration.list()
        expect(told).toBe(1)
      },
      { timeout: 60_000, interval: 100 },
    )
    expect((await configuration.list()).hooks).toMatchObject([{ state: 'cannot start' }])
  })
})

describe('what would happen today', () => {
  const line = (id: string, command: string): HookLine => ({
    ...{ id, verdict: 'ran', scope: 'user', file: null, line: null, matcher: null, type: 'command', warnings: [] },
    command,
  })

  it('leaves out recorders that came since, and names any other hook', () => {
    const today = [
      line('user:Stop:0:0', '~/.hookline/bin/hookline tap record >/dev/null 2>&1 || true'),
      line('user:Stop:1:0', './guard.sh'),
    ]
    expect(compareWithToday({ record: recordWith({ hooks: [] }) }, today).map(({ name }) => name)).toEqual(['guard.sh'])
  })
  it('passes over the trust of Hookline where a tap saw a host that knows nothing of it', () => {
    const ran = line('project:Stop:0:0', './guard.sh')
    const held: HookLine = { ...ran, verdict: 'untrusted', because: 'the folder is not trusted' }
    const today = [{ ...held, otherwise: { verdict: 'ran', planned: true } }] as const
    const record = recordWith({ hooks: [ran] })
    expect(compareWithToday({ record }, today)).toMatchObject([{ today: 'untrusted', changed: true }])
    expect(compareWithToday({ record, tapped: [] }, today)).toEqual([
      { name: 'guard.sh', before: 'ran', today: 'would run', because: null, changed: false },
    ])
  })

  it('says of no hook that it was not there where a tap saw the event alone', () => {
    const today = [{ ...line('project:Stop:0:0', './guard.sh'), planned: true as const }]
    expect(compareWithToday({ record: recordWith({ hooks: [] }), tapped: [] }, today)).toMatchObject([
      { name: 'guard.sh', before: 'not recorded', today: 'would run', changed: false },
    ])
  })
})
