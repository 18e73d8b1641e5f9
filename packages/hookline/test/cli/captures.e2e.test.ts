import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { hookline, tooWide } from '../support/command.ts'
import { answering, commands, makeWorld } from '../support/project.ts'

beforeAll(() => void vi.stubEnv('TMPDIR', '/tmp')) // a short name: what is printed is broken into lines
afterAll(() => void vi.unstubAllEnvs())

const captures = fileURLToPath(new URL('captures', import.meta.url))

/** A project with a bit of everything. */
const files = {
  'home/.claude/settings.json': { hooks: { PreToolUse: [{ matcher: 'Bash', ...commands('./guard.sh') }] } },
  'project/.claude/settings.json': {
    hooks: {
      PreToolUse: [
        { matcher: 'Bash', ...commands('./guard.sh') },
        { matcher: 'Edit|Write', ...commands('npm run -s check') },
        {
          matcher: 'tool == "Bash" && tool_input.command matches "push"',
          ...commands(
            answering({
              hookSpecificOutput: {
                hookEventName: 'PreToolUse',
                updatedInput: { command: 'git push --dry-run' },
                additionalContext:
                  'Pushing is rehearsed here; a person pushes for real once the release notes are written.',
              },
            }),
          ),
        },
        { matcher: '[', ...commands('true') },
        {
          hooks: [
            { type: 'prompt', prompt: 'Is this fine? $ARGUMENTS' },
            { type: 'command', command: 'true', timeuot: 5 },
          ],
        },
      ],
    },
  },
  'project/guard.sh':
    '#!/bin/sh\necho "pushing to main needs a review, however urgent it seems and however small the change is" >&2\nexit 2\n',
}

const CALLS: Readonly<Record<string, readonly string[]>> = {
  list: ['list'],
  explain: ['explain', 'PreToolUse', 'tool_input.command=git push origin main'],
  fire: ['fire', 'PreToolUse', 'tool_input.command=git push origin main'],
}

const widths = [80, 120]
const looks = { plain: { NO_COLOR: '1' }, colour: { FORCE_COLOR: '1' } }
const cases = Object.keys(CALLS).flatMap((call) =>
  widths.flatMap((width) => Object.keys(looks).map((look) => ({ call, width, look }))),
)

/** What differs from run to run: times, and how they are drawn. */
function settled(text: string): string {
  return text.replace(/[\d.]+ ms/g, 'N ms').replace(/time {5}[·━]+ {2}\d+ to N ms/g, 'time     ━━━  N to N ms')
}

describe('what people see in a terminal', () => {
  it.each(cases)('of hookline $call at $width columns, $look', async ({ call, width, look }) => {
    const world = await makeWorld(files)
    const env = { COLUMNS: String(width), ...looks[look as keyof typeof looks] }
    const { stdout } = await hookline(world, [...(CALLS[call] ?? []), '--trust'], {
      env: { NO_COLOR: undefined, FORCE_COLOR: undefined, ...env },
    })
    const seen = settled(stdout.replaceAll(world.root, '/world'))
    if (look === 'plain') expect(tooWide(seen, width)).toEqual([])
    await expect(seen).toMatchFileSnapshot(join(captures, `${call}-${width}-${look}.txt`))
  })
})
