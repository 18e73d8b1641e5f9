import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { recordSchema } from '../../src/protocol/schemas/record.ts'
import { serving } from '../models/question.ts'
import { hookline, inTerminal, tooWide } from '../support/command.ts'
import { commands, makeWorld, put, type World } from '../support/project.ts'
import { call, prompt, result, transcriptOf, transcripts } from '../support/sessions.ts'

const PLAIN = { NO_COLOR: '1', COLUMNS: '80', HOOKLINE_LOG: undefined }

const NO_MODEL = {
  HOOKLINE_MODEL: undefined,
  ANTHROPIC_API_KEY: undefined,
  ANTHROPIC_BASE_URL: undefined,
  OPENAI_API_KEY: undefined,
  OPENAI_BASE_URL: undefined,
}

const guard = {
  hooks: {
    PreToolUse: [{ matcher: 'Bash', ...commands(`grep -q '"command":"rm ' && echo 'no rm here' >&2 && exit 2`) }],
  },
}

const guarded = (): Promise<World> => makeWorld({ 'project/.claude/settings.json': guard })

const removing = (): Promise<string> =>
  transcriptOf([prompt('tidy up'), call('t1', 'ls'), result('t1', 'a'), call('t2', 'rm -rf build'), result('t2', '')])

describe('hookline replay', () => {
  it('names the calls that would be refused, differences first, totals last', async () => {
    const file = await removing()
    const { code, stdout } = await hookline(await guarded(), ['replay', file, '--trust'], { env: PLAIN })
    expect(code).toBe(0)
    expect(stdout).toBe(`Differences
  PreToolUse  Bash  rm -rf build
    then     ran
    now      refused
    by       project:PreToolUse:0:0
    because  no rm here
    where    ${file}:4

Decided alike
  ran          PreToolUse  Bash  ls
  … and 3 more; --json has them all

1 session: 1 prompt, 2 calls, 2 results.
1 of 2 calls newly refused
`)
  })

  it('has one line of JSON per event, and a last one with the totals', async () => {
    const { stdout } = await hookline(await guarded(), ['replay', transcripts, '--trust', '--json'], { env: PLAIN })
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const { totals } = lines.pop()
    expect(totals).toMatchObject({
      sessions: 8,
      events: { prompt: 8, call: 18, result: 15, failure: 3, stop: 11, other: 0 },
      differences: 0,
      torn: 0,
      hooks: { 'project:PreToolUse:0:0': 6 },
    })
    expect(lines).toHaveLength(55)
    expect(lines[1]).toMatchObject({
      event: 'PreToolUse',
      subject: 'call',
      line: 4,
      before: { was: 'passed' },
      now: { is: 'passed', ran: ['project:PreToolUse:0:0'] },
      difference: null,
    })
  })

  it('runs nothing with --plan, and says which hooks would run', async () => {
    const world = await makeWorld({
      'project/.claude/settings.json': { hooks: { PreToolUse: [commands('touch ran')] } },
    })
    const { code, stdout } = await hookline(world, ['replay', transcripts, '--trust', '--plan'], { env: PLAIN })
    expect(code).toBe(0)
    expect(stdout).toContain('18 ×  project:PreToolUse:0:0\n')
    expect(await readdir(world.project)).toEqual(['.claude'])
  })

  it('counts hooks that nobody accepted and hooks that a model decides, and runs neither', async () => {
    const hooks = { ...guard.hooks, Stop: [{ hooks: [{ type: 'prompt', prompt: 'Done?' }] }] }
    const world = await makeWorld({ 'project/.claude/settings.json': { hooks } })
    const trusted = await hookline(world, ['replay', transcripts, '--trust'], { env: PLAIN })
    expect(trusted.stdout).toContain('1 hook left out: without --models no model is asked.\n')
    const { stdout } = await hookline(world, ['replay', transcripts], { env: PLAIN })
    expect(stdout).toContain('2 hooks left out: not trusted yet. See hookline trust, or use --trust.\n')
  })

  it('asks the model with --models, and says so when there is none to ask', async () => {
    const server = await serving(() => ({ text: '{"ok": false, "reason": "not tested"}' }))
    const hooks = { Stop: [{ hooks: [{ type: 'prompt', prompt: 'Is it tested?' }] }] }
    const world = await makeWorld({ 'project/.claude/settings.json': { hooks } })
    const file = join(transcripts, '2.1.325.compact.jsonl')
    const none = await hookline(world, ['replay', file, '--trust', '--models'], { env: { ...PLAIN, ...NO_MODEL } })
    expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('hookline replay: --models: ')])
    const { stdout } = await hookline(world, ['replay', file, '--trust', '--models'], {
      env: { ...PLAIN, ...server.env },
    })
    expect(stdout).toContain('1 of 1 stop newly sent on\n')
    expect(server.requests).toHaveLength(1)
  })

  it('compares with the hooks of a folder', async () => {
    const other = await makeWorld()
    const args = ['replay', await removing(), '--trust', '--against', other.project, '--exit-code']
    const { code, stdout } = await hookline(await guarded(), args, { env: PLAIN })
    expect(code).toBe(1)
    expect(stdout).toContain('    against  ran\n    now      refused\n')
    expect(stdout).toContain('1 of 2 calls newly refused\n')
  })

  it('exits 0 with --exit-code when nothing differs', async () => {
    const { code } = await hookline(await guarded(), ['replay', transcripts, '--trust', '--exit-code'], { env: PLAIN })
    expect(code).toBe(0)
  })

  it('reads its own log', async () => {
    const world = await guarded()
    const log = join(world.root, 'log.jsonl')
    const fire = ['fire', 'PreToolUse', 'tool_name=Bash', 'tool_input.command=rm x', '--trust']
    expect((await hookline(world, fire, { env: { ...PLAIN, HOOKLINE_LOG: log } })).code).toBe(2)
    const { stdout } = await hookline(world, ['replay', log, '--trust'], { env: PLAIN })
    expect(stdout).toContain('1 session: 1 call.\n0 of 1 call newly refused\nRefused then: 1 by a hook.\n')
  })

  it('takes the same records that log, stats and test take', async () => {
    const world = await guarded()
    const env = { ...PLAIN, HOOKLINE_LOG: join(world.root, 'log.jsonl') }
    await hookline(world, ['fire', 'PreToolUse', 'tool_name=Bash', 'tool_input.command=rm x', '--trust'], { env })
    const line = (await hookline(world, ['log', '--json'], { env })).stdout.trimEnd()
    expect(recordSchema.parse(JSON.parse(line).record).decision.blocked).toBe(true)
    expect((await hookline(world, ['stats', '--json'], { env })).code).toBe(0)
    await put(world, 'project/cut.hooktest.yaml', (await hookline(world, ['log', '--to-test'], { env })).stdout)
    expect((await hookline(world, ['test', '--trust'], { env: PLAIN })).stdout).toContain('1 passed')
    const again = await hookline(world, ['replay', '--trust', '--json', join(world.root, 'log.jsonl')], { env: PLAIN })
    expect(JSON.parse(again.stdout.split('\n')[0] ?? '')).toMatchObject({
      before: { was: 'refused' },
      now: { is: 'refused' },
    })
  })

  it.each([
    [['replay'], 'hookline replay: which sessions? Name a transcript, a log, or a folder of them.\n'],
    [['replay', 'nowhere.jsonl'], 'nowhere.jsonl cannot be read (ENOENT).'],
    [['replay', 'x', '--plan', '--against', 'y'], '--plan and --against do not go together.'],
    [
      ['replay', transcripts, '--trust', '--against', 'no-such'],
      '"no-such" is neither a folder nor a version that git has',
    ],
  ])('calls %j a mistake', async (args, message) => {
    const { code, stderr } = await hookline(await guarded(), args, { env: PLAIN })
    expect(code).toBe(1)
    expect(stderr).toContain(message)
  })

  it('fits 80 columns, draws a bar for a person alone', async () => {
    const world = await guarded()
    const { stdout, stderr } = await hookline(world, ['replay', transcripts, '--trust'], { env: PLAIN })
    expect(stderr).toBe('')
    expect(tooWide(stdout)).toEqual([])
    expect((await inTerminal(world, ['replay', transcripts, '--trust'], '')).stdout).toMatch(/[━·]{24} {2}\d+ %/)
  })
})
