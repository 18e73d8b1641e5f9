import fc from 'fast-check'
import { visit } from 'jsonc-parser'
import { describe, expect, it } from 'vitest'
import type { ConfiguredHook } from '../../src/config/hook.ts'
import { decide } from '../../src/decide/decision.ts'
import { makeRanLine } from '../../src/dispatch/record.ts'
import type { CapturedStream } from '../../src/process/process-run.ts'
import type { EventName } from '../../src/protocol/event-input.ts'
import type { EventRow } from '../../src/protocol/event-row.ts'
import { DEFAULT_PROFILE } from '../../src/protocol/profiles.ts'
import type { Decision } from '../../src/protocol/record/record.ts'
import { makeAnswerSchema } from '../../src/protocol/schemas/answer.ts'
import { classic } from '../../src/protocol/schemas/events/classic.ts'
import { recordSchema } from '../../src/protocol/schemas/record.ts'
import { removeNulls } from '../../src/read/answer-text.ts'
import { decode } from '../../src/read/exit-codes.ts'
import { read } from '../../src/read/read.ts'
import type { Result } from '../../src/read/result.ts'
import type { Run } from '../../src/run/run.ts'
import { anyText } from '../support/any-text.ts'
import { typeThatRan } from '../support/hook-types.ts'
import { recordWith } from '../support/log-lines.ts'
import { kept, knownIn, replay } from './corpus.ts'
import { explore, seed, timeout } from './explore.ts'
import { mutated } from './mutated.ts'
import { expectUnpolluted, isObject, within } from './settings-laws.ts'

const isKnown = knownIn('answer')
const isKnownToThrow = knownIn('thrown')
const isKnownToWarn = knownIn('warning')
const rows = [...DEFAULT_PROFILE.events.values()]
/** One event of each kind. */
const kinds = [...new Map(rows.map((row) => [`${row.merges} ${row.plainStdout}`, row])).values()]

const HOOK: ConfiguredHook = {
  id: 'user:Stop:0:0',
  event: 'Stop',
  scope: 'user',
  profile: 'classic',
  reading: 'classic',
  file: 'settings.json',
  line: 1,
  matcherText: null,
  matcher: { kind: 'all' },
  condition: null,
  rewake: null,
  written: { type: 'command', command: 'hook' },
  shown: { name: 'hook', text: 'hook', shell: 'hook' },
  handler: { type: 'command' },
  identity: 'hook',
  waits: true,
  timeout: null,
  statusMessage: null,
  once: false,
  blocksOnFailure: false,
  pluginRoot: null,
  trust: 'none',
  warnings: [],
}

/** Answers as hooks give them. */
const WRITTEN = [
  '{"continue":false,"stopReason":"enough","systemMessage":"hm","suppressOutput":true}',
  '{"decision":"block","reason":"no","additionalContext":"more"}',
  '{"decision":"approve"}',
  '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no","updatedInput":{"command":"ls"},"additionalContext":"c"}}',
  '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow","updatedInput":{"a":[1,null]},"updatedPermissions":[{"type":"addRules"}]}}}',
  '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"no","interrupt":true}}}',
  '{"hookSpecificOutput":{"hookEventName":"PostToolUse","updatedMCPToolOutput":{"x":1}},"async":true,"asyncTimeout":1}',
  '{"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","decision":"block","reason":"no"}}',
  'plain \u001b[31mred\u001b[0m text\n{"decision":"block"}',
  ...kept('answer').flatMap(({ text, known }) => (known === null && text.length < 2000 ? text : [])),
]

const value = fc.oneof(
  fc.json({ maxDepth: 2 }),
  fc.constantFrom(
    'null',
    'true',
    'false',
    '"block"',
    '"deny"',
    '"allow"',
    '"ask"',
    '1e999',
    '"\\ud800"',
    '"\\u001b[2J"',
  ),
  anyText({ maxLength: 5 }).map((text) => JSON.stringify(text)),
)
const member = (names: readonly string[], content: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...names) }, { weight: 1, arbitrary: value }), content)
    .map(([name, text]) => `${name.startsWith('"') ? name : JSON.stringify(name)}:${text}`)
const objectOf = (of: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.array(of, { maxLength: 5 }).map((members) => `{${members.join(',')}}`)

/** JSON near to what an event's hooks may answer. */
function answerTo({ name, answerFields }: EventRow): fc.Arbitrary<string> {
  const decision = objectOf(
    fc.oneof(
      fc.constantFrom('"behavior":"allow"', '"behavior":"deny"'),
      member(['message', 'interrupt', 'updatedInput', 'updatedPermissions', '__proto__'], value),
    ),
  )
  const specific = fc
    .tuple(
      fc.constantFrom(`"hookEventName":"${name}"`, `"hookEventName":"${name}"`, '"hookEventName":"Stop"', '"x":1'),
      fc.array(member([...answerFields, 'updatedInput', 'permissionDecision'], fc.oneof(value, decision)), {
        maxLength: 3,
      }),
    )
    .map((members) => `{${members.flat().join(',')}}`)
  const names = ['continue', 'stopReason', 'suppressOutput', 'systemMessage', 'decision', 'reason', 'additionalContext']
  return objectOf(
    fc.oneof(
      member([...names, 'async', 'asyncTimeout', 'updatedMCPToolOutput', '__proto__', 'constructor'], value),
      member(['hookSpecificOutput'], specific),
    ),
  )
}

const bytesOf = (text: fc.Arbitrary<string>): fc.Arbitrary<Buffer> => text.map((one) => Buffer.from(one))
const printed = (row: EventRow): fc.Arbitrary<Buffer> =>
  fc.oneof(
    { weight: 4, arbitrary: bytesOf(answerTo(row)) },
    { weight: 4, arbitrary: bytesOf(mutated(WRITTEN)) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)) },
    {
      weight: 1,
      arbitrary: bytesOf(fc.constantFrom(...WRITTEN)).map((text) => Buffer.from(text.toString(), 'utf16le')),
    },
    { weight: 1, arbitrary: bytesOf(anyText({ maxLength: 30 })) },
  )
const captured = (bytes: fc.Arbitrary<Buffer>): fc.Arbitrary<CapturedStream> =>
  fc
    .tuple(bytes, fc.constantFrom(0, 0, 0, 0, 5))
    .map(([written, cut]) => ({ kept: written.subarray(0, Math.max(0, written.length - cut)), bytes: written.length }))

/** Every way in which a run can come to an end. */
function runOf(row: EventRow): fc.Arbitrary<Run> {
  const spoken = fc.record({
    durationMs: fc.constant(1),
    stdout: captured(printed(row)),
    stderr: captured(printed(row)),
    leftChild: fc.boolean(),
  })
  const text = fc.oneof(fc.constantFrom(...WRITTEN), anyText())
  const returned = fc.oneof(fc.anything({ withBigInt: true, withNullPrototype: true, withSparseArray: true }), text)
  return fc.oneof(
    {
      weight: 8,
      arbitrary: fc
        .tuple(spoken, fc.constantFrom(0, 0, 0, 2, 1, 127, 255))
        .map(([said, code]): Run => ({ ended: 'exited', code, ...said })),
    },
    { weight: 1, arbitrary: spoken.map((said): Run => ({ ended: 'signalled', signal: 'SIGSEGV', ...said })) },
    { weight: 1, arbitrary: spoken.map((said): Run => ({ ended: 'timed-out', ...said })) },
    { weight: 1, arbitrary: text.map((message): Run => ({ ended: 'threw', message, durationMs: 1 })) },
    { weight: 2, arbitrary: returned.map((given): Run => ({ ended: 'returned', value: given, durationMs: 1 })) },
  )
}

/** The object that a text is as a whole, when it is one. */
function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(text.replace(/^\uFEFF/, '').trim(), (_, inner: unknown) => toFinite(inner))
    return isObject(parsed) ? parsed : undefined
  } catch {
    return undefined // plain text
  }
}

/** A number that no double holds is a number, too; schemas for doubles do not say so. */
function toFinite(value: unknown): unknown {
  return typeof value === 'number' && !Number.isFinite(value) ? Number.MAX_VALUE : value
}

/** Whether some object of a JSON text has a key twice, however it is spelt, or the text nests deeper than answers may. */
function isAmbiguous(text: string): boolean {
  const open: (Set<string> | null)[] = []
  let twice = false
  let depth = 0
  const enter = (keys: Set<string> | null) => {
    depth = Math.max(depth, open.push(keys))
  }
  const leave = () => {
    open.pop()
  }
  visit(text.replace(/^\uFEFF/, ''), {
    onObjectBegin: () => enter(new Set()),
    onObjectEnd: leave,
    onArrayBegin: () => enter(null),
    onArrayEnd: leave,
    onObjectProperty: (name) => {
      if (open.at(-1)?.has(name)) twice = true
      open.at(-1)?.add(name)
    },
  })
  return twice || depth > 64
}

const decidesNothing: Partial<Decision> = {
  halt: false,
  stopReason: null,
  blocked: false,
  permission: null,
  interrupt: false,
  updatedInput: null,
  updatedPermissions: null,
  updatedToolOutput: null,
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about
const UNSHOWABLE = /[\x00-\x08\x0b-\x1f\x7f-\x9f]|\p{Surrogate}/u

const inputOf = (row: EventRow) => ({ hook_event_name: row.name, ...row.example })

const readAs = (run: Run, row: EventRow, failClosed: boolean): Result =>
  read(run, {
    row,
    input: inputOf(row),
    type: typeThatRan(run),
    name: 'hook',
    failClosed: failClosed ? 'scope' : null,
  })

/** What holds of every run, whatever the hook said. */
async function expectLaws(run: Run, row: EventRow, failClosed: boolean): Promise<void> {
  const result = await within(20_000, () => readAs(run, row, failClosed))
  const decision = decide(row, [{ hook: HOOK.id, row, result }])
  const line = makeRanLine(HOOK, { run, result, startMs: 0, tail: null, input: inputOf(row) })
  const told = { ...recordWith({ event: row.name, hooks: [line] }), decision }
  const record = recordSchema.safeParse(JSON.parse(JSON.stringify(told)))
  expect(record.error?.issues ?? []).toEqual([])
  expectUnpolluted()

  const { reason, stopReason, instructions, context, messages } = decision
  expectShowable([reason, stopReason, instructions, ...context, ...messages.map(({ text }) => text)])

  if (failClosed && result.failed !== null) expect(decision.blocked).toBe(row.canBlock)
  else if (result.answer === null && !objects(run))
    expect(decision).toMatchObject({ ...decidesNothing, ...(asks(run, row) ? { permission: 'ask' } : {}) })
  if (objects(run)) expect(decision).toMatchObject({ ...decidesNothing, ...(row.canBlock ? refusal(row) : {}) })
  expectFit(run, row, result)
}

function expectShowable(texts: readonly (string | null)[]): void {
  expect(texts.filter((text) => UNSHOWABLE.test(text ?? '')).map((text) => JSON.stringify(text))).toEqual([])
}

const objects = (run: Run): boolean => run.ended === 'exited' && run.code === 2

/** An answer that was cut, or that readers take differently, may have been a refusal: the user is asked where that is possible. */
function asks(run: Run, { merges }: EventRow): boolean {
  if (merges !== 'permission' && merges !== 'dialog') return false
  if (run.ended === 'returned') return typeof run.value === 'string' && isAmbiguousAnswer(run.value)
  if (run.ended !== 'exited' || run.code !== 0) return false
  const text = decode(run.stdout, 'stdout').text.replace(/^\uFEFF/, '')
  return run.stdout.bytes > run.stdout.kept.length ? text.trim().startsWith('{') : isAmbiguousAnswer(text)
}

const isAmbiguousAnswer = (text: string): boolean => objectIn(text) !== undefined && isAmbiguous(text)

const refusal = ({ merges }: EventRow): Partial<Decision> => ({
  blocked: true,
  permission: merges === 'permission' || merges === 'dialog' ? 'deny' : null,
})

/** An answer counts exactly when the whole of stdout is JSON that fits the schema and can be read in one way. */
function expectFit(run: Run, row: EventRow, { answer, warnings }: Result): void {
  if (run.ended !== 'exited' || run.code !== 0 || warnings.some((warning) => /nested deeper/.test(warning))) return
  const { kept: bytes } = run.stdout
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) return // UTF-16
  if (bytes[1] === 0) return // UTF-16 without a mark
  const text = bytes.toString('utf8')
  const object = objectIn(text)
  const schema = makeAnswerSchema(row.name, classic[row.name as EventName].answer) // a row of this profile
  const fits = object !== undefined && schema.safeParse(removeNulls(object)).success
  const whole = run.stdout.bytes === bytes.length
  const unambiguous = fits && whole && !isAmbiguous(text)
  expect({ unambiguous, warnings }).toEqual({ unambiguous: answer !== null, warnings })
}

describe('answers that were found to be hard', () => {
  replay('answer', async ({ bytes, text }) => {
    const stream: CapturedStream = { kept: bytes, bytes: bytes.length }
    const spoken = { stdout: stream, stderr: stream, leftChild: false, durationMs: 1 }
    for (const row of text.length < 10_000 ? kinds : kinds.slice(0, 2)) {
      for (const code of [0, 1, 2]) await expectLaws({ ended: 'exited', code, ...spoken }, row, false)
      await expectLaws({ ended: 'exited', code: 0, ...spoken }, row, true)
      await expectLaws({ ended: 'signalled', signal: 'SIGKILL', ...spoken }, row, true)
      await expectLaws({ ended: 'returned', value: text, durationMs: 1 }, row, false)
    }
  })
})

describe('errors of function hooks that were found to be hard', () => {
  replay('thrown', async ({ text }) => {
    for (const row of kinds) await expectLaws({ ended: 'threw', message: text, durationMs: 1 }, row, true)
  })
})

describe('answers whose warnings were found to be hard to show', () => {
  replay('warning', ({ text }) => {
    const stdout = { kept: Buffer.from(text), bytes: Buffer.byteLength(text) }
    const stderr = { kept: Buffer.alloc(0), bytes: 0 }
    const run: Run = { ended: 'exited', code: 0, stdout, stderr, leftChild: false, durationMs: 1 }
    for (const row of kinds) expectShowable(readAs(run, row, false).warnings)
  })
})

describe(`answers (seed ${seed}; set HOOKLINE_SEED to run it again)`, () => {
  const event = fc
    .constantFrom(...rows)
    .chain((row) => fc.record({ event: fc.constant(row.name), run: runOf(row), failClosed: fc.boolean() }))
  const rowOf = (name: string): EventRow => DEFAULT_PROFILE.events.get(name) as EventRow // a name of this profile

  it('are read without fail, and decide nothing unless they fit', { timeout }, async () => {
    await explore(
      fc.asyncProperty(event, async ({ event: name, run, failClosed }) => {
        fc.pre(!isKnown(textsOf(run)) && !(failClosed && isKnownToWarn(textsOf(run))))
        fc.pre(!(run.ended === 'threw' && isKnownToThrow(run.message)))
        await expectLaws(run, rowOf(name), failClosed)
      }),
      { runs: 3000 },
    )
  })

  it('leave warnings that can be shown', { timeout }, async () => {
    await explore(
      fc.property(event, ({ event: name, run, failClosed }) => {
        fc.pre(!isKnownToWarn(textsOf(run)))
        expectShowable(readAs(run, rowOf(name), failClosed).warnings)
      }),
      { runs: 2000 },
    )
  })
})

/** What a hook said, wherever it said it. */
function textsOf(run: Run): string {
  if ('stdout' in run) return `${run.stdout.kept}\n${run.stderr.kept}`
  return run.ended === 'threw' ? run.message : fc.stringify('value' in run ? run.value : '')
}
