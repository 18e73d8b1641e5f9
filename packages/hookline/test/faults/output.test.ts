import { readFile, stat } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { stringifyAsWritten } from '../../src/text/written-json.ts'
import { answering, type Content } from '../support/project.ts'
import { type Fired, fire, printed, sessionStart, told } from './fire.ts'

const specific = (fields: object) => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...fields } })
const DENY = specific({ permissionDecision: 'deny', permissionDecisionReason: 'no' })
const DENIED = { blocked: true, permission: 'deny' }
const NO_DECISION = { halt: false, blocked: false, permission: null, reason: null, updatedInput: null, context: [] }

/** A hook that prints these very bytes. */
function saying(output: Content, options: Parameters<typeof fire>[1] = {}): Promise<Fired> {
  return fire('cat answer', { files: { 'project/answer': output }, ...options })
}

/** An answer of which one value is JSON text that JSON.stringify would not write. */
const written = (answer: object, raw: string) => JSON.stringify(answer).replace('"RAW"', raw)

describe('bytes and characters', () => {
  const LATIN_1 = Buffer.from('caf\xe9 closed', 'latin1')

  it('reliability 33: bytes that are no UTF-8 are replaced, and all of them counted', async () => {
    const { decision, line } = await saying(LATIN_1, { event: sessionStart })
    expect(decision.context).toEqual(['caf\uFFFD closed'])
    expect(line).toMatchObject({ outcome: 'success', stdoutBytes: LATIN_1.length })
  })

  it('reliability 33: bytes that are no UTF-8 are pointed out', async () => {
    const { line } = await saying(LATIN_1, { event: sessionStart })
    expect(line.warnings).toEqual([expect.stringMatching(/stdout.*UTF-8/)])
  })

  it('reliability 33: bytes of an objection that are no UTF-8 are pointed out', async () => {
    const { line } = await fire('cat words >&2; exit 2', { files: { 'project/words': LATIN_1 } })
    expect(line.warnings).toEqual([expect.stringMatching(/stderr.*UTF-8/)])
  })

  it('reliability 33: an answer with a byte that is no UTF-8 still counts', async () => {
    const { decision } = await saying(Buffer.from(JSON.stringify(DENY).replace('"no"', '"caf\xe9"'), 'latin1'))
    expect(decision).toMatchObject({ ...DENIED, reason: 'caf\uFFFD' })
  })

  it('reliability 34: a character that comes in two pieces is one character', async () => {
    const { decision, line } = await fire(
      `printf 'caf\\303'; sleep 0.2; printf '\\251 \\360\\237'; sleep 0.2; printf '\\252\\235'`,
      {
        event: sessionStart,
      },
    )
    expect(decision.context).toEqual(['café 🪝'])
    expect(line.warnings).toEqual([])
  })

  it('reliability 34: characters that lie across the pieces of a long output are whole', async () => {
    const text = `x${'é🪝'.repeat(50_000)}`
    const { decision } = await saying(text, { event: sessionStart })
    expect(decision.context).toEqual([text])
  })

  it('reliability 34: a character that the limit cuts is no invalid UTF-8', async () => {
    const { line } = await saying('aéé', { event: sessionStart, outputLimit: 4 })
    expect(line).toMatchObject({ truncated: true, stdoutBytes: 5 })
    expect(line.warnings).toEqual([expect.stringMatching(/the first 4 are kept/)])
  })

  it('reliability 35: an answer after a byte order mark counts', async () => {
    const { decision } = await saying(`\uFEFF${JSON.stringify(DENY)}`)
    expect(decision).toMatchObject({ ...DENIED, reason: 'no' })
  })

  it('reliability 35: a byte order mark is no part of a text', async () => {
    const { decision } = await saying('\uFEFFhello\n', { event: sessionStart })
    expect(decision.context).toEqual(['hello'])
  })

  it.each(['UTF-16LE', 'UTF-16BE'])(
    'reliability 35: an answer in %s counts or is named as such, it is not lost',
    async (encoding) => {
      const bytes = Buffer.from(`\uFEFF${JSON.stringify(DENY)}`, 'utf16le')
      const { decision, line } = await saying(encoding === 'UTF-16LE' ? bytes : bytes.swap16())
      expect(decision.blocked || line.warnings.some((warning) => warning.includes('UTF-16'))).toBe(true)
    },
  )

  it.each(['no', 'nö 中文 🙂'])(
    'a denial in UTF-16 without a mark, as cmd /u writes it, denies: %s',
    async (reason) => {
      const { decision, line } = await saying(
        Buffer.from(
          JSON.stringify(specific({ permissionDecision: 'deny', permissionDecisionReason: reason })),
          'utf16le',
        ),
      )
      expect(decision).toMatchObject({ blocked: true, permission: 'deny', reason })
      expect(line.warnings).toEqual([expect.stringContaining('UTF-16')])
    },
  )

  it('reliability 48: NUL bytes do no harm, and are not shown as they are', async () => {
    const { decision, line } = await saying('one\0two', { event: sessionStart })
    expect(line).toMatchObject({ outcome: 'success', stdoutBytes: 7 })
    expect(decision.context.join()).toMatch(/^one[^\0]*two$/)
  })

  it('reliability 48: a NUL character in a value is data', async () => {
    const { decision } = await saying(specific({ updatedInput: { command: 'one\0two' } }))
    expect(decision.updatedInput).toEqual({ command: 'one\0two' })
  })
})

describe('output that is no answer', () => {
  const denial = JSON.stringify(DENY)

  const LOST = [
    ['two answers', `${denial}\n${denial}`],
    ['an answer before text', `${denial}\nall done`],
    ['an answer after a banner', `checking …\n${denial}`],
    ['an answer after a banner on its line', `checking … ${denial}`],
    ['an answer between other lines', `checking …\n${denial}\nall done`],
  ] as const

  it.each(LOST)('reliability 36: %s is plain text', async (_, output) => {
    const { decision, line, record } = await saying(output)
    expect(decision).toMatchObject(NO_DECISION)
    expect(line).toMatchObject({ outcome: 'success', answer: null })
    expect(printed(record)).toBe(output)
  })

  it.each(LOST.slice(0, 3))('reliability 36: %s is pointed out', async (_, output) => {
    expect((await saying(output)).line.warnings).toEqual([expect.stringMatching(/JSON/)])
  })

  it.each(LOST.slice(3))('reliability 36: %s is pointed out', async (_, output) => {
    expect((await saying(output)).line.warnings).toEqual([expect.stringMatching(/JSON/)])
  })

  it.each(['if (x) { y() }', 'done {}', 'see {"a": 1} in the file'])(
    'reliability 36: braces in text are no answer: %s',
    async (output) => {
      expect((await saying(output)).line.warnings).toEqual([])
    },
  )

  it.each(['[{"continue":false}]', '"block"', '42', 'null', 'true'])(
    'reliability 37: %s is plain text',
    async (output) => {
      const { decision, line } = await saying(output, { event: sessionStart })
      expect(decision).toMatchObject({ halt: false, blocked: false, context: [output] })
      expect(line).toMatchObject({ outcome: 'success', answer: null })
    },
  )
})

describe('answers with something wrong in them', () => {
  it('reliability 38: unknown fields are kept, warned of, and otherwise ignored', async () => {
    const answer = { ...specific({ permissionDecision: 'deny', severity: 'high' }), version: 3 }
    const { decision, line } = await saying(answer)
    expect(decision).toMatchObject(DENIED)
    expect(line.answer).toEqual(answer)
    expect(line.warnings).toEqual([expect.stringContaining('version'), expect.stringContaining('severity')])
  })

  it.each([
    ['reason', { decision: 'block', reason: 5 }],
    ['continue', { continue: 'false', decision: 'block', reason: 'no' }],
    ['decision', { decision: 'forbid', continue: false }],
    ['hookSpecificOutput', { hookSpecificOutput: 'deny', decision: 'block' }],
    ['hookSpecificOutput.permissionDecision', { ...specific({ permissionDecision: true }), decision: 'block' }],
    ['hookSpecificOutput.updatedInput', specific({ permissionDecision: 'deny', updatedInput: 'ls' })],
  ])('reliability 38: a wrong type in %s is named, and nothing of the answer is applied', async (field, answer) => {
    const { decision, line } = await saying(answer)
    expect(decision).toMatchObject(NO_DECISION)
    expect(line).toMatchObject({ outcome: 'success', answer: null })
    expect(line.warnings).toEqual([expect.stringContaining(` ${field} must be`)])
  })

  it('reliability 38: a wrong type blocks where its scope fails closed, as a failure', async () => {
    const { decision, line } = await saying({ decision: 'block', reason: 5 }, { failClosed: ['project'] })
    expect(decision).toMatchObject(DENIED)
    expect(line).toMatchObject({ outcome: 'success', failed: expect.stringContaining('reason') })
  })

  it('reliability 39: the old form decides a call', async () => {
    expect((await saying({ decision: 'block', reason: 'no' })).decision).toMatchObject({ ...DENIED, reason: 'no' })
    expect((await saying({ decision: 'approve' })).decision).toMatchObject({ blocked: false, permission: 'allow' })
  })

  it('reliability 39: a permissionDecision at the top level decides nothing, and the record says where it belongs', async () => {
    const { decision, line } = await saying({ permissionDecision: 'deny' })
    expect(decision).toMatchObject(NO_DECISION)
    expect(line.warnings).toEqual([expect.stringMatching(/misplaced.*permissionDecision.*hookSpecificOutput/)])
  })

  it('reliability 39: a decision on an event that cannot be blocked is reported', async () => {
    const { decision, line } = await saying({ decision: 'block', reason: 'no' }, { event: sessionStart })
    expect(decision).toMatchObject({ blocked: false })
    expect(line.warnings).toEqual([
      expect.stringMatching(/misplaced.*decision.*SessionStart/),
      expect.stringMatching(/misplaced.*reason.*SessionStart/),
    ])
  })

  it.each([
    ['another event', { hookEventName: 'PostToolUse', permissionDecision: 'deny' }],
    ['no event', { permissionDecision: 'deny' }],
  ])('reliability 40: a hookSpecificOutput for %s is rejected and reported', async (_, hookSpecificOutput) => {
    const { decision, line } = await saying({ hookSpecificOutput })
    expect(decision).toMatchObject(NO_DECISION)
    expect(line).toMatchObject({ outcome: 'success', answer: null })
    expect(line.warnings).toEqual([expect.stringContaining('hookSpecificOutput.hookEventName')])
  })
})

describe('hostile JSON', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  const withDeep = (depth: number) => written(specific({ updatedInput: { deep: 'RAW' } }), nested(depth))

  it('reliability 41: an answer nested 100,000 deep is plain text with a warning, the user is asked, and the record can be written', async () => {
    const { decision, line, record } = await saying(withDeep(100_000))
    expect(() => JSON.stringify(record)).not.toThrow()
    expect(decision).toMatchObject({ ...NO_DECISION, permission: 'ask', reason: expect.any(String) })
    expect(line).toMatchObject({ outcome: 'success', answer: null })
    expect(line.warnings).toEqual([expect.stringMatching(/deep|nest/)])
  })

  it('reliability 41: two rewrites nested 100,000 deep do not break the event', async () => {
    const files = { 'project/answer': withDeep(100_000) }
    const { record } = await fire(['cat answer', 'cat answer; :'], { files })
    expect(record.hooks).toMatchObject([{ verdict: 'ran' }, { verdict: 'ran' }])
  })

  it('reliability 41: 64 levels are read, 65 are not', async () => {
    expect((await saying(withDeep(61))).decision.updatedInput).not.toBeNull()
    expect((await saying(withDeep(62))).decision.updatedInput).toBeNull()
  })

  it('reliability 42: __proto__ and constructor change no object of ours', async () => {
    const poison = '{"polluted":true,"permissionDecision":"deny","prototype":{"polluted":true}}'
    const output = written(specific({ permissionDecision: 'allow', updatedInput: { command: 'ls', x: 'RAW' } }), poison)
      .replaceAll('"x"', '"__proto__"')
      .replace('{', `{"__proto__":${poison},"constructor":${poison},`)
    const { decision } = await saying(output)
    expect(decision).toMatchObject({ blocked: false, permission: 'allow' })
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    expect(decision.updatedInput?.polluted).toBeUndefined()
  })

  it('reliability 42: __proto__ is dropped from an answer and from what it hands on', async () => {
    const output = written(specific({ updatedInput: { command: 'ls', inner: 'RAW' } }), '{"__proto__":{"a":1},"b":2}')
    const { decision, line } = await saying(output.replace('{', '{"__proto__":{"a":1},'))
    expect(decision.updatedInput).toEqual({ command: 'ls', inner: { b: 2 } })
    expect(Object.hasOwn(Object(decision.updatedInput?.inner), '__proto__')).toBe(false)
    expect(Object.hasOwn(Object(line.answer), '__proto__')).toBe(false)
  })

  it.each([
    ['the old form', '{"decision":"block","reason":"no","decision":"approve"}'],
    [
      'hookSpecificOutput',
      '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecision":"allow"}}',
    ],
    [
      'a whole hookSpecificOutput',
      `{"hookSpecificOutput":${JSON.stringify(DENY.hookSpecificOutput)},"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}`,
    ],
  ])(
    'reliability 43: a key written twice in %s does not turn a deny into an allow, and is reported',
    async (_, output) => {
      const { decision, line } = await saying(output)
      expect(decision.permission).toBe('ask')
      expect(line.warnings).toContainEqual(expect.stringMatching(/twice|duplicate/))
    },
  )

  it('reliability 43: a key written twice in two spellings does not turn a deny into an allow, and is reported', async () => {
    const { decision, line } = await saying('{"decision":"block","reason":"no","\\u0064ecision":"approve"}')
    expect(decision.permission).not.toBe('allow')
    expect(line.warnings).toContainEqual(expect.stringMatching(/twice|duplicate/))
  })

  it.each(['1e999', '-1e999', 'Infinity', '-Infinity'])(
    'reliability 44: %s, which no double holds, takes nothing from a refusal',
    async (number) => {
      const { decision } = await saying(written({ decision: 'block', reason: 'no', asyncTimeout: 'RAW' }, number))
      expect(decision).toMatchObject({ blocked: true, reason: 'no' })
    },
  )

  it('reliability 44: a rewritten input has a number that no double holds as it was written', async () => {
    const { decision } = await saying(written(specific({ updatedInput: { limit: 'RAW' } }), '-1e999'))
    expect(stringifyAsWritten(decision.updatedInput)).toBe('{"limit":-1e999}')
  })

  it('reliability 44: NaN, which no JSON has, is pointed out', async () => {
    const { line } = await saying(written(specific({ updatedInput: { limit: 'RAW' } }), 'NaN'))
    expect(line).toMatchObject({ warnings: [expect.stringContaining('NaN')], answer: null })
  })

  it('reliability 44: a background hook that asks for endless time is ended with the session', async () => {
    const { engine, line } = await fire(`echo '{"async":true,"asyncTimeout":1e999}'; sleep 30`)
    expect(line.verdict).toBe('backgrounded')
    expect(await engine.close()).toMatchObject([{ dropped: ['the session ended before it did'] }])
  })

  it('reliability 44: half a surrogate pair is replaced in every text', async () => {
    const fields = { decision: 'block', reason: 'RAW', systemMessage: 'so \ud83e' }
    const { decision, record } = await saying(written(fields, '"no \\ud83e way"'))
    expect(decision.reason).toBe('no \uFFFD way')
    expect(told(record)).not.toMatch(/\p{Cs}/u)
  })

  it('reliability 44: half a surrogate pair is replaced in a rewritten input', async () => {
    const { decision } = await saying(written(specific({ updatedInput: { command: 'RAW' } }), '"ls \\ud83e"'))
    expect(decision.updatedInput).toEqual({ command: 'ls \uFFFD' })
  })
})

describe('several answers, and large ones', () => {
  it('reliability 45: a rewrite past the limit of the output is not applied', async () => {
    const { decision, line } = await saying(specific({ updatedInput: { command: 'x'.repeat(2_000_000) } }))
    expect(decision).toMatchObject({ ...NO_DECISION, permission: 'ask', reason: expect.stringMatching(/too long/) })
    expect(line).toMatchObject({ truncated: true, answer: null })
    expect(line.warnings).toContainEqual(expect.stringMatching(/not read as JSON/))
  })

  it('reliability 45: of several rewrites the last configured holds, and each is told of the conflict', async () => {
    const rewrite = (command: string) => answering(specific({ updatedInput: { command } }))
    const { decision, record } = await fire([rewrite('one'), `${rewrite('two')}; echo > said`])
    expect(decision.updatedInput).toEqual({ command: 'two' })
    for (const { warnings } of record.hooks) {
      expect(warnings).toEqual([expect.stringMatching(/conflict: updatedInput\.command/)])
    }
  })

  const LEVELS = ['allow', 'deny', 'ask']
  const ORDERS = LEVELS.flatMap((first) =>
    LEVELS.filter((level) => level !== first).map((second) => {
      const third = LEVELS.find((level) => level !== first && level !== second) ?? ''
      return [first, second, third]
    }),
  )

  it.each(ORDERS)('reliability 46: deny beats ask and allow when they finish as %s, %s, %s', async (...order) => {
    const wait = (file: string) => `for i in $(seq 500); do [ -e ${file} ] && break; sleep 0.01; done`
    const command = (level: string) => {
      const before = order[order.indexOf(level) - 1]
      const answer = answering(specific({ permissionDecision: level, permissionDecisionReason: `${level} it` }))
      return `${before ? wait(before) : ':'}; ${answer}; echo > ${level}`
    }
    const { decision, record } = await fire(LEVELS.map(command))
    expect(record.hooks).toMatchObject([{ exitCode: 0 }, { exitCode: 0 }, { exitCode: 0 }])
    expect(decision).toMatchObject({ ...DENIED, reason: 'deny it' })
  })

  const longDenial = (length: number) =>
    specific({ permissionDecision: 'deny', permissionDecisionReason: 'x'.repeat(length) })

  it('reliability 47: an answer that is almost as long as the limit is read', async () => {
    expect((await saying(longDenial(1_048_000))).decision).toMatchObject(DENIED)
  })

  it('reliability 47: an answer of ten megabytes is read where the limit allows it', async () => {
    const { decision } = await saying(longDenial(10_000_000), { outputLimit: 16_000_000 })
    expect(decision).toMatchObject(DENIED)
  })

  it('reliability 47: ten megabytes of context go to a private file that the model is pointed to', async () => {
    const additionalContext = 'context '.repeat(1_250_000)
    const { decision } = await saying({ additionalContext }, { event: sessionStart, outputLimit: 16_000_000 })
    const [context = ''] = decision.context
    expect(context.length).toBeLessThan(1_000_000)
    const [path = ''] = context.match(/\/[^\s"'`]+/) ?? []
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(await readFile(path, 'utf8')).toBe(additionalContext)
  })
})
