import { describe, expect, it } from 'vitest'
import { findMcpNames } from '../../src/bridges/call/mcp-names.ts'
import { splitPatch } from '../../src/bridges/call/patch.ts'
import { readPatchCommand } from '../../src/bridges/call/patch-command.ts'
import { listCodeInside, readCommandCode } from '../../src/check/code.ts'
import { findShellFault, parseShell, removeShellComments, splitWords } from '../../src/check/shell-words.ts'
import { parseFrontmatter } from '../../src/config/frontmatter.ts'
import { parseJsonSource } from '../../src/config/json-source.ts'
import { parseTolerantly } from '../../src/config/tolerant-json.ts'
import { isNestedTooDeeply } from '../../src/config/yaml-source.ts'
import { findCommandScript } from '../../src/log/describe-outcome.ts'
import { parseLogLine, readLineSession } from '../../src/log/log-line.ts'
import { compileGlob } from '../../src/models/glob.ts'
import { compileExpression } from '../../src/pattern/expression.ts'
import { compileLookAround } from '../../src/pattern/look-around.ts'
import { compileMatcher, isLikeExpression, parseListedNames } from '../../src/pattern/matcher.ts'
import { findMeantNames, hintAtMatcher } from '../../src/pattern/matcher-hint.ts'
import { compileWithLookAround } from '../../src/pattern/regex.ts'
import { DEFAULT_PROFILE } from '../../src/protocol/profiles.ts'
import { findBracedTexts } from '../../src/read/json-in-prose.ts'
import { readVerdict } from '../../src/read/model-verdict.ts'
import { collectSecrets, listShaped, makeRedactor } from '../../src/record/redact.ts'
import { makeSecretFreeCheck } from '../../src/record/secret-free.ts'
import { readTranscriptLine } from '../../src/replay/transcript-line.ts'
import { listAddressSecrets, redactAddress } from '../../src/text/address.ts'
import { removeControls, replaceHidden, toOneLine, toPrintable, toPrintableInColour } from '../../src/text/clean.ts'
import { makeEraser } from '../../src/text/erase.ts'
import { parseJsonOrNull } from '../../src/text/json.ts'
import { findNearest } from '../../src/text/nearest.ts'
import { parseStrictly, parseUnambiguously } from '../../src/text/strict-json.ts'
import { escapeJson, toVisible, toVisibleLines } from '../../src/text/visible.ts'
import { measureWidth } from '../../src/text/width.ts'
import { parseAsWritten } from '../../src/text/written-json.ts'

const rows = ['PreToolUse', 'SessionStart'].flatMap((name) => DEFAULT_PROFILE.events.get(name) ?? [])
const verdicts = DEFAULT_PROFILE.rules.verdicts
const redact = makeRedactor({ API_TOKEN: 'made-up-token-of-a-test' })

/** Calls of somebody else's text: settings, transcripts, logs, patches, answers of hooks and models, names of tools. */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  redact,
  collectSecrets,
  listShaped,
  isSecretFree: makeSecretFreeCheck(),
  redactAddress,
  listAddressSecrets,
  removeControls,
  replaceHidden: (text) => replaceHidden(text, () => '?'),
  toOneLine,
  toPrintable,
  toPrintableInColour,
  erase: (text) => makeEraser('a secret of forty letters that is sought')(text),
  eraseLong: (text) => makeEraser(text)('a short text with no secret'),
  toVisible,
  toVisibleLines,
  escapeJson,
  measureWidth,
  findNearest: (text) => findNearest(text, ['PreToolUse', 'Stop']),
  parseJsonOrNull,
  parseStrictly,
  parseUnambiguously,
  parseAsWritten: (text) => tryTo(() => parseAsWritten(text)),
  findCommandScript,
  parseLogLine: (text) => parseLogLine(text),
  readLineSession,
  parseJsonSource,
  parseTolerantly: (text) => tryTo(() => parseTolerantly(text)),
  parseFrontmatter,
  parseFrontmatterBlock: (text) => parseFrontmatter(`---\n${text}\n---\n`),
  isNestedTooDeeply,
  isLikeExpression,
  parseListedNames,
  compileExpression,
  compileMatcher: (text) => Promise.all(rows.map((row) => compileMatcher(text, row))),
  hintAtMatcher: (text) => rows.map((row) => [hintAtMatcher(text, row), findMeantNames(text, row)]),
  compileWithLookAround,
  compileLookAround: (text) => compileLookAround(text.slice(0, 4096)),
  compileGlob,
  findBracedTexts,
  readVerdict: (text) => readVerdict(text, verdicts),
  readTranscriptLine: (text) =>
    readTranscriptLine({ type: 'user', message: { role: 'user', content: [{ type: 'tool_result', content: text }] } }),
  readPatchCommand,
  readPatchHeredoc: (text) => readPatchCommand(`apply_patch <<'E'\n*** Begin Patch\n${text}\nE\n`),
  splitPatch: (text) => splitPatch(text, '/nowhere'),
  splitPatchBody: (text) => splitPatch(`*** Begin Patch\n*** Update File: a\n@@\n-${text}\n*** End Patch`, '/nowhere'),
  findMcpNames,
  findShellFault,
  parseShell,
  splitWords,
  removeShellComments,
  readCommandCode: (text) => listCodeInside(readCommandCode(text)),
}

function tryTo(act: () => unknown): unknown {
  try {
    return act()
  } catch {
    return null // a text that is not JSON, or is nested too deeply
  }
}

/** Letters that patterns and loops go over again and again. */
const UNITS = [
  ...'a 0 - . / \\ " \' ` ( [ { < $ = : , | * # @ ! ~ _ é \u{1F600}'.split(' '),
  ...[
    ' ',
    '\t',
    '\n',
    '\r\n',
    ' \n',
    ', ',
    '- ',
    ': ',
    '""',
    '\\"',
    '"a",',
    '"a":',
    '{"a":',
    '[[',
    '((',
    '${',
    '$(',
    '/*',
    '//',
  ],
  ...[
    '<<E\n',
    '<a>',
    '<think>',
    'a=b ',
    'a: b\n',
    '- a\n',
    '*** ',
    '@@\n',
    '-a\n',
    'eyJ-',
    'sk-',
    'token=',
    'Bearer ',
    'https://a@',
    'a@b.',
    '\x1b[3',
    '\x1b]',
    'mcp__',
    'a|',
    'a && ',
    '(?=',
    '\\u00',
    '```\n',
    'ok:',
  ],
]

/** Characters of the longer text; the shorter one has a quarter of them. */
const CHARACTERS = 40_000

/** CPU time below which no reading is slow, whatever the machine does beside it. */
const MIN_SLOW_MS = 125

/** Growth of the time for four times the text: a loop in a loop takes sixteen times as long. */
const MAX_GROWTH = 9

/** Ends of a text: some patterns are only tried where all letters could stand in a name. */
const ENDS: readonly (readonly [string, string])[] = [
  ['', '!'],
  ['a', 'b'],
]

function spell(unit: string, length: number, [start, end] = ENDS[0] ?? ['', '']): string {
  return `${start}${unit.repeat(Math.ceil(length / unit.length))}${end}`
}

async function measure(read: (text: string) => unknown, text: string): Promise<number> {
  const began = process.cpuUsage()
  await read(text)
  return process.cpuUsage(began).user / 1000
}

/** The least of some measures, since the first reading is slow to begin and the machine does more; one that is small enough is the last. */
async function measureLeast(read: (text: string) => unknown, text: string, enough = 0): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < MAX_MEASURES && least > enough; tries++)
    least = Math.min(least, await measure(read, text))
  return least
}

const MAX_MEASURES = 4

describe('a reader of texts of others', () => {
  it.each(Object.entries(READERS))(
    '%s takes no longer for a letter of a long text than of a short one',
    async (_, read) => {
      const slow: string[] = []
      for (const [unit, ends] of UNITS.flatMap((each) => ENDS.map((ends) => [each, ends] as const))) {
        const whole = spell(unit, CHARACTERS, ends)
        const first = await measure(read, whole)
        if (first < MIN_SLOW_MS) continue
        const short = await measureLeast(read, spell(unit, CHARACTERS / 4, ends))
        const long = Math.min(first, await measureLeast(read, whole, short * MAX_GROWTH))
        if (long >= MIN_SLOW_MS && long > short * MAX_GROWTH)
          slow.push(`${JSON.stringify(unit)}: ${short} ms, then ${long} ms`)
      }
      expect(slow).toEqual([])
    },
  )

  it('are told from one that goes over its text again and again', async () => {
    const repeat = (text: string): unknown => text.replace(/\s+$/, '')
    const [short, long] = [
      await measure(repeat, spell(' ', CHARACTERS / 4)),
      await measure(repeat, spell(' ', CHARACTERS)),
    ]
    expect(long).toBeGreaterThan(MIN_SLOW_MS)
    expect(long / short).toBeGreaterThan(MAX_GROWTH)
  })
})
