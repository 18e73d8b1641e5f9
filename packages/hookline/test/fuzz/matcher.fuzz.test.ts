import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileMatcher, type Matcher } from '../../src/pattern/matcher.ts'
import { anyText } from '../support/any-text.ts'
import { cpuMs } from '../support/cpu-time.ts'
import { matchedOn } from '../support/matched-row.ts'
import { kept, knownIn, replay } from './corpus.ts'
import { explore, seed, timeout } from './explore.ts'
import { evaluate, expression, inputs, printedExpression } from './expression-reference.ts'
import { mutated } from './mutated.ts'
import { within } from './settings-laws.ts'

const isKnown = knownIn('matcher')

/** Matchers as people write them. */
const WRITTEN = [
  'Bash',
  'Edit|Write|MultiEdit',
  'mcp__memory__.*',
  'Notebook.*',
  '^(?:Bash|Edit)$',
  'tool == "Bash" && tool_input.command matches "rm\\s+-rf"',
  '!(tool_input.path matches "\\.env$") || tool != "Read"',
  'tool_input.edits.0.count == 3 && (tool == "Edit" || !tool_input.force == true)',
  ...kept('matcher').flatMap(({ text, known }) => (known === null && text.length < 500 ? text : [])),
]

/** Regular expressions that other engines take exponential time for, and parts of such. */
const atom = fc.constantFrom(
  'a',
  'x',
  '.',
  '[a-z]',
  '[^a]',
  '\\w',
  '\\pL',
  '\\b',
  '^',
  '$',
  '',
  'é',
  '(?i)b',
  '\\x{10FFFF}',
)
const { regex } = fc.letrec<{ regex: string }>((tie) => ({
  regex: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    atom,
    fc
      .tuple(tie('regex'), fc.constantFrom('*', '+', '?', '*?', '{2,3}', '{0,12}', '{20}'))
      .map(([one, many]) => `(?:${one})${many}`),
    fc.tuple(tie('regex'), tie('regex')).map(([one, other]) => `(${one}|${other})`),
    fc.array(tie('regex'), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
  ),
}))
const matcherText = fc.oneof(
  mutated(WRITTEN),
  regex,
  regex.chain((one) => mutated([one])),
  anyText({ maxLength: 20 }),
  expression.map(printedExpression),
  expression.chain((one) => mutated([printedExpression(one)])),
)
const subject = fc.oneof(
  fc.tuple(fc.constantFrom('a', 'x', 'ab', ' ', 'é', '\ud800', 'aX', '0'), fc.nat(1024)).map(([unit, times]) => {
    return unit.repeat(times).slice(0, 1024)
  }),
  anyText({ maxLength: 60 }),
  fc.constantFrom('Bash', 'Edit', 'mcp__memory__read', ''),
)

function hits(matcher: Matcher, value: string, input: Record<string, unknown> = { tool_name: value }): boolean {
  if (matcher.kind === 'all') return true
  if (matcher.kind === 'names') return matcher.names.has(value)
  if (matcher.kind === 'either') return matcher.of.some((one) => hits(one, value, input))
  return matcher.kind === 'regex' ? matcher.test(value) : matcher.test(input)
}

/** Ten times what a match may take. */
const LONGEST_MATCH_MS = 50

/** How long the first match takes; a pause of the machine is no slow matcher, so the best of three counts. */
async function firstMatchMs(text: string, value: string, input: Record<string, unknown>): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let left = 3; left > 0 && best >= LONGEST_MATCH_MS; left--) {
    const compiled = await compileMatcher(text, matchedOn('tool_name'))
    if ('problem' in compiled) return 0
    const started = cpuMs()
    hits(compiled, value, input)
    best = Math.min(best, cpuMs() - started)
  }
  return best
}

/** What holds of every matcher, whatever is written. */
async function expectLaws(text: string, subjects: readonly string[]): Promise<void> {
  expect(await compileMatcher(text, matchedOn('source'))).not.toMatchObject({ kind: 'expression' })
  const compiled = await within(10_000, () => compileMatcher(text, matchedOn('tool_name')))
  if ('problem' in compiled) {
    expect(compiled.problem).not.toBe('')
    expect(compiled.offset >= 0 && compiled.offset <= text.length, `offset ${compiled.offset}`).toBe(true)
    return
  }
  for (const value of subjects) {
    const input = { tool_name: value, tool_input: { command: value, path: value, a: { b: value }, edits: [value] } }
    expect(await firstMatchMs(text, value, input)).toBeLessThan(LONGEST_MATCH_MS)
    expect(typeof hits(compiled, value, input)).toBe('boolean')
  }
  if (compiled.kind !== 'names') return
  const names = text.split('|').filter((name) => name !== '')
  expect([...compiled.names]).toEqual([...new Set(names)])
}

describe('matchers that were found to be hard', () => {
  replay('matcher', ({ text }) => {
    const units = ['a', 'x', 'X', 'é', ' ', '/', 'ab']
    return expectLaws(text, [...units.map((unit) => unit.repeat(1024).slice(0, 1024)), 'Bash', '', '\ud800'])
  })
})

describe(`matchers (seed ${seed}; set HOOKLINE_SEED to run it again)`, () => {
  it('compile or say where the fault is, and match in no time', { timeout }, async () => {
    await explore(
      fc.asyncProperty(matcherText, fc.array(subject, { minLength: 1, maxLength: 4 }), async (text, subjects) => {
        fc.pre(!isKnown(text))
        await expectLaws(text, subjects)
      }),
      { runs: 2500 },
    )
  })

  it('that list names hit exactly these', { timeout }, async () => {
    const letter = fc.constantFrom(...'aAbZ09_-')
    const name = fc.string({ unit: letter, minLength: 1, maxLength: 4 })
    await explore(
      fc.asyncProperty(fc.array(name, { minLength: 1, maxLength: 5 }), name, async (names, other) => {
        const compiled = await compileMatcher(names.join('|'), matchedOn('tool_name'))
        if ('problem' in compiled) throw new Error(compiled.problem)
        for (const one of names) expect(hits(compiled, one)).toBe(true)
        expect(hits(compiled, other)).toBe(names.includes(other))
      }),
      { runs: 1000 },
    )
  })

  it('that are expressions agree with a naive evaluation', { timeout }, async () => {
    await explore(
      fc.asyncProperty(expression, inputs, async (wanted, input) => {
        const text = printedExpression(wanted)
        const compiled = await compileMatcher(text, matchedOn('tool_name'))
        if ('problem' in compiled) throw new Error(`${text}: ${compiled.problem} at ${compiled.offset}`)
        expect(compiled.kind).toBe('expression')
        expect(hits(compiled, '', input), text).toBe(evaluate(wanted, input))
      }),
      { runs: 2000 },
    )
  })
})
