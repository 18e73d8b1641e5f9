import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commands, makeWorld } from '../../../hookline/test/support/project.ts'
import { answeringFor } from '../support/answers.ts'
import { bash, openAgent, resultOf, worldWithHooks } from '../support/opened-agent.ts'

describe('permission', () => {
  const allow = answeringFor('PreToolUse', { permissionDecision: 'allow' })

  it('is denied when the user would have to be asked and cannot be', async () => {
    expect(await resultOf(bash('touch mark'), {})).toMatch(
      /^Permission to use Bash was denied: approval is required in the mode default, and there is no user to answer\./,
    )
    const ask = answeringFor('PreToolUse', { permissionDecision: 'ask', permissionDecisionReason: 'sure?' })
    const world = await worldWithHooks({ PreToolUse: [commands(ask)] })
    expect(await resultOf(bash('touch mark'), { world, allowedTools: ['Bash'] })).toMatch(
      /^Permission to use Bash was denied: approval is required by a hook, and there is no user/,
    )
    expect(existsSync(join(world.project, 'mark'))).toBe(false)
  })

  it('is given by a hook', async () => {
    const world = await worldWithHooks({ PreToolUse: [commands(allow)] })
    expect(await resultOf(bash('echo out'), { world })).toBe('out')
  })

  it('by a hook does not count against a deny rule, nor against an ask rule', async () => {
    const hooks = { PreToolUse: [commands(allow)] }
    for (const [permissions, words] of [
      [{ deny: ['Bash(echo:*)'] }, /^Permission to use Bash was denied by the rule Bash\(echo:\*\) of /],
      [{ ask: ['Bash(echo:*)'] }, /^Permission to use Bash was denied: approval is required by the rule Bash\(echo/],
    ] as const) {
      const world = await makeWorld({ 'project/.claude/settings.json': { hooks, permissions } })
      expect(await resultOf(bash('echo out'), { world })).toMatch(words)
    }
  })

  it('is looked up for the rewritten input and for the original', async () => {
    const hooks = {
      PreToolUse: [
        commands(answeringFor('PreToolUse', { updatedInput: { command: 'rm a' }, permissionDecision: 'allow' })),
      ],
    }
    const world = await makeWorld({ 'project/.claude/settings.json': { hooks } })
    for (const disallowedTools of [['Bash(rm:*)'], ['Bash(echo:*)']])
      expect(await resultOf(bash('echo out'), { world, disallowedTools })).toMatch(/^Permission to use Bash was denied/)
  })

  it('takes a tool away that is disallowed by its bare name', async () => {
    const { agent, requests } = await openAgent({}, { disallowedTools: ['Bash', 'WebFetch'] })
    await agent.run('Go')
    const names = requests[0]?.tools.map(({ name }) => name)
    expect(names).toContain('Read')
    expect(names).not.toContain('Bash')
    expect(names).not.toContain('WebFetch')
  })
})

describe('the user is asked', () => {
  const request = (decision: object): string => answeringFor('PermissionRequest', { decision })
  const call = bash('touch mark')
  const there = (project: string): boolean => existsSync(join(project, 'mark'))

  it('with the tool, the input, the reason and the rules that would spare the question', async () => {
    const questions: object[] = []
    const { agent, world } = await openAgent(
      { turns: [{ tools: [call] }] },
      {
        dialog: async (question) => {
          questions.push(question)
          return { behavior: 'allow' }
        },
      },
    )
    await agent.run('Go')
    expect(questions).toMatchObject([
      {
        tool: 'Bash',
        input: { command: 'touch mark' },
        reason: 'Approval is required in the mode default.',
        suggestions: [{ type: 'addRules', behavior: 'allow', rules: [{ toolName: 'Bash', ruleContent: 'touch:*' }] }],
      },
    ])
    expect(there(world.project)).toBe(true)
  })

  it('for the reason of a hook that wants it', async () => {
    const ask = answeringFor('PreToolUse', { permissionDecision: 'ask', permissionDecisionReason: 'it is Friday' })
    const reasons: string[] = []
    await resultOf(call, {
      world: await worldWithHooks({ PreToolUse: [commands(ask)] }),
      allowedTools: ['Bash'],
      dialog: async ({ reason }) => {
        reasons.push(reason)
        return { behavior: 'allow' }
      },
    })
    expect(reasons).toEqual(['it is Friday'])
  })

  it('and what the user says is done: no, no with a message, no and stop', async () => {
    const saying = (answer: object) => ({ dialog: async () => ({ behavior: 'deny' as const, ...answer }) })
    expect(await resultOf(call, saying({}))).toBe('The user did not allow Bash here. Ask what to do instead.')
    expect(await resultOf(call, saying({ message: 'use a branch' }))).toBe('use a branch')
    const { agent } = await openAgent({ turns: [{ tools: [call] }] }, saying({ interrupt: true }))
    expect(await agent.run('Go')).toMatchObject({ subtype: 'error_interrupted' })
  })

  it('and granted rules spare the next question, in the session and in a file', async () => {
    let asked = 0
    const rules = [{ toolName: 'Bash', ruleContent: 'touch:*' }]
    const { agent, world } = await openAgent(
      { turns: [{ tools: [bash('touch a')] }, { tools: [bash('touch b')] }] },
      {
        dialog: async () => {
          asked++
          const granted = { type: 'addRules', rules, behavior: 'allow', destination: 'localSettings' } as const
          return { behavior: 'allow', updatedPermissions: [granted] }
        },
      },
    )
    await agent.run('Go')
    expect(asked).toBe(1)
    const written = await readFile(join(world.project, '.claude/settings.local.json'), 'utf8')
    expect(JSON.parse(written)).toMatchObject({ permissions: { allow: ['Bash(touch:*)'] } })
  })

  it('unless a PermissionRequest hook answers: allow', async () => {
    const world = await worldWithHooks({ PermissionRequest: [commands(request({ behavior: 'allow' }))] })
    expect(await resultOf(call, { world, dialog: () => expect.unreachable('asked') })).toBe('(no output)')
    expect(there(world.project)).toBe(true)
  })

  it('unless a PermissionRequest hook answers: allow with another input, which is held against the rules', async () => {
    const allow = request({ behavior: 'allow', updatedInput: { command: 'echo rewritten' } })
    const world = await worldWithHooks({ PermissionRequest: [commands(allow)] })
    const dialog = () => expect.unreachable('asked')
    expect(await resultOf(call, { world, dialog })).toBe('rewritten')
    expect(await resultOf(call, { world, dialog, disallowedTools: ['Bash(echo:*)'] })).toMatch(
      /^Permission to use Bash was denied by the rule/,
    )
    const broken = await worldWithHooks({
      PermissionRequest: [commands(request({ behavior: 'allow', updatedInput: { command: 7 } }))],
    })
    expect(await resultOf(call, { world: broken, dialog })).toMatch(/^A hook rewrote the input, and Bash cannot/)
  })

  it('unless a PermissionRequest hook answers: allow, and what it grants holds for the next call', async () => {
    const rules = [{ toolName: 'Bash', ruleContent: 'touch:*' }]
    const updatedPermissions = [{ type: 'addRules', rules, behavior: 'allow', destination: 'session' }]
    const once = `[ -e asked ] && exit 1; touch asked; ${request({ behavior: 'allow', updatedPermissions })}`
    const { agent, world } = await openAgent(
      { turns: [{ tools: [bash('touch a')] }, { tools: [bash('touch b')] }] },
      {
        world: await worldWithHooks({ PermissionRequest: [commands(once)] }),
        dialog: () => expect.unreachable('asked'),
      },
    )
    await agent.run('Go')
    expect(existsSync(join(world.project, 'b'))).toBe(true)
  })

  it('unless a PermissionRequest hook answers: deny, with or without an end of the turn', async () => {
    const dialog = () => expect.unreachable('asked')
    const deny = request({ behavior: 'deny', message: 'not on Fridays' })
    const world = await worldWithHooks({ PermissionRequest: [commands(deny)] })
    expect(await resultOf(call, { world, dialog })).toBe('PermissionRequest:Bash hook error: not on Fridays')
    const interrupting = request({ behavior: 'deny', message: 'not on Fridays', interrupt: true })
    const { agent, requests } = await openAgent(
      { turns: [{ tools: [call] }] },
      { world: await worldWithHooks({ PermissionRequest: [commands(interrupting)] }), dialog },
    )
    expect(await agent.run('Go')).toMatchObject({ subtype: 'error_interrupted' })
    expect(requests).toHaveLength(1)
  })

  it('in print mode never, and no PermissionRequest is fired', async () => {
    const fired: string[] = []
    const hooks = { PermissionRequest: [{ hooks: [() => void fired.push('PermissionRequest')] }] }
    await resultOf(call, { hooks })
    expect(fired).toEqual([])
  })
})
