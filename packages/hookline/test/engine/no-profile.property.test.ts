import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openEngine } from '../../src/engine/engine.ts'
import { makeWorld, put } from '../support/project.ts'

const seed = Number(process.env.HOOKLINE_SEED ?? Date.now() % 2 ** 31)

const TOOLS = ['Bash', 'Write', 'Edit', 'Read', 'Task', 'Agent', 'Monitor', 'mcp__git__push', 'NotebookEdit']

const name = fc.constantFrom(...TOOLS, 'bash', 'mcp__git', 'Unknown')
const separator = fc.constantFrom('|', ',', ', ', ' | ', ' ', '||', '|,')

/** Matchers as people write them: for either protocol, and for none. */
const matcher = fc.oneof(
  fc.constantFrom(
    '',
    '*',
    null,
    '.*',
    '^(?!Read)',
    '(?<!mcp__)Bash',
    'Edit.*',
    '[BW].*',
    'Notebook',
    '(',
    'mcp__.*',
    5,
  ),
  fc.tuple(name, separator, name).map((parts) => parts.join('')),
  fc
    .tuple(
      name,
      fc.constantFrom('==', '!='),
      fc.constantFrom('', ' && tool_input.command matches "ls"', ' || tool == "Read"'),
    )
    .map(([tool, sign, more]) => `tool ${sign} "${tool}"${more}`),
  name,
)

const condition = fc.constantFrom('Bash(ls*)', 'Bash', 'Write(*.ts)', '', 'Read(/x/**)', 'Edit', 'nonsense((')

interface Drawn {
  readonly matcher: unknown
  readonly condition: string | undefined
  readonly args: readonly string[] | undefined
  readonly isFlat: boolean
}

const entry: fc.Arbitrary<Drawn> = fc.record({
  matcher: fc.option(matcher, { nil: undefined }),
  condition: fc.option(condition, { nil: undefined, freq: 3 }),
  args: fc.option(fc.constantFrom([], ['-c', 'true']), { nil: undefined, freq: 4 }),
  isFlat: fc.constantFrom(false, false, false, true),
})

/** An entry of an event's list; what is undefined is not there. */
function toEntry({ matcher: written, condition: rule, args, isFlat }: Drawn, command: string): object {
  const hook = { type: 'command', command, if: rule, args }
  return isFlat ? { matcher: written, ...hook } : { matcher: written, hooks: [hook] }
}

/** True for an entry whose form and fields both profiles have: only its matcher may be read otherwise. */
function isPlain({ condition: rule, args, isFlat }: Drawn): boolean {
  return !isFlat && rule === undefined && args === undefined
}

const event = fc.constantFrom('PreToolUse', 'PostToolUse', 'PermissionRequest')

describe(`hooks that no profile was chosen for (seed ${seed}; set HOOKLINE_SEED to run it again)`, () => {
  it('run where either profile runs them, and nowhere else', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { minLength: 1, maxLength: 4 }), event, async (entries, on) => {
        const hooks = { [on]: entries.map((one, at) => toEntry(one, `guard-${at}`)) }
        const world = await makeWorld()
        await put(world, 'project/.claude/settings.json', JSON.stringify({ hooks }))
        const planned = async (profile?: 'classic' | 'current'): Promise<Map<string, Set<string>>> => {
          const engine = await openEngine({ ...world, trust: 'accepted', env: {}, ...(profile ? { profile } : {}) })
          const found = TOOLS.map((tool): [string, Set<string>] => {
            const input = {
              hook_event_name: on,
              tool_name: tool,
              tool_input: { command: 'ls -la', file_path: '/x/a.ts' },
              tool_response: {},
            }
            const lines = engine.explain(input as never).hooks // an input of either profile
            return [
              tool,
              new Set(lines.flatMap(({ planned: isPlanned, command }) => (isPlanned && command ? [command] : []))),
            ]
          })
          await engine.close()
          return new Map(found)
        }
        const [auto, classic, current] = [await planned(), await planned('classic'), await planned('current')]
        const plain = new Set(entries.flatMap((one, at) => (isPlain(one) ? [`guard-${at}`] : [])))
        for (const tool of TOOLS) {
          const either = new Set([...(classic.get(tool) ?? []), ...(current.get(tool) ?? [])])
          // What is written for both at once, as a flat entry with "if", may run where neither profile alone runs it.
          const runs = [...(auto.get(tool) ?? [])].filter((one) => either.has(one) || plain.has(one))
          expect({ tool, runs: runs.sort() }).toEqual({ tool, runs: [...either].sort() })
        }
      }),
      { numRuns: 150, seed },
    )
  })
})
