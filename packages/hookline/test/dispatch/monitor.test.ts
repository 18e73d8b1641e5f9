import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { guardCall } from '../../src/tools/guard-call.ts'
import { bashCall, commands, makeWorld, openOn } from '../support/project.ts'

const SEEN = 'cat >> "$CLAUDE_PROJECT_DIR"/seen.jsonl'
const monitor = {
  tool_name: 'Monitor',
  tool_input: { command: 'npm run build', description: 'watch', timeout_ms: 5 },
  tool_use_id: 'toolu_1',
}

/** An engine whose hooks note what they get: one for Bash, one for Monitor, one with a rule about the command. */
async function openNoting(event: string) {
  const world = await makeWorld({
    'project/.claude/settings.json': {
      hooks: {
        [event]: [
          { matcher: 'Bash', ...commands(SEEN) },
          { matcher: 'Monitor', ...commands(`${SEEN} `) },
          { hooks: [{ type: 'command', command: `${SEEN}  `, if: 'Bash(npm run *)' }] },
        ],
      },
    },
  })
  const seen = async (): Promise<{ tool_name: string; tool_input: object; tool_use_id: string }[]> =>
    (await readFile(join(world.project, 'seen.jsonl'), 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  return { engine: await openOn(world, { profile: 'current' }), seen }
}

describe('a call of Monitor', () => {
  it.each([
    ['PreToolUse', {}],
    ['PermissionRequest', {}],
    ['PostToolUse', { tool_response: {}, duration_ms: 1 }],
    ['PostToolUseFailure', { error: 'Exit code 1', is_interrupt: false, duration_ms: 1 }],
  ])('is shown as Bash to hooks for Bash on %s, and planned so by explain', async (event, fields) => {
    const { engine, seen } = await openNoting(event)
    const input = { hook_event_name: event, ...monitor, ...fields }
    expect(engine.explain(input).hooks.map(({ planned }) => planned)).toEqual([true, true, true])
    await engine.dispatch(input)
    const shown = (await seen()).toSorted((one, other) => one.tool_name.localeCompare(other.tool_name))
    expect(shown.map(({ tool_name }) => tool_name)).toEqual(['Bash', 'Monitor', 'Monitor'])
    expect(shown[0]?.tool_input).toEqual({ command: 'npm run build', description: 'watch' })
    expect(shown[2]?.tool_input).toEqual(monitor.tool_input)
  })

  it('is refused by a guard of Bash, for a host that runs the tool', async () => {
    const world = await makeWorld({
      'project/.claude/settings.json': { hooks: { PreToolUse: [{ matcher: 'Bash', ...commands('exit 2') }] } },
    })
    const engine = await openOn(world, { profile: 'current' })
    const { tool_name: name, tool_input: input } = monitor
    const run = () => expect.unreachable()
    expect(await guardCall(engine, { name, input, run })).toMatchObject({ ended: 'refused' })
  })
})

it.each(['classic', 'current'] as const)(
  'a remote host sets CLAUDE_CODE_REMOTE under %s, and another does not',
  async (profile) => {
    const said = async (remote: boolean): Promise<string> => {
      const world = await makeWorld({
        'project/.claude/settings.json': {
          hooks: {
            PreToolUse: [
              { matcher: 'Bash', ...commands('printenv CLAUDE_CODE_REMOTE > remote.txt || echo unset > remote.txt') },
            ],
          },
        },
      })
      const engine = await openOn(world, { profile, remote, env: { PATH: process.env.PATH } })
      await engine.dispatch(bashCall)
      return (await readFile(join(world.project, 'remote.txt'), 'utf8')).trim()
    }
    expect([await said(true), await said(false)]).toEqual(['true', 'unset'])
  },
)
