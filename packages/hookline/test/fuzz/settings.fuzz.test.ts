import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ConfiguredHook, isFault } from '../../src/config/hook.ts'
import { GROUP_FIELDS } from '../../src/config/read-hooks.ts'
import { HooklineError, openEngine } from '../../src/index.ts'
import { listFieldsInFiles } from '../../src/protocol/hook-fields.ts'
import { DEFAULT_PROFILE } from '../../src/protocol/profiles.ts'
import { removeControls } from '../../src/text/clean.ts'
import { clipName } from '../../src/text/nearest.ts'
import { anyText } from '../support/any-text.ts'
import { makeWorld, put, type World } from '../support/project.ts'
import { kept, knownIn, replay } from './corpus.ts'
import { explore, seed, timeout } from './explore.ts'
import { mutated } from './mutated.ts'
import {
  expectPlaced,
  expectUnpolluted,
  hookCount,
  isAmbiguousPolicy,
  isObject,
  type Json,
  readSettings,
  within,
} from './settings-laws.ts'

const isKnown = knownIn('settings')
const HOOK_FIELDS = [...listFieldsInFiles(DEFAULT_PROFILE.hookTypes).keys()]
const eventNames = [...DEFAULT_PROFILE.events.keys()]

/** Settings as people write them. */
const WRITTEN = [
  JSON.stringify({
    hooks: {
      PreToolUse: [
        {
          matcher: 'Bash|Edit',
          description: 'guard',
          hooks: [{ type: 'command', command: './guard.sh', timeout: 5, statusMessage: 'Checking…' }],
        },
        {
          matcher: 'tool == "Bash" && tool_input.command matches "rm\\s+-rf"',
          hooks: [{ type: 'prompt', prompt: 'Is $ARGUMENTS safe?', model: 'small' }],
        },
      ],
      Stop: [{ hooks: [{ type: 'command', command: 'true', async: true, once: true }] }],
    },
    statusLine: { type: 'command', command: 'date', padding: 1 },
  }),
  JSON.stringify({ hooks: { PostToolUse: [{ matcher: 'Write', command: 'prettier --write' }] } }, null, 2),
  '{\n  // why\n  "disableAllHooks": false,\n  "hooks": { "SessionStart": [ { "matcher": "^start", "hooks": [ {"type": "command", "command": "cat"}, ] } ] },\n}\n',
  '{"hooks":{"Stop":[{"hooks":[{"type":"http","url":"x"},{"type":"agent","prompt":""},7,null]}]}}',
  ...kept('settings').flatMap(({ text, known }) => (known === null && text.length < 2000 ? text : [])),
]

/** JSON as text, so that keys may stand twice and have any name. */
const quoted = (name: string): string => JSON.stringify(name)
const objectOf = (member: fc.Arbitrary<string>, maxLength = 4): fc.Arbitrary<string> =>
  fc.array(member, { maxLength }).map((members) => `{${members.join(', ')}}`)
const listOf = (item: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.array(item, { maxLength: 3 }).map((items) => `[${items.join(',\n')}]`)
const memberOf = (names: fc.Arbitrary<string>, value: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(names, value).map(([name, text]) => `${quoted(name)}: ${text}`)
const mostly = (usual: fc.Arbitrary<string>, odd: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof({ weight: 8, arbitrary: usual }, { weight: 1, arbitrary: odd })

const anything = fc.oneof(
  fc.json({ maxDepth: 3 }),
  fc.constantFrom('null', '1e999', '-0', '""', '[]', '{}', '"\\ud800"', '{"__proto__": {"polluted": true}}'),
)
const oddName = fc.constantFrom(
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '',
  'hooks',
  'Type',
  'émoji🎣',
)
const text = fc.oneof(
  fc.constantFrom('true', 'Bash', '*', '', '[', 'tool == "x"', '(a+)+$', '!', 'a||b', 'a\u0000b'),
  anyText({ maxLength: 6 }),
)
const hook = mostly(
  objectOf(
    fc.oneof(
      fc.constantFrom('"type": "command"', '"type": "prompt"', '"command": "true"', '"prompt": "ok?"'),
      memberOf(fc.oneof(fc.constantFrom(...HOOK_FIELDS), oddName), anything),
      memberOf(fc.constant('timeout'), fc.constantFrom('1', '0', '-1', '1e999', '1e308', '"5"', '60000')),
    ),
  ),
  anything,
)
const group = mostly(
  objectOf(
    fc.oneof(
      memberOf(fc.constant('hooks'), mostly(listOf(hook), anything)),
      memberOf(fc.constant('matcher'), mostly(text.map(quoted), anything)),
      memberOf(
        fc.oneof(fc.constantFrom('command', 'description', 'hook'), oddName),
        mostly(text.map(quoted), anything),
      ),
    ),
  ),
  anything,
)
const hooks = objectOf(
  memberOf(mostly(fc.constantFrom(...eventNames, 'preToolUse'), oddName), mostly(listOf(group), anything)),
)
const settings = objectOf(
  fc.oneof(
    memberOf(fc.constant('hooks'), mostly(hooks, anything)),
    memberOf(
      fc.constantFrom('disableAllHooks', 'allowManagedHooksOnly', 'statusLine', 'fileSuggestion'),
      mostly(fc.constantFrom('true', 'false', '{"type": "command", "command": "true"}'), anything),
    ),
    memberOf(oddName, anything),
  ),
  3,
)
const settingsText = fc.oneof(
  settings,
  mutated(WRITTEN),
  settings.chain((one) => mutated([one])),
)

/** The members of a hook as it stands in the text. */
function memberNames(document: Json, { id, event }: ConfiguredHook): { names: string[]; flat: boolean } {
  const [groupAt = '', hookAt = ''] = id.split(':').slice(-2)
  const groups = (document.hooks as Json)[event] as Json[] // a sound hook stands in a list
  const inGroup = groups[Number(groupAt)] as Json
  const inHook = Array.isArray(inGroup.hooks) ? (inGroup.hooks[Number(hookAt)] as Json) : inGroup
  return { names: Object.keys(inHook), flat: inHook === inGroup }
}

/** What holds of every settings text, whoever wrote it. */
async function expectLaws(written: string): Promise<void> {
  const { hooks: found, problems, document } = await within(20_000, () => readSettings(written))
  expectPlaced(problems, written)
  expectUnpolluted()
  expect(new Set(found.map(({ id }) => id)).size).toBe(found.length)
  for (const { shown, written: fields } of found) {
    if (shown.shell !== undefined) expect(fields.command).toBe(shown.shell)
  }
  if (document === undefined) return
  expect(found).toHaveLength(isObject(document) ? hookCount(document.hooks) : 0)
  for (const one of found) {
    if (isFault(one.handler) || !isObject(document)) continue
    const { names, flat } = memberNames(document, one)
    const known = [...HOOK_FIELDS, ...(flat ? GROUP_FIELDS : [])]
    for (const name of names.filter((field) => !known.includes(field))) {
      const said = [`"${clipName(name)}" is not a field`, `"${clipName(name)}" is a field of the profile`].map(
        removeControls,
      )
      expect(one.warnings.some((warning) => said.some((words) => warning.startsWith(words)))).toBe(true)
    }
  }
}

/** The same text as a project's, a policy's and a plugin's file. */
async function expectOpens(world: World, written: string): Promise<void> {
  await put(world, 'project/.claude/settings.json', written)
  await put(world, 'project/.claude/settings.local.json', written)
  await put(world, 'project/plugin/hooks/hooks.json', written)
  await put(world, 'project/plugin/.claude-plugin/plugin.json', written)
  const plugins = [join(world.project, 'plugin')]
  const engine = await within(30_000, () => openEngine({ ...world, trust: 'refused', plugins }))
  expectPlaced(engine.problems, written)
  const { document } = await readSettings(written)
  for (const row of DEFAULT_PROFILE.events.values()) {
    const record = await engine.dispatch({ hook_event_name: row.name, ...row.example })
    expect(record.hooks.filter(({ verdict }) => verdict === 'ran')).toEqual([])
    if (!isObject(document)) continue
    const inOne = isObject(document.hooks) ? hookCount({ [row.name]: document.hooks[row.name] }) : 0
    expect(record.hooks).toHaveLength(4 * inOne)
  }
  await engine.close()
  const unguarded = engine.hooks.some(
    ({ handler, event }) =>
      isFault(handler) && handler.elsewhere?.decides && DEFAULT_PROFILE.events.get(event)?.canBlock,
  )
  const isOff = isObject(document) && document.disableAllHooks === true
  const broken =
    (unguarded && !isOff) ||
    (await isAmbiguousPolicy(written)) ||
    engine.problems.some(({ rule, file }) => rule === 'V-HK-01' && file.endsWith('settings.json'))
  await put(world, 'policy/managed.json', written)
  const opened = openEngine({ ...world, managed: join(world.root, 'policy/managed.json'), trust: 'refused' })
  const outcome = await opened.then(
    async (other) => {
      await other.close()
      return 'opens'
    },
    (error: unknown) => (error instanceof HooklineError ? 'is refused' : error),
  )
  expect(outcome).toBe(broken ? 'is refused' : 'opens')
  expectUnpolluted()
}

describe('settings files that were found to be hard', () => {
  replay('settings', async ({ text: written }) => {
    await expectLaws(written)
    await expectOpens(await makeWorld(), written)
  })
})

describe(`settings files (seed ${seed}; set HOOKLINE_SEED to run it again)`, () => {
  it('give every hook or a problem with its place, whatever they say', { timeout }, async () => {
    await explore(
      fc.asyncProperty(settingsText, async (written) => {
        fc.pre(!isKnown(written))
        await expectLaws(written)
      }),
      { runs: 1500 },
    )
  })

  it('never keep an engine from opening, but for a broken policy', { timeout }, async () => {
    const world = await makeWorld()
    await explore(
      fc.asyncProperty(settingsText, async (written) => {
        fc.pre(!isKnown(written))
        await expectOpens(world, written)
      }),
      { runs: 60 },
    )
  })
})
