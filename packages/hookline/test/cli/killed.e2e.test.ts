import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { program } from '../support/command.ts'
import { processesWith, until } from '../support/processes.ts'
import { commands, makeWorld } from '../support/project.ts'

/** A hook with a child of its own; both outlast the test unless something ends them. */
const HOOK = 'echo > "$HOME/began"; sleep 300 & sleep 301; true'
const UNDER_CLAUDE = { CLAUDECODE: '1' }
const CALL = {
  ...{ hook_event_name: 'PreToolUse', session_id: 's', tool_name: 'Bash', tool_input: { command: 'ls' } },
  ...{ transcript_path: '/t', permission_mode: 'default', tool_use_id: 't1' },
}
const COPILOT_CALL = { ...CALL, timestamp: '2026-11-16T03:15:01.889Z' }

/** Ways in which an agent has a hook started: words, variables, payload. */
const WAYS: Readonly<Record<string, readonly [readonly string[], NodeJS.ProcessEnv, object]>> = {
  'a wrapped hook in Claude Code': [['wrap', '--', HOOK], UNDER_CLAUDE, CALL],
  'a program that is wrapped': [['wrap', '--', 'sh', '-c', HOOK], UNDER_CLAUDE, CALL],
  'a hook that is recorded': [['tap', '--', HOOK], UNDER_CLAUDE, CALL],
  'a wrapped hook in another agent': [
    ['wrap', '--event', 'PreToolUse', '--', HOOK],
    { COPILOT_CLI: '1' },
    COPILOT_CALL,
  ],
  'a bridge': [['bridge', 'run', 'codex', 'PreToolUse'], {}, CALL],
  fire: [['fire', 'PreToolUse', 'tool_name=Bash'], {}, {}],
}

/** Moments of a kill, in milliseconds: after the hook has begun, and after the start of Hookline, when it may have or not. */
const AFTER_BEGIN = [0, 0, 0, 5, 20, 80]
const AFTER_START = [30, 90, 160, 300]
describe.runIf(process.platform === 'linux').each(Object.entries(WAYS))('%s', (_way, [words, env, payload]) => {
  it('leaves neither a hook nor its child when it is killed', {
    timeout: 120_000,
  }, async () => {
    const { home, project } = await makeWorld({
      'home/.claude/settings.json': { hooks: { PreToolUse: [commands(HOOK)] } },
    })
    const token = randomUUID()
    onTestFinished(() => {
      for (const pid of processesWith(token, { residents: true })) process.kill(pid, 'SIGKILL')
    })
    const began = join(home, 'began')
    const kill = async (moment: () => Promise<unknown>): Promise<void> => {
      const child = spawn(process.execPath, [program, ...words], {
        cwd: project,
        env: { PATH: process.env.PATH, HOME: home, ...env, HOOKLINE_TEST_TOKEN: token },
        stdio: ['pipe', 'ignore', 'ignore'],
      })
      child.stdin.on('error', () => {}) // killed before it has read
      child.stdin.end(JSON.stringify({ ...payload, cwd: project }))
      await moment()
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    for (const ms of AFTER_BEGIN) {
      rmSync(began, { force: true })
      await kill(async () => {
        await until('the hook has begun', () => existsSync(began))
        await pause(ms)
      })
    }
    for (const ms of AFTER_START) await kill(() => pause(ms))
    await until('no hook is left', () => processesWith(token, { residents: true }).length === 0)
    expect(processesWith(token, { residents: true })).toEqual([])
  })
})
