import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { AGENTS } from '../../src/bridges/list.ts'
import { withLock } from '../../src/files/lock.ts'
import { hooklineInProcess as hookline } from '../support/in-process.ts'
import { commands, makeWorld, put, type World } from '../support/project.ts'
import { FATES } from './fates.ts'
import { ask, HOSTS } from './host.ts'
import { MEMORY, PROJECT, SHRINKING, type Shrink, USER, writeGuards } from './shrinking.ts'

/** The guards of a session in a project, as they are written. */
interface KeptGuards {
  readonly at: string
  readonly guards: readonly object[]
}

const GUARD = { matcher: 'Bash', ...commands('./guard.sh') }
const OTHER = { matcher: 'Write', ...commands('true') }

const host = (agent: string) => {
  const calls = HOSTS[agent]
  if (calls === undefined) throw new TypeError(`no host ${agent}`)
  return calls
}

const call = (world: World, agent: string, options = {}): ReturnType<typeof ask> =>
  ask(world, agent, host(agent).before, host(agent).shell('ls', { cwd: world.project }), options)

const isRefused = ({ stdout, stderr }: Awaited<ReturnType<typeof ask>>): boolean =>
  `${stdout}${stderr}`.includes('guarded this session')

/** A world in which a session of an agent has begun with a guard of the user and one of the project. */
async function begun(agent: string): Promise<World> {
  const world = await makeWorld({
    [USER]: { hooks: { PreToolUse: [GUARD] } },
    [PROJECT]: { hooks: { PreToolUse: [OTHER] } },
    'project/guard.sh': '#!/bin/sh\nexit 0\n',
  })
  chmodSync(join(world.project, 'guard.sh'), 0o755)
  expect(isRefused(await call(world, agent))).toBe(false)
  return world
}

/** The ways that are tried in an agent: all of them in one, and each of them in one of the others. */
const findWays = (agent: (typeof AGENTS)[number]): (readonly [string, Shrink])[] =>
  Object.entries(SHRINKING).filter((_, at) => agent === 'codex' || at % AGENTS.length === AGENTS.indexOf(agent))

describe.each(AGENTS)('a session of %s', (agent) => {
  it('has every call refused after its guards have shrunk, however, and goes on when they are back', async () => {
    await Promise.all(
      findWays(agent).map(async ([how, shrink]) => {
        const world = await makeWorld()
        await writeGuards(world)
        expect(FATES[agent]?.(await call(world, agent)), how).not.toBe('refused')
        expect(FATES[agent]?.(await call(world, agent)), `${how}, before`).not.toBe('refused')
        const bridges = join(world.home, '.hookline/bridges', agent)
        const [session = ''] = readdirSync(bridges)
        await shrink(world, join(bridges, session))
        expect(FATES[agent]?.(await call(world, agent)), how).toBe('refused')
        expect(FATES[agent]?.(await call(world, agent)), `${how}, again`).toBe('refused')
        await writeGuards(world)
        if (!(how in MEMORY)) expect(FATES[agent]?.(await call(world, agent)), `${how}, back`).not.toBe('refused')
      }),
    )
  })

  it('tells the user at the next prompt, and goes on when the file is as it was', async () => {
    const world = await begun(agent)
    await put(world, USER, '{}')
    const { prompt, said } = host(agent)
    if (prompt !== null) {
      const { notes, stdout, stderr, code } = await ask(world, agent, prompt, said('hello'))
      expect([code, `${notes.join()}${stdout}${stderr}`]).toEqual([0, expect.stringContaining('settings.json')])
    }
    await put(world, USER, { hooks: { PreToolUse: [GUARD] } })
    expect(isRefused(await call(world, agent))).toBe(false)
  })

  it('takes what the user has accepted since, and says so', async () => {
    const world = await begun(agent)
    await put(world, USER, '{}')
    expect(isRefused(await call(world, agent))).toBe(true)
    await acceptNow(world)
    const { stdout, stderr, notes } = await call(world, agent)
    expect(`${stdout}${stderr}${notes.join()}`).toContain('runs with other hooks since')
    await put(world, PROJECT, '{}')
    expect(isRefused(await call(world, agent))).toBe(true)
  })

  it('is not stopped by guards that are added or moved, which count at once', async () => {
    const world = await begun(agent)
    await put(world, USER, { hooks: { PreToolUse: [GUARD, OTHER] } })
    await put(world, PROJECT, { hooks: { PreToolUse: [{ ...commands('echo added >&2; exit 2') }] } })
    expect(isRefused(await call(world, agent))).toBe(false)
    const { stdout, stderr } = await call(world, agent)
    expect(`${stdout}${stderr}`).toContain('added')
    await put(world, PROJECT, { hooks: { PreToolUse: [OTHER] } })
    expect(isRefused(await call(world, agent))).toBe(true)
  })

  it('names a script that changed, once', async () => {
    const world = await begun(agent)
    await put(world, 'project/guard.sh', '#!/bin/sh\nexit 0 # nothing\n')
    const all = [await call(world, agent), await call(world, agent)]
    const told = all.map(({ stdout, stderr, notes }) =>
      `${stdout}${stderr}${notes.join()}`.includes('guard.sh changed'),
    )
    expect(told).toEqual([true, false])
  })

  it('does not forget its guards with what is remembered of it, nor by an end that it makes up', async () => {
    const world = await begun(agent)
    const [session = ''] = readdirSync(join(world.home, '.hookline/bridges', agent))
    const kept = join(world.home, '.hookline/bridges', agent, session, 'guards.json')
    expect(existsSync(kept)).toBe(true)
    for (const spoil of [() => rmSync(kept), () => writeFileSync(kept, '{}x'), () => writeFileSync(kept, '[]')]) {
      spoil()
      const { stdout, stderr } = await call(world, agent)
      expect(`${stdout}${stderr}`).toContain('which hooks guarded this session')
    }
  })
})

/** The user accepts what is there: the project as it is, and their own hooks. */
async function acceptNow(world: World): Promise<void> {
  const { digest } = JSON.parse((await hookline(world, ['trust', '--json'])).stdout)
  const accepted = await hookline(world, ['trust', 'accept', '--yes', digest])
  expect(accepted.code, accepted.stderr).toBe(0)
}

describe('the guards of a session', () => {
  it('are those of a trusted project also after it was edited, until that is trusted', async () => {
    const world = await makeWorld({ [PROJECT]: { hooks: { PreToolUse: [OTHER] } } })
    await acceptNow(world)
    const stored = { trust: 'stored' }
    expect(isRefused(await call(world, 'codex', stored))).toBe(false)
    await put(world, PROJECT, { hooks: { PreToolUse: [OTHER, GUARD] } })
    expect(isRefused(await call(world, 'codex', stored))).toBe(true)
    await acceptNow(world)
    expect(isRefused(await call(world, 'codex', stored))).toBe(false)
    await put(world, PROJECT, '{}')
    expect(isRefused(await call(world, 'codex', stored))).toBe(true)
    await acceptNow(world)
    expect(isRefused(await call(world, 'codex', stored))).toBe(false)
  })

  it('do not go back to hooks that were accepted before it began', async () => {
    const world = await makeWorld({ [USER]: '{}' })
    await acceptNow(world)
    await put(world, USER, { hooks: { PreToolUse: [GUARD] } })
    expect(isRefused(await call(world, 'codex'))).toBe(false)
    await put(world, USER, '{}')
    expect(isRefused(await call(world, 'codex'))).toBe(true)
  })

  it('are accepted beside the settings of hookline guard, which stay as they are', async () => {
    const world = await begun('codex')
    const settings = join(world.home, '.hookline/guards.json')
    const written = '{ "level": "calm" } // as I like it'
    writeFileSync(settings, written, { mode: 0o600 })
    await put(world, USER, '{}')
    expect(isRefused(await call(world, 'codex'))).toBe(true)
    const { digest } = JSON.parse((await hookline(world, ['trust', '--json'])).stdout)
    await hookline(world, ['trust', 'accept', '--yes', digest])
    expect(isRefused(await call(world, 'codex'))).toBe(false)
    expect(readFileSync(settings, 'utf8')).toBe(written)
  })

  it('outlast an end of the session that somebody makes up', async () => {
    const world = await begun('codex')
    await ask(world, 'codex', 'SessionEnd', { session_id: 's1', turn_id: 't', model: 'm' })
    await put(world, USER, '{}')
    expect(isRefused(await call(world, 'codex'))).toBe(true)
  })

  it.each([
    '"$CLAUDE_PROJECT_DIR"/hooks/a.sh',
    ['"$', '{CLAUDE_PROJECT_DIR}/hooks/a.sh" --strict'].join(''),
    'python3 hooks/a.sh',
    "sh -c 'cd . && ./hooks/a.sh'",
    'X=1 ./hooks/a.sh 2>/dev/null',
  ])('name the script in %s', async (command) => {
    const world = await makeWorld({
      [USER]: { hooks: { PreToolUse: [commands(command)] } },
      'project/hooks/a.sh': '#!/bin/sh\nexit 0\n',
    })
    await call(world, 'codex')
    await put(world, 'project/hooks/a.sh', '#!/bin/sh\nexit 0 # other\n')
    const { stdout, notes } = await call(world, 'codex')
    expect(`${stdout}${notes.join()}`).toContain('hooks/a.sh changed')
    rmSync(join(world.project, 'hooks'), { recursive: true })
    const gone = await call(world, 'codex')
    expect([isRefused(gone), gone.stdout]).toEqual([true, expect.stringContaining('hooks/a.sh')])
  })

  it('are the same for events that begin a session at once', async () => {
    const world = await makeWorld({ [USER]: { hooks: { PreToolUse: [GUARD] } } })
    const answers = await Promise.all([1, 2, 3, 4].map(() => call(world, 'codex')))
    expect(answers.some(isRefused)).toBe(false)
    await put(world, USER, '{}')
    expect(isRefused(await call(world, 'codex'))).toBe(true)
  })

  it('are not forgotten where they come while another event is looked at', async () => {
    const world = await begun('codex')
    await put(world, 'project/guard.sh', '#!/bin/sh\nexit 0 # other\n')
    chmodSync(join(world.project, 'guard.sh'), 0o755)
    const folder = join(world.home, '.hookline/bridges/codex/s1')
    const kept = join(folder, 'guards.json')
    let ending: ReturnType<typeof call> | null = null
    await withLock(kept, async () => {
      ending = call(world, 'codex') // notes that the script changed, once it may write
      await expect.poll(() => readdirSync(folder).some((name) => name.startsWith('guards.json.lock.'))).toBe(true)
      const [[project, { at, guards }]] = Object.entries(JSON.parse(readFileSync(kept, 'utf8'))) as [
        [string, KeptGuards],
      ]
      const added = { identity: 'added', label: 'added', file: 'added.json', scripts: {} }
      writeFileSync(kept, JSON.stringify({ [project]: { at, guards: [...guards, added] } }))
    })
    await ending
    expect(readFileSync(kept, 'utf8')).toContain('"added"')
    expect(isRefused(await call(world, 'codex'))).toBe(true)
  })

  it.each(['CLAUDECODE', 'COPILOT_CLI', 'HOOKLINE_AGENT'])('are not for an agent to accept (%s)', async (variable) => {
    const world = await begun('codex')
    await put(world, USER, '{}')
    const { digest } = JSON.parse((await hookline(world, ['trust', '--json'])).stdout)
    const { code, stderr } = await hookline(world, ['trust', 'accept', '--yes', digest], { env: { [variable]: '1' } })
    expect([code, stderr]).toEqual([1, expect.stringContaining('terminal of your own')])
    expect(isRefused(await call(world, 'codex'))).toBe(true)
  })
})
