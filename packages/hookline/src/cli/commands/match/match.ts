import { KNOWN_TOOLS } from '../../../pattern/catalogue.ts'
import {
  compileMatcher,
  isAccepting,
  listSimpleMatchers,
  type Matcher,
  type SimpleMatcher,
} from '../../../pattern/matcher.ts'
import { hintAtMatcher } from '../../../pattern/matcher-hint.ts'
import type { EventRow } from '../../../protocol/event-row.ts'
import { formatSuggestion } from '../../../text/nearest.ts'
import { toSafeJson } from '../../../text/visible.ts'
import { findEventRow } from '../../input/event-argument.ts'
import { ENGINE_FLAGS, ENGINE_USAGE, readArguments, readProfilesInForce, UsageError } from '../../start/flags.ts'
import { openCommandTerminal } from '../../start/opening.ts'
import { print, printJson } from '../../start/print.ts'
import { indentText } from '../../view/layout.ts'

export const isVerdict = true

export const usage = `hookline match <matcher> [--event E] [--tool NAME …] [--input JSON] [flags]

Shows how a matcher is read, which of the known tools it matches, and which are
close.

  hookline match 'Edit|Write'
  hookline match 'mcp__memory__.*' --tool mcp__memory__create
  hookline match 'tool_input.command matches "^git"' --input '{"command":"git"}'
  hookline match startup --event SessionStart

  --event E                the event it is for; default: PreToolUse
  --tool NAME              another value to test (repeatable)
  --input JSON             a tool_input, for expressions
${ENGINE_USAGE}
Exit codes: 0 something matches; 1 nothing matches, or it cannot be compiled.
`

const FLAGS = {
  ...ENGINE_FLAGS,
  event: { type: 'string' },
  tool: { type: 'string', multiple: true },
  input: { type: 'string' },
} as const

/** The event whose matchers people mean when they say nothing else. */
const USUAL_EVENT = 'PreToolUse'

const UNDERSTOOD: Readonly<Record<SimpleMatcher['kind'], string>> = {
  all: 'everything',
  names: 'a list of exact names, case-sensitive',
  regex: 'a regular expression, unanchored and case-sensitive',
  expression: 'an expression over the tool and its input',
}

/** Runs `hookline match`. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, FLAGS)
  const [text, extra] = positionals
  if (text === undefined || extra !== undefined) throw new UsageError('give one matcher, in quotes.')
  const row = findEventRow(values.event ?? USUAL_EVENT, (await readProfilesInForce(values)).project)
  if (row.matchOn === null) throw new UsageError(`${row.name} takes no matcher; a matcher is ignored.`)
  const matcher = await compileMatcher(text, row)
  if ('problem' in matcher) throw new UsageError(`the matcher ${matcher.problem}, at character ${matcher.offset + 1}.`)

  const subjects = [...new Set([...(values.tool ?? []), ...(row.values.length > 0 ? row.values : KNOWN_TOOLS)])]
  const tests = subjects.map((value) => ({
    value,
    matches: isAccepting(matcher, row, { [row.matchOn ?? '']: value, tool_input: parseToolInput(values.input) }),
  }))
  const found = tests.filter(({ matches }) => matches).map(({ value }) => value)
  const missed = tests.filter(({ matches }) => !matches).map(({ value }) => value)
  const near = missed.filter((value) => isNear(value, text, matcher))
  if (values.json)
    printJson({ matcher: text, event: row.name, understood: matcher.kind, hits: found, nearMisses: near })
  else print(formatMatch({ text, row, matcher, found, near }, openCommandTerminal(values).width))
  return found.length > 0 ? 0 : 1
}

function describeMatcher(matcher: Matcher): string {
  return listSimpleMatchers(matcher)
    .map(({ kind }) => UNDERSTOOD[kind])
    .join(', or ')
}

function parseToolInput(json: string | undefined): unknown {
  if (json === undefined) return {}
  try {
    return JSON.parse(json)
  } catch {
    throw new UsageError(`--input is not JSON: ${json}`)
  }
}

/** True for a value that the author of the matcher may have meant too. */
function isNear(value: string, text: string, matcher: Matcher): boolean {
  if (listSimpleMatchers(matcher).some(({ kind }) => kind === 'all' || kind === 'expression')) return false
  const words = text.toLowerCase().match(/[a-z_]{2,}/g) ?? []
  const lower = value.toLowerCase()
  return words.some((word) => lower.includes(word) || word.includes(lower)) || formatSuggestion(text, [value]) !== ''
}

interface MatchResult {
  readonly text: string
  readonly row: EventRow
  readonly matcher: Matcher
  readonly found: readonly string[]
  readonly near: readonly string[]
}

function formatMatch({ text, row, matcher, found, near }: MatchResult, width: number): string {
  const hint = found.length === 0 || matcher.kind === 'regex' ? hintAtMatcher(text, row) : null
  const lines = [
    indentText(`${toSafeJson(text)} on ${row.name} is ${describeMatcher(matcher)}.`, '', width),
    ...(matcher.kind === 'names'
      ? [`It is tested against the whole ${row.matchOn}: a part of a name does not match.`]
      : []),
    '',
    found.length === 0
      ? `No known ${row.values.length > 0 ? row.matchOn : 'tool'} matches.`
      : `It matches ${found.length}:`,
    ...(found.length === 0 ? [] : [indentText(found.join(', '), '  ', width)]),
    ...(hint === null ? [] : ['', indentText(hint, '', width)]),
    ...(near.length === 0 ? [] : ['Close:', indentText(near.join(', '), '  ', width)]),
  ]
  return `${lines.join('\n')}\n`
}
