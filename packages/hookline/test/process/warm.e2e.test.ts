import { describe, expect, it } from 'vitest'
import { hookline } from '../support/command.ts'
import { commands, makeWorld } from '../support/project.ts'

describe.skipIf(process.platform !== 'linux')('the command', () => {
  it('starts no interpreter ahead for one event, whatever the environment says', async () => {
    const world = await makeWorld({
      'project/.claude/settings.json': { hooks: { PreToolUse: [commands('node guard.cjs')] } },
      'project/guard.cjs': `console.log('one')`,
    })
    const call = ['fire', 'PreToolUse', 'tool_name=Bash', '--trust', '--json']
    const { stdout } = await hookline(world, call, { env: { ...process.env, HOOKLINE_WARM: 'on' } })
    expect(JSON.parse(stdout).hooks).toMatchObject([{ launcher: 'direct', exitCode: 0 }])
  })
})
