import { chmod, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hookline, inTerminal } from '../support/command.ts'
import { makeWorld, put, type World } from '../support/project.ts'

/** Environment of a user's own terminal: no agent around it. */
const OWN = { CLAUDECODE: '', AI_AGENT: '', HOOKLINE_AGENT: '' }

async function makeGuarded(): Promise<World> {
  const world = await makeWorld({
    'project/package.json': { scripts: { reset: 'rm -rf ~/Documents', test: 'vitest run' } },
  })
  await put(world, 'home/Documents/notes.txt', 'years of notes\n')
  return world
}

function toEvent({ project }: World, command: string, more: object = {}): string {
  const event = {
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command },
    cwd: project,
    session_id: 's',
  }
  return JSON.stringify({ ...event, transcript_path: '/x', permission_mode: 'default', tool_use_id: 't', ...more })
}

describe('hookline guard', () => {
  it('refuses a call as a hook of Claude Code, with the way to the harm', async () => {
    const world = await makeGuarded()
    const { code, stdout } = await hookline(world, ['guard'], { input: toEvent(world, 'npm run reset') })
    const { hookSpecificOutput, systemMessage } = JSON.parse(stdout)
    expect(code).toBe(0)
    expect(hookSpecificOutput.permissionDecision).toBe('deny')
    expect(hookSpecificOutput.permissionDecisionReason).toContain('package.json')
    expect(hookSpecificOutput.permissionDecisionReason).not.toContain('guard allow')
    expect(systemMessage).toContain('guard allow')
    expect(await readFile(join(world.home, 'Documents/notes.txt'), 'utf8')).toBe('years of notes\n')
  })

  it('says nothing about a call that it has nothing against', async () => {
    const world = await makeGuarded()
    const { code, stdout } = await hookline(world, ['guard'], { input: toEvent(world, 'npm test') })
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
  })

  it('refuses where it would ask, when nobody is asked', async () => {
    const world = await makeGuarded()
    const input = toEvent(world, 'rm -rf "$BUILD"/*', { permission_mode: 'bypassPermissions' })
    const { stdout } = await hookline(world, ['guard'], { input })
    expect(JSON.parse(stdout).hookSpecificOutput.permissionDecision).toBe('deny')
  })

  it.each(['', 'not json', '[]', '{"tool_name":'])('asks about an event that it cannot read: %j', async (input) => {
    const { stdout } = await hookline(await makeGuarded(), ['guard'], { input, env: OWN })
    expect(JSON.parse(stdout).hookSpecificOutput.permissionDecision).toBe('ask')
  })

  it.each(['{"permission_mode": "dontAsk",', '{"permission_mode":"bypassPermissions","hook_event_name":"PreToolUse"}'])(
    'refuses an event that it cannot read where nobody is asked: %j',
    async (input) => {
      const { stdout } = await hookline(await makeGuarded(), ['guard'], { input, env: OWN })
      expect(JSON.parse(stdout).hookSpecificOutput.permissionDecision).toBe('deny')
    },
  )

  it('takes no exception from a file that others may write, and says so', async () => {
    const world = await makeGuarded()
    const exception = { guard: 'delete', path: '~/Documents', reason: 'tidy' }
    await put(world, 'home/.hookline/guards.json', JSON.stringify({ allow: [exception] }))
    const input = toEvent(world, 'rm -rf ~/Documents')
    expect((await hookline(world, ['guard'], { input })).stdout).toBe('')
    await chmod(join(world.home, '.hookline/guards.json'), 0o666)
    const { stdout, stderr } = await hookline(world, ['guard'], { input })
    expect(JSON.parse(stdout).hookSpecificOutput.permissionDecision).toBe('deny')
    expect(stderr).toContain('may be written by others')
  })

  it('answers another agent in its own form', async () => {
    const world = await makeGuarded()
    const event = {
      hook_event_name: 'BeforeTool',
      tool_name: 'run_shell_command',
      tool_input: { command: 'rm -rf ~/Documents' },
    }
    const input = JSON.stringify({ ...event, cwd: world.project, session_id: 's', timestamp: '2026-11-18T00:00:00Z' })
    const env = { ...OWN, GEMINI_CLI: '1', HOME: world.home }
    const { stdout } = await hookline(world, ['guard', '--agent', 'gemini'], { input, env })
    expect(JSON.parse(stdout).decision).toBe('deny')
  })

  it('shows what a call would do, and exits with what the guards say', async () => {
    const world = await makeGuarded()
    const denied = await hookline(world, ['guard', 'try', 'npm run reset'])
    expect(denied.code).toBe(2)
    expect(denied.stdout).toContain('denied by delete')
    expect((await hookline(world, ['guard', 'try', 'npm test'])).code).toBe(0)
    const effects = await hookline(world, ['effects', 'npm run reset', '--json'])
    expect(JSON.parse(effects.stdout).effects).toContainEqual(expect.objectContaining({ does: 'delete' }))
  })

  it('makes an exception for a user at a terminal alone, and uses one for a single call up', async () => {
    const world = await makeGuarded()
    const words = ['guard', 'allow', 'delete', '~/Documents', '--reason', 'tidy', '--once']
    expect((await hookline(world, words, { env: OWN })).code).toBe(1)
    const inAgent = await inTerminal(world, words, 'y\n', { CLAUDECODE: '1' })
    expect(inAgent.stdout).toContain('for the user to decide')
    await inTerminal(world, words, 'y\n', OWN)
    const input = toEvent(world, 'rm -rf ~/Documents')
    expect((await hookline(world, ['guard'], { input })).stdout).toBe('')
    expect((await hookline(world, ['guard'], { input })).stdout).toContain('deny')
    expect((await hookline(world, ['guard', 'log', '--json'])).stdout).toContain('removes')
  })

  it('keeps the secrets of a call out of its log and of all that it prints', async () => {
    const world = await makeGuarded()
    await put(world, 'home/.hookline/guards.json', '{}')
    const input = toEvent(
      world,
      'DB_PASSWORD=CANARY mysql -pCANARY -e "drop database CANARY"; rm -rf ~/Documents/CANARY',
    )
    const { stdout, stderr } = await hookline(world, ['guard'], { input })
    expect(JSON.parse(stdout).hookSpecificOutput.permissionDecision).toBe('deny')
    const log = await readFile(join(world.home, '.hookline/guards.log'), 'utf8')
    expect(log).toContain('Documents')
    expect(stdout + stderr + log).not.toContain('CANARY')
  })

  it('adds its hook to the settings', async () => {
    const world = await makeGuarded()
    expect((await hookline(world, ['guard', 'add'], { env: OWN })).code).toBe(0)
    expect(await readFile(join(world.project, '.claude/settings.json'), 'utf8')).toContain('"hookline guard"')
    expect((await hookline(world, ['guard', 'remove'], { env: OWN })).code).toBe(1)
    const removed = await inTerminal(world, ['guard', 'remove'], 'y\n', OWN)
    expect(removed.stdout).toContain('Wrote')
    expect(await readFile(join(world.project, '.claude/settings.json'), 'utf8')).not.toContain('hookline guard')
  })
})
