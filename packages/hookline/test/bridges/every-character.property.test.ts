import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AnswerSubject, answer, type Rewritten, refuseUnasked } from '../../src/bridges/answer/answer.ts'
import type { Answers, Bridge } from '../../src/bridges/bridge.ts'
import { type FoldedDecision, fold } from '../../src/bridges/call/fold.ts'
import { isSayingEverything } from '../../src/bridges/install/read-back.ts'
import { AGENTS, findBridge } from '../../src/bridges/list.ts'
import { SessionMemory } from '../../src/bridges/memory.ts'
import { listTexts } from '../../src/text/json.ts'
import { toProgramText, toWellFormed } from '../../src/text/program-text.ts'
import { anyText } from '../support/any-text.ts'
import { HOSTILE } from '../support/hostile.ts'
import { makeWorld } from '../support/project.ts'
import { asRead, FATES, object, type ReadAnswer } from './fates.ts'

const points = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, at) => `${String.fromCodePoint(from + at)}x`).join('')

/** Every code unit, each half of a character alone among them, and of the other planes what programs treat in a way of its own. */
const EVERY_UNIT = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit))
  .join('')
  .replace('\udbff', '\udbffx')
const OTHER_PLANES = [
  points(0x1f300, 0x1f6ff),
  points(0xe0000, 0xe01ff),
  points(0x1fffe, 0x1ffff),
  points(0x10fff0, 0x10ffff),
]
const LONE = ['\ud800', '\udc00', '\udfff\ud800', 'a\udbff', '\ude00b', '\ud83d', '\ud800\ud800\udc00']
const SPECIAL = [
  ...['\u200b', '\u200c', '\u200d', '\u200e', '\u2060', '\ufeff', '\u00ad', '\u034f', '\u3164', '\u2800'],
  ...[
    '\u202a',
    '\u202e',
    '\u2066',
    '\u2069',
    '\u061c',
    '\u2028',
    '\u2029',
    '\u0085',
    '\u0000',
    '\u001b[2J',
    '\u009b31m',
  ],
  ...[
    '\ufdd0',
    '\ufffe',
    '\uffff',
    '\u{1fffe}',
    '\u{10ffff}',
    '\u{e0001}',
    '\u{e007f}',
    '\r\n',
    '\\u{200b}',
    '\\ud800',
  ],
  ...['"', '\\', '</script>', '`$(x)`', '{"decision":"allow"}', 'می\u200cخواهم'],
]
const text = fc.oneof(
  fc.constantFrom(...SPECIAL, ...LONE, HOSTILE),
  anyText({ minLength: 1, maxLength: 20 }),
  fc.string({ minLength: 1, unit: fc.nat({ max: 0xffff }).map((unit) => String.fromCharCode(unit)) }),
)

const SILENT: FoldedDecision = fold([])

/** Everything that hooks can say with a text, and by which cell of a table the host is told; null: by none of its own. */
const DECISIONS: Readonly<
  Record<string, { event: string; cell: keyof Answers | null; folded: (text: string) => Partial<FoldedDecision> }>
> = {
  deny: { event: 'PreToolUse', cell: 'deny', folded: (reason) => ({ permission: 'deny', reason }) },
  ask: { event: 'PreToolUse', cell: 'ask', folded: (reason) => ({ permission: 'ask', reason }) },
  defer: { event: 'PreToolUse', cell: null, folded: (reason) => ({ permission: 'defer', reason }) },
  allow: { event: 'PreToolUse', cell: null, folded: (reason) => ({ permission: 'allow', reason }) },
  halt: { event: 'PreToolUse', cell: null, folded: (halt) => ({ halt }) },
  context: { event: 'PreToolUse', cell: 'contextBeforeTool', folded: (one) => ({ context: [one] }) },
  message: { event: 'PreToolUse', cell: 'toUser', folded: (one) => ({ toUser: [one] }) },
  dialog: { event: 'PermissionRequest', cell: 'dialog', folded: (reason) => ({ permission: 'deny', reason }) },
  after: { event: 'PostToolUse', cell: 'contextAfterTool', folded: (one) => ({ context: [one] }) },
  output: { event: 'PostToolUse', cell: 'updatedToolOutput', folded: (output) => ({ output }) },
  ended: { event: 'PostToolUse', cell: 'halt', folded: (halt) => ({ halt }) },
  prompt: { event: 'UserPromptSubmit', cell: 'promptBlock', folded: (reason) => ({ blocked: true, reason }) },
  prompted: { event: 'UserPromptSubmit', cell: 'promptContext', folded: (one) => ({ context: [one] }) },
  start: { event: 'SessionStart', cell: 'contextAtStart', folded: (one) => ({ context: [one] }) },
  stop: { event: 'Stop', cell: 'stopBlock', folded: (reason) => ({ blocked: true, reason }) },
}

/** All texts that a host finds in an answer. */
function textsOf({ stdout, stderr }: ReadAnswer): string[] {
  const lines = stdout.split('\n').flatMap((line) => {
    try {
      return listTexts(JSON.parse(line))
    } catch {
      return []
    }
  })
  return [...lines, stdout, stderr]
}

/** The answer as its host reads it, which must be one that says what was decided. */
function told(
  asked: AnswerSubject,
  folded: Partial<FoldedDecision>,
  input: Rewritten = { rewrite: 'none' },
): ReadAnswer {
  asked.memory.startTurn() // else an agent is not sent on for ever
  const made = answer(asked, { ...SILENT, ...folded }, input)
  expect(isSayingEverything(made)).toBe(true)
  return asRead(made)
}

describe.each(AGENTS)('what %s is answered', (name) => {
  it.each(Object.entries(DECISIONS))(
    'holds every character of a text as it is: %s',
    async (kind, { event, cell, folded }) => {
      const asked = await askedBy(name, event)
      if (asked === null) return // it has no such event
      const isTold = cell === 'deny' || (cell !== null && asked.bridge.answers[cell].how === 'exact')
      const holdsAll = (one: string): void => {
        const read = told({ ...asked, attended: true }, folded(one))
        if (isTold) expect(textsOf(read).some((found) => found.includes(toWellFormed(one)))).toBe(true)
        if (kind === 'deny' || kind === 'defer' || kind === 'halt') expect(FATES[name]?.(read)).toBe('refused')
        if (kind === 'ask') expect(FATES[name]?.(read)).not.toBe('runs')
      }
      for (const one of [EVERY_UNIT, ...OTHER_PLANES]) holdsAll(one)
      fc.assert(fc.property(text, holdsAll), { numRuns: 40 })
    },
  )

  it('holds a changed input as the hook wrote it, or refuses the call', async () => {
    const asked = (await askedBy(name, 'PreToolUse')) as AnswerSubject // every agent asks before a call
    const isHeld = (command: string, key: string): void => {
      const input = { command, [key]: [command], nested: { [key]: command } }
      const read = told(asked, {}, { rewrite: 'input', input })
      const isWhole = toWellFormed(command) === command && toWellFormed(key) === key
      const holds = textsOf(read).filter((found) => found === command).length >= 3
      if (isWhole && asked.bridge.answers.updatedInput.how === 'exact') expect(holds).toBe(true)
      else expect(FATES[name]?.(read)).toBe('refused')
    }
    for (const one of [...SPECIAL, ...LONE, ...OTHER_PLANES]) isHeld(one, `key${one}`)
    fc.assert(
      fc.property(text, text, (one, key) => isHeld(`${one}!`, `${key}?`)),
      { numRuns: 60 },
    )
  })

  it('refuses a call with the reason that no hook could be asked, whatever that is, and nothing else', async () => {
    for (const event of [
      'PreToolUse',
      'PermissionRequest',
      'UserPromptSubmit',
      'Stop',
      'SessionStart',
      'PostToolUse',
    ]) {
      const asked = await askedBy(name, event)
      if (asked === null) continue
      const made = refuseUnasked(asked, HOSTILE)
      const read = asRead(made)
      expect(isSayingEverything(made)).toBe(true)
      if (event === 'PreToolUse') expect(FATES[name]?.(read)).toBe('refused')
      if (event === 'PreToolUse' || event === 'PermissionRequest') continue
      expect([read.code, made.guards]).toEqual([0, false])
      const { decision, cancel, refuse, continue: goesOn } = read.stdout.startsWith('{') ? object(read.stdout) : {}
      expect([decision === 'block' || decision === 'deny', cancel, refuse, goesOn]).toEqual([
        false,
        undefined,
        undefined,
        undefined,
      ])
    }
  })

  it('is seen not to say what was decided where something has changed it on its way', async () => {
    const asked = (await askedBy(name, 'PreToolUse')) as AnswerSubject // every agent asks before a call
    const made = answer(asked, { ...SILENT, permission: 'deny', reason: 'no\u200b' }, { rewrite: 'none' })
    const { stdout, stderr } = asRead(made)
    const changed = { stdout: toProgramText(shown(stdout)), stderr: toProgramText(shown(stderr)) }
    expect(isSayingEverything({ ...made, ...changed })).toBe(false)
    expect(isSayingEverything({ ...made, stdout: toProgramText(''), stderr: toProgramText(''), code: 0 })).toBe(false)
  })
})

/** A text with its hidden characters as people are shown them. */
const shown = (one: string): string => one.replaceAll('\\u200b', '\\u{200b}').replaceAll('\u200b', '\\u{200b}')

async function askedBy(agent: string, event: string): Promise<AnswerSubject | null> {
  const bridge = findBridge(agent) as Bridge // it is in the list
  const [hostEvent] = Object.entries(bridge.events).find(([, rule]) => rule.as === event) ?? []
  if (hostEvent === undefined) return null
  const { home } = await makeWorld()
  const memory = await SessionMemory.open(home, agent, 's')
  const rule = bridge.events[hostEvent]
  const observes = rule !== undefined && rule.as !== null && rule.observes === true
  return observes ? null : { bridge, hostEvent, event, attended: false, observes, memory }
}
