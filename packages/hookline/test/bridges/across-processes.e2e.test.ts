import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AGENTS, findBridge } from '../../src/bridges/list.ts'
import { type Ended, hookline } from '../support/command.ts'
import { until } from '../support/processes.ts'
import { answering, commands, put, type World } from '../support/project.ts'
import { HOSTS, worldWith } from './host.ts'

const told = (text: string, hookEventName = 'PostToolUse') =>
  answering({ hookSpecificOutput: { hookEventName, additionalContext: text } })

/** Calls the built command as the host does. */
const call = (world: World, agent: string, event: string, payload: object): Promise<Ended> =>
  hookline(world, ['bridge', 'run', agent, event, '--trust'], {
    input: JSON.stringify({ cwd: world.project, ...payload }),
  })

const { kimi } = HOSTS
if (kimi === undefined) throw new TypeError('there is a bridge to Kimi')
const PROMPT = 'UserPromptSubmit'

describe('events of one session in processes of their own', () => {
  it('lose no text for the model when they run at the same time, and deliver each once', {
    timeout: 120_000,
  }, async () => {
    const world = await worldWith({
      PostToolUse: [
        commands(
          `read -r line; n=$(printf '%s' "$line" | sed 's/.*echo \\([0-9]*\\).*/\\1/'); ${told('text-@-')} | sed "s/@/$n/"`,
        ),
      ],
    })
    const numbers = Array.from({ length: 8 }, (_, index) => 100 + index)
    const prompt = (n: number) => () => call(world, 'kimi', PROMPT, kimi.said(`go ${n}`))
    const events = [
      ...numbers.map((n) => () => call(world, 'kimi', kimi.after, kimi.shell(`echo ${n}`, { output: 'x' }))),
      ...[1, 2].map(prompt),
    ]
    const [mixed = []] = fc.sample(fc.shuffledSubarray(events, { minLength: events.length }), 1)
    const ended = await Promise.all(mixed.map((start) => start()))
    const last = await Promise.all([3, 4].map((n) => prompt(n)()))
    const all = [...ended, ...last].map(({ stdout }) => stdout).join('\n')
    expect(all.match(/text-\d+-/g)?.sort()).toEqual(numbers.map((n) => `text-${n}-`))
  })

  it('do not wait for an async hook, whose answer comes with a later event', { timeout: 60_000 }, async () => {
    const world = await worldWith({})
    const [go, done] = ['go', 'done'].map((name) => join(world.project, name))
    const command = `until [ -e '${go}' ]; do sleep 0.05; done; ${told('late news', 'PreToolUse')}; touch '${done}'`
    await put(world, 'project/.claude/settings.json', {
      hooks: {
        PreToolUse: [{ hooks: [{ type: 'command', command, async: true }] }],
        UserPromptSubmit: [commands('true')],
      },
    })
    const first = await call(world, 'kimi', kimi.before, kimi.shell('ls'))
    expect(first).toMatchObject({ code: 0, stdout: '' })
    await put(world, 'project/go', '')
    const late = join(world.home, '.hookline/bridges/kimi/s1/late')
    await until('its answer is kept', () => existsSync(String(done)) && readdirSync(late).length === 0)
    expect((await call(world, 'kimi', PROMPT, kimi.said('next'))).stdout).toContain('late news')
    expect((await call(world, 'kimi', PROMPT, kimi.said('and next'))).stdout).not.toContain('late news')
  })

  it('end async hooks with the session', { timeout: 60_000 }, async () => {
    const world = await worldWith({})
    const pid = join(world.project, 'pid')
    await put(world, 'project/.claude/settings.json', {
      hooks: {
        PreToolUse: [{ hooks: [{ type: 'command', command: `echo $$ > '${pid}'; exec sleep 300`, async: true }] }],
      },
    })
    await call(world, 'kimi', kimi.before, kimi.shell('ls'))
    await until('it runs', () => existsSync(pid) && readFileSync(pid, 'utf8').trim() !== '')
    await call(world, 'kimi', 'SessionEnd', { session_id: 's1', hook_event_name: 'SessionEnd', client_type: 'x' })
    await until('it is gone', () => !existsSync(`/proc/${readFileSync(pid, 'utf8').trim()}`))
  })
})

describe.each(AGENTS.filter((agent) => HOSTS[agent]?.start != null))(
  'variables that hooks of SessionStart set, in %s',
  (agent) => {
    const host = HOSTS[agent]
    const cell = findBridge(agent)?.answers.environment
    it('count for later commands, and no hook sees how', { timeout: 60_000 }, async () => {
      if (host === undefined || cell === undefined) throw new TypeError('it is in the list')
      const seen = 'cat >> "$CLAUDE_PROJECT_DIR/seen.jsonl"'
      const world = await worldWith({
        SessionStart: [commands(`echo "export LAMP='it'\\\\''s on'" >> "$CLAUDE_ENV_FILE"`)],
        PostToolUse: [commands(seen)],
      })
      const file = await put(world, 'theirs.sh', '')
      const ids = { session_id: 's1', sessionId: 's1', conversation_id: 's1', sessionID: 's1', conversationId: 's1' }
      const payload = { ...ids, cwd: world.project, workspaceRoot: world.project }
      const start = await hookline(world, ['bridge', 'run', agent, host.start ?? '', '--trust'], {
        input: JSON.stringify(payload),
        env: { CLAUDE_ENV_FILE: file },
      })
      const before = await call(world, agent, host.before, host.shell('echo hi', { cwd: world.project }))
      if (cell.how === 'lost') {
        expect(before.stdout).not.toContain('env.sh')
        return
      }
      if (cell.how === 'exact') {
        expect(start.stdout + readFileSync(file, 'utf8')).toContain('LAMP')
        return
      }
      const script = join(world.home, '.hookline/bridges', agent, 's1/env.sh')
      expect(readFileSync(script, 'utf8')).toContain(`export LAMP='it'\\''s on'`)
      const command = `. '${script}'; echo hi`
      expect(before.stdout.replaceAll('\\\\', '\\')).toContain(command)
      await call(world, agent, host.after, host.shell(command, { cwd: world.project, output: 'hi' }))
      const shown = JSON.parse(readFileSync(join(world.project, 'seen.jsonl'), 'utf8'))
      expect(shown.tool_input.command).toBe('echo hi')
    })
  },
)
