/** A hook type: its code, its fields in the default profile, and a test. */
import { toCamelCase, toPascalCase } from './edit.js'

const SRC = 'packages/hookline/src'
const TABLE = `${SRC}/hook-types/table.ts`
const SETTINGS = `${SRC}/protocol/hook-settings.ts`
const FIELDS = `${SRC}/protocol/classic/hook-types.ts`

/** @type {import('./edit.js').ScaffoldKind} */
export const hookType = {
  says: 'a hook type: its code, its fields, its rows, and a test',
  name: /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/,
  names: 'a hook type is called like http or mcp_tool',
  make(name, tree) {
    const own = toCamelCase(name)
    const type = toPascalCase(name)
    const file = name.replaceAll('_', '-')
    tree.refuse(TABLE, new RegExp(`^  ${name}(?:,|:)`, 'm'), `The hook type ${name} exists already.`)
    tree.add(
      `${SRC}/hook-types/${file}.ts`,
      `import { measureMs } from '../process/process-run.ts'
import type { Handler, HookTypeCode } from '../protocol/hook-type.ts'
import type { Run, RunRequest } from '../run/run.ts'

/** A hook that says the same each time. */
interface ${type}Handler extends Handler {
  readonly type: '${name}'
  readonly say: string
}

/** Hooks that refuse with the words they were given: \`{ "type": "${name}", "say": "not on Fridays" }\`. */
export const ${own}: HookTypeCode<${type}Handler, RunRequest, Run> = {
  runsIn: 'host',
  needs: null,
  readEntry: ({ say }) => {
    if (typeof say !== 'string' || say.trim() === '') return { field: 'say', because: 'a ${name} hook needs a "say"' }
    return { type: '${name}', say }
  },
  shown: ({ say }) => ({ name: say, text: say }),
  identity: ({ say }) => say,
  run: async ({ say }, _turn, { started }) => ({
    ended: 'returned',
    value: { decision: 'block', reason: say },
    durationMs: measureMs(started),
  }),
  meaning: (run) => ({ is: 'answered', value: 'value' in run ? run.value : null }),
}
`,
    )
    tree.import(TABLE, `import { ${own} } from './${file}.ts'`)
    tree.insert(TABLE, '\n}\n', `\n  ${own === name ? name : `${name}: ${own}`},`, { after: 'HOOK_TYPES' })
    tree.insert(
      FIELDS,
      '\n} as const',
      `
  ${name}: {
    fields: {
      say: { shape: 'string', means: 'what it says to the model', rule: 'V-HK-06', start: 'what' },
      ...commonFields,
    },
    required: ['say'],
    seconds: 5,
  },`,
      { after: 'classicHookTypes' },
    )
    tree.insert(
      SETTINGS,
      '/** A hook of any type that settings of `classic` may hold. */',
      `/** A hook that refuses with the words it was given. */
export interface ${type}HookSetting extends HookFields {
  readonly type: '${name}'
  /** Words for the model. */
  readonly say: string
}

`,
    )
    tree.insert(SETTINGS, '\n', ` | ${type}HookSetting`, { after: 'export type ClassicHookSetting' })
    tree.add(
      `packages/hookline/test/hook-types/${file}.test.ts`,
      `import { describe, expect, it } from 'vitest'
import { bashCall, makeWorld, openOn } from '../support/project.ts'

const openWith = async (hook: object) =>
  openOn(await makeWorld({ 'project/.claude/settings.json': { hooks: { PreToolUse: [{ hooks: [hook] }] } } }))

describe('a hook of type ${name}', () => {
  it('refuses a call with its words', async () => {
    const engine = await openWith({ type: '${name}', say: 'not on Fridays' })
    const { decision, hooks } = await engine.dispatch(bashCall)
    expect(decision).toMatchObject({ blocked: true, reason: 'not on Fridays' })
    expect(hooks).toMatchObject([{ verdict: 'ran', type: '${name}', say: 'not on Fridays' }])
  })

  it('is invalid without them', async () => {
    const engine = await openWith({ type: '${name}' })
    expect(engine.problems).toContainEqual(expect.objectContaining({ message: expect.stringContaining('"say"') }))
  })
})
`,
    )
    return {
      files: tree.files,
      next: [
        `Write what it runs, in ${SRC}/hook-types/${file}.ts; "says" and "reads" follow from the fields.`,
        'npm run generate',
        `npx vitest run --project hookline test/hook-types/${file}`,
      ],
    }
  },
}
