import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { placesOf } from '../support/command.ts'
import { commands, makeWorld, put, type World } from '../support/project.ts'

const COMMAND = join(import.meta.dirname, '../../bin/hookline.js')
const PROJECT = 'project/.claude/settings.json'

/** Runs `hookline` on a world as a build machine does: nobody watches, nobody can be asked. */
function hookline(world: World, ...args: string[]) {
  const places = placesOf(world, args[0])
  return spawnSync(process.execPath, [COMMAND, ...args, ...places], {
    encoding: 'utf8',
    input: '',
    timeout: 30_000,
    env: { ...process.env, CI: 'true' },
  })
}

describe('the command, where nobody can be asked', () => {
  it('Gemini CLI, April 2026: runs nothing of a folder that nobody has accepted', async () => {
    const world = await makeWorld()
    const mark = join(world.root, 'mark')
    await put(world, PROJECT, { hooks: { SessionStart: [commands(`touch '${mark}'`)] }, trust: true })

    const { status, stdout } = hookline(world, 'fire', 'SessionStart', 'source=startup', '--json')

    expect(status).toBe(1)
    expect(JSON.parse(stdout).hooks).toMatchObject([{ verdict: 'untrusted' }])
    expect(existsSync(mark)).toBe(false)
  })

  it('reliability 83: refuses to run without its policy, with exit code 1 and the place of the fault', async () => {
    const world = await makeWorld({ 'managed.json': '{ "hooks": ', [PROJECT]: { hooks: { Stop: [commands('true')] } } })

    const { status, stdout, stderr } = hookline(world, 'fire', 'Stop', '--trust')

    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toMatch(/managed\.json:1:\d+ .*is not JSON/)
  })

  it('control characters: do not reach the terminal from a folder that nobody has accepted', async () => {
    const controls = '\u001b[2J\u001b]0;title\u0007'
    const world = await makeWorld({
      [PROJECT]: {
        hooks: {
          [`Stop${controls}`]: [],
          Stop: [{ hooks: [{ type: 'command', command: `true ${controls}`, [`field${controls}`]: 1 }] }],
        },
      },
    })

    const { stdout, stderr } = hookline(world, 'fire', 'Stop')

    expect(stdout).toContain('untrusted')
    expect(stdout + stderr).not.toSatisfy((text: string) => text.includes('\u001b') || text.includes('\u0007'))
  })
})
