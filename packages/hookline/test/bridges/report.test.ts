import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Bridge, isUnverified } from '../../src/bridges/bridge.ts'
import { keepUnlistedTool } from '../../src/bridges/call/unknown.ts'
import { describeUncalled } from '../../src/bridges/install/loaded-file.ts'
import { findUnmappedTools, makeLossReport, type ReportLine } from '../../src/bridges/install/report.ts'
import { AGENTS, findBridge, UNVERIFIED_AGENTS } from '../../src/bridges/list.ts'
import { hooklineInProcess as hookline } from '../support/in-process.ts'
import { commands, makeWorld, openOn } from '../support/project.ts'

const HOOKS = {
  PreToolUse: [
    { matcher: 'Bash', ...commands('./guard.sh') },
    { matcher: 'Edit|Write', ...commands('./protect.sh') },
    { matcher: 'Read', ...commands('./no-secrets.sh') },
    { ...commands('./audit.sh') },
  ],
  Stop: [commands('./tests.sh')],
  WorktreeCreate: [commands('./worktree.sh')],
}

async function reportFor(agent: string, trust: 'accepted' | 'stored' = 'accepted'): Promise<readonly ReportLine[]> {
  const world = await makeWorld({ 'project/.claude/settings.json': { hooks: HOOKS } })
  const engine = await openOn(world, { profile: 'current', trust })
  const bridge = findBridge(agent)
  return bridge === null ? [] : makeLossReport(bridge, engine.list())
}

const lineOf = (lines: readonly ReportLine[], runs: string): ReportLine | undefined =>
  lines.find((line) => line.runs === runs)

it('lists as unverified the agents whose tables say so', () => {
  const unverified = AGENTS.filter((agent) => isUnverified(findBridge(agent) as Bridge)) // every listed agent has one
  expect(unverified).toEqual(UNVERIFIED_AGENTS)
})

describe('the report of what is lost', () => {
  it.each(AGENTS)('has a line for each hook, with a reason where it is not exact: %s', async (agent) => {
    const lines = await reportFor(agent)
    expect(lines.map(({ runs }) => runs).sort()).toEqual([
      './audit.sh',
      './guard.sh',
      './no-secrets.sh',
      './protect.sh',
      './tests.sh',
      './worktree.sh',
    ])
    for (const { holds, notes } of lines) expect(notes.length > 0).toBe(holds !== 'exact')
    expect(lineOf(lines, './worktree.sh')).toMatchObject({ holds: 'lost', weaker: false })
    expect(lineOf(lines, './guard.sh')).toMatchObject({ weaker: false })
    expect(['exact', 'emulated', 'partial']).toContain(lineOf(lines, './guard.sh')?.holds)
  })

  it.each(AGENTS)('says of an event that comes on other occasions too which these are: %s', async (agent) => {
    const bridge = findBridge(agent) as Bridge // of the list
    for (const rule of Object.values(bridge.events)) {
      if (rule.as === null || rule.alsoWhen === undefined) continue
      const hooks = { [rule.as]: [{ hooks: [{ type: 'command', command: './each.sh' }] }] }
      const engine = await openOn(await makeWorld({ 'project/.claude/settings.json': { hooks } }), {
        profile: 'current',
      })
      expect(makeLossReport(bridge, engine.list())).toMatchObject([
        { holds: 'emulated', notes: [expect.stringContaining(`as well when ${rule.alsoWhen}`)] },
      ])
    }
    expect('alsoWhen' in (bridge.events.Stop ?? {})).toBe(agent === 'kimi')
  })

  it('names a guard whose calls an agent never shows', async () => {
    expect(lineOf(await reportFor('codex'), './no-secrets.sh')).toMatchObject({
      holds: 'lost',
      weaker: true,
      notes: [expect.stringContaining('no calls of Read'), expect.stringContaining('shell commands')],
    })
    expect(lineOf(await reportFor('gemini'), './no-secrets.sh')).toMatchObject({ weaker: false })
  })

  it('names a guard of the end of a turn where the agent does not wait for it', async () => {
    expect(lineOf(await reportFor('opencode'), './tests.sh')).toMatchObject({ holds: 'lost', weaker: true })
    expect(lineOf(await reportFor('codex'), './tests.sh')).toMatchObject({ holds: 'exact', weaker: false })
  })

  it('counts hooks of a project that is not trusted as lost', async () => {
    for (const { holds, notes } of await reportFor('codex', 'stored')) {
      expect(holds).toBe('lost')
      expect(notes.join()).toMatch(/not trusted|no event/)
    }
  })
})

describe('tools that no tool of Claude Code stands for', () => {
  const unmapped = async (agent: string, matcher: string) => {
    const hooks = { PreToolUse: [{ matcher, ...commands('./guard.sh') }] }
    const world = await makeWorld({ 'project/.claude/settings.json': { hooks } })
    const engine = await openOn(world, { profile: 'current', trust: 'accepted' })
    const bridge = findBridge(agent)
    return bridge === null ? [] : findUnmappedTools(bridge, engine.list(), ['brand_new'])
  }

  it('are named with what they do and with the guards that are not asked about them', async () => {
    const [image] = await unmapped('droid', 'Read')
    expect(image).toMatchObject({
      tool: 'GenerateImage',
      does: 'reads',
      unasked: [expect.stringContaining('PreToolUse')],
    })
    for (const matcher of ['Read|GenerateImage', 'Bash', '*'])
      expect((await unmapped('droid', matcher))[0]).toMatchObject({ unasked: [] })
    expect((await unmapped('codex', '*'))[0]).toMatchObject({ tool: 'write_stdin', does: 'runs' })
  })

  it.each(AGENTS)('are named where %s called them and no table has them', async (agent) => {
    expect((await unmapped(agent, 'Bash')).at(-1)).toMatchObject({ tool: 'brand_new', does: null })
  })

  it('are in every form of the report, and count with --strict where a matcher could name them', async () => {
    const hooks = { PreToolUse: [{ matcher: 'Read', ...commands('true') }] }
    const world = await makeWorld({ 'home/.claude/settings.json': { hooks } })
    await keepUnlistedTool('droid', 'brand_new', world.home)
    for (const form of [[], ['--json'], ['--markdown']]) {
      const { code, stdout } = await hookline(world, ['bridge', 'report', 'droid', '--strict', ...form])
      expect(code).toBe(1)
      expect(stdout).toContain('GenerateImage')
      expect(stdout).toContain('brand_new')
    }
  })
})

describe('hooks of a loaded file that the agent does not call', () => {
  const COMMAND = commands('true')
  const LOADING = AGENTS.filter((name) => findBridge(name)?.install.loadsClaude)
  const SPOILT = {
    empty: { matcher: '', ...COMMAND },
    plain: { matcher: 'Bash', hooks: [{ type: 'http', url: 'http://127.0.0.1:1/x' }] },
    prompt: { hooks: [{ type: 'prompt', prompt: 'ok?' }] },
    server: { matcher: 'mcp__files__wipe', ...COMMAND },
    pattern: { matcher: 'mcp__.*', ...COMMAND },
    fine: { matcher: 'Bash', ...COMMAND },
  }

  it.each(Object.entries(SPOILT))(
    'are named by status and report in the words of wrap install: %s',
    async (_, group) => {
      const world = await makeWorld({ 'project/.claude/settings.json': { hooks: { PreToolUse: [group] } } })
      const file = join(world.project, '.claude/settings.json')
      const wrapping = (await hookline(world, ['wrap', 'install', '--dry-run'])).stdout.replaceAll(/\s+/g, ' ')
      for (const agent of LOADING) {
        const bridge = findBridge(agent)
        const text = JSON.stringify({ hooks: { PreToolUse: [group] } })
        const sentences = bridge === null ? [] : describeUncalled(bridge, { text, file: 'this file', isBridged: false })
        expect(sentences.length).toBe(agent === 'copilot' && group !== SPOILT.fine ? 1 : 0)
        for (const command of [
          ['status', agent],
          ['report', agent],
          ['report', agent, '--markdown'],
        ]) {
          const { stdout } = await hookline(world, ['bridge', ...command])
          const shown = stdout.replaceAll(/\s+/g, ' ').replaceAll(file, 'this file')
          for (const sentence of sentences) {
            expect(shown).toContain(sentence)
            expect(wrapping).toContain(sentence)
          }
          if (sentences.length === 0) expect(shown).not.toMatch(/ignores all hooks|calls no hook/)
        }
      }
    },
  )

  it('are served by a bridge that is installed, and do not run twice beside it', async () => {
    const world = await makeWorld({ 'project/.claude/settings.json': { hooks: { PreToolUse: [SPOILT.server] } } })
    await hookline(world, ['bridge', 'install', 'copilot', '--yes', '--scope', 'project', '--if-missing', 'refuse'])
    const { stdout } = await hookline(world, ['bridge', 'status', 'copilot', '--json'])
    const [copilot] = JSON.parse(stdout).agents
    expect(copilot.notes.join(' ')).toContain('"mcp__files__wipe": the bridge serves them, as long as it is installed.')
    expect(copilot.doubled).toBe(false)
  })
})
