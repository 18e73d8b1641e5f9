import { jsonSchema, zodSchema } from 'ai'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { guardCall } from '../../src/tools/index.ts'
import { engineWith } from '../support/project.ts'
import { pre } from './asked.ts'

const plain = {
  type: 'object' as const,
  properties: { room: { type: 'string' as const } },
  required: ['room'],
  additionalProperties: false,
}

describe.each([
  ['a standard schema', z.strictObject({ room: z.string() })],
  ['a schema of the AI SDK', zodSchema(z.strictObject({ room: z.string() }))],
  ['a lazy one of it', () => zodSchema(z.strictObject({ room: z.string() }))],
  ['a JSON Schema in the form of the SDK', jsonSchema(plain)],
  ['a JSON Schema', plain],
  ['a JSON Schema of an older draft', { $schema: 'http://json-schema.org/draft-07/schema#', ...plain }],
])('%s', (_, schema) => {
  it('takes a rewritten input that fits, and refuses another', async () => {
    const engine = await engineWith({})
    let updatedInput: object = { room: 'cellar' }
    await engine.on('PreToolUse', () => pre({ updatedInput }))
    const call = { name: 'light', input: { room: 'hall' }, schema, run: (input: unknown) => input }
    expect(await guardCall(engine, call)).toMatchObject({ ended: 'ran', output: { room: 'cellar' } })
    for (const wrong of [{ room: 1 }, {}, { room: 'hall', lamps: 2 }]) {
      updatedInput = wrong
      expect(await guardCall(engine, call)).toMatchObject({
        ended: 'refused',
        by: 'input',
        reason: expect.stringMatching(/^A hook rewrote the input, and light cannot be called so: /),
      })
    }
  })
})

it('refuses a rewritten input when the schema cannot be read', async () => {
  const engine = await engineWith({})
  await engine.on('PreToolUse', () => pre({ updatedInput: { room: 'cellar' } }))
  const call = {
    name: 'light',
    input: {},
    schema: { type: 'object', unevaluatedProperties: false },
    run: () => expect.fail('it ran'),
  }
  expect(await guardCall(engine, call)).toMatchObject({
    ended: 'refused',
    reason: expect.stringContaining('cannot be read'),
  })
})

it.each([null, undefined, 'hall', 7, ['hall']])(
  'ends a call of the model whose input is not an object: %j',
  async (input) => {
    const engine = await engineWith({})
    expect(await guardCall(engine, { name: 'light', input, run: () => expect.fail('it ran') })).toMatchObject({
      ended: 'refused',
      by: 'input',
      halt: null,
    })
  },
)
