import { spawnSync } from 'node:child_process'
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
    const [line] = JSON.parse(stdout).hooks
    expect(line.exitCode).toBe(0)
    expect(line.launcher).toMatch(/^(direct|pool)$/)
  })
})

/** A host that has nothing else to do while it closes: what it waits for has to keep it alive. */
const HOST = `
import { openEngine } from '${new URL('../../dist/index.js', import.meta.url).href}'
import { setTimeout as pause } from 'node:timers/promises'
const [project, home, managed, milliseconds] = process.argv.slice(1)
const engine = await openEngine({ project, home, managed, trust: 'accepted', warm: 'auto' })
for (const command of ['ls', 'pwd']) {
  await engine.dispatch({ hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command } })
  await pause(Number(milliseconds))
}
await engine.close()
console.log('closed')
`

describe.skipIf(process.platform !== 'linux')('a host that closes', () => {
  it.each([0, 60, 150, 400])(
    'ends by itself, and well, with an interpreter on its way for %s ms',
    async (milliseconds) => {
      const { project, home, managed } = await makeWorld({
        'project/.claude/settings.json': { hooks: { PreToolUse: [commands('node guard.cjs', 'python3 guard.py')] } },
        'project/guard.cjs': `console.log('one')`,
        'project/guard.py': `print('two')`,
      })
      const words = ['--input-type=module', '-e', HOST, '--', project, home, managed, String(milliseconds)]
      const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8', timeout: 50_000 })
      expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: 'closed\n', stderr: '' })
    },
  )
})
