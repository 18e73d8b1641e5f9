import { execFileSync } from 'node:child_process'
import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeWorld, put, type World } from '../../../hookline/test/support/project.ts'
import { chooseModel } from '../../src/models/choose-model.ts'
import { openAgent, resultOf } from '../support/opened-agent.ts'

const CANARY = 'nobody may read this'

/** What a project can put in the place of a file that is read, by what it is. */
const HOSTILE: Readonly<Record<string, (world: World, path: string) => Promise<void>>> = {
  'a pipe': async (_world, path) => void execFileSync('mkfifo', [path]),
  'a link to a device without an end': (_world, path) => symlink('/dev/zero', path),
  'a link out of the project': async (world, path) => symlink(await put(world, 'canary.md', CANARY), path),
  'a link that leads nowhere': (_world, path) => symlink(join(path, '..', 'nothing'), path),
  'a folder': (_world, path) => mkdir(path),
  'a file of 600 MB': async (_world, path) => {
    await writeFile(path, '')
    await truncate(path, 600_000_000)
  },
}

const kinds = Object.keys(HOSTILE)

async function worldWith(kind: string, name: string): Promise<World> {
  const world = await makeWorld()
  const path = join(world.project, name)
  await mkdir(join(path, '..'), { recursive: true })
  await HOSTILE[kind]?.(world, path)
  return world
}

describe('the notes of a project', () => {
  it.each(kinds.flatMap((kind) => ['AGENTS.md', 'CLAUDE.md'].map((name) => [name, kind] as const)))(
    'neither hang the agent nor leak when %s is %s',
    async (name, kind) => {
      const world = await worldWith(kind, name)
      const { agent, requests, told } = await openAgent({}, { world, trust: 'refused' })
      await agent.run('Hello.')
      expect(JSON.stringify(requests)).not.toContain(CANARY)
      expect(told().user.join('\n')).toContain(`${name} is `)
    },
  )

  it('are read from CLAUDE.md when it is a link to AGENTS.md or to another file of the project', async () => {
    const world = await makeWorld({ 'project/docs/agents.md': 'Use tabs.' })
    await symlink('docs/agents.md', join(world.project, 'CLAUDE.md'))
    const { agent, requests, told } = await openAgent({}, { world })
    await agent.run('Hello.')
    expect(requests[0]?.system).toContain('CLAUDE.md of the project:\n\nUse tabs.')
    expect(told().user).toEqual([])
  })

  it('are those of CLAUDE.md where AGENTS.md cannot be read', async () => {
    const world = await worldWith('a pipe', 'AGENTS.md')
    await writeFile(join(world.project, 'CLAUDE.md'), 'Use spaces.')
    const { agent, requests } = await openAgent({}, { world })
    await agent.run('Hello.')
    expect(requests[0]?.system).toContain('CLAUDE.md of the project:\n\nUse spaces.')
  })
})

describe('files of an unaccepted project', () => {
  const places = [
    '.claude/skills/x/SKILL.md',
    '.claude/commands/x.md',
    '.claude/agents/x.md',
    '.claude/settings.json',
    '.claude/settings.local.json',
    '.mcp.json',
  ]

  it.each(places.flatMap((place) => kinds.map((kind) => [place, kind] as const)))(
    'neither hang the agent nor leak when %s is %s',
    async (place, kind) => {
      const world = await worldWith(kind, place)
      const { agent, requests, told } = await openAgent({}, { world, trust: 'refused' })
      await agent.run('Hello.')
      expect(JSON.stringify([requests, told()])).not.toContain(CANARY)
    },
  )

  it('are not looked for where a folder of components leads out of the project or around in a circle', async () => {
    const world = await makeWorld({ 'outside/x/SKILL.md': CANARY, 'project/.claude/agents/a.md': 'An agent.' })
    await symlink(join(world.root, 'outside'), join(world.project, '.claude', 'skills'))
    await mkdir(join(world.project, '.claude', 'commands'))
    for (const name of ['a', 'b', 'c', 'd']) await symlink('.', join(world.project, '.claude', 'commands', name))
    const { agent, requests } = await openAgent({}, { world, trust: 'refused' })
    await agent.run('Hello.')
    expect(JSON.stringify(requests)).not.toContain(CANARY)
    expect(agent.commands.size).toBe(0)
  })

  it('do not choose a script as the model of a subagent', async () => {
    const script = { turns: [{ text: 'scripted by the project' }] }
    const agentFile = '---\ndescription: x\nmodel: script:evil.json\n---\nYou are x.'
    const world = await makeWorld({ 'project/evil.json': script, 'project/.claude/agents/x.md': agentFile })
    const modelOf = (name: string) => chooseModel(name, { env: {}, cwd: world.project, asked: 'agent' })
    const task = { name: 'Task', input: { subagent_type: 'x', prompt: 'Go', description: 'go' } }
    const result = await resultOf(task, { world, modelOf })
    expect(result).toContain('"script:evil.json" is a script, which only --model can name')
  })
})

describe('a tool that the model calls', () => {
  it.each([
    ['Read', 'file_path', {}],
    ['Edit', 'file_path', { old_string: 'a', new_string: 'b' }],
    ['Write', 'file_path', { content: 'x' }],
    ['Grep', 'path', { pattern: 'x' }],
  ])('does not hang on a pipe or a device: %s', async (name, field, input) => {
    const world = await makeWorld()
    const pipe = join(world.project, 'pipe')
    execFileSync('mkfifo', [pipe])
    for (const path of [pipe, '/dev/zero']) {
      const call = { name, input: { ...input, [field]: path } }
      const result = await resultOf(call, { world, permissionMode: 'bypassPermissions' })
      expect(result).toContain('is not a regular file')
    }
  })
})
