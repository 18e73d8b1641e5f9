import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type * as z from 'zod'
import { shapeOf } from '../../generate/shapes.ts'
import { makeCheck, type Shape } from '../../src/protocol/checker.ts'
import { makeCommonAnswerSchema, makeSpecificAnswerSchema } from '../../src/protocol/schemas/answer.ts'
import { classic } from '../../src/protocol/schemas/events/classic.ts'
import { handlerSchemas } from '../../src/protocol/schemas/handlers.ts'
import { hookTestSchema } from '../../src/protocol/schemas/hook-test.ts'
import { commonInput } from '../../src/protocol/schemas/input.ts'
import { settingsSchemas } from '../../src/protocol/schemas/settings.ts'

const seed = Number(process.env.HOOKLINE_SEED ?? Date.now() % 2 ** 31)

const schemas: Record<string, z.ZodType> = {
  commonInput,
  commonAnswer: makeCommonAnswerSchema(),
  hookTestSchema,
  ...handlerSchemas,
  ...settingsSchemas,
  ...Object.fromEntries(
    Object.entries(classic).flatMap(([name, { input, answer }]) => [
      [`${name} input`, input],
      [`${name} answer`, makeSpecificAnswerSchema(name, answer)],
    ]),
  ),
}

const anything = fc.oneof(
  fc.constantFrom(null, true, false, 0, -1, 2.5, '', 'text', 'command', [], {}),
  fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<unknown>,
)

/** Values near a shape: most of their parts fit, some do not. */
function near(shape: Shape, depth = 0): fc.Arbitrary<unknown> {
  if (depth > 6) return anything
  return fc.oneof({ weight: 1, arbitrary: anything }, { weight: 6, arbitrary: fitting(shape, depth) })
}

function fitting(shape: Shape, depth: number): fc.Arbitrary<unknown> {
  if (shape === 'any') return anything
  if (shape === 'string' || shape === 'text') return fc.string()
  if (shape === 'number') return fc.double({ noNaN: true, noDefaultInfinity: true })
  if (shape === 'boolean') return fc.boolean()
  if (shape === 'null') return fc.constant(null)
  if ('above' in shape) return fc.constantFrom(shape.above - 1, shape.above, shape.above + 1)
  if ('values' in shape) return fc.constantFrom(...shape.values)
  if ('list' in shape) return fc.array(near(shape.list, depth + 1), { maxLength: 3 })
  if ('each' in shape) return fc.dictionary(fc.constantFrom('a', 'b'), near(shape.each, depth + 1))
  if ('either' in shape) return fc.oneof(...shape.either.map((one) => near(one, depth + 1)))
  const fields = Object.entries(shape.fields).map(([name, field]) => [name, near(field, depth + 1)])
  return fc.record({ ...Object.fromEntries(fields), stranger: anything }, { requiredKeys: [] })
}

describe(`the checker (seed ${seed})`, () => {
  it.each(Object.entries(schemas))('finds a fault exactly where the schema of %s does', (_name, schema) => {
    const shape = shapeOf(schema)
    const check = makeCheck(shape)
    fc.assert(
      fc.property(near(shape), (value) => {
        expect(check(value).length === 0, JSON.stringify(value)).toBe(schema.safeParse(value).success)
      }),
      { seed, numRuns: 200 },
    )
  })

  it('names everything that does not fit, with its path', () => {
    const check = makeCheck(shapeOf(classic.PermissionRequest.answer))
    expect(check({ decision: { behavior: 'maybe', interrupt: 'yes' } })).toMatchObject([
      { path: ['decision', 'behavior'], message: 'must be one of "allow", "deny"' },
      { path: ['decision', 'interrupt'], message: 'must be a boolean' },
    ])
  })

  it('tells objects apart by their tags before it looks for the nearest', () => {
    const check = makeCheck({
      either: [
        { fields: { how: { values: ['exact'] }, write: 'text', mark: 'text' }, required: ['how', 'write', 'mark'] },
        { fields: { how: { values: ['lost'] }, note: 'text' }, required: ['how', 'note'] },
      ],
    })
    expect(check({ how: 'exact', note: 'x' }).map(({ path }) => path)).toEqual([['write'], ['mark']])
    expect(check({ how: 'queued' })).toEqual([{ path: ['how'], message: 'must be one of "exact", "lost"' }])
    expect(check({ note: 'x' })).toEqual([{ path: ['how'], message: 'is missing' }])
  })

  it('refuses an empty string and an empty list where something has to stand', () => {
    expect(makeCheck('text')('')).toEqual([{ path: [], message: 'must not be empty' }])
    expect(makeCheck({ list: 'text', atLeast: 1 })([])).toEqual([{ path: [], message: 'must have an entry' }])
  })
})
