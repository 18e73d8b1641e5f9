import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DEFAULT_PROFILE } from '../../src/protocol/profiles.ts'
import { anyText } from '../support/any-text.ts'
import { commands, makeWorld, type World } from '../support/project.ts'
import { kept, knownIn, replay } from './corpus.ts'
import { explore, seed, timeout } from './explore.ts'
import { mutated } from './mutated.ts'

const program = fileURLToPath(new URL('../../bin/hookline.js', import.meta.url))
const isKnown = knownIn('driver')
const rows = [...DEFAULT_PROFILE.events.values()]

/** Lines as hosts send them. */
const WRITTEN = [
  ...rows.map((row) => JSON.stringify({ hook_event_name: row.name, ...row.example })),
  '{"control":"drain"}',
  '{"control":"env"}',
  '{"control":"changes"}',
  '{"control":"accept"}',
  '{"control":"activate","component":".claude/skills/hard/SKILL.md","agent":"a1"}',
  '{"control":"deactivate","component":".claude/skills/hard/SKILL.md"}',
]

const anything = fc.json({ maxDepth: 3 })
const line = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...WRITTEN) },
  { weight: 6, arbitrary: mutated(WRITTEN) },
  { weight: 1, arbitrary: anything },
  { weight: 1, arbitrary: anyText({ maxLength: 30 }) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        fc.constantFrom(...rows),
        fc.constantFrom('agent_id', 'cwd', 'session_id', 'tool_input', 'source'),
        anything,
      )
      .map(([row, field, json]) =>
        JSON.stringify({ hook_event_name: row.name, ...row.example, [field]: JSON.parse(json) }),
      ),
  },
)

/** A project whose hooks echo and object, with a component that is hard to read. */
function hardWorld(): Promise<World> {
  const hooks = {
    PreToolUse: [{ matcher: 'Bash', ...commands('exit 2') }],
    UserPromptSubmit: [commands('cat')],
    SessionStart: [{ matcher: '^s', ...commands('cat >/dev/null') }],
  }
  return makeWorld({
    'project/.claude/settings.json': { hooks },
    'project/.claude/skills/hard/SKILL.md':
      '---\nname: hard\nhooks:\n  Stop:\n    - hooks: [7, {type: command, command: "true"}]\n---\n',
  })
}

/** What holds of every session: an answer for every line, in order, and no fault of ours. */
async function expectAnswers(world: World, lines: readonly string[]): Promise<void> {
  const places = ['--project', world.project, '--home', world.home, '--managed', world.managed]
  const child = spawn(process.execPath, [program, 'session', '--trust', ...places], { timeout: 60_000 })
  child.stdin.on('error', () => {}) // a session that ends early is seen by its exit code
  child.stdin.end(lines.map((sent) => `${sent}\n`).join(''))
  const exit = new Promise<number | null>((resolve) => child.on('close', resolve))
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), exit])
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
  const answers = stdout
    .split('\n')
    .slice(0, -1)
    .map((answer) => JSON.parse(answer))
  const sent = lines.map((one) => Buffer.from(one).toString()).filter((one) => one.trim() !== '')
  expect(answers).toHaveLength(sent.length)
  for (const [at, answer] of answers.entries()) {
    const asked = parsed(sent[at])
    if (asked === undefined) expect(answer).toMatchObject({ error: expect.any(String) })
    if ('event' in answer) expect(answer.event).toBe(asked?.hook_event_name)
  }
}

function parsed(json = ''): { hook_event_name?: unknown } | undefined {
  try {
    return JSON.parse(json) ?? {}
  } catch {
    return undefined // no JSON, which is answered with an error
  }
}

/** What ends a line of input. */
const lineEnds = /[\r\n]+/g

describe('lines that were found to be hard', () => {
  it('are answered one by one in one session', { timeout }, async () => {
    const sound = kept('driver').filter(({ known }) => known === null)
    await expectAnswers(
      await hardWorld(),
      sound.map(({ text: sent }) => sent),
    )
  })

  replay(
    'driver',
    async ({ text: sent }) => expectAnswers(await hardWorld(), [sent]),
    ({ known }) => known !== null,
  )
})

describe(`hookline session (seed ${seed}; set HOOKLINE_SEED to run it again)`, () => {
  it('answers every line with one line, whatever it says', { timeout }, async () => {
    const world = await hardWorld()
    const session = fc.array(line, { minLength: 1, maxLength: 300, size: 'max' })
    await explore(
      fc.asyncProperty(session, async (lines) => {
        const clean = lines.map((sent) => sent.replaceAll(lineEnds, ' '))
        await expectAnswers(
          world,
          clean.filter((sent) => !isKnown(sent)),
        )
      }),
      { runs: 4 },
    )
  })
})
