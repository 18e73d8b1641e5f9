import { describe, expect, it } from 'vitest'
import { ended, placesOf, program } from '../support/command.ts'
import { commands, makeWorld, type World } from '../support/project.ts'
import { FATES } from './fates.ts'
import { HOSTS } from './host.ts'

/** One agent for each form of an answer. */
const FORMS = ['codex', 'copilot', 'opencode', 'gemini', 'kimi', 'grok']

const GUARD = { type: 'command', command: 'exit 2', timeout: 1 }

/** Calls the bridge of an agent as a process that may open so many files; null: as many as this one. */
async function ask(world: World, agent: string, descriptors: number | null): Promise<string | undefined> {
  const host = HOSTS[agent]
  const input = JSON.stringify({ cwd: world.project, ...host?.shell('ls') })
  const call = [process.execPath, program, 'bridge', 'run', agent, host?.before ?? '', '--trust', ...placesOf(world)]
  const limit = descriptors === null ? '' : `ulimit -n ${descriptors}; `
  const shell = ['-c', `${limit}"$@" || exit 2`, 'sh', ...call]
  const answer = await ended('/bin/sh', shell, { input, env: { HOME: world.home, HOOKLINE_RESIDENT: 'off' } })
  return answer.code === 2 && answer.stdout === '' ? 'refused' : FATES[agent]?.(answer)
}

describe.skipIf(process.platform !== 'linux')('a bridge that may open few files', () => {
  it.each(FORMS)('refuses a guarded call, whatever it has compiled: %s', { timeout: 60_000 }, async (agent) => {
    const world = await makeWorld({
      'project/.claude/settings.json': { hooks: { PreToolUse: [commands('exit 2')] } },
    })
    const fates: unknown[] = []
    for (const descriptors of [24, null, 19, 28]) fates.push(await ask(world, agent, descriptors))
    expect(fates).toEqual(Array(4).fill('refused')) // each at once: the hook may take ten minutes
  })

  it('refuses a call whose guard found no room beside other hooks', { timeout: 60_000 }, async () => {
    const slow = [1, 2, 3, 4, 5, 6].map((at) => ({ type: 'command', command: `sleep 1.5 # ${at}`, timeout: 9 }))
    const hooks = { PreToolUse: [{ hooks: [...slow, GUARD] }] }
    const world = await makeWorld({ 'project/.claude/settings.json': { hooks } })
    expect(await ask(world, 'codex', null)).toBe('refused')
    expect(await ask(world, 'codex', 34)).toBe('refused')
  })
})

describe.skipIf(process.platform !== 'linux')('a command that may open few files', () => {
  const EVENT = JSON.stringify({ session_id: 's', hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: {} })
  const HOOK = 'cat >/dev/null; echo no >&2; exit 2'
  const CALLS: Readonly<Record<string, readonly string[]>> = {
    tap: ['tap', '--', HOOK],
    wrap: ['wrap', '--event', 'PreToolUse', '--', HOOK],
    'a wrapped program': ['wrap', '--event', 'PreToolUse', '--exec', '--', '/bin/sh', '-c', HOOK],
    fire: ['fire', 'PreToolUse', '--trust'],
    session: ['session', '--trust'],
    'mcp guard': ['mcp', 'guard', '--', '/bin/cat'],
    'bridge status': ['bridge', 'status', 'codex'],
    doctor: ['doctor'],
  }

  it.each(Object.entries(CALLS))('says so in a sentence, and lets nothing pass: %s', async (_name, call) => {
    const world = await makeWorld({
      'project/.claude/settings.json': { hooks: { PreToolUse: [{ hooks: [{ ...GUARD, command: HOOK }] }] } },
    })
    for (const descriptors of [19, 21, 24, 28]) {
      const text = `cd '${world.project}'; ulimit -n ${descriptors}; exec "$@"`
      const { code, stdout, stderr } = await ended('/bin/sh', ['-c', text, 'sh', process.execPath, program, ...call], {
        ...{ input: EVENT, env: { HOME: world.home, HOOKLINE_RESIDENT: 'off' } },
      })
      const said = `${stdout}${stderr}`
      expect([descriptors, code === 0, said]).toEqual([descriptors, false, expect.stringMatching(/\S/)])
      expect([descriptors, said]).toEqual([descriptors, expect.not.stringMatching(/TypeError|undefined|^ {4}at /m)])
    }
  })
})
