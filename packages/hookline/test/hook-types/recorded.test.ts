import { expect, it } from 'vitest'
import { currentHookTypes } from '../../src/protocol/current/hook-types.ts'
import { listTypesInFiles } from '../../src/protocol/hook-fields.ts'
import { readRuns } from '../../src/protocol/record/hook-line.ts'
import { recordSchema } from '../../src/protocol/schemas/record.ts'
import { bashCall, makeWorld, openOn } from '../support/project.ts'

/** One hook of each type that settings may hold, and what its line of the record has to tell. */
const WRITTEN = {
  command: [
    [{ command: 'true' }, 'true'],
    [{ command: 'true', args: ['a b', 'c'] }, 'true a b c'],
    [{ command: 'true', shell: 'bash' }, 'true'],
    [{ command: 'true', shell: 'powershell' }, 'true powershell'],
  ],
  http: [[{ url: 'http://ada:secret@127.0.0.1:1/x?token=secret' }, 'http://127.0.0.1:1/x?…']],
  mcp_tool: [[{ server: 'guard', tool: 'check' }, 'guard check']],
  prompt: [[{ prompt: 'Is it fine?' }, 'Is it fine?']],
  agent: [[{ prompt: 'Look whether it is fine.' }, 'Look whether it is fine.']],
} as const satisfies Record<string, readonly (readonly [object, string])[]>

it('is tried for every type that settings may hold', () => {
  expect(Object.keys(WRITTEN).sort()).toEqual(listTypesInFiles(currentHookTypes).sort())
})

it.each(Object.entries(WRITTEN))(
  'tells all that a hook of type %s runs, in the published form',
  async (type, cases) => {
    const hooks = cases.map(([fields]) => ({ type, ...fields, timeout: 5 }))
    const world = await makeWorld({ 'project/.claude/settings.json': { hooks: { PreToolUse: [{ hooks }] } } })
    const record = await (await openOn(world, { profile: 'current' })).dispatch(bashCall)
    expect(record.hooks.map(readRuns)).toEqual(cases.map(([, told]) => told))
    expect(recordSchema.safeParse(JSON.parse(JSON.stringify(record)))).toMatchObject({ success: true })
  },
)
