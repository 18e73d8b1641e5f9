import { join } from 'node:path'
import { openEngine } from 'hookline'
import { describe, expect, it } from 'vitest'
import { openTerminal } from '../../../hookline/src/cli/view/terminal.ts'
import { formatTrust } from '../../../hookline/src/cli/view/trust-view.ts'
import { reviewTrust } from '../../../hookline/src/engine/trust-review.ts'
import { type Content, commands, makeWorld, openOn, put, type World } from '../../../hookline/test/support/project.ts'
import { findServers } from '../../src/mcp/find-servers.ts'
import { readPermissions } from '../../src/permission/rules.ts'
import { formatTrustLines } from '../../src/terminal/text/trust-lines.ts'
import { openAgent } from '../support/opened-agent.ts'

const SETTINGS = 'project/.claude/settings.json'
const LOCAL = 'project/.claude/settings.local.json'
const MCP = 'project/.mcp.json'
const MANIFEST = 'project/plugin/.claude-plugin/plugin.json'
const server = (command: string) => ({ mcpServers: { d: { command } } })
const markdown = (field: string) => `---\nname: one\n${field}\n---\nDo it.\n`
const hooked = (command: string) =>
  `---\nname: one\nhooks:\n  Stop:\n    - hooks:\n        - type: command\n          command: ${command}\n---\n`

/** Everything that a folder can ask for: a file, and what it holds before and after. The word NEW is in the second only. */
const KINDS: Record<string, [file: string, before: Content, after: Content]> = {
  'a hook': [SETTINGS, { hooks: { Stop: [commands('old')] } }, { hooks: { Stop: [commands('NEW')] } }],
  'a matcher': [
    SETTINGS,
    { hooks: { PreToolUse: [{ matcher: 'Bash', ...commands('x') }] } },
    { hooks: { PreToolUse: [{ matcher: 'NEW', ...commands('x') }] } },
  ],
  'a field of a hook': [
    SETTINGS,
    { hooks: { Stop: [{ hooks: [{ type: 'command', command: 'x' }] }] } },
    { hooks: { Stop: [{ hooks: [{ type: 'command', command: 'x', args: ['NEW'] }] }] } },
  ],
  'a hook of an event that no profile here has': [
    SETTINGS,
    { hooks: { Later: [commands('old')] } },
    { hooks: { Later: [commands('NEW')] } },
  ],
  'a hook of a type that this profile does not run': [
    SETTINGS,
    { hooks: { Stop: [{ hooks: [{ type: 'http', url: 'http://127.0.0.1/old' }] }] } },
    { hooks: { Stop: [{ hooks: [{ type: 'http', url: 'http://127.0.0.1/NEW' }] }] } },
  ],
  'a hook of the local settings': [LOCAL, { hooks: {} }, { hooks: { Stop: [commands('NEW')] } }],
  'a hook of a skill': ['project/.claude/skills/one/SKILL.md', hooked('old'), hooked('NEW')],
  'a hook of an agent': ['project/.claude/agents/one.md', hooked('old'), hooked('NEW')],
  'a hook of a plugin': [
    'project/plugin/hooks/hooks.json',
    { hooks: { Stop: [commands('old')] } },
    { hooks: { Stop: [commands('NEW')] } },
  ],
  'a switch': [SETTINGS, { disableAllHooks: false }, { disableAllHooks: 'NEW' }],
  'a status line': [
    SETTINGS,
    { statusLine: { type: 'command', command: 'old' } },
    { statusLine: { type: 'command', command: 'NEW' } },
  ],
  'a file suggestion': [SETTINGS, {}, { fileSuggestion: { type: 'command', command: 'NEW' } }],
  'a variable': [SETTINGS, { env: { A: 'old' } }, { env: { A: 'NEW' } }],
  'a rule that allows': [SETTINGS, { permissions: { allow: [] } }, { permissions: { allow: ['Bash(NEW)'] } }],
  'a local rule that allows': [LOCAL, {}, { permissions: { allow: ['Bash(NEW)'] } }],
  'a directory': [SETTINGS, {}, { permissions: { additionalDirectories: ['/NEW'] } }],
  'a mode': [SETTINGS, { permissions: { defaultMode: 'default' } }, { permissions: { defaultMode: 'NEW' } }],
  'an address of http hooks': [SETTINGS, {}, { allowedHttpHookUrls: ['http://NEW/*'] }],
  'a variable of http hooks': [SETTINGS, {}, { httpHookAllowedEnvVars: ['NEW'] }],
  'an MCP server': [MCP, server('old'), server('NEW')],
  'an MCP server of the settings': [SETTINGS, server('old'), server('NEW')],
  'an MCP server of a plugin': ['project/plugin/.mcp.json', server('old'), server('NEW')],
  'an MCP server of a manifest': [MANIFEST, { name: 'p', ...server('old') }, { name: 'p', ...server('NEW') }],
  'the file of servers that a manifest names': [
    MANIFEST,
    { name: 'p', mcpServers: 'old.json' },
    { name: 'p', mcpServers: 'NEW.json' },
  ],
  'the name of a plugin': [MANIFEST, { name: 'old' }, { name: 'NEW' }],
  'the tools of a command': ['project/.claude/commands/one.md', markdown('model: x'), markdown('allowed-tools: NEW')],
  'the tools of a skill': ['project/.claude/skills/one/SKILL.md', markdown('a: b'), markdown('allowed-tools: NEW')],
  'the tools of a command of a plugin': [
    'project/plugin/commands/one.md',
    markdown('a: b'),
    markdown('allowed-tools: Bash(NEW)'),
  ],
  'the model of an agent': ['project/.claude/agents/one.md', markdown('model: old'), markdown('model: NEW')],
}

const optionsOf = ({ project, home, managed }: World) => {
  return { project, home, managed, plugins: [join(project, 'plugin')] }
}

describe.each(Object.entries(KINDS))('%s that a folder asks for', (_, [file, before, after]) => {
  it('is shown, digested, among the changes of a session, and accepted with them', async () => {
    const world = await makeWorld({ [file]: before })
    const options = optionsOf(world)
    const first = await openOn(world, { ...options, trust: 'stored' })
    await first.acceptTrust()
    expect((await openOn(world, { ...options, trust: 'stored' })).trust.accepted).toBe(true)
    await put(world, file, after)

    const second = await openOn(world, { ...options, trust: 'stored' })
    expect(second.trust.accepted).toBe(false)
    expect(second.trust.request.digest).not.toBe(first.trust.request.digest)

    const review = await reviewTrust(options)
    const terminal = openTerminal(process.stdout, { NO_COLOR: '1', COLUMNS: '200' })
    expect(formatTrust(review, terminal).join('\n')).toContain('NEW')
    expect(JSON.stringify(review.request.asks)).toContain('NEW')
    expect(formatTrustLines(second.trust.request).join('\n')).toContain('NEW')

    const changes = await first.listChanges()
    expect(changes.map((change) => join('project', change.file))).toEqual([file])
    expect(changes[0]?.diff).toContain('NEW')
    expect(await first.accept()).toBe(1)
    expect((await openOn(world, { ...options, trust: 'stored' })).trust.accepted).toBe(true)
  })
})

describe('what a session accepts', () => {
  const EVIL = { mcpServers: { small: { command: 'evil' } } }

  it('is nothing that the changes did not show, as a server that comes after them', async () => {
    const world = await makeWorld({ [SETTINGS]: { hooks: { Stop: [commands('one')] } } })
    const engine = await openOn(world, { trust: 'stored' })
    await engine.acceptTrust()
    await put(world, SETTINGS, { hooks: { Stop: [commands('two')] } })
    await engine.listChanges()
    await put(world, MCP, EVIL)
    expect(await engine.accept()).toBe(1)
    expect((await openOn(world, { trust: 'stored' })).trust.accepted).toBe(false)
  })

  it('is nothing at all when nobody asked what changed', async () => {
    const world = await makeWorld({ [SETTINGS]: { hooks: { Stop: [commands('one')] } } })
    const engine = await openOn(world, { trust: 'stored' })
    await engine.acceptTrust()
    await put(world, MCP, EVIL)
    expect(await engine.accept()).toBe(0)
    expect((await openOn(world, { trust: 'stored' })).trust.accepted).toBe(false)
  })

  it('says while events come that .mcp.json has changed', async () => {
    const world = await makeWorld({ [MCP]: { mcpServers: {} } })
    const engine = await openOn(world)
    await engine.dispatch({ hook_event_name: 'Stop', stop_hook_active: false })
    await put(world, MCP, EVIL)
    await expect
      .poll(async () => (await engine.dispatch({ hook_event_name: 'Stop', stop_hook_active: false })).notices?.join())
      .toContain('.mcp.json changed on disk')
  })
})

describe('the files of a folder', () => {
  /** The same servers, as people and others write them. */
  const TEXTS: Record<string, string> = {
    plain: '{"mcpServers":{"d":{"command":"benign"}},"permissions":{"allow":["Edit"]}}',
    'with comments':
      '{ // one\n"mcpServers":{"d":{"command":"benign" /* {"command":"evil"} */}},"permissions":{"allow":["Edit"]}}',
    'with trailing commas': '{"mcpServers":{"d":{"command":"benign",},},"permissions":{"allow":["Edit",],},}',
    'with a byte order mark': '\uFEFF{"mcpServers":{"d":{"command":"benign"}},"permissions":{"allow":["Edit"]}}',
    'with a prototype':
      '{"mcpServers":{"d":{"command":"benign","__proto__":{"args":["evil"]}},"__proto__":{"e":{"command":"evil"}}},"permissions":{"allow":["Edit"],"__proto__":{"additionalDirectories":["/"]}}}',
    'with a server twice': '{"mcpServers":{"d":{"command":"evil"},"d":{"command":"benign"}}}',
    'with a server twice, in another spelling':
      '{"mcpServers":{"d":{"command":"evil"},"\\u0064":{"command":"benign"}}}',
    'with a command twice': '{"mcpServers":{"d":{"command":"evil","command":"benign"}}}',
    'with a list of rules twice': '{"permissions":{"allow":["Bash"],"allow":["Edit"]}}',
    'with all servers twice': '{"mcpServers":{"d":{"command":"evil"}},"mcpServers":{"d":{"command":"benign"}}}',
  }

  /** What a server starts, as it is written and as it is run. */
  const started = ({ command, args = [] }: { command?: unknown; args?: unknown }) => [command, args]

  it.each(Object.entries(TEXTS))('run what they show, %s', async (_, text) => {
    const world = await makeWorld({ [MCP]: text, [SETTINGS]: text, [MANIFEST]: text, 'project/plugin/.mcp.json': text })
    const engine = await openEngine({ ...optionsOf(world), trust: 'accepted' })
    const { servers } = await findServers({ project: world.project, named: [], env: {} }, engine)
    const { allow, directories } = await readPermissions(world, { trusted: true, read: engine.configuration.files })
    await engine.close()

    const { files } = engine.trust.request
    const shown = Object.entries(files).flatMap(([file, asked]) =>
      file.endsWith('settings.json')
        ? []
        : Object.values(Object(asked.mcpServers)).map((each) => started(Object(each))),
    )
    const ran = servers.map(({ reach }) => (reach.type === 'stdio' ? started(reach) : [reach.url]))
    for (const each of ran) expect(shown).toContainEqual(each)
    expect(allow.map((rule) => rule.text)).toEqual(files['.claude/settings.json']?.['permissions.allow'] ?? [])
    expect(directories).toEqual([])
    expect(JSON.stringify(ran)).not.toContain('evil')
  })

  it('have no hooks taken out of the digest by a manifest that names them as its servers', async () => {
    const world = await makeWorld({
      [MANIFEST]: { name: 'p', mcpServers: '../.claude/settings.json' },
      [SETTINGS]: { hooks: { Stop: [commands('old')] }, mcpServers: {} },
    })
    const options = { ...optionsOf(world), trust: 'stored' } as const
    await (await openOn(world, options)).acceptTrust()
    await put(world, SETTINGS, { hooks: { Stop: [commands('evil')] }, mcpServers: {} })
    const engine = await openOn(world, options)
    expect(engine.trust.accepted).toBe(false)
    expect(engine.problems.map(({ message }) => message).join()).toContain('names a file outside of the plugin')
    const whole = { ...options, plugins: [world.project] }
    await put(world, 'project/.claude-plugin/plugin.json', { mcpServers: '.claude/settings.json' })
    const { files } = (await openOn(world, whole)).trust.request
    expect(files['.claude/settings.json']).toMatchObject({ hooks: { Stop: [commands('evil')] }, mcpServers: {} })
  })
})

describe('what a folder loosens', () => {
  const call = { turns: [{ tools: [{ name: 'Bash', input: { command: 'touch made' } }] }] }
  const answerIn = async (world: World, options: object = {}): Promise<string> => {
    const { agent, requests } = await openAgent(call, { world, trust: 'stored', ...options })
    await agent.run('Make it.')
    await agent.close()
    return JSON.stringify(requests[1]?.messages)
  }

  it('does not count when it was added after the folder was accepted', async () => {
    const world = await makeWorld({ [SETTINGS]: { hooks: { Stop: [commands('true')] } } })
    await (await openOn(world, { trust: 'stored' })).acceptTrust()
    await put(world, LOCAL, { permissions: { allow: ['Bash'] } })
    expect(await answerIn(world)).toContain('was denied')
  })

  it('keeps the folder accepted when the user gives a rule at a dialog', async () => {
    const world = await makeWorld({ [SETTINGS]: { hooks: { Stop: [commands('true')] } } })
    await (await openOn(world, { trust: 'stored' })).acceptTrust()
    await answerIn(world, {
      dialog: async ({ suggestions }: { suggestions: object[] }) => ({
        behavior: 'allow',
        updatedPermissions: suggestions,
      }),
    })
    expect(await answerIn(world)).toContain('(no output)')
    const engine = await openOn(world, { trust: 'stored' })
    expect(engine.trust.accepted).toBe(true)
    expect(await engine.listChanges()).toEqual([])
  })

  it('is not the model of an agent in a folder that nobody accepted', async () => {
    const world = await makeWorld({ 'project/.claude/agents/one.md': markdown('model: script:evil.json') })
    const asked: string[] = []
    const modelOf = async (name: string) => {
      asked.push(name)
      throw new Error('no such model')
    }
    const task = { name: 'Task', input: { subagent_type: 'one', description: 'd', prompt: 'p' } }
    const { agent, told } = await openAgent({ turns: [{ tools: [task] }] }, { world, trust: 'stored', modelOf })
    await agent.run('Go.')
    expect(asked).toEqual([])
    expect(told().user.join()).toContain('its model does not count')
  })

  it('is what was there when the session began, whatever a file says by now', async () => {
    const file = 'project/.claude/commands/one.md'
    const world = await makeWorld({ [file]: markdown('allowed-tools: Read') })
    const { agent } = await openAgent({}, { world, trust: 'accepted' })
    await put(world, file, markdown('allowed-tools: Bash'))
    expect(agent.commands.get('one')?.allowedTools).toEqual(['Read'])
  })
})
