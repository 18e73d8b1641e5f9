import { execFileSync } from 'node:child_process'
import { lstatSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { HooklineError } from '../../src/files/error.ts'
import { replaceFile } from '../../src/files/replace.ts'
import { makeWorld, type World } from '../support/project.ts'
import { FATES } from './fates.ts'
import { ask, HOSTS } from './host.ts'

const REFUSING = { hooks: [{ type: 'command', command: 'cat >/dev/null; echo no >&2; exit 2' }] }
const CONTEXT = { hooks: [{ type: 'command', command: 'cat >/dev/null; echo words' }] }
const HOOKS = {
  PreToolUse: [{ matcher: 'Bash|Write', ...REFUSING }],
  PostToolUse: [{ matcher: 'Bash|Write', ...CONTEXT }],
  UserPromptSubmit: [CONTEXT],
  SessionStart: [{ hooks: [{ ...CONTEXT.hooks[0], once: true }] }],
}
const makeGuardedWorld = (): Promise<World> => makeWorld({ 'home/.claude/settings.json': { hooks: HOOKS } })

/** Fires one event of each kind, and returns what becomes of a guarded command at the end. */
async function playSession(world: World, agent: string): Promise<string> {
  const host = HOSTS[agent]
  const fate = FATES[agent]
  if (host === undefined || fate === undefined) throw new TypeError(`no host ${agent}`)
  const place = { cwd: world.project }
  if (host.start !== null) await ask(world, agent, host.start, { session_id: 's1', sessionId: 's1', sessionID: 's1' })
  if (host.prompt !== null) await ask(world, agent, host.prompt, host.said('hello'))
  await ask(world, agent, host.after, host.shell('ls', { ...place, output: 'out' }))
  return fate(await ask(world, agent, host.before, host.shell('rm x', place)))
}

/** Files that a session leaves in the home, but for compiled code and the log. */
function listOwnFiles({ home }: World): string[] {
  const found = readdirSync(join(home, '.hookline'), { recursive: true, withFileTypes: true })
  return found.filter((one) => one.isFile()).map((one) => relative(home, join(one.parentPath, one.name)))
}

const PLANTED: Readonly<Record<string, (path: string, victim: string) => Promise<void> | void>> = {
  'a link to a file of the user': (path, victim) => symlink(victim, path),
  'a link to a file that is not there': (path, victim) => symlink(`${victim}.new`, path),
  'a link to a pipe': async (path, victim) => {
    execFileSync('mkfifo', [`${victim}.pipe`])
    await symlink(`${victim}.pipe`, path)
  },
  'a pipe': (path) => void execFileSync('mkfifo', [path]),
  'a folder': (path) => void mkdir(path),
  'a link to itself': (path) => symlink(path, path),
}

describe('files that Hookline keeps of a session', () => {
  it('lead to no other file, and open no guard', { timeout: 120_000 }, async () => {
    const agent = 'codex'
    const seen = await makeGuardedWorld()
    expect(await playSession(seen, agent)).toBe('refused')
    const files = listOwnFiles(seen)
    expect(files.length).toBeGreaterThan(2)
    for (const file of files)
      for (const [what, plant] of Object.entries(PLANTED)) {
        const world = await makeGuardedWorld()
        const victim = join(world.root, 'victim')
        await writeFile(victim, 'as it was')
        await mkdir(join(world.home, file, '..'), { recursive: true, mode: 0o700 })
        await plant(join(world.home, file), victim)
        expect(await playSession(world, agent), `${file} is ${what}`).toBe('refused')
        expect(readFileSync(victim, 'utf8'), `${file} is ${what}`).toBe('as it was')
        expect(statSync(`${victim}.new`, { throwIfNoEntry: false }), `${file} is ${what}`).toBeUndefined()
        expect(readdirSync(world.root).filter((name) => name.includes('.lock'))).toEqual([])
        rmSync(join(world.home, file), { recursive: true, force: true })
      }
  })

  it('are written although a pipe, or a link to one, is where their lock was to be', async () => {
    const world = await makeGuardedWorld()
    const folder = join(world.home, '.hookline/bridges/codex/s1')
    await mkdir(folder, { recursive: true, mode: 0o700 })
    execFileSync('mkfifo', [join(folder, 'guards.json.lock'), join(world.root, 'pipe')])
    await symlink(join(world.root, 'pipe'), join(folder, 'session.json.lock'))
    for (const lock of ['guards.json.lock', 'session.json.lock'])
      execFileSync('touch', ['-h', '-d', '1 hour ago', join(folder, lock)]) // a younger one is waited for
    expect(await playSession(world, 'codex')).toBe('refused')
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(['guards.json', 'session.json']))
  })

  it('are written over nothing but a file, by whatever link', async () => {
    const { root } = await makeWorld()
    execFileSync('mkfifo', [join(root, 'pipe')])
    await mkdir(join(root, 'folder'))
    for (const name of ['pipe', 'folder']) {
      await symlink(name, join(root, `link-to-${name}`))
      for (const path of [join(root, name), join(root, `link-to-${name}`)])
        await expect(replaceFile(path, 'text')).rejects.toThrow(HooklineError)
      expect(lstatSync(join(root, name)).isFile()).toBe(false)
    }
  })
})
