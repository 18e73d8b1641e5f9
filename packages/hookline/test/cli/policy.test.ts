import { describe, expect, it, vi } from 'vitest'
import { hooklineInProcess } from '../support/in-process.ts'
import { commands, makeWorld, type World } from '../support/project.ts'

vi.mock('../../src/config/scopes.ts', async (original) => ({
  ...(await original<typeof import('../../src/config/scopes.ts')>()),
  findDefaultManagedFile: () => process.env.POLICY_OF_THIS_TEST,
}))

/** Calls a command on a machine whose policy is that of the world. */
const hookline = (world: World, args: string[]) =>
  hooklineInProcess(world, args, { env: { POLICY_OF_THIS_TEST: world.managed } })

describe("the machine's policy", () => {
  it('is named by explain where it switches a hook off', async () => {
    const world = await makeWorld({
      'project/.claude/settings.json': { hooks: { Stop: [commands('true')] } },
      'managed.json': { allowManagedHooksOnly: true },
    })
    const { code, stdout } = await hookline(world, ['explain', 'Stop', '--trust'])
    expect([code, stdout]).toEqual([0, expect.stringMatching(/policy-off[\s\S]* {4}because {2}\S/)])
  })

  it.each([
    ['doctor', 'stdout'],
    ['add Stop --command true --scope user', 'stderr'],
    ['list', 'stderr'],
    ['explain Stop', 'stderr'],
    ['trust', 'stderr'],
  ] as const)('is waited for by hookline %s: one that is not JSON has to be fixed first', async (call, stream) => {
    const { code, [stream]: told } = await hookline(await makeWorld({ 'managed.json': '{' }), call.split(' '))
    expect([code, told.replaceAll(/\s+/g, ' ')]).toEqual([1, expect.stringContaining('Policy is unknown')])
  })
})
