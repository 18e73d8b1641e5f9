import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { get } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { openEngine } from '../../src/index.ts'
import type { EventAnswer, SessionAnswer, SessionsAnswer, StateAnswer } from '../../src/inspect/api.ts'
import { hookline } from '../support/command.ts'
import { commands, makeWorld, put } from '../support/project.ts'
import { transcripts, writeTranscript } from '../support/sessions.ts'
import { startInspect, startInspecting } from './browser.ts'

const LEAVES_A_TRACE = 'touch "$CLAUDE_PROJECT_DIR/it-ran"; exit 2'
const GUARD = `grep -q '"command":"rm ' && echo 'no rm here' >&2 && exit 2; exit 0`

describe('hookline inspect --transcripts', () => {
  it('shows what happened then and what today’s hooks would do, says so, and runs nothing', async () => {
    const hooks = {
      PreToolUse: [
        { matcher: 'Bash', ...commands(LEAVES_A_TRACE) },
        { matcher: 'Edit', ...commands('true') },
      ],
    }
    const world = await makeWorld({ 'project/.claude/settings.json': { hooks } })
    const place = ['--project', world.project, '--home', world.home]
    const inspector = await startInspect(['--transcripts', transcripts, ...place, '--trust'])
    const { rows: sessions } = await inspector.ask<SessionsAnswer>('api/sessions?limit=500')
    const state = await inspector.ask<StateAnswer>('api/state')
    expect(state.transcripts).toBe(true)
    expect(state.notes[0]).toContain('Nothing was run.')
    const plan = await hookline(world, ['replay', transcripts, '--plan', '--json', '--trust'])
    const events = plan.stdout.trimEnd().split('\n').slice(0, -1)
    expect(sessions.reduce((sum, one) => sum + one.events, 0)).toBe(events.length)
    expect(sessions.reduce((sum, one) => sum + one.ran, 0)).toBe(0)
    const ids = sessions.map(({ id }) => encodeURIComponent(id))
    const rows: SessionAnswer['rows'][number][] = []
    for (const id of ids)
      rows.push(...(await inspector.ask<SessionAnswer>(`api/session?id=${id}&fold=0&limit=500`)).rows)
    const planned = rows.flatMap((row) => (row.kind === 'event' ? [{ id: row.id, planned: row.planned ?? [] }] : []))
    const toBeRun = events.map((line) => (JSON.parse(line) as { wouldRun: unknown[] | null }).wouldRun?.length ?? 0)
    expect(planned.map((one) => one.planned.length).sort()).toEqual(toBeRun.sort())
    expect(planned.some((one) => one.planned.length > 0)).toBe(true)
    await compareWithExplain(inspector, ids[0] ?? '')
    expect(existsSync(join(world.project, 'it-ran'))).toBe(false)
    expect(await inspector.end()).toBe(0)
  })

  it('says where it looked when there are no transcripts', async () => {
    const world = await makeWorld()
    const none = await hookline(world, ['inspect', '--transcripts', '--no-open'])
    expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining('There are no transcripts of ') })
    const empty = await put(world, 'empty.jsonl', '{"type":"summary"}\n')
    const nothing = await hookline(world, ['inspect', '--transcripts', empty, '--no-open'])
    expect(nothing).toMatchObject({ code: 1, stderr: expect.stringContaining('tells of an event') })
  })
})

/** Time in which a busy machine reads a log of some lines. */
const READ_MS = 30_000

describe('hookline guard backtest --no-open', () => {
  it('shows in the inspector what guards would have said beside what happened then, and leaves nothing behind', async () => {
    const world = await makeWorld({ 'home/Documents/notes.txt': 'notes' })
    const file = await writeTranscript(world, ['ls', 'rm -rf ~/Documents', 'npm publish', 'git status'], {
      2: "The user doesn't want to proceed with this tool use.",
    })
    const place = ['--project', world.project, '--home', world.home]
    const temp = join(world.root, 'temp')
    await mkdir(temp)
    const inspector = await startInspecting(['guard', 'backtest', file, ...place], { TMPDIR: temp })
    const state = await vi.waitFor(async () => {
      const found = await inspector.ask<StateAnswer>('api/state')
      expect(found).toMatchObject({ sessions: 1, transcripts: true }) // once the page has read its log
      return found
    }, READ_MS)
    expect(state.notes[0]).toContain('would have spoken')
    const { rows } = await inspector.ask<SessionAnswer>('api/session?id=s1&only=spoke&limit=100')
    const calls = rows.flatMap((row) => (row.kind === 'event' && row.event === 'PreToolUse' ? [row] : []))
    expect(calls).toMatchObject([
      { outcome: '-', planned: [expect.stringContaining('guard delete would have refused: removes ~/Documents')] },
      { outcome: 'denied', planned: [expect.stringContaining('guard publish would have asked')] },
    ])
    const event = await inspector.ask<EventAnswer>(`api/event?session=s1&id=${encodeURIComponent(calls[0]?.id ?? '')}`)
    expect(event.hooks).toMatchObject([{ name: 'guard delete', planned: true, result: 'would have refused' }])
    const headers = { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
    const [page] = await once(get(inspector.link, { headers }), 'response')
    expect(page.resume().headers.location).toContain('/session/s1?only=spoke')
    expect(await inspector.end()).toBe(0)
    expect(await readdir(temp)).toEqual([])
    expect(existsSync(join(world.home, 'Documents/notes.txt'))).toBe(true)
  })

  it('opens nothing where guards have nothing to say', async () => {
    const world = await makeWorld()
    const file = await writeTranscript(world, ['ls'])
    const { code, stderr } = await hookline(world, ['guard', 'backtest', file, '--open'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('nothing to open') })
  })
})

/** Every event has a line per configured hook, with a reason for those that would not run. */
async function compareWithExplain(inspector: Awaited<ReturnType<typeof startInspect>>, session: string): Promise<void> {
  const { rows } = await inspector.ask<SessionAnswer>(`api/session?id=${session}&fold=0&limit=500`)
  for (const row of rows) {
    if (row.kind !== 'event' || row.event !== 'PreToolUse') continue
    const event = await inspector.ask<EventAnswer>(`api/event?session=${session}&id=${encodeURIComponent(row.id)}`)
    expect(event.hooks).toHaveLength(2)
    for (const { planned, because, result: ended } of event.hooks)
      expect([planned || because !== null, ended]).toEqual([true, null])
  }
}

describe('hookline replay --log', () => {
  it('writes the replay of a session, which is compared with what happened', async () => {
    const world = await makeWorld({ 'project/.claude/settings.json': {} })
    const { project, home, managed } = world
    const [then, now] = [join(world.root, 'then.jsonl'), join(world.root, 'now.jsonl')]
    const engine = await openEngine({ project, home, managed, trust: 'accepted', sessionId: 's1', log: { file: then } })
    for (const command of ['ls', 'rm -rf build'])
      await engine.dispatch({
        hook_event_name: 'PreToolUse',
        tool_name: 'Bash',
        tool_input: { command },
        tool_use_id: 't',
      })
    await engine.close()
    await put(world, 'project/.claude/settings.json', { hooks: { PreToolUse: [commands(GUARD)] } })
    expect(await hookline(world, ['replay', then, '--trust', '--log', now])).toMatchObject({ code: 0 })
    const compared = await hookline(world, ['log', '--compare', 's1', 's1 (replayed)', then, now, '--json'])
    const { differences } = JSON.parse(compared.stdout) as { differences: { kind: string }[] }
    const decided = differences.filter(({ kind }) => kind === 'decision')
    expect(decided).toMatchObject([{ event: 'Bash rm -rf build', a: 'passed', b: 'denied' }])
    const plan = await hookline(world, ['replay', then, '--plan', '--log', now])
    expect(plan).toMatchObject({ code: 1, stderr: expect.stringContaining('--plan runs nothing') })
  })
})
