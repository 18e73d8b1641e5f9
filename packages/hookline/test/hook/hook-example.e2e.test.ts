import { execFileSync } from 'node:child_process'
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { DispatchRecord } from '../../src/index.ts'
import { hooklinePackage } from '../support/hook-file.ts'
import { makeWorld, openOn } from '../support/project.ts'

const example = join(hooklinePackage, '../../examples/typescript-hook')

/** A repository into which the example was installed as its README says, `npm install` aside. */
async function install() {
  const world = await makeWorld()
  const hooks = join(world.project, '.claude', 'hooks')
  for (const name of ['git-manners.mjs', 'manners.mjs', 'manners.test.mjs'])
    await cp(join(example, name), join(hooks, name))
  await cp(join(example, 'settings.json'), join(world.project, '.claude', 'settings.json'))
  await mkdir(join(world.project, 'node_modules'))
  await symlink(hooklinePackage, join(world.project, 'node_modules', 'hookline'))
  await writeFile(join(world.project, '.gitignore'), 'node_modules\n.claude\n')
  execFileSync('git', ['init', '--quiet', '--initial-branch', 'lamp'], { cwd: world.project })
  const engine = await openOn(world)
  const bash = (command: string): Promise<DispatchRecord> =>
    engine.dispatch({ hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command } })
  const stop = (stop_hook_active: boolean): Promise<DispatchRecord> =>
    engine.dispatch({ hook_event_name: 'Stop', stop_hook_active })
  return { ...world, hooks, bash, stop }
}

describe('typescript-hook', () => {
  it('refuses a forced push, asks about another, and leaves the rest alone', async () => {
    const { bash } = await install()
    const refused = await bash('git push --force origin main')
    expect(refused.decision).toMatchObject({ permission: 'deny', reason: expect.stringMatching(/^A forced push/) })
    expect((await bash('git push')).decision).toMatchObject({ permission: 'ask', reason: 'Push lamp?' })
    const other = await bash('git push --force-with-lease && rm -f x')
    expect(other.decision).toMatchObject({ permission: 'ask' })
    expect((await bash('git status')).decision).toMatchObject({ permission: null, messages: [] })
  })

  it('wants the work committed, once', async () => {
    const { stop } = await install()
    const first = await stop(false)
    expect(first.decision).toMatchObject({ blocked: true, reason: expect.stringMatching(/\?\? \.gitignore$/) })
    const second = await stop(true)
    expect(second.decision.blocked).toBe(false)
    expect(second.decision.messages[0]).toMatchObject({ to: 'user', text: expect.stringMatching(/uncommitted/) })
  })

  it('has a test that passes', async () => {
    const { hooks } = await install()
    const env = { ...process.env, NODE_TEST_CONTEXT: undefined }
    const said = execFileSync(process.execPath, ['--test', 'manners.test.mjs'], { cwd: hooks, encoding: 'utf8', env })
    expect(said).toMatch(/^# pass 2$/m)
  })
})
