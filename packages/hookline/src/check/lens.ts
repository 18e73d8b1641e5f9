import { listHookNodes } from '../config/folder-request.ts'
import type { SourceNode } from '../config/source.ts'
import { type FileKind, findLosses } from './client-losses.ts'
import type { Finding } from './finding.ts'
import type { Subject } from './subject.ts'

/** The version of Claude Code that the table of losses was made with. */
export const CLIENT_VERSION = '2.1.325'

/** Share of a file that Claude Code applies. */
export interface ClientVerdict {
  readonly file: string
  readonly client: 'claude-code'
  readonly version: string
  readonly applies: 'all' | 'part' | 'nothing'
  /** The lines because of which it does not apply all. */
  readonly lines: readonly number[]
  /** Hooks of the file, and its deny rules. */
  readonly hooks: number
  readonly denyRules: number
  /** The same as a sentence. */
  readonly message: string
}

/** Lists what Claude Code drops of a file, each with what it costs. */
export function listLosses({ root, lens, stray, format, scope }: Subject): ReturnType<typeof findLosses> {
  if (root === null || lens === null || stray !== null) return []
  return findLosses(root, { profile: lens.profile, kind: nameFileKind({ format, scope }) })
}

function nameFileKind({ format, scope }: Pick<Subject, 'format' | 'scope'>): FileKind {
  if (format === 'frontmatter') return 'component'
  return scope === 'plugin' ? 'plugin' : 'settings'
}

/** Says how much of a file Claude Code applies, by what was found in it; null for a file that no lens looks at. */
export function judgeFile(subject: Subject, findings: readonly Finding[]): ClientVerdict | null {
  const { file, path, root, stray, lens } = subject
  if (lens === null) return null
  const own = findings.filter((finding) => finding.path === path)
  const listLossLines = (loss: Finding['loss']): number[] => [
    ...new Set(own.flatMap((finding) => (finding.loss === loss ? [finding.line] : []))),
  ]
  const [whole, parts] = [listLossLines('file'), listLossLines('entry')]
  const counts = { hooks: countHooks(root), denyRules: countDenyRules(root) }
  const common = { file, client: 'claude-code', version: CLIENT_VERSION, ...counts } as const
  if (stray !== null)
    return { ...common, applies: 'nothing', lines: [], message: 'Claude Code does not read this file.' }
  if (whole.length > 0)
    return {
      ...{ ...common, applies: 'nothing', lines: whole },
      message: `Claude Code applies nothing of this file${describeLost(counts)}, because of ${formatLineNumbers(whole)}.`,
    }
  if (parts.length > 0)
    return {
      ...{ ...common, applies: 'part', lines: parts },
      message: `Claude Code applies this file, but not what stands in ${formatLineNumbers(parts)}.`,
    }
  return { ...common, applies: 'all', lines: [], message: 'Claude Code applies all of this file.' }
}

/** Names what goes with a file that is not applied: `, its 2 hooks and 3 deny rules neither`. */
export function describeLost({ hooks, denyRules }: Pick<ClientVerdict, 'hooks' | 'denyRules'>): string {
  const lost = [countWords(hooks, 'hook'), countWords(denyRules, 'deny rule')].filter((words) => words !== null)
  return lost.length === 0 ? '' : `, its ${lost.join(' and ')} neither`
}

const countWords = (count: number, noun: string): string | null =>
  count === 0 ? null : `${count} ${noun}${count === 1 ? '' : 's'}`

const MAX_LINES = 5

function formatLineNumbers(lines: readonly number[]): string {
  const shown = lines.slice(0, MAX_LINES)
  const rest = lines.length - shown.length
  return `${lines.length === 1 ? 'line' : 'lines'} ${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

/** The hooks that a file has, in groups or not. */
export function countHooks(root: SourceNode | null): number {
  const events = [...(root?.fields?.get('hooks')?.node.fields?.values() ?? [])]
  const groups = events.flatMap(({ node }) => node.items ?? [])
  return groups.filter(({ fields }) => fields !== undefined).flatMap(listHookNodes).length
}

/** The deny rules that a file has. */
export function countDenyRules(root: SourceNode | null): number {
  return root?.fields?.get('permissions')?.node.fields?.get('deny')?.node.items?.length ?? 0
}
