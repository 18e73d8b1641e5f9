import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { hookline } from '../../../hookline/test/support/command.ts'
import { commands, makeWorld, put } from '../../../hookline/test/support/project.ts'
import { runAgent, scripted } from '../support/command.ts'

const CALL = { turns: [{ tools: [{ name: 'Bash', input: { command: 'touch called.txt' } }] }, { text: 'Done.' }] }

it.each<[what: string, variable: (digest: string) => string | undefined, trusted: boolean]>([
  ['the digest of the project', (digest) => digest, true],
  ['another digest', (digest) => digest.replace(/^../, '00'), false],
  ['no digest', () => undefined, false],
])(
  'the agent runs hooks of a project with HOOKLINE_TRUST as %s: only the right one',
  async (_what, variable, trusted) => {
    const world = await makeWorld({
      'project/.claude/settings.json': { hooks: { PreToolUse: [commands('touch "$CLAUDE_PROJECT_DIR/hooked.txt"')] } },
    })
    const { digest } = JSON.parse((await hookline(world, ['trust', '--json'])).stdout)
    const args = ['-p', 'Go', '--allowed-tools', 'Bash', ...(await scripted(world, CALL))]
    await runAgent(world, { args, env: { HOOKLINE_TRUST: variable(digest) } })
    expect(existsSync(join(world.project, 'hooked.txt'))).toBe(trusted)
    expect(existsSync(join(world.home, '.hookline/trust.json'))).toBe(false)
  },
)

it('the agent takes no HOOKLINE_TRUST from a settings file', async () => {
  const world = await makeWorld({
    'project/.claude/settings.json': { hooks: { PreToolUse: [commands('touch "$CLAUDE_PROJECT_DIR/hooked.txt"')] } },
  })
  const { digest } = JSON.parse((await hookline(world, ['trust', '--json'])).stdout)
  await put(world, 'home/.claude/settings.json', { env: { HOOKLINE_TRUST: digest } })
  await runAgent(world, { args: ['-p', 'Go', '--allowed-tools', 'Bash', ...(await scripted(world, CALL))] })
  expect(existsSync(join(world.project, 'hooked.txt'))).toBe(false)
})
