/** An adapter: its file, its door in every list of doors, the versions of its framework, and a test. */
const HOOKLINE = 'packages/hookline'

/** @type {import('./edit.js').ScaffoldKind} */
export const adapter = {
  says: 'an adapter to a framework: its file, its door in every list of doors, and a test',
  name: /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/,
  names: 'an adapter is called like the door it is behind: ai-sdk',
  make(name, tree) {
    const key = name.includes('-') ? `'${name}'` : name
    const versions = `${HOOKLINE}/src/adapters/framework-version.ts`
    tree.refuse(`${HOOKLINE}/package.json`, new RegExp(`"\\./${name}"`), `The door hookline/${name} exists already.`)
    tree.add(
      `${HOOKLINE}/src/adapters/${name}.ts`,
      `import type { AnyEngine } from '../engine/engine-interface.ts'
import { guardCall } from '../tools/guard-call.ts'
import { HaltedByHook, RefusedByHook } from '../tools/hook-errors.ts'
import { joinBeside } from '../tools/model-output.ts'
import { assertFramework } from './framework-version.ts'

/** As much of a tool of the framework as hooks need. */
export interface ToolParts {
  readonly name: string
  execute(input: object): unknown
}

/**
 * Gives tools hooks: the same tools, with PreToolUse before each call and PostToolUse after it. A refusal rejects with a
 * \`RefusedByHook\`, which the framework shows the model, and the end of the turn with a \`HaltedByHook\`.
 */
export function withHooks(engine: AnyEngine, tools: readonly ToolParts[]): ToolParts[] {
  assertFramework('${name}')
  return tools.map((tool) => ({ ...tool, execute: (input: object) => callTool(engine, tool, input) }))
}

async function callTool(engine: AnyEngine, tool: ToolParts, input: object): Promise<unknown> {
  const end = await guardCall(engine, { name: tool.name, input, run: (own) => tool.execute(Object(own)) })
  if (end.ended === 'waiting' || end.ended === 'deferred') throw new RefusedByHook('The call waits for an answer.')
  if (end.halt !== null) throw new HaltedByHook('A hook ended the turn.', end.halt)
  if (end.ended === 'refused') throw new RefusedByHook(end.reason)
  if (end.ended === 'failed') throw end.error
  return end.texts.length === 0 ? end.output : joinBeside(end.output, end.texts)
}
`,
    )
    tree.insert(versions, '\n} satisfies', `\n  ${key}: { name: '${name}', from: '1.0.0', below: '2.0.0' },`, {
      after: 'FRAMEWORKS = {',
    })
    const dist = `./dist/adapters/${name}`
    tree.insert(
      `${HOOKLINE}/package.json`,
      '    "./package.json"',
      `    "./${name}": {\n      "types": "${dist}.d.ts",\n      "default": "${dist}.js"\n    },\n`,
    )
    tree.insert(
      'tsconfig.json',
      '      "hookline/internal"',
      `      "hookline/${name}": ["./packages/hookline/src/adapters/${name}.ts"],\n`,
    )
    tree.insert('knip.json', '}.ts"', `,${name}`, { after: '"src/adapters/{' })
    tree.add(
      `${HOOKLINE}/test/adapters/${name}.test.ts`,
      `import { describe, expect, it } from 'vitest'
import { withHooks } from '../../src/adapters/${name}.ts'
import { RefusedByHook } from '../../src/tools/hook-errors.ts'
import { engineWith } from '../support/project.ts'

const add = { name: 'Add', execute: async () => 'added' }

describe('tools behind hookline/${name}', () => {
  it('run when no hook objects', async () => {
    const [tool] = withHooks(await engineWith({}), [add])
    expect(await tool?.execute({})).toBe('added')
  })

  it('do not run when one does', async () => {
    const engine = await engineWith({})
    await engine.on('PreToolUse', () => ({
      hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'no' },
    }))
    const [tool] = withHooks(engine, [add])
    await expect(tool?.execute({})).rejects.toThrow(RefusedByHook)
  })
})
`,
    )
    return {
      files: tree.files,
      next: [
        `Say in ${versions} which package it is for, and in ${HOOKLINE}/src/adapters/${name}.ts how that calls its tools.`,
        `Add the package to peerDependencies of ${HOOKLINE}/package.json, as optional.`,
        `npx vitest run --project hookline test/adapters/${name}`,
        'Write its page in docs/, and a driver for npm run frameworks.',
      ],
    }
  },
}
