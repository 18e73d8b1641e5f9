import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { AGENTS } from '../../src/bridges/list.ts'
import { HOSTS } from '../bridges/host.ts'
import { answering, commands } from '../support/project.ts'
import { call, callCold, expectWays, makeServedHome, type ServedHome } from './resident.ts'

const REWRITE = answering({
  hookSpecificOutput: {
    ...{ hookEventName: 'PreToolUse', permissionDecision: 'allow', permissionDecisionReason: 'fine' },
    updatedInput: { command: 'echo other' },
  },
})

/** Hooks by which every event has an answer of its own, in the home of the user. */
const HOOKS = {
  PreToolUse: [
    { matcher: 'Bash', ...commands('read -r e; case $e in *"rm "*) echo no >&2; exit 2 ;; esac') },
    { matcher: 'Bash', hooks: [{ type: 'command', command: REWRITE, if: 'Bash(echo *)' }] },
    { matcher: 'Write', ...commands(answering({ systemMessage: 'written' })) },
  ],
  PostToolUse: [commands('echo "seen after" >&2; exit 2')],
  UserPromptSubmit: [commands('echo "context for the prompt"')],
  SessionStart: [commands('echo "context for the session"')],
  Stop: [commands('echo "go on" >&2; exit 2')],
}

/** Events as an agent sends them: a refused call, one that is rewritten, a write, its end, a prompt, the start and the end of a turn. */
function listEvents(agent: string, { project }: ServedHome): (readonly [event: string, payload: object])[] {
  const host = HOSTS[agent]
  if (host === undefined) throw new TypeError(`${agent} has no payloads`)
  const { before, writes = before, after, start, prompt, stop } = host
  return [
    ...(start === null ? [] : [[start, host.said('')] as const]),
    ...(prompt === null ? [] : [[prompt, host.said('do it')] as const]),
    [before, host.shell('rm -rf x', { cwd: project })],
    [before, host.shell('echo hi', { cwd: project })],
    [writes, host.write('a.txt', 'hello', { cwd: project })],
    [after, host.shell('echo hi', { cwd: project, output: 'hi' })],
    ...(stop === null ? [] : [[stop, host.said('')] as const]),
  ]
}

describe('the resident answers what the cold way does', () => {
  it.each(AGENTS)('to %s, at every event', async (agent) => {
    const served = await makeServedHome(HOOKS)
    const events = listEvents(agent, served)
    const answers = [callCold, call].map((ask) => {
      rmSync(join(served.home, '.hookline/bridges'), { recursive: true, force: true }) // some things are told once a session
      return events.map(([event, payload]) => {
        const { code, stdout, stderr } = ask(served, JSON.stringify(payload), { args: ['bridge', 'run', agent, event] })
        return { event, code, stdout, stderr }
      })
    })
    expect(answers[1]).toEqual(answers[0])
    await expectWays(served, { served: events.length })
  })
})
