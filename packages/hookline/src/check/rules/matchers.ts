import type { Place } from '../../config/source.ts'
import { knownValues, MCP_PREFIX } from '../../pattern/catalogue.ts'
import { TOOL_NAME } from '../../pattern/matcher.ts'
import type { EventRow } from '../../protocol/event-row.ts'
import { nearest } from '../../text/nearest.ts'
import type { Remark } from '../finding.ts'
import type { Entry } from '../subject.ts'

/** V-HK-19: a matcher on an event that takes none. */
export function uselessMatcherRule({ row, group }: Entry): Remark[] {
  const written = group.fields?.get('matcher')?.node
  if (row.matchOn !== null || !written || [null, '', '*'].includes(written.value as string | null)) return [] // compared, not used
  const message = `${row.name} takes no matcher: the hooks run every time. Remove it.`
  return [{ rule: 'V-HK-19', place: written, message }]
}

/** V-HK-18: a matcher that matches nothing known. */
export function unknownValueRule({ hook, row, group }: Entry): Remark[] {
  const place = group.fields?.get('matcher')?.node
  const { matcher, matcherText } = hook
  const known = knownValues(row)
  if (!place || matcherText === null || known.length === 0) return []
  if (matcher.kind === 'names') return [...matcher.names].flatMap((name) => nameRemarks(name, { row, place }))
  if (matcher.kind !== 'regex' || matcherText.includes(MCP_PREFIX) || known.some(matcher.test)) return []
  const message = `The matcher matches no known ${thing(row)}.${regexHint(matcherText, known)}`
  return [{ rule: 'V-HK-18', place, message }]
}

function nameRemarks(name: string, { row, place }: { row: EventRow; place: Place }): Remark[] {
  const known = knownValues(row)
  const remark = (message: string): Remark[] => [{ rule: 'V-HK-18', place, message }]
  if (known.includes(name)) return []
  if (!name.startsWith(MCP_PREFIX) || row.matchOn !== TOOL_NAME) {
    const near = nearest(name, known)
    const hint = near === undefined ? '' : ` Did you mean "${near}"?`
    return remark(`"${name}" is not a known ${thing(row)}.${hint}`)
  }
  if (name.slice(MCP_PREFIX.length).includes('__')) return []
  return remark(`"${name}" names an MCP server, and no tool is called so. Its tools: "${name}__.*".`)
}

/** What people write who take a matcher for a permission rule or for a list with commas. */
function regexHint(text: string, known: readonly string[]): string {
  const [word = ''] = /^\w+/.exec(text.trim()) ?? []
  if (/^\w+\(/.test(text) && known.includes(word)) {
    return ` It is tested against the name only: write "${word}", and look at the input in the hook. (An expression, tool == "${word}" && …, works here, but in Claude Code it matches nothing.)`
  }
  const names = text.split(/\s*[,|]\s*/).filter(Boolean)
  if (names.length > 1 && names.every((name) => known.includes(name))) return ` Did you mean "${names.join('|')}"?`
  const near = nearest(word, known)
  return near === undefined ? '' : ` Did you mean "${near}"?`
}

function thing({ matchOn }: EventRow): string {
  return matchOn === TOOL_NAME ? 'tool' : `value of ${matchOn}`
}
