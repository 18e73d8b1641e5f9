import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { commands, makeWorld } from '../../../hookline/test/support/project.ts'
import { scripted } from '../support/command.ts'
import { runAgent } from '../support/in-process.ts'

const CALL = { turns: [{ tools: [{ name: 'Bash', input: { command: 'touch ran.txt' } }] }, { text: 'Done.' }] }
/** Denies with exit code 1, to which `classic` does not listen; where no profile is chosen the stricter reading counts. */
const DENIES = `printf '%s' '{"decision":"block","reason":"by the guard"}'; exit 1`
const guard = { hooks: { PreToolUse: [commands(DENIES)] } }
const classic = { hookline: { profile: 'classic' } }
const CHOSEN = { env: { HOOKLINE_PROFILE: 'classic' } }

it.each<[who: string, user: object, project: object, env: NodeJS.ProcessEnv, args: string[], denies: boolean]>([
  ['no one', guard, {}, {}, [], true],
  ['the user', { ...classic, ...guard }, {}, {}, [], false],
  ['the project, for its own hooks', {}, { ...classic, ...guard }, {}, [], false],
  ["the project, for the user's hooks", guard, classic, {}, [], true],
  ['the environment', guard, {}, CHOSEN.env, [], false],
  ['the flag', guard, {}, { HOOKLINE_PROFILE: 'current' }, ['--profile', 'classic'], false],
  ['variables in settings files', { ...CHOSEN, ...guard }, { ...CHOSEN, ...guard }, {}, [], true],
])('the agent reads hooks under the profile that was chosen by %s', async (_who, user, project, env, args, denies) => {
  const world = await makeWorld({ 'home/.claude/settings.json': user, 'project/.claude/settings.json': project })
  const words = ['-p', 'Go', '--trust', '--allowed-tools', 'Bash', ...args]
  await runAgent(world, { args: [...words, ...(await scripted(world, CALL))], env })
  expect(existsSync(join(world.project, 'ran.txt'))).toBe(!denies)
})
