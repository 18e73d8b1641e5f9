import { describe, expect, it } from 'vitest'
import { AGENTS, bridgeTo } from '../../src/bridges/list.ts'
import { lossReport, type ReportLine } from '../../src/bridges/report.ts'
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
  const bridge = bridgeTo(agent)
  return bridge === null ? [] : lossReport(bridge, engine.list())
}

const lineOf = (lines: readonly ReportLine[], runs: string): ReportLine | undefined =>
  lines.find((line) => line.runs === runs)

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
