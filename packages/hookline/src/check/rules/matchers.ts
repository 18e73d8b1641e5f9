import type { Place } from '../../config/source.ts'
import { listKnownValues, MCP_PREFIX } from '../../pattern/catalogue.ts'
import { isLikeExpression, isNameList, parseListedNames, TOOL_NAME } from '../../pattern/matcher.ts'
import { findMeantNames } from '../../pattern/matcher-hint.ts'
import type { EventRow } from '../../protocol/event-row.ts'
import { findNearest } from '../../text/nearest.ts'
import { type ExaminedHook, makeReportedRule, type Remark, type Rule } from '../rule.ts'
import type { Subject } from '../subject.ts'
import { makeRemoval, makeReplacement, makeRewrite } from '../text-edit.ts'
import { group, makeMatchingExample, makeSettingsExample } from './example.ts'

/** Rules about matchers. */
export const matcherRules: readonly Rule[] = [
  {
    ...makeReportedRule('V-HK-09', 'invalid-matcher'),
    page: {
      title: 'The matcher compiles',
      why: 'A matcher that is neither a valid regular expression nor a valid expression matches nothing, and its hooks are set aside. Regular expressions are those of RE2: they have no back-references, and look-around everywhere but under "classic". Expressions such as tool == "Bash" work here only: in Claude Code they match nothing, and with || in them everything. A plain name as matcher, and a hook that looks at the input, works in both.',
      bad: makeMatchingExample('Edit('),
      good: makeMatchingExample('Edit|Write'),
    },
    placeOf: placeInMatcher,
    fix: ({ name, node }, { text }) =>
      name === 'matcher' && node.items?.every(({ value }) => typeof value === 'string')
        ? makeRewrite(node, node.items.map(({ value }) => value).join('|'), text)
        : null,
  },
  {
    id: 'V-HK-18',
    name: 'unknown-tool',
    severity: 'warning',
    page: {
      title: 'The matcher matches a known tool or value',
      why: 'Names are exact and case-sensitive, and a matcher sees the name only, not the input. One that matches nothing known is most likely misspelt, and its hooks never run. MCP tools are named mcp__server__tool. A host with tools of its own declares them in a settings file, "hookline": {"tools": ["deploy"]}; only Hookline reads that.',
      bad: makeMatchingExample('bash'),
      good: makeMatchingExample('Bash|mcp__memory__store'),
    },
    find: findUnknownValues,
    fix({ name, node, object }, { text, rowOf }) {
      const row = rowOf(object)
      const names =
        name === 'matcher' && typeof node.value === 'string' && row ? listNamesToWrite(node.value, row) : null
      return names === null ? null : makeReplacement(node, JSON.stringify(names.join('|')), text)
    },
  },
  {
    id: 'V-HK-19',
    name: 'useless-matcher',
    severity: 'warning',
    page: {
      title: 'No matcher, and no "if", on an event that takes none',
      why: 'A matcher is ignored there: the hooks run every time, whatever it says. A hook with an "if", a field of the profile "current", never runs there.',
      bad: makeSettingsExample({ Stop: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'echo done' }] }] }),
      good: makeSettingsExample({ Stop: [{ hooks: [{ type: 'command', command: 'echo done' }] }] }),
    },
    find: (one) => [...findUselessMatchers(one), ...findUselessConditions(one)],
    fix: (field, { text }) => (field.name === 'matcher' ? makeRemoval(field, text) : null), // without its "if" a hook would run
  },
  {
    ...makeReportedRule('V-HK-30', 'empty-name'),
    page: {
      title: 'No empty name in a list of names',
      why: 'An empty name is ignored; it does not mean "everything". Most likely a name is missing.',
      bad: makeMatchingExample('Edit|'),
      good: makeMatchingExample('Edit|Write'),
    },
  },
  {
    id: 'V-HK-45',
    name: 'if-alternatives',
    severity: 'warning',
    page: {
      title: '"if" is one rule',
      why: 'A condition is one permission rule, Tool or Tool(specifier), and has no alternatives: what looks like a list of them is one rule that matches nothing, and the hook never runs. Write the hook several times, once for each rule.',
      profile: 'current',
      bad: group({ type: 'command', command: 'echo called', if: 'Bash(git push *)|Bash(gh pr *)' }),
      good: group(
        { type: 'command', command: 'echo called', if: 'Bash(git push *)' },
        { type: 'command', command: 'echo called', if: 'Bash(gh pr *)' },
      ),
    },
    find: findAlternatives,
  },
]

/** Rules one after the other, as in `Bash(git *)|Bash(gh *)`. */
const SEVERAL_RULES = /\)\s*(?:\|\|?|&&?|,|;|\bor\b)\s*[A-Za-z_]\w*\s*(?:\(|$)/i

/** Alternatives in the specifier of one: `Edit(*.ts|*.js)`, `Write(*.{ts,js})`, `Bash(git *|gh *)`. */
const SEVERAL_PATHS = /^(?!Bash|PowerShell)\w+\((?:.*\S\|\S.*|.*\{[^}]*,[^}]*\}.*)\)$/
const SEVERAL_COMMANDS = /^Bash\([a-z][\w -]*\*(?:\|[a-z][\w -]*\*)+\)$/

function findAlternatives({ entry: { hook, row, node } }: ExaminedHook): Remark[] {
  const { condition } = hook
  if (condition === null || condition.fault !== null || !row.takesIf) return []
  const text = condition.text.trim()
  if (![SEVERAL_RULES, SEVERAL_PATHS, SEVERAL_COMMANDS].some((pattern) => pattern.test(text))) return []
  const message = `"if" is one rule and has no alternatives: ${JSON.stringify(text)} matches no call that it seems to mean. Write a hook for each.`
  return [{ place: node.fields?.get('if')?.node ?? node, message }]
}

/**
 * Finds where a fault inside a matcher stands in the file. Reading counts characters of the matcher; in the file it stands in
 * quotes or not, and characters may be escaped.
 */
function placeInMatcher(place: Place, { entries, text }: Subject): Place {
  const written = entries
    .map(({ group }) => group.fields?.get('matcher')?.node)
    .findLast((node) => node?.line === place.line && node.column < place.column)
  if (!written) return place
  const raw = (text.split('\n')[place.line - 1] ?? '').slice(written.column - 1)
  const quote = /^["']/.test(raw) ? 1 : 0
  const offset = place.column - written.column - 1
  const pieces = raw.slice(quote).match(raw.startsWith('"') ? /\\u[\da-f]{4}|\\.|[^\\]/gi : /./g) ?? []
  return { line: place.line, column: written.column + quote + pieces.slice(0, offset).join('').length }
}

function findUnknownValues({ entry: { hook, row, group }, ownTools }: ExaminedHook): Remark[] {
  const place = group.fields?.get('matcher')?.node
  const { matcher, matcherText } = hook
  const own = row.matchOn === TOOL_NAME ? ownTools : []
  const known = [...listKnownValues(row), ...own]
  if (!place || matcherText === null || known.length === 0) return []
  if (matcher.kind === 'names') return [...matcher.names].flatMap((name) => nameRemarks(name, { row, place, known }))
  const misread = matcher.kind === 'regex' ? describeMisreading(matcherText, row) : null
  if (misread !== null) return [{ place, message: misread }]
  if (matcher.kind !== 'regex' || canBeMcp(matcherText) || known.some(matcher.test)) return []
  return [
    {
      place,
      message: `The matcher matches no known ${nameMatchedThing(row)}.${hintAtRegex(matcherText, { known, row })}`,
    },
  ]
}

/** True if a pattern may be about tools of MCP servers: two underscores stand before the server and before the tool. */
const canBeMcp = (pattern: string): boolean => pattern.includes('__')

/** The names that a matcher is certain to mean which is read as something else; null: only its author knows. */
function listNamesToWrite(text: string, row: EventRow): readonly string[] | null {
  const { matcherNames, rules } = row
  if (rules.matchers.expressions === 'unknown' && isLikeExpression(text)) {
    return ONLY_NAMES.test(text) ? [...text.matchAll(QUOTED)].map(([, name = '']) => name) : null
  }
  const known = findMeantNames(text, row)
  if (known !== null || !text.includes(',') || isNameList(text, row)) return known
  return matcherNames !== null && parseListedNames(text) !== null ? text.split(/\s*[,|]\s*/).filter(Boolean) : null
}

/** Expressions that ask for the name of the tool and for nothing else. */
const ONLY_NAMES = /^\s*tool\s*==\s*"[\w-]+"(?:\s*\|\|\s*tool\s*==\s*"[\w-]+")*\s*$/
const QUOTED = /"([\w-]+)"/g

/** Describes what is meant as something else than the regular expression that it is here. */
function describeMisreading(text: string, { name, matcherNames, rules }: EventRow): string | null {
  const shown = JSON.stringify(text)
  if (rules.matchers.expressions === 'unknown' && isLikeExpression(text)) {
    const matches = text.includes('||') ? 'everything' : 'nothing'
    return `Claude Code reads the matcher ${shown} as a regular expression, which matches ${matches}. Match the name of the tool, and put a rule on the hook: "if": "Bash(git *)".`
  }
  if (matcherNames === null || !text.includes(',') || parseListedNames(text) === null) return null
  const names = text.split(/\s*[,|]\s*/).filter(Boolean)
  return `The matcher ${shown} is a regular expression: on ${name} a comma does not separate names. Did you mean "${names.join('|')}"?`
}

function nameRemarks(
  name: string,
  { row, place, known }: { row: EventRow; place: Place; known: readonly string[] },
): Remark[] {
  const makeMatcherRemark = (message: string): Remark[] => [{ place, message }]
  if (known.includes(name)) return []
  if (!name.startsWith(MCP_PREFIX) || row.matchOn !== TOOL_NAME) {
    const near = findNearest(name, known)
    const declared =
      row.matchOn === TOOL_NAME ? ` A tool of your host: "hookline": {"tools": ["${name}"]} in settings.` : ''
    const hint = near === undefined ? declared : ` Did you mean "${near}"?`
    return makeMatcherRemark(`"${name}" is not a known ${nameMatchedThing(row)}.${hint}`)
  }
  const [server = '', tool = ''] = name.slice(MCP_PREFIX.length).split(/__(.*)/s)
  if (tool !== '') return []
  if (server === '')
    return makeMatcherRemark(`"${name}" is not the name of a tool. The tools of all MCP servers: "mcp__.*".`)
  return makeMatcherRemark(`"${name}" names an MCP server, and no tool is called so. Its tools: "mcp__${server}__.*".`)
}

/** Hints at what authors mean who take a matcher for a permission rule or for a list with commas. */
function hintAtRegex(
  text: string,
  { known, row }: { readonly known: readonly string[]; readonly row: EventRow },
): string {
  const [word = ''] = /^\w+/.exec(text.trim()) ?? []
  if (/^\w+\(/.test(text) && known.includes(word)) {
    const isRead = row.rules.matchers.expressions !== 'unknown'
    const how = isRead
      ? `look at the input in the hook. (An expression, tool == "${word}" && …, works here, but in Claude Code it matches nothing.)`
      : `put the rule on the hook: "if": ${JSON.stringify(text)}.`
    return ` It is tested against the name only: write "${word}", and ${how}`
  }
  const names = text
    .trim()
    .split(/\s*[,|]\s*/)
    .filter(Boolean)
  if (names.every((name) => known.includes(name)))
    return ` Did you mean "${names.join('|')}"?${text.includes(',') ? '' : ' A space counts as a character of the name.'}`
  const near = findNearest(word, known)
  return near === undefined ? '' : ` Did you mean "${near}"?`
}

function nameMatchedThing({ matchOn }: EventRow): string {
  return matchOn === TOOL_NAME ? 'tool' : `value of ${matchOn}`
}

/** Matchers that leave nothing out: where none is taken, they say what holds anyway. */
const EVERYTHING: readonly unknown[] = [null, '', '*', '.*', '.+', '^.*$']

function findUselessMatchers({ entry: { row, group } }: ExaminedHook): Remark[] {
  const written = group.fields?.get('matcher')?.node
  if (row.matchOn !== null || !written || EVERYTHING.includes(written.value) || !group.fields?.has('hooks')) return []
  return [{ place: written, message: `${row.name} takes no matcher: the hooks run every time. Remove it.` }]
}

function findUselessConditions({ entry: { hook, row, node } }: ExaminedHook): Remark[] {
  if (hook.condition === null || row.takesIf) return []
  const place = node.fields?.get('if')?.node ?? node
  return [{ place, message: `"if" never holds on ${row.name}, which is about no tool: the hook never runs.` }]
}
