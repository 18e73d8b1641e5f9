import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commands, makeWorld } from '../../../hookline/test/support/project.ts'
import { bash, openAgent, worldWithHooks } from '../support/opened-agent.ts'
import { askedOf, loggedEvents, readIn, task } from './support.ts'

const GUARDED = `---
name: guarded
description: Does little
hooks:
  PreToolUse:
    - matcher: Bash
      hooks:
        - type: command
          command: echo "not in this agent" >&2; exit 2
  Stop:
    - hooks:
        - type: command
          command: grep -q '"stop_hook_active":true' || { echo "look again" >&2; exit 2; }
---
You are guarded.
`

describe('the hooks of an agent’s file', () => {
  it('see its calls and its stop, and nobody else’s', async () => {
    const world = await makeWorld({ 'project/.claude/agents/guarded.md': GUARDED })
    const opened = await openAgent(
      {
        turns: [
          { tools: [task('guarded'), task('general-purpose')] },
          { tools: [bash('touch main')] },
          { text: 'Done.' },
        ],
        agents: {
          guarded: { turns: [{ tools: [bash('touch guarded')] }, { text: 'first' }, { text: 'second' }] },
          'general-purpose': { turns: [{ tools: [bash('touch free')] }, { text: 'free' }] },
        },
      },
      { world, allowedTools: ['Bash'] },
    )
    await opened.agent.run('Go')
    const made = ['guarded', 'free', 'main'].filter((name) => existsSync(join(world.project, name)))
    expect(made).toEqual(['free', 'main'])
    const asked = askedOf(opened, 'guarded')
    expect(readIn(asked[1])).toContain(
      'PreToolUse:Bash hook error: [echo "not in this agent" >&2; exit 2]: not in this agent',
    )
    expect(readIn(asked[2])).toContain('Stop hook feedback:')
    expect(readIn(asked[2])).toContain('look again')
    expect(asked).toHaveLength(3)
    expect(askedOf(opened, 'general-purpose')).toHaveLength(2)
    await opened.agent.close()
    const stops = loggedEvents(opened).filter(({ input }) => input.hook_event_name === 'SubagentStop')
    const active = stops
      .filter(({ input }) => input.agent_type === 'guarded')
      .map(({ input }) => input.stop_hook_active)
    expect(active).toEqual([false, true])
  })

  it('do not run in a folder that was not accepted', async () => {
    const world = await makeWorld({ 'project/.claude/agents/guarded.md': GUARDED })
    const opened = await openAgent(
      {
        turns: [{ tools: [task('guarded')] }],
        agents: { guarded: { turns: [{ tools: [bash('touch guarded')] }] } },
      },
      { world, allowedTools: ['Bash'], trust: 'stored' },
    )
    await opened.agent.run('Go')
    expect(existsSync(join(world.project, 'guarded'))).toBe(true)
  })

  it('keep the agent from beginning when they are gone', async () => {
    const world = await makeWorld({ 'project/.claude/agents/guarded.md': GUARDED })
    const opened = await openAgent({ turns: [{ tools: [task('guarded')] }] }, { world })
    await rm(join(world.project, '.claude/agents/guarded.md'))
    await opened.agent.run('Go')
    expect(askedOf(opened, 'guarded')).toHaveLength(0)
    expect(readIn(askedOf(opened, null)[1])).toContain('The guarded agent cannot begin, for its hooks cannot be read')
  })

  it('may be given by the host, with Stop for its own stop', async () => {
    const agents = {
      given: {
        description: 'd',
        prompt: 'p',
        hooks: { Stop: [commands(`grep -q '"stop_hook_active":true' || { echo again >&2; exit 2; }`)] },
      },
    }
    const opened = await openAgent({ turns: [{ tools: [task('given'), task('general-purpose')] }] }, { agents })
    await opened.agent.run('Go')
    expect(askedOf(opened, 'given')).toHaveLength(2)
    expect(askedOf(opened, 'general-purpose')).toHaveLength(1)
  })
})

describe('SubagentStart', () => {
  it('adds its context to the subagent’s conversation, never to the parent’s', async () => {
    const say = `echo '{"hookSpecificOutput":{"hookEventName":"SubagentStart","additionalContext":"CTX-START"}}'`
    const opened = await openAgent(
      { turns: [{ tools: [task('general-purpose')] }] },
      { world: await worldWithHooks({ SubagentStart: [{ matcher: 'general-purpose', ...commands(say) }] }) },
    )
    await opened.agent.run('Go')
    const [own] = askedOf(opened, 'general-purpose')
    expect(readIn(own)).toContain(
      '<system-reminder>\nSubagentStart:general-purpose hook additional context: CTX-START\n</system-reminder>',
    )
    expect(askedOf(opened, null).map(readIn).join('')).not.toContain('CTX-START')
  })

  it('keeps the agent from beginning when it halts', async () => {
    const opened = await openAgent(
      { turns: [{ tools: [task('general-purpose')] }, { text: 'Then not.' }] },
      { world: await worldWithHooks({ SubagentStart: [commands(`echo '{"continue":false}'`)] }) },
    )
    expect(await opened.agent.run('Go')).toMatchObject({ text: 'Then not.' })
    expect(askedOf(opened, 'general-purpose')).toHaveLength(0)
    expect(readIn(askedOf(opened, null)[1])).toContain('The general-purpose agent has not begun: a hook stopped it.')
  })
})

describe('the host’s own hooks', () => {
  it('see the calls of subagents too, and each event once', async () => {
    const seen: string[] = []
    const note = (input: Readonly<Record<string, unknown>>): undefined => {
      seen.push([input.hook_event_name, input.agent_type ?? 'main', input.tool_name ?? ''].join(' ').trim())
    }
    const group = [{ hooks: [note] }]
    const opened = await openAgent(
      {
        turns: [{ tools: [task('general-purpose')] }],
        agents: { 'general-purpose': { turns: [{ tools: [bash('true')] }] } },
      },
      {
        allowedTools: ['Bash'],
        hooks: { PreToolUse: group, PostToolUse: group, SubagentStart: group, SubagentStop: group, Stop: group },
      },
    )
    await opened.agent.run('Go')
    expect(seen).toEqual([
      'PreToolUse main Task',
      'SubagentStart general-purpose',
      'PreToolUse general-purpose Bash',
      'PostToolUse general-purpose Bash',
      'SubagentStop general-purpose',
      'PostToolUse main Task',
      'Stop main',
    ])
  })
})
