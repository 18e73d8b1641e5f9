import type { ListedHook } from 'hookline'
import { visibleLines } from 'hookline/internal'
import { onOneLine } from './call-text.ts'
import { runText } from './show-event.ts'
import type { HookRun } from './state.ts'

/** How hooks may be put in order. */
export const GROUPINGS = ['event', 'scope', 'state'] as const
export type Grouping = (typeof GROUPINGS)[number]

/** What a hook is listed under. */
export function groupOf({ hook, standing }: ListedHook, grouping: Grouping): string {
  if (grouping === 'event') return hook.event
  return grouping === 'scope' ? hook.scope : standing.verdict
}

/** A hook in a line. */
export function hookLine(listed: ListedHook, grouping: Grouping): string {
  const { hook, standing } = listed
  const matcher = hook.matcherText ? ` ${hook.matcherText}` : ''
  const others = [
    grouping === 'event' ? '' : hook.event,
    grouping === 'scope' ? '' : hook.scope,
    standing.verdict === 'active' || grouping === 'state' ? '' : standing.verdict,
  ].filter((part) => part !== '')
  return onOneLine(`${groupOf(listed, grouping)}${matcher}  ${hook.shown.text}  ${others.join(', ')}`)
}

/** All there is to say about a hook. */
export function hookDetail({ hook, standing, duplicateOf }: ListedHook, runsOfHook: readonly HookRun[]): string[] {
  const rows: [string, string][] = [
    ['event', hook.event],
    ['matcher', hook.matcherText ?? 'all'],
    [hook.written.type ?? 'type', hook.shown.text],
    ['where', hook.file === null ? 'this session' : `${hook.file}:${hook.line}`],
    ['scope', hook.scope],
    ['state', standing.verdict === 'active' ? 'active' : `${standing.verdict}: ${standing.because}`],
    ...(hook.timeout === null ? [] : [['timeout', `${hook.timeout} s`] as [string, string]]),
    ...(duplicateOf === null ? [] : [['duplicate', `of ${duplicateOf}`] as [string, string]]),
    ...hook.warnings.map((warning): [string, string] => ['warning', warning]),
  ]
  const last = runsOfHook.map(({ at, line }) => `  ${at.toISOString().slice(11, 19)}  ${runText(line)}`)
  return [
    ...rows.flatMap(([name, value]) => rowLines(name, value)),
    '',
    ...(last.length === 0 ? ['It has not run in this session.'] : ['last runs', ...last]),
  ]
}

/** A name and what it stands for; further lines of that stand below its first. */
function rowLines(name: string, value: string): string[] {
  const lines = visibleLines(value).replaceAll('\t', '    ').split('\n')
  return lines.map((line, at) => `${(at === 0 ? name : '').padEnd(10)} ${line}`)
}
