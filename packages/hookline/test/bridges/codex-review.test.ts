import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import type { Bridge } from '../../src/bridges/bridge.ts'
import { examineHost } from '../../src/bridges/install/standing.ts'
import { findBridge } from '../../src/bridges/list.ts'
import { hooklineInProcess } from '../support/in-process.ts'
import { commands, makeWorld, put, type World } from '../support/project.ts'

const codex = findBridge('codex') as Bridge // it is in the list

const entry = (event: string, more: object = {}): object => ({
  type: 'command',
  command: `hookline bridge run codex ${event}`,
  ...more,
})

/** Entries, and what `codex app-server` 0.166.0 and 0.169.0 answered to `hooks/list` about them. */
const HOOKS = {
  PreToolUse: [
    { matcher: 'Bash', hooks: [entry('PreToolUse --limit 600 || exit 2', { timeout: 605, statusMessage: 'hooks' })] },
  ],
  PostToolUse: [{ hooks: [entry('PostToolUse')] }],
  SessionEnd: [{ hooks: [entry('SessionEnd', { timeout: 60 })] }],
  SessionStart: [{ hooks: [entry('SessionStart', { timeout: 7, async: true, additionalContextLimit: 100 })] }],
  Stop: [{ matcher: 'x', hooks: [{ type: 'command', command: 'true' }, entry('Stop', { timeout: 0 })] }],
  UserPromptSubmit: [{ matcher: 'x', hooks: [entry('UserPromptSubmit', { timeout: 605 })] }],
  SubagentStop: [{ matcher: '', hooks: [entry('SubagentStop', { timeout: 9 })] }],
  PreCompact: [{ hooks: [entry('PreCompact', { timeout: 605, commandWindows: 'w' })] }],
}
const DIGESTS = {
  'pre_tool_use:0:0': 'ca691875b7d4abc1bd230f034453a96d1ad2cb381c59b250ffceae1220294535',
  'post_tool_use:0:0': '28d7a311c5d919b56b124eca290810c898e97d22c253eabd7b4b159a273a6de5',
  'pre_compact:0:0': '73a6ee2308053b94d6f93da0518bb999e8796bf53bb49e0878e5937cda320fe2',
  'session_start:0:0': '3dec3e7195ab631eb2cee52174bbe7bda6d98cdfb75181cb8dd242d8f6b7a360',
  'session_end:0:0': '195c70517056d45948192592ce0ba684b7fe1dea995ca0ca8160b5741f23ce5d',
  'user_prompt_submit:0:0': 'c6838e3cf1fd82a0b027356281aedaf3ea7deef113cbcde075fb3d2e1e5c4d36',
  'subagent_stop:0:0': '7e125eb7d1ed77b46975c51b9d0ef0a0b679a1f51d02f87b2f1c70730593c8b8',
  'stop:0:1': '11f3327f9b325d85a6f0e3afde9d67e68929d7b28e741de7b4d42db82ee01e1d',
}

const GUARDS = { PreToolUse: [{ matcher: 'Bash', ...commands('./guard.sh') }], Stop: [commands('./tests.sh')] }

/** A world with those entries for the user, all of them reviewed. */
async function reviewedWorld(hooks: object = HOOKS): Promise<World> {
  const world = await makeWorld({
    'project/.claude/settings.json': { hooks: GUARDS },
    'home/.codex/hooks.json': { hooks },
  })
  writeStates(world, ([key, digest]) => [key, { trusted_hash: `sha256:${digest}` }])
  return world
}

function writeStates({ home }: World, write: (state: [string, string]) => [string, object]): void {
  const file = join(home, '.codex/hooks.json')
  const states = Object.entries(DIGESTS).map(write)
  const state = Object.fromEntries(states.map(([key, held]) => [`${file}:${key}`, held]))
  writeFileSync(join(home, '.codex/config.toml'), stringify({ hooks: { state } }))
}

/** Our events by why they do not run, without those that have no entry. */
async function stoppedIn({ project, home }: World, env = {}): Promise<Record<string, readonly string[] | null>> {
  const { scopes } = await examineHost(codex, { project, home, env })
  const found = scopes.flatMap(({ obstacles }) => obstacles.filter(({ kind }) => kind !== 'missing'))
  return Object.fromEntries(found.map(({ kind, events }) => [kind, events]))
}

describe('the review of hooks in Codex', () => {
  it('knows every entry again that Codex knows', async () => {
    expect(await stoppedIn(await reviewedWorld())).toEqual({})
  })

  it('tells entries that nobody has looked at', async () => {
    const world = await reviewedWorld()
    await put(world, 'home/.codex/config.toml', '')
    expect((await stoppedIn(world)).unreviewed).toHaveLength(8)
  })

  it.each<[string, object]>([
    ['a longer timeout', { PostToolUse: [{ hooks: [entry('PostToolUse', { timeout: 700 })] }] }],
    ['another command', { PostToolUse: [{ hooks: [entry('PostToolUse --attended')] }] }],
    ['a matcher', { PostToolUse: [{ matcher: 'Bash', hooks: [entry('PostToolUse')] }] }],
    ['an entry before it', { PostToolUse: [{ hooks: [] }, { hooks: [entry('PostToolUse')] }] }],
  ])('tells an entry that has changed since: %s', async (_, change) => {
    expect(await stoppedIn(await reviewedWorld({ ...HOOKS, ...change }))).toEqual({ unreviewed: ['PostToolUse'] })
  })

  it('tells an entry that was switched off there', async () => {
    const world = await reviewedWorld()
    writeStates(world, ([key, digest]) => [key, { trusted_hash: `sha256:${digest}`, enabled: key !== 'stop:0:1' }])
    expect(await stoppedIn(world)).toEqual({ off: ['Stop'] })
  })

  it('has the report call a guard lost whose entry was not reviewed, and no other', async () => {
    const world = await reviewedWorld({ ...HOOKS, PreToolUse: [{ hooks: [entry('PreToolUse', { timeout: 9 })] }] })
    const call = ['bridge', 'report', 'codex', '--trust']
    const { code, stdout } = await hooklineInProcess(world, [...call, '--strict', '--json'])
    const [{ hooks, scopes }] = JSON.parse(stdout)
    expect(code).toBe(1)
    expect(scopes).toMatchObject([{ scope: 'user', state: 'unreviewed' }])
    const byHook = Object.fromEntries(hooks.map((line: { runs: string }) => [line.runs, line]))
    expect(byHook['./guard.sh']).toMatchObject({ holds: 'lost', weaker: true })
    expect(byHook['./guard.sh'].notes[0]).toMatch(/changed since they were reviewed.*\/hooks/)
    expect(byHook['./tests.sh']).toMatchObject({ holds: 'exact', weaker: false })
  })

  it('is shown by status and by the doctor, and never as ready', async () => {
    const world = await reviewedWorld()
    await put(world, 'home/.codex/config.toml', '')
    const status = await hooklineInProcess(world, ['bridge', 'status', 'codex', '--trust'])
    expect(status.stdout).toMatch(/codex +user: NOT REVIEWED, does not run/)
    expect(status.stdout).not.toMatch(/complete\b|ready/)
    const doctor = await hooklineInProcess(world, ['doctor', '--trust'])
    expect(doctor.code).toBe(1)
    expect(doctor.stdout.replaceAll(/\s+/g, ' ')).toMatch(/codex user: unreviewed .*nobody has reviewed them yet/)
  })
})
