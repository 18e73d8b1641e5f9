import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stringifyJson } from '../../src/text/json.ts'
import { bashCall, commands, makeWorld, openOn } from '../support/project.ts'

/** An input that is nested so many levels deep. */
function nested(levels: number): unknown {
  let value: unknown = 'the end'
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? { a: value } : [value, 1]
  return value
}

describe('an input that is nested very deep', () => {
  it.each([1000, 5000, 50_000])('reaches the hooks and is recorded: %i levels', async (levels) => {
    const hooks = { PreToolUse: [commands('grep -c "the end" >&2; exit 2')] }
    const world = await makeWorld({ 'project/.claude/settings.json': { hooks } })
    const log = join(world.root, 'log.jsonl')
    const engine = await openOn(world, { log })
    const record = await engine.dispatch({ ...bashCall, tool_input: { command: 'ls', deep: nested(levels) } })
    expect(record.decision).toMatchObject({ blocked: true, reason: expect.stringContaining('1') })
    await engine.close()
    expect(JSON.parse(await readFile(log, 'utf8'))).toMatchObject({ input: { tool_input: { command: 'ls' } } })
  })

  it('is written as JSON writes what is not', () => {
    const deep = nested(20_000)
    const written = stringifyJson(deep)
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { minLength: 20 }), (values) => {
        expect(stringifyJson([values, deep])).toBe(`[${JSON.stringify(values)},${written}]`)
      }),
      { numRuns: 10 },
    )
  })

  it('is refused when it leads around in a circle', () => {
    const circle: { deep: unknown; self?: unknown } = { deep: nested(20_000) }
    circle.self = circle
    expect(() => stringifyJson(circle)).toThrow(TypeError)
  })
})
