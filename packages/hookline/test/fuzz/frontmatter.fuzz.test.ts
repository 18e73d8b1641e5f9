import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readComponent } from '../../src/config/component.ts'
import { DEFAULT_RUNNABLE } from '../../src/engine/profiles.ts'
import { openEngine } from '../../src/index.ts'
import { anyText } from '../support/any-text.ts'
import { makeWorld, put, type World } from '../support/project.ts'
import { kept, knownIn, replay } from './corpus.ts'
import { explore, seed, timeout } from './explore.ts'
import { mutated } from './mutated.ts'
import { expectUnpolluted, hookCount, within } from './settings-laws.ts'

const PROFILES = { own: DEFAULT_RUNNABLE, project: DEFAULT_RUNNABLE }

const isKnown = knownIn('frontmatter')

/** Components as people write them. */
const WRITTEN = [
  `---
name: deploy
description: Deploys
hooks:
  PreToolUse:
    - matcher: "Bash|Edit"
      hooks:
        - type: command
          command: ./check.sh
          once: true
  Stop:
    - hooks:
        - { type: prompt, prompt: "Is it done?", timeout: 5 }
---

# Deploy
`,
  '---\r\nhooks:\r\n  PostToolUse:\r\n    - matcher: Write\r\n      command: prettier\r\n---\r\ntext\r\n',
  `---
hooks: &h
  PreToolUse:
    - matcher: |
        tool == "Bash" &&
        tool_input.command matches "rm"
      hooks: [{type: command, command: >-
        echo
        two}]
  SessionStart: []
...
---
`,
  ...kept('frontmatter').flatMap(({ text, known }) => (known === null && text.length < 2000 ? text : [])),
]

/** YAML in flow and block style, right and wrong. */
const scalar = fc.oneof(
  fc.constantFrom('command', 'true', '~', '.nan', '.inf', '-0', '0x1F', '1e999', '2001-12-14', "'it''s'", '"\\x00"'),
  fc.constantFrom('*a', '&a b', '!!set', '!x y', '|\n  text', '? x', '<<', '[', '{', '@', '%', '`', '\t', '- -', ': :'),
  anyText({ maxLength: 5 }),
)
const name = fc.oneof(
  fc.constantFrom('hooks', 'name', 'matcher', 'type', 'command', 'prompt', 'once'),
  fc.constantFrom('PreToolUse', 'PostToolUse', 'Stop', 'SessionStart', '__proto__', 'constructor', '<<', '? a', '[a]'),
)
const { block } = fc.letrec<{ block: string }>((tie) => ({
  block: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc
      .array(fc.tuple(name, tie('block')), { minLength: 1, maxLength: 3 })
      .map((members) => `\n${members.map(([key, value]) => `${key}: ${indented(value)}`).join('\n')}`),
    fc
      .array(tie('block'), { minLength: 1, maxLength: 3 })
      .map((items) => `\n${items.map((item) => `- ${indented(item)}`).join('\n')}`),
  ),
}))
const generated = fc
  .record({
    opening: fc.constantFrom('---\n', '---\n', '---\n', '--- \t\r\n', '\uFEFF---\n', '----\n', '---x\n', ' ---\n', ''),
    yaml: fc.oneof(
      block,
      block.map((value) => `hooks: ${indented(value)}`),
    ),
    closing: fc.constantFrom('\n---\n', '\n---\n', '\n---\n', '\n---', '\r\n---\r\n', '\n...\n', '\n ---\n', ''),
  })
  .map(({ opening, yaml, closing }) => opening + yaml.replace(/^\n/, '') + closing)
/** Fields that no YAML reader takes, as people write them. */
const oddField = fc.constantFrom(
  'argument-hint: [a] [b]',
  'description: Use when: x',
  'paths: *.ts',
  'tools: [Read',
  'note: "half',
  'x: {',
  'y: - z: [',
  'list:\n- a\n- b: c',
  'text: |\n  hooks:\n    Stop: []',
  '# hooks: none',
)
const odd = fc
  .tuple(fc.array(oddField, { maxLength: 4 }), fc.array(oddField, { maxLength: 4 }))
  .map(([before, after]) => `---\n${[...before, GUARD, ...after].join('\n')}\n---\n`)
const markdown = fc.oneof(mutated(WRITTEN), generated, odd)

const GUARD =
  'hooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n        - type: command\n          command: ./check.sh'

function indented(value: string): string {
  return value.replaceAll('\n', '\n  ')
}

const PLACES = ['skills/deploy/SKILL.md', 'agents/deploy.md', 'commands/deploy.md']

/** What holds of every markdown file, whoever wrote it and whatever kind of component it is. */
async function expectLaws(world: World, text: string): Promise<void> {
  const lines = text.split('\n').length
  for (const place of PLACES) {
    const path = await put(world, `project/.claude/${place}`, text)
    const { project, home } = world
    const { hooks, problems, definition } = await within(20_000, () =>
      readComponent(path, { project, home, plugins: [], profiles: PROFILES }),
    )
    for (const { line, column, message } of problems) {
      expect(line >= 1 && line <= lines && column >= 1, `${line}:${column} ${message}`).toBe(true)
    }
    expect(hooks).toHaveLength(hookCount(definition))
    expect(new Set(hooks.map(({ id }) => id)).size).toBe(hooks.length)
    for (const { shown, written } of hooks) {
      if (shown.shell !== undefined) expect(written.command).toBe(shown.shell)
    }
    if (!/^\uFEFF?---[ \t]*\r?\n/.test(text)) expect({ hooks, problems, definition }).toEqual(NOTHING)
  }
  expectUnpolluted()
}

const NOTHING = { hooks: [], problems: [], definition: null }

/** A project that has it opens, and takes it as active. */
async function expectActivates(world: World, text: string): Promise<void> {
  const path = await put(world, 'project/.claude/skills/deploy/SKILL.md', text)
  const engine = await within(30_000, () => openEngine({ ...world, trust: 'refused' }))
  expect(await engine.activate(path)).toHaveLength(1)
  const row = { hook_event_name: 'Stop', stop_hook_active: false }
  const record = await engine.dispatch(row)
  expect(record.hooks.every(({ verdict }) => verdict !== 'ran')).toBe(true)
  expect(engine.deactivate(join('.claude', 'skills', 'deploy', 'SKILL.md'))).toEqual([])
  await engine.close()
}

describe('frontmatter that was found to be hard', () => {
  replay('frontmatter', async ({ text }) => {
    const world = await makeWorld()
    await expectLaws(world, text)
    await expectActivates(world, text)
  })
})

describe(`frontmatter (seed ${seed}; set HOOKLINE_SEED to run it again)`, () => {
  it('gives every hook or a problem with its place, whatever it says', { timeout }, async () => {
    const world = await makeWorld()
    await explore(
      fc.asyncProperty(markdown, async (text) => {
        fc.pre(!isKnown(text))
        await expectLaws(world, text)
      }),
      { runs: 600 },
    )
  })

  it('has its hooks whatever stands in the fields around them', { timeout }, async () => {
    const world = await makeWorld()
    const { project, home } = world
    await explore(
      fc.asyncProperty(odd, async (text) => {
        const path = await put(world, 'project/.claude/skills/deploy/SKILL.md', text)
        const { hooks, problems } = await readComponent(path, {
          project,
          home,
          plugins: [],
          profiles: PROFILES,
        })
        expect(hooks.map(({ written }) => written.command)).toEqual(['./check.sh'])
        expect(problems).toEqual([])
      }),
      { runs: 200 },
    )
  })

  it('never keeps an engine from opening, nor a component from being active', { timeout }, async () => {
    const world = await makeWorld()
    await explore(
      fc.asyncProperty(markdown, async (text) => {
        fc.pre(!isKnown(text))
        await expectActivates(world, text)
      }),
      { runs: 100 },
    )
  })
})
