import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeWorld, type World } from '../../../hookline/test/support/project.ts'
import { runSlashCommand } from '../../src/session/slash-command.ts'
import { fillArguments } from '../../src/skills/fill-arguments.ts'
import { bash, type Opening, openAgent, textsOf } from '../support/opened-agent.ts'

const deploy = `---
description: Ships it
allowed-tools: Bash(echo:*), Read
hooks:
  PreToolUse:
    - hooks:
        - type: command
          command: "echo careful now >&2; exit 2"
---
Ship $1 to $2. All of it: $ARGUMENTS.
`

const withoutHooks = deploy.replace(/^hooks:.*(?=^---$)/ms, '')

function worldWith(text: string): Promise<World> {
  return makeWorld({ 'project/.claude/commands/ops/deploy.md': text })
}

describe('a slash command', () => {
  it('says its text with the arguments in their places', async () => {
    const { agent, requests } = await openAgent({}, { world: await worldWith(deploy) })
    await agent.run('/ops:deploy "the app" prod')
    expect(textsOf(requests[0]?.messages.at(-1))).toEqual(['Ship the app to prod. All of it: "the app" prod.'])
  })

  it('has hooks for its own turn and no other', async () => {
    const script = { turns: [{ tools: [bash('echo one')] }, {}, { tools: [bash('echo two')] }] }
    const { agent, requests } = await openAgent(script, { world: await worldWith(deploy), allowedTools: ['Bash'] })
    await agent.run('/ops:deploy app prod')
    expect(textsOf(requests[1]?.messages.at(-1)).join()).toContain('careful now')
    await agent.run('Now without.')
    expect(textsOf(requests[3]?.messages.at(-1)).join()).toContain('two')
  })

  it('leaves its hooks to the session under current', async () => {
    const script = { turns: [{ tools: [bash('echo one')] }, {}, { tools: [bash('echo two')] }] }
    const opening = { world: await worldWith(deploy), allowedTools: ['Bash'], profile: 'current' } as const
    const { agent, requests } = await openAgent(script, opening)
    await agent.run('/ops:deploy app prod')
    await agent.run('Now with them still.')
    expect(textsOf(requests[3]?.messages.at(-1)).join()).toContain('careful now')
  })

  it('has a once hook run one time in a session, however often it is resumed', async () => {
    const world = await worldWith(deploy.replace('command: "', 'once: true\n          command: "'))
    const deployed = async (resume: Opening = {}): Promise<string> => {
      const script = { turns: [{ tools: [bash('echo one')] }] }
      const { agent, requests } = await openAgent(script, { world, allowedTools: ['Bash'], ...resume })
      await agent.run('/ops:deploy app prod')
      await agent.close()
      return textsOf(requests[1]?.messages.at(-1)).join()
    }
    expect(await deployed()).toContain('careful now')
    expect(await deployed({ resume: 'newest' })).toBe('one')
    expect(await deployed({ resume: 'newest' })).toBe('one')
    expect(await deployed()).toContain('careful now')
  })

  it('allows its tools for its own turn and no other', async () => {
    const script = { turns: [{ tools: [bash('echo one')] }, {}, { tools: [bash('echo two')] }] }
    const { agent, requests } = await openAgent(script, { world: await worldWith(withoutHooks) })
    await agent.run('/ops:deploy app prod')
    expect(textsOf(requests[1]?.messages.at(-1)).join()).toContain('one')
    await agent.run('Now without.')
    expect(textsOf(requests[3]?.messages.at(-1)).join()).toContain('Permission to use Bash was denied')
    expect(agent.permissions.rules.allow).toEqual([])
  })

  it('of a folder that was not accepted says its text, runs no hook and allows nothing', async () => {
    const script = { turns: [{ tools: [bash('echo one')] }] }
    const { agent, requests, told } = await openAgent(script, { world: await worldWith(deploy), trust: 'stored' })
    await agent.run('/ops:deploy app prod')
    expect(textsOf(requests[0]?.messages.at(-1)).join()).toContain('Ship app to prod')
    expect(textsOf(requests[1]?.messages.at(-1)).join()).toContain('Permission to use Bash was denied')
    expect(told().user).toContain('/ops:deploy: its allowed-tools do not count, for the folder is not trusted.')
  })

  it('comes from the project, the user and plugins', async () => {
    const world = await makeWorld({
      'project/.claude/commands/same.md': 'of the project',
      'home/.claude/commands/same.md': 'of the user',
      'home/.claude/commands/mine.md': 'mine',
      'kit/.claude-plugin/plugin.json': { name: 'tools' },
      'kit/commands/cut.md': 'of the plugin',
    })
    const { agent, requests } = await openAgent({}, { world, plugins: [join(world.root, 'kit')] })
    expect([...agent.commands.keys()]).toEqual(['same', 'mine', 'tools:cut'])
    await agent.run('/tools:cut here')
    await agent.run('/same')
    expect(textsOf(requests[0]?.messages.at(-1))).toEqual(['of the plugin\n\nARGUMENTS: here'])
    expect(textsOf(requests[1]?.messages.at(-1))).toEqual(['of the project'])
  })

  it('that nobody knows is a mistake, which a path at the start of a prompt is not', async () => {
    const { agent } = await openAgent({}, { world: await worldWith(deploy) })
    const typed = await runSlashCommand(agent, '/deplyo app')
    expect(typed?.failed?.error).toBe(
      'There is no command "/deplyo". Commands: /clear, /compact, /exit, /logout, /ops:deploy.',
    )
    await expect(runSlashCommand(agent, '/ops:deploy app')).resolves.toBeNull()
    await expect(runSlashCommand(agent, '/etc/hosts looks odd')).resolves.toBeNull()
  })

  it('with a rule that cannot be read is told of, and its turn goes on', async () => {
    const { agent, told } = await openAgent(
      {},
      { world: await worldWith('---\nallowed-tools: [Bash(, Read]\n---\nGo.') },
    )
    await expect(agent.run('/ops:deploy')).resolves.toMatchObject({ success: true })
    expect(told().user.join()).toContain('/ops:deploy: "Bash(" is not a valid rule')
  })
})

describe('the arguments of a command', () => {
  it('are put in as they were typed, whatever is in them', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (before, after, typed) => {
        const plain = (text: string): string => text.replaceAll('$', '')
        const text = `${plain(before)} $ARGUMENTS ${plain(after)}`
        return fillArguments(text, typed) === `${plain(before)} ${typed} ${plain(after)}`
      }),
    )
  })
})
