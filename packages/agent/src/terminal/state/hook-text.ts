import type { ListedHook } from 'hookline'
import { measureWidth, toVisibleLines } from 'hookline/internal'
import { foldToOneLine } from '../text/call-text.ts'
import { formatRun } from './show-event.ts'
import type { HookRun } from './state.ts'

/** Orders of hooks. */
export const GROUPINGS = ['event', 'scope', 'state'] as const
export type Grouping = (typeof GROUPINGS)[number]

/** Names the group that a hook is listed under. */
export function nameGroup(listed: ListedHook, grouping: Grouping): string {
  const { event, scope } = listed.hook
  return { event, scope, state: nameHookState(listed) }[grouping]
}

/** The state of a hook in a word: `on`, `off`, or what else keeps it from running. */
export function nameHookState({ standing: { verdict }, duplicateOf }: ListedHook): string {
  if (verdict === 'active') return duplicateOf === null ? 'on' : 'duplicate'
  return verdict === 'disabled' || verdict === 'policy-off' ? 'off' : verdict
}

/** Characters that a column of the list takes up at most; what is longer moves the columns after it. */
const MAX_COLUMN_WIDTH = 32

/** Hooks line by line: state, name, event with matcher, scope, each in its column. */
export function formatHookLines(hooks: readonly ListedHook[]): string[] {
  const rows = hooks.map((listed) => {
    const { event, matcherText, scope, shown } = listed.hook
    return [
      nameHookState(listed),
      shortenCommand(shown.text),
      matcherText ? `${event} ${matcherText}` : event,
      scope,
    ].map(foldToOneLine)
  })
  const widths = [0, 1, 2].map((at) =>
    Math.min(MAX_COLUMN_WIDTH, Math.max(0, ...rows.map((row) => measureWidth(row[at] ?? '')))),
  )
  return rows.map((row) =>
    row.map((text, at) => text + ' '.repeat(Math.max(0, (widths[at] ?? 0) - measureWidth(text)))).join('  '),
  )
}

/** A command without the interpreter and the folder of its script: `guard.sh --strict`. */
function shortenCommand(command: string): string {
  return command.replace(/^(?:(?:ba|z)?sh |node |python3? )?["']?\S*\/([\w.-]+\.\w+)["']?(?=\s|$)/, '$1')
}

/** All there is to say about a hook. */
export function formatHookDetail(
  { hook, standing, duplicateOf }: ListedHook,
  runsOfHook: readonly HookRun[],
): string[] {
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
  const last = runsOfHook.map(({ at, line }) => `  ${at.toISOString().slice(11, 19)}  ${formatRun(line)}`)
  return [
    ...rows.flatMap(([name, value]) => formatRow(name, value)),
    '',
    ...(last.length === 0 ? ['It has not run in this session.'] : ['last runs', ...last]),
  ]
}

/** A name and what it stands for; further lines of that stand below its first. */
function formatRow(name: string, value: string): string[] {
  const lines = toVisibleLines(value).replaceAll('\t', '    ').split('\n')
  return lines.map((line, at) => `${(at === 0 ? name : '').padEnd(10)} ${line}`)
}
