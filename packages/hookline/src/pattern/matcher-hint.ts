import type { EventRow } from '../protocol/event-row.ts'
import type { MatcherRules } from '../protocol/rules.ts'
import { findNearest } from '../text/nearest.ts'
import { listKnownValues, MCP_PREFIX } from './catalogue.ts'
import { isLikeExpression, isNameList, TOOL_NAME } from './matcher.ts'

/**
 * Hints at what the author of a matcher most likely meant that does not match, as a sentence; null where nothing is likely. With
 * the value that it was tested against, only what would match that one counts.
 */
export function hintAtMatcher(text: string, row: EventRow, value?: string): string | null {
  const isNamed = (name: string): boolean => value === undefined || name === value
  const [word = ''] = /^\w+/.exec(text.trim()) ?? []
  if (/^\w+\(.*\)$/.test(text)) return isNamed(word) ? hintAtRule(text, word, row) : null
  if (row.rules.matchers.expressions === 'unknown' && isLikeExpression(text)) return EXPRESSION_HINT
  const names = findMeantNames(text, row)
  if (names !== null && names.join('|') !== text && names.some(isNamed)) {
    const why = text.includes(',')
      ? 'names are separated by "|", not by commas'
      : 'a space counts as a character of the name'
    return `Did you mean ${JSON.stringify(names.join('|'))}? Here ${why}.`
  }
  const written = text.split('|').map((name) => name.trim())
  const server = written.find((name) => isServerName(name, value))
  if (server !== undefined && row.matchOn === TOOL_NAME)
    return `"${server}" is an MCP server, and no tool has that name. Its tools: "${server}__.*".`
  const meant = value === undefined ? undefined : written.find((name) => isOtherCase(name, value, row))
  if (meant !== undefined) return `The name is "${meant}": names are case-sensitive.`
  const known = value === undefined ? listKnownValues(row) : [value]
  const [near] = written.flatMap((name) => (known.includes(name) ? [] : (findNearest(name, known) ?? [])))
  if (near === undefined) return null
  const isCase = written.some((name) => name !== near && name.toLowerCase() === near.toLowerCase())
  return `Did you mean "${near}"?${isCase ? ' Names are case-sensitive.' : ''}`
}

/** True if a matcher is right about a name, and the value that it was tested against is not. */
function isOtherCase(name: string, value: string, row: EventRow): boolean {
  const known = listKnownValues(row)
  return known.includes(name) && !known.includes(value) && name.toLowerCase() === value.toLowerCase()
}

/** The names that a matcher lists in a way that is not read as a list here; null: it is read as one, or lists nothing known. */
export function findMeantNames(text: string, row: EventRow): readonly string[] | null {
  if (isNameList(text, row)) return null
  const names = text
    .trim()
    .split(/(?<!\s)\s*[,|]\s*/)
    .filter(Boolean)
  return names.length > 0 && names.every((name) => listKnownValues(row).includes(name)) ? names : null
}

function isServerName(name: string, tool: string | undefined): boolean {
  if (!name.startsWith(MCP_PREFIX) || name.slice(MCP_PREFIX.length).includes('__')) return false
  return name.length > MCP_PREFIX.length && /^\w+$/.test(name) && (tool === undefined || tool.startsWith(`${name}__`))
}

/** For a permission rule where a matcher belongs, by whether expressions are read. */
function hintAtRule(text: string, tool: string, { rules }: EventRow): string {
  return RULE_HINTS[rules.matchers.expressions](text, tool)
}

const RULE_HINTS: Readonly<Record<MatcherRules['expressions'], (text: string, tool: string) => string>> = {
  read: (text, tool) =>
    `${text} is a permission rule, not a matcher. Match the tool, ${tool}, and put the rule on the hook, "if": ${JSON.stringify(text)}, as in Claude Code (under classic it keeps the hook from running), or look at the input in the hook, which works in every client.`,
  unknown: (text, tool) =>
    `${text} is a permission rule, not a matcher. Match the tool, ${tool}, and put the rule on the hook: "if": ${JSON.stringify(text)}.`,
}

/** For an expression where none is read. */
const EXPRESSION_HINT =
  'It looks like an expression, which Claude Code does not have. Match the tool, and put a rule on the hook: "if": "Bash(git *)".'
