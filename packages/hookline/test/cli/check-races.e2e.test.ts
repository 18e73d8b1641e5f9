import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hookline, tooWide } from '../support/command.ts'
import { answering, commands, makeWorld, type World } from '../support/project.ts'
import { call, transcriptOf } from '../support/sessions.ts'

const PLAIN = { NO_COLOR: '1', COLUMNS: '80', HOOKLINE_LOG: undefined }

const rewrites = (command: string): string =>
  answering({ hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { command } } })

const withHooks = (...hooks: string[]): Promise<World> =>
  makeWorld({ 'project/.claude/settings.json': { hooks: { PreToolUse: [commands(...hooks)] } } })

describe('hookline check-races', () => {
  it('names the pair, what is decided here, and what the last to end would decide elsewhere', async () => {
    const file = await transcriptOf([call('t1', 'ls'), call('t2', 'pwd')])
    const world = await withHooks(rewrites('a'), rewrites('b'))
    const { code, stdout } = await hookline(world, ['check-races', file, '--trust'], { env: PLAIN })
    expect(code).toBe(1)
    expect(tooWide(stdout.replaceAll(file, 'f'))).toEqual([])
    expect(stdout.replaceAll(/\s+/g, ' ')).toBe(
      `project:PreToolUse:0:0 and project:PreToolUse:0:1
what both rewrite the input, and the last to end wins
here always {"command":"b"}
there {"command":"a"}, when project:PreToolUse:0:0 ends last
{"command":"b"}, when project:PreToolUse:0:1 ends last
such as Bash {"command":"ls"}
where ${file}:1, and 1 more
1 pair of hooks conflicts: 2 calls, 2 with more than one opinion.
`.replaceAll(/\s+/g, ' '),
    )
  })

  it('exits 0 when hooks agree, as JSON too', async () => {
    const world = await withHooks(rewrites('a'), 'true')
    const args = ['check-races', await transcriptOf([call('t1')]), '--trust', '--json']
    const { code, stdout } = await hookline(world, args, { env: PLAIN })
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual({ calls: 1, contested: 0, races: [] })
  })

  it('reads the log of HOOKLINE_LOG when no file is named', async () => {
    const world = await withHooks('echo no >&2; exit 2', answering({ decision: 'approve' }))
    const env = { ...PLAIN, HOOKLINE_LOG: join(world.root, 'log.jsonl') }
    await hookline(world, ['fire', 'PreToolUse', 'tool_name=Bash', '--trust'], { env })
    const { code, stdout } = await hookline(world, ['check-races', '--trust', '--json'], { env })
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      calls: 1,
      races: [
        { kind: 'undone', here: { permission: 'deny' }, there: [{ permission: 'allow' }, { permission: 'allow' }] },
      ],
    })
  })
})
