import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commands, type World } from '../support/project.ts'
import { ask, HOSTS, worldWith } from './host.ts'
import { ALL_TABLES, eventBefore, payloadOf } from './payloads.ts'

/** A hook that refuses where an expression over the event holds. */
const guard = (expression: string): string =>
  `node -e 'const e = JSON.parse(require("fs").readFileSync(0)); const {command} = e.tool_input; if (${expression}) { console.error("no"); process.exit(2) }'`

/** Guards on a file in a folder, as users write them: each looks at another end of the call. */
const GUARDS = {
  'the text of the command': guard('/secrets/.test(command)'),
  'how the command begins': guard('command.startsWith("cat key")'),
  'the whole command': guard('command === "cat key"'),
  'the folder of the event': guard(
    'require("path").resolve(e.cwd, command.split(" ").at(-1)).endsWith("/secrets/key")',
  ),
  'a cd in the command': guard('/^cd .*secrets.* && cat key$/.test(command)'),
}

/** Agents whose commands name a folder, and the payload of one. */
const moved = ALL_TABLES.flatMap(([agent, bridge]) => {
  if (agent.includes(',')) return []
  const row = bridge.tools.find((rule) => rule.folder !== undefined && 'claude' in rule && rule.claude === 'Bash')
  if (row?.folder === undefined || !('claude' in row)) return []
  const { folder, host, input } = row
  const call = (project: string, path: string): object =>
    payloadOf(bridge, host, { [input.command ?? '']: 'cat key', [folder]: path }, { cwd: project })
  return [[agent, { call, event: eventBefore(bridge, host), folder }] as const]
})

const refused = ({ stdout, stderr }: { stdout: string; stderr: string }): boolean => /\bno\b/.test(stdout + stderr)

/** A world in which the session of an agent has begun. */
async function started(agent: string, hooks: object): Promise<World> {
  const world = await worldWith(hooks)
  const { start, prompt } = HOSTS[agent] ?? {}
  mkdirSync(join(world.project, 'secrets'))
  const said = start ?? prompt
  if (said)
    await ask(world, agent, said, { ...HOSTS[agent]?.said('hello'), hook_event_name: said, hookEventName: undefined })
  return world
}

it('is looked at in every agent whose commands name a folder', () => {
  expect(moved.map(([agent]) => agent)).toEqual(
    expect.arrayContaining(['cursor', 'opencode', 'gemini', 'qwen', 'kimi', 'windsurf', 'antigravity']),
  )
})

describe.each(moved)('a command that %s runs in another folder', (agent, { call, event }) => {
  it.each(Object.entries(GUARDS))('is refused by a guard on %s', async (_, command) => {
    const world = await started(agent, { PreToolUse: [{ matcher: 'Bash', ...commands(command) }] })
    expect(refused(await ask(world, agent, event, call(world.project, join(world.project, 'secrets'))))).toBe(true)
    expect(refused(await ask(world, agent, event, call(world.project, 'other')))).toBe(
      command === GUARDS['how the command begins'] || command === GUARDS['the whole command'],
    )
  })

  it('is shown once where that is the folder of the session', async () => {
    const record = 'cat >> "$CLAUDE_PROJECT_DIR/seen.jsonl"'
    const world = await started(agent, { PreToolUse: [{ matcher: 'Bash', ...commands(record) }] })
    await ask(world, agent, event, call(world.project, world.project))
    const seen = readFileSync(join(world.project, 'seen.jsonl'), 'utf8').trim().split('\n')
    expect(seen.map((line) => JSON.parse(line))).toMatchObject([
      { cwd: world.project, tool_input: { command: 'cat key' } },
    ])
  })
})

describe('Codex, which tells the folder of a command as that of the event', () => {
  const call = (cwd: string): object => HOSTS.codex?.shell('cat key', { cwd }) ?? {}

  it.each(Object.entries(GUARDS))('is held by a guard on %s', async (_, command) => {
    const world = await started('codex', { PreToolUse: [{ matcher: 'Bash', ...commands(command) }] })
    expect(refused(await ask(world, 'codex', 'PreToolUse', call(join(world.project, 'secrets'))))).toBe(true)
  })
})

describe('a hook that changes a command in another folder', () => {
  const change = (script: string): object => ({
    PreToolUse: [
      {
        matcher: 'Bash',
        ...commands(
          `node -e 'const e = JSON.parse(require("fs").readFileSync(0)); const {command} = e.tool_input; const now = (${script}); if (now !== command) console.log(JSON.stringify({hookSpecificOutput: {hookEventName: "PreToolUse", updatedInput: {command: now}}}))'`,
        ),
      },
    ],
  })

  it.each([
    ['wherever it stands', 'command.replace("cat key", "echo kept")'],
    ['where it stands alone', 'command === "cat key" ? "echo kept" : command'],
    ['after the folder', 'command.replace(/&& cat key$/, "&& echo kept")'],
  ])('changes what the host runs there: %s', async (_, script) => {
    const world = await started('gemini', change(script))
    const input = { command: 'cat key', dir_path: 'secrets', description: 'look', delay_ms: 3 }
    const payload = {
      session_id: 's1',
      hook_event_name: 'BeforeTool',
      tool_name: 'run_shell_command',
      tool_input: input,
    }
    const { stdout } = await ask(world, 'gemini', 'BeforeTool', payload)
    expect(JSON.parse(stdout)).toEqual({
      hookSpecificOutput: { hookEventName: 'BeforeTool', tool_input: { ...input, command: 'echo kept' } },
    })
  })

  it('is refused where it wants two different commands', async () => {
    const world = await started('gemini', change('command.startsWith("cd ") ? command + " one" : command + " two"'))
    const input = { command: 'cat key', dir_path: 'secrets' }
    const payload = {
      session_id: 's1',
      hook_event_name: 'BeforeTool',
      tool_name: 'run_shell_command',
      tool_input: input,
    }
    const { stdout } = await ask(world, 'gemini', 'BeforeTool', payload)
    expect(JSON.parse(stdout)).toMatchObject({ decision: 'deny', reason: expect.stringContaining('cannot take over') })
  })
})

it('shows a command after it was run as it did before', async () => {
  const record = 'cat >> "$CLAUDE_PROJECT_DIR/seen.jsonl"'
  const world = await started('gemini', { PreToolUse: [commands(record)], PostToolUse: [commands(record)] })
  const payload = {
    session_id: 's1',
    tool_name: 'run_shell_command',
    tool_input: { command: 'cat key', dir_path: 'secrets' },
  }
  await ask(world, 'gemini', 'BeforeTool', { ...payload, hook_event_name: 'BeforeTool' })
  await ask(world, 'gemini', 'AfterTool', {
    ...payload,
    hook_event_name: 'AfterTool',
    tool_response: { llmContent: 'k' },
  })
  const seen = readFileSync(join(world.project, 'seen.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const inOrder = (events: Record<string, unknown>[]): Record<string, unknown>[] =>
    events.sort((a, b) => (String(a.tool_use_id) < String(b.tool_use_id) ? -1 : 1)) // they are asked about side by side
  const [before, after] = [inOrder(seen.slice(0, 2)), inOrder(seen.slice(2))]
  expect(before).toMatchObject([
    { cwd: world.project, tool_input: { command: 'cd secrets && cat key' } },
    { cwd: join(world.project, 'secrets'), tool_input: { command: 'cat key' } },
  ])
  const common = ({ cwd, tool_input, tool_use_id }: Record<string, unknown>): object => ({
    cwd,
    tool_input,
    tool_use_id,
  })
  expect(after.map(common)).toEqual(before.map(common))
})
