import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { commands, makeWorld } from '../../../hookline/test/support/project.ts'
import { scripted } from '../support/command.ts'
import { runAgent } from '../support/in-process.ts'

const CALL = { turns: [{ tools: [{ name: 'Bash', input: { command: 'touch ran.txt' } }] }, { text: 'Done.' }] }
/** Denies with exit code 1, which only `current` listens to. */
const DENIES = `printf '%s' '{"decision":"block","reason":"by the guard"}'; exit 1`
const guard = { hooks: { PreToolUse: [commands(DENIES)] } }
const current = { hookline: { profile: 'current' } }
const CHOSEN = { env: { HOOKLINE_PROFILE: 'current' } }

it.each<[who: string, user: object, project: object, env: NodeJS.ProcessEnv, args: string[], denies: boolean]>([
  ['no one', guard, {}, {}, [], false],
  ['the user', { ...current, ...guard }, {}, {}, [], true],
  ['the project, for its own hooks', {}, { ...current, ...guard }, {}, [], true],
  ["the project, for the user's hooks", guard, current, {}, [], false],
  ['the environment', guard, {}, CHOSEN.env, [], true],
  ['the flag', guard, {}, { HOOKLINE_PROFILE: 'classic' }, ['--profile', 'current'], true],
  ['variables in settings files', { ...CHOSEN, ...guard }, { ...CHOSEN, ...guard }, {}, [], false],
])('the agent reads hooks under the profile that was chosen by %s', async (_who, user, project, env, args, denies) => {
  const world = await makeWorld({ 'home/.claude/settings.json': user, 'project/.claude/settings.json': project })
  const words = ['-p', 'Go', '--trust', '--allowed-tools', 'Bash', ...args]
  await runAgent(world, { args: [...words, ...(await scripted(world, CALL))], env })
  expect(existsSync(join(world.project, 'ran.txt'))).toBe(!denies)
})
