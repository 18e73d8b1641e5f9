import type { EventRow } from '../protocol/event-row.ts'
import type { Profile } from '../protocol/profile.ts'
import type { Scope } from '../protocol/scope.ts'
import { cleaned } from '../text/clean.ts'
import { clipped, suggestion } from '../text/nearest.ts'
import type { ConfiguredHook } from './hook.ts'
import type { Problem } from './problem.ts'
import { type GroupReading, readGroup } from './read-group.ts'
import { RULES, type RuleId } from './rules.ts'
import { isComponentScope } from './scopes.ts'
import type { Place, SourceField, SourceNode } from './source.ts'

/** Where a set of hooks comes from. */
export interface Origin {
  readonly scope: Scope
  /** The plugin's or component's name, which their ids carry. */
  readonly name: string | null
  /** For showing. */
  readonly file: string | null
  readonly pluginRoot: string | null
  readonly needsTrust: boolean
}

/** Past this a file is beyond reading by people; the rest of its problems is not told. */
const MOST_PROBLEMS = 100

/** Hooks in file order, and everything that is wrong with them. */
export interface HooksRead {
  readonly hooks: readonly ConfiguredHook[]
  readonly problems: readonly Problem[]
}

/** Tells the file's problems; what it is told never stops the reading. */
export type Report = (place: Place, rule: RuleId, message: string | (() => string)) => void

/** Counts the groups of one scope and event over all its files, so that every id is given once. */
export type GroupCounter = Map<string, number>

/** Reads a `hooks` object entry by entry: a malformed one is set aside and reported, the others are kept. */
export async function readHooks(
  node: SourceNode,
  origin: Origin,
  { profile, counter = new Map() }: { profile: Profile; counter?: GroupCounter },
): Promise<HooksRead> {
  const problems: Problem[] = []
  const report: Report = ({ line, column }, rule, message) => {
    if (problems.length >= MOST_PROBLEMS) return
    const words = cleaned(typeof message === 'string' ? message : message())
    problems.push({ rule, severity: RULES[rule], file: origin.file ?? '(in memory)', line, column, message: words })
  }
  const hooks: ConfiguredHook[] = []
  if (!node.fields) report(node, 'V-HK-02', '"hooks" must be an object that maps event names to lists of groups.')
  for (const [name, field] of node.fields ?? []) {
    const row = profile.events.get(name)
    if (row) for (const hook of await readEvent(field, row, origin, { profile, counter, report })) hooks.push(hook)
    else
      report(
        field.key,
        'V-HK-03',
        () => `"${clipped(name)}" is not an event.${suggestion(name, profile.events.keys())}`,
      )
  }
  return { hooks, problems }
}

async function readEvent(
  { key, node }: SourceField,
  row: EventRow,
  origin: Origin,
  { profile, counter, report }: { profile: Profile; counter: GroupCounter; report: Report },
): Promise<ConfiguredHook[]> {
  const misplaced = isComponentScope(origin.scope) && !row.component
  if (misplaced) report(key, 'V-HK-03', `${row.name} cannot stand in frontmatter.${componentEvents(profile)}`)
  if (!node.items) report(node, 'V-HK-04', `${row.name} must be a list of groups.`)

  const fault = misplaced || !node.items ? faultOf(row, misplaced) : null
  const event = (origin.scope === 'agent' ? row.inAgent : null) ?? row.name
  const hooks: ConfiguredHook[] = []
  for (const group of node.items ?? [node]) {
    const label = [origin.scope, origin.name, event].filter((part) => part !== null).join(':')
    const index = counter.get(label) ?? 0
    counter.set(label, index + 1)
    const reading: GroupReading = { row, event, origin, label: `${label}:${index}`, report, profile: profile.name }
    for (const hook of await readGroup(group, reading, fault)) hooks.push(hook)
  }
  return hooks
}

function faultOf({ name }: EventRow, misplaced: boolean): string {
  return misplaced ? `${name} cannot stand in frontmatter` : 'the event has no list of groups'
}

function componentEvents(profile: Profile): string {
  const names = [...profile.events.values()].filter(({ component }) => component).map(({ name }) => name)
  return ` Only ${names.join(', ')} can.`
}
