import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Bridge } from '../../src/bridges/bridge.ts'
import { nameMcpTool, readMcpName } from '../../src/bridges/call/mcp-names.ts'
import { readServers } from '../../src/bridges/install/mcp-servers.ts'
import { makeLossReport } from '../../src/bridges/install/report.ts'
import { AGENTS, findBridge } from '../../src/bridges/list.ts'
import { commands, makeWorld, openOn, put, type World } from '../support/project.ts'
import { FATES } from './fates.ts'
import { ask, HOSTS, worldWith } from './host.ts'

const bridgeOf = (agent: string): Bridge => {
  const bridge = findBridge(agent)
  if (bridge === null) throw new TypeError(`no bridge to ${agent}`)
  return bridge
}

const replaced = (name: string, kept: RegExp, by: string): string =>
  [...name].map((one) => (kept.test(one) ? one : by)).join('')

/** What each client was seen to write for a tool of a server, or is said to: kept apart from the tables that read it. */
const WRITTEN: Readonly<Record<string, ((server: string, tool: string) => string) | null>> = {
  codex: (server, tool) => `mcp__${replaced(server, /\w/, '_').replace(/_$/, '')}__${replaced(tool, /\w/, '_')}`,
  copilot: (server, tool) => `${replaced(server, /[\w-]/, '-')}-${replaced(tool, /[\w-]/, '-')}`,
  opencode: (server, tool) => `${replaced(server, /[\w-]/, '_')}_${replaced(tool, /[\w-]/, '_')}`,
  kilo: (server, tool) => `${replaced(server, /[\w-]/, '_')}_${replaced(tool, /[\w-]/, '_')}`,
  pi: (server, tool) => `mcp__${server}__${tool}`,
  droid: (server, tool) => `${replaced(server, /[\w-]/, '-')}___${replaced(tool, /[\w-]/, '_')}`,
  kimi: (server, tool) =>
    `mcp__${replaced(server, /[\w-]/, '_').replaceAll(/_+/g, '_')}__${replaced(tool, /[\w-]/, '_').replaceAll(/_+/g, '_')}`,
  qwen: (server, tool) => {
    const name = nameMcpTool(server, tool)
    return name === `mcp__${server}__${tool}` ? name : `${name}_15a0fzn`
  },
  gemini: (server, tool) => `mcp_${replaced(server, /[\w.-]/, '_')}_${tool}`,
  vscode: (server, tool) => `mcp_${replaced(server.toLowerCase(), /[\w.-]/, '_').slice(0, 13)}_${tool}`,
  cline: (server, tool) => `${server}__${tool}`,
  kiro: (server, tool) => `@${server}/${tool}`,
  grok: (server, tool) => `${server}__${tool}`,
  antigravity: (server, tool) => `mcp_${server}_${tool}`,
  cursor: null,
  windsurf: null,
}

/** A payload of a call of `wipe` of the server `files`, as each host sends it. */
function callOf(agent: string, project: string, server = 'files', tool = 'wipe'): [event: string, payload: object] {
  const host = HOSTS[agent]
  if (host === undefined) throw new TypeError(`no payloads of ${agent}`)
  if (agent === 'cursor')
    return [
      'beforeMCPExecution',
      {
        conversation_id: 's1',
        cursor_version: '3',
        hook_event_name: 'beforeMCPExecution',
        tool_name: tool,
        mcp_server_name: server,
        tool_input: '{}',
      },
    ]
  if (agent === 'windsurf')
    return [
      'pre_mcp_tool_use',
      {
        agent_action_name: 'pre_mcp_tool_use',
        trajectory_id: 's1',
        tool_info: { mcp_server_name: server, mcp_tool_name: tool, mcp_tool_arguments: {} },
      },
    ]
  const name = WRITTEN[agent]?.(server, tool) ?? ''
  const shell = bridgeOf(agent).tools.find((rule) => JSON.stringify(host.shell('ls')).includes(`"${rule.host}"`))?.host
  const text = JSON.stringify(host.shell('ls', { cwd: project }))
    .replaceAll(`"${shell}"`, JSON.stringify(name))
    .replaceAll(/"(?:command|commands|CommandLine)":("ls"|\["ls"\])/g, '"what":"ls"')
  return [host.before, JSON.parse(text)]
}

/** A file of the agent that says that it has these servers. */
async function configure(world: World, agent: string, servers: readonly string[]): Promise<void> {
  const entry = bridgeOf(agent).mcp.files?.[0]
  if (entry === undefined) return
  const { file, format, key } = entry
  const path = file.startsWith('~/') ? join('home', file.slice(2)) : join('project', file)
  const json = { [key]: Object.fromEntries(servers.map((name) => [name, { command: 'x' }])) }
  const toml = servers.map((name) => `[${key}.${JSON.stringify(name)}]\ncommand = "x"\n`).join('\n')
  await put(world, path, format === 'toml' ? toml : json)
}

const REFUSING = 'echo no wiping >&2; exit 2'
const INSIDE = `grep -q '"tool_name":"mcp__files__wipe"' && { echo no wiping >&2; exit 2; }; true`
const GUARDS: Readonly<Record<string, object>> = {
  'by name': { matcher: 'mcp__files__wipe', ...commands(REFUSING) },
  'by a pattern': { matcher: 'mcp__files__.*', ...commands(REFUSING) },
  'by a pattern of the tool': { matcher: 'mcp__.*__wipe.*', ...commands(REFUSING) },
  'by its own look at all of them': { matcher: 'mcp__.*', ...commands(INSIDE) },
}

describe.each(AGENTS)('a guard of a tool of an MCP server in %s', (agent) => {
  it.each(Object.entries(GUARDS))('refuses it, %s, with the server configured and without', async (_, guard) => {
    for (const servers of [['files', 'other'], []]) {
      const world = await worldWith({ PreToolUse: [guard] })
      await configure(world, agent, servers)
      const [event, payload] = callOf(agent, world.project)
      expect(FATES[agent]?.(await ask(world, agent, event, payload)), servers.join()).toBe('refused')
    }
  })

  it('leaves tools of other servers alone that are configured', async () => {
    const world = await worldWith({ PreToolUse: [GUARDS['by name'], GUARDS['by its own look at all of them']] })
    await configure(world, agent, ['files', 'other', 'files-of-others'])
    for (const [server, tool] of [
      ['other', 'wipe'],
      ['files', 'list'],
    ] as const) {
      const [event, payload] = callOf(agent, world.project, server, tool)
      expect(FATES[agent]?.(await ask(world, agent, event, payload))).toBe('runs')
    }
  })

  it('has every name among its readings that Claude Code could give the tool', () => {
    const { style } = bridgeOf(agent).mcp
    const written = WRITTEN[agent]
    if (style === null || written == null) return
    const name = fc.stringMatching(/^[A-Za-z0-9]{1,6}([._ -]{1}[A-Za-z0-9]{1,5}){0,2}$/)
    fc.assert(
      fc.property(name, name, fc.uniqueArray(name, { maxLength: 3 }), fc.boolean(), (server, tool, more, isKnown) => {
        const own = written(server, tool)
        const readings = readMcpName(own, style, { servers: isKnown ? [...more, server] : more, wanted: [] })
        const names = [...(readings?.names ?? []), ...(readings?.also.flat() ?? [])]
        const isTaken = more.some(
          (other) => readMcpName(own, style, { servers: [other], wanted: [] })?.alsoTo === 'all',
        ) // another server fits, and that is clear
        const isCut = agent === 'vscode' && !isKnown // it writes names in lower case, and cuts them
        if (isKnown || !(isTaken || isCut)) expect(names, own).toContain(nameMcpTool(server, tool))
        expect(new Set(names).size).toBeLessThanOrEqual(200)
      }),
      { numRuns: 300 },
    )
  })

  it('tells a tool of a configured server among servers whose names begin alike, whatever letters they have', () => {
    const { style } = bridgeOf(agent).mcp
    const written = WRITTEN[agent]
    if (style === null || written == null) return
    const missed = NAMES.flatMap((server) =>
      NAMES.flatMap((tool) => {
        const own = written(server, tool)
        const readings = readMcpName(own, style, { servers: NAMES, wanted: [nameMcpTool(server, tool)] })
        const names = [...(readings?.names ?? []), ...(readings?.also.flat() ?? [])]
        return names.includes(nameMcpTool(server, tool)) ? [] : [`${own} (${server}, ${tool})`]
      }),
    )
    expect(missed).toEqual([])
  })
})

/** Names of servers and of tools: one the beginning of another, with each separator once and twice, in capitals, in other scripts. */
const NAMES = [
  'a',
  'a_b',
  'a-b',
  'a.b',
  'a b',
  'a__b',
  'a--b',
  'a___b',
  'a_',
  '_a',
  '-a',
  'A',
  'A_B',
  'a_b_c',
  'a-b_c',
  'б',
  'файлы',
  'a_б',
  '7',
  'mcp',
  'mcp__a',
]

/** What a client makes of a name that is too long for it. */
const CUT: Readonly<Record<string, (name: string) => string>> = {
  copilot: (name) => name.slice(0, 64),
  kimi: (name) => (name.length <= 64 ? name : `${name.slice(0, 55)}_1c0e7811`),
}

describe.each(AGENTS)('a name that a hook of %s writes out', (agent) => {
  it('is told however much the agent changes in it', () => {
    const { style } = bridgeOf(agent).mcp
    const written = WRITTEN[agent]
    if (style === null || written == null) return
    const name = fc.stringMatching(/^[a-z]{1,6}([._ -]{1,2}[a-z0-9]{1,6}){0,9}$/)
    fc.assert(
      fc.property(name, name, fc.boolean(), (server, tool, isKnown) => {
        const wanted = nameMcpTool(server, tool)
        const own = CUT[agent]?.(written(server, tool)) ?? written(server, tool)
        if (agent === 'vscode' && server.length > 13) return // nothing is left of what tells it
        if (!own.slice(style.start.length + 1).includes(style.between)) return // cut inside of the server
        const readings = readMcpName(own, style, {
          servers: isKnown ? [server] : [],
          wanted: [wanted, 'mcp__other__tool'],
        })
        const names = [...(readings?.names ?? []), ...(readings?.also.flat() ?? [])]
        expect(names, own).toContain(wanted)
        expect(names).not.toContain('mcp__other__tool')
      }),
      { numRuns: 300 },
    )
  })
})

describe('the name of a tool of an MCP server', () => {
  const SERVERS = ['files', 'my.files', 'my-files2', 'a__b', 'x_', 'my_files', 'a']
  it.each([
    ['codex', 'mcp__my_files2__wipe', ['mcp__my-files2__wipe']],
    ['codex', 'mcp__my_files_e8c24f33273d__a_b', ['mcp__my_files__a-b', 'mcp__my_files__a_b']],
    ['codex', 'mcp__x__wipe', ['mcp__x___wipe']],
    ['copilot', 'my-files-dot-tool', ['mcp__my_files__dot_tool', 'mcp__my_files__dot-tool']],
    ['opencode', 'a__b_wipe', ['mcp__a__b__wipe', 'mcp__a___b_wipe']],
    ['opencode', 'unknown_server_tool', ['mcp__unknown__server_tool', 'mcp__unknown_server__tool']],
    ['droid', 'a__b___wipe', ['mcp__a__b__wipe']],
    ['kimi', 'mcp__a_b__x_y', ['mcp__a__b__x__y', 'mcp__a__b__x_y']],
    ['qwen', 'mcp__my_files__wipe_15a0fzn', ['mcp__my_files__wipe']],
  ])('is read in %s: %s', (agent, name, wanted) => {
    const { style } = bridgeOf(agent).mcp
    const readings = style && readMcpName(name, style, { servers: SERVERS, wanted: [] })
    expect([...(readings?.names ?? []), ...(readings?.also.flat() ?? [])]).toEqual(expect.arrayContaining(wanted))
  })

  it('is shown to a hook in every reading where two servers fit', async () => {
    const world = await worldWith({
      PreToolUse: [{ matcher: 'mcp__.*', ...commands('cat >> "$CLAUDE_PROJECT_DIR/seen.jsonl"') }],
    })
    await configure(world, 'opencode', ['a', 'a_b'])
    const [event, payload] = callOf('opencode', world.project, 'a_b', 'c')
    await ask(world, 'opencode', event, payload)
    const seen = readFileSync(join(world.project, 'seen.jsonl'), 'utf8').match(/"tool_name":"mcp__[^"]+"/g)
    expect(seen).toEqual(['"tool_name":"mcp__a_b__c"', '"tool_name":"mcp__a__b_c"'])
  })

  it('is guarded by a hook that writes it out, though another server fits that is configured', async () => {
    const world = await worldWith({ PreToolUse: [{ matcher: 'mcp__a_b__wipe', ...commands(REFUSING) }] })
    for (const agent of ['opencode', 'kilo', 'gemini', 'antigravity']) {
      await configure(world, agent, ['a'])
      const [event, payload] = callOf(agent, world.project, 'a_b', 'wipe')
      expect([agent, FATES[agent]?.(await ask(world, agent, event, payload))]).toEqual([agent, 'refused'])
    }
  })

  it('is its own to a hook on everything, which sees a call once', async () => {
    const world = await worldWith({ PreToolUse: [commands('echo x >> "$CLAUDE_PROJECT_DIR/count"')] })
    for (const agent of ['opencode', 'copilot', 'droid']) {
      const [event, payload] = callOf(agent, world.project, 'some', 'tool-of_others')
      await ask(world, agent, event, payload)
    }
    expect(readFileSync(join(world.project, 'count'), 'utf8')).toBe('x\nx\nx\n')
  })

  it('is guarded by the whole of it where the agent has cut it', async () => {
    const tool = 'delete_everything_that_is_in_the_production_database_of_the_company_at_once'
    const world = await worldWith({ PreToolUse: [{ matcher: `mcp__files__${tool}`, ...commands(REFUSING) }] })
    const [event, payload] = callOf('copilot', world.project, 'files', tool)
    const text = JSON.stringify(payload).replace(`files-${tool}`, `files-${tool}`.slice(0, 64))
    expect(FATES.copilot?.(await ask(world, 'copilot', event, JSON.parse(text)))).toBe('refused')
  })

  it('is not allowed by a hook where it is not clear which tool it is', async () => {
    const allow = `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}'`
    const world = await worldWith({ PreToolUse: [{ matcher: 'mcp__safe__.*', ...commands(allow) }] })
    const [event, payload] = callOf('copilot', world.project, 'safe', 'read')
    expect((await ask(world, 'copilot', event, payload)).stdout).not.toContain('allow')
    await configure(world, 'copilot', ['safe'])
    expect((await ask(world, 'copilot', event, payload)).stdout).toContain('allow')
  })
})

describe('the servers of an agent', () => {
  it.each(AGENTS)('are read from all of its files, of the user and of the project: %s', async (agent) => {
    const bridge = bridgeOf(agent)
    const { files = [], own = [] } = bridge.mcp
    const world = await makeWorld()
    for (const [index, { file, format, key }] of files.entries()) {
      const path = file.startsWith('~/') ? join('home', file.slice(2)) : join('project', file)
      const json = `{ // of mine\n ${JSON.stringify(key)}: {"server ${index}": {},},}`
      await put(world, path, format === 'toml' ? `[${key}."server ${index}"]\ncommand = "x"\n` : json)
    }
    const found = await readServers(bridge, { home: world.home, env: {}, folders: [world.project] })
    expect(found.sort()).toEqual([...own, ...files.map((_, index) => `server ${index}`)].sort())
  })

  it('are read where a variable has moved the files, and none from a file that cannot be read', async () => {
    const world = await makeWorld()
    await put(world, 'moved/mcp-config.json', { mcpServers: { moved: {} } })
    await put(world, 'home/.copilot/mcp-config.json', { mcpServers: { usual: {} } })
    await put(world, 'project/.mcp.json', 'not JSON')
    const env = { COPILOT_HOME: join(world.root, 'moved') }
    const found = await readServers(bridgeOf('copilot'), { home: world.home, env, folders: [world.project] })
    expect(found).toEqual(['github-mcp-server', 'moved'])
  })
})

describe('the report of a guard of MCP tools', () => {
  const reportFor = async (agent: string, matcher: string, servers: readonly string[]) => {
    const hooks = { PreToolUse: [{ matcher, ...commands('./guard.sh') }] }
    const world = await makeWorld({ 'project/.claude/settings.json': { hooks } })
    const engine = await openOn(world, { profile: 'current', trust: 'accepted' })
    const bridge = bridgeOf(agent)
    return makeLossReport(bridge, engine.list(), { written: bridge, scopes: [], unread: [], notes: [], servers })[0]
  }

  it.each(AGENTS)('says how its name is told, by name and by pattern: %s', async (agent) => {
    const { style } = bridgeOf(agent).mcp
    const isTold = style === null || (style.start === 'mcp__' && style.unsure === undefined)
    for (const matcher of ['mcp__files__wipe', 'mcp__files__.*', '^mcp__.*$', 'Bash|mcp__files__wipe']) {
      const line = await reportFor(agent, matcher, ['files'])
      expect(line?.notes.join().includes('MCP'), matcher).toBe(!isTold)
      expect(line, matcher).toMatchObject({ weaker: false })
    }
    const unknown = await reportFor(agent, 'mcp__files__.*', ['other'])
    expect(unknown?.notes.join().includes('no file of it has a server files')).toBe(!isTold)
  })

  it('does not call a hook lost that names a tool of a server beside one that the agent does not have', async () => {
    expect(await reportFor('codex', 'Read|mcp__files__wipe', ['files'])).toMatchObject({ holds: 'partial' })
  })
})
