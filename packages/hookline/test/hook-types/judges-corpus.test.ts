import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyText } from '../support/any-text.ts'
import { bashCall, classicEngineWith } from '../support/project.ts'
import { promptHook, providedModel } from '../support/provided-model.ts'

const seed = Number(process.env.HOOKLINE_SEED ?? Date.now() % 2 ** 31)

/** What models really say, and the verdict that is in it; null: none, with the reason that people read. */
type Shape = { readonly name: string; readonly text: string } & (
  | { readonly verdict: true }
  | { readonly verdict: false; readonly reason: string | null; readonly halt?: true }
  | { readonly verdict: null; readonly fault: string }
)

const fixture = readFileSync(new URL('../fixtures/model-answers.jsonl', import.meta.url), 'utf8')
const shapes = fixture
  .trimEnd()
  .split('\n')
  .map((line): Shape => JSON.parse(line))

/** What comes of a tool call about which a model says this, each time it is asked. */
async function judgedBy(text: string) {
  const engine = await classicEngineWith({ PreToolUse: [promptHook()] }, { models: providedModel(text).models })
  const { decision, hooks } = await engine.dispatch(bashCall)
  await engine.close()
  return { decision, line: hooks[0] }
}

const outcomeOf = async (text: string) => (await judgedBy(text)).line?.outcome

describe('the answers of models', () => {
  it('are many', () => {
    expect(shapes.length).toBeGreaterThanOrEqual(50)
    expect(new Set(shapes.map(({ verdict }) => verdict)).size).toBe(3)
  })

  it.each(shapes)('$name', async (shape) => {
    const { decision, line } = await judgedBy(shape.text)
    expect(decision).toMatchObject({ blocked: shape.verdict === false, halt: 'halt' in shape })
    if (shape.verdict === null) {
      expect(line).toMatchObject({ outcome: 'non_blocking_error', answer: null, attempts: 2 })
      expect(decision.messages[0]).toMatchObject({ to: 'user', text: expect.stringContaining(shape.fault) })
      return
    }
    expect(line).toMatchObject({ outcome: shape.verdict ? 'success' : 'blocking', answer: expect.any(Object) })
    expect(line).not.toHaveProperty('attempts')
    if (shape.verdict) expect(decision.reason).toBe(null)
    else expect(decision.reason).toBe(['Condition not met', ...(shape.reason ? [shape.reason] : [])].join(': '))
  })
})

describe(`what is said around a verdict (seed ${seed}; set HOOKLINE_SEED to run it again)`, () => {
  const prose = anyText().filter((text) => !/[{<]/.test(text))
  const pieces = fc
    .array(fc.constantFrom('{', '}', '"', '\\', 'ok', ':', 'true', 'false', '{"ok": true}', ',', ' ', '\n', '<think>'))
    .map((parts) => parts.join(''))

  it('does not change it', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(prose, prose, async (before, behind) => {
        expect(await outcomeOf(`${before}{"ok": false}${behind}`)).toBe('blocking')
        expect(await outcomeOf(`${before}{"ok": true}${behind}`)).toBe('success')
      }),
      { numRuns: 100, seed },
    )
  })

  it('counts the stricter of two that disagree, whichever comes first', { timeout: 60_000 }, async () => {
    const both = fc.constantFrom(['{"ok": true}', '{"ok": false}'], ['{"ok": false}', '{"ok": true}'])
    await fc.assert(
      fc.asyncProperty(prose, both, prose, async (before, [first, second], between) => {
        expect(await outcomeOf(`${before}${first}${between}${second}`)).toBe('blocking')
      }),
      { numRuns: 100, seed },
    )
  })

  it('never makes a met condition of one that is not, whatever follows it', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(pieces, async (behind) => {
        expect(await outcomeOf(`{"ok": false}${behind}`)).toBe('blocking')
      }),
      { numRuns: 200, seed },
    )
  })
})
