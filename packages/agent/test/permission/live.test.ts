import { describe, expect, it } from 'vitest'
import { makeWorld, put, type World } from '../../../hookline/test/support/project.ts'
import type { PermissionDecision } from '../../src/permission/decide.ts'
import { type OpenedAgent, type Opening, openAgent } from '../support/opened-agent.ts'
import { TOOLS } from './support.ts'

const USER = 'home/.claude/settings.json'
const PROJECT = 'project/.claude/settings.json'

const rules = (permissions: object): object => ({ permissions })

async function opened(
  files: Record<string, object>,
  options: Opening = {},
): Promise<OpenedAgent & { readonly world: World }> {
  const world = await makeWorld(files)
  return openAgent({ turns: [] }, { world, liveSettings: true, ...options })
}

/** What becomes of a command, after an event that lets edits count. */
async function decided({ agent }: OpenedAgent, command: string): Promise<PermissionDecision['behavior']> {
  await agent.engine.dispatch({ hook_event_name: 'Notification', message: 'x', notification_type: 'idle_prompt' })
  const input = { command }
  const call = { tool: TOOLS.Bash, originalInput: input, finalInput: input, hook: null }
  return (await agent.permissions.decide(call)).behavior
}

describe.each(['classic', 'current'] as const)('settings that count at once, under %s', (profile) => {
  it('bring rules and take them away', async () => {
    const { world, ...all } = await opened({ [USER]: rules({ allow: ['Bash(ls:*)'] }) }, { profile })
    const agent = { world, ...all }
    expect(await decided(agent, 'ls')).toBe('allow')

    await put(world, USER, rules({ deny: ['Bash(rm:*)'], additionalDirectories: ['../other'] }))

    expect([await decided(agent, 'ls'), await decided(agent, 'rm x')]).toEqual(['ask', 'deny'])
    expect(agent.agent.permissions.rules.directories).toHaveLength(1)
    await put(world, USER, rules({}))
    expect(await decided(agent, 'rm x')).toBe('ask')
    expect(agent.agent.permissions.rules.directories).toEqual([])
  })
})

describe('settings that count at once', () => {
  it('leave what the session and the command line were given', async () => {
    const agent = await opened({ [USER]: rules({}) }, { allowedTools: ['Bash(pwd)'] })
    const granted = { toolName: 'Bash', ruleContent: 'make:*' }
    const update = { type: 'addRules', rules: [granted], behavior: 'allow' }
    await agent.agent.permissions.update([
      { ...update, destination: 'session' },
      { ...update, rules: [{ toolName: 'Bash', ruleContent: 'cargo:*' }], destination: 'userSettings' },
    ])

    await put(agent.world, USER, rules({ allow: ['Bash(ls:*)', 'Bash(cargo:*)'] }))

    for (const command of ['pwd', 'make all', 'ls', 'cargo test']) expect(await decided(agent, command)).toBe('allow')
    const texts = agent.agent.permissions.rules.allow.map(({ text }) => text)
    expect(texts.toSorted()).toEqual(['Bash(cargo:*)', 'Bash(ls:*)', 'Bash(make:*)', 'Bash(pwd)'])
  })

  it('end the mode without questions when the policy forbids it, and tell what is wrong in them', async () => {
    const agent = await opened({ 'managed.json': {} }, { permissionMode: 'bypassPermissions' })
    expect(await decided(agent, 'touch x')).toBe('allow')

    await put(agent.world, 'managed.json', rules({ disableBypassPermissionsMode: 'disable', allow: ['Bash('] }))

    expect(await decided(agent, 'touch x')).toBe('ask')
    expect(agent.agent.permissions.mode).toBe('default')
    expect(agent.events).toContainEqual({ type: 'mode', mode: 'default' })
    expect(agent.told().user.join('\n')).toContain('is not a valid rule')
  })

  it("are not the project's own files, whose rules count once the user accepts them", async () => {
    const agent = await opened({ [PROJECT]: {} })
    await put(agent.world, PROJECT, rules({ deny: ['Bash(rm:*)'] }))
    expect(await decided(agent, 'rm x')).toBe('ask')

    await agent.agent.engine.listChanges()
    await agent.agent.engine.accept()

    expect(await decided(agent, 'rm x')).toBe('deny')
  })
})

it('keeps the rules that it has where edits do not count', async () => {
  const agent = await opened({ [USER]: rules({ allow: ['Bash(ls:*)'] }) }, { liveSettings: false })
  await put(agent.world, USER, rules({ deny: ['Bash(ls:*)'] }))
  expect(await decided(agent, 'ls')).toBe('allow')
})
