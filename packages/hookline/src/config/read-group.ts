import { ALL, compileMatcher, hasEmptyName, type Matcher } from '../pattern/matcher.ts'
import type { EventRow } from '../protocol/event-row.ts'
import { clipped, suggestion } from '../text/nearest.ts'
import type { ConfiguredHook } from './hook.ts'
import { ambiguity, readHook } from './read-hook.ts'
import type { Origin, Report } from './read-hooks.ts'
import { GROUP_FIELDS, HOOK_FIELDS } from './rules.ts'
import type { SourceNode } from './source.ts'

/** What reading a group needs to know about where it stands. */
export interface GroupReading {
  /** The event as written. */
  readonly row: EventRow
  /** The event it is for, which differs from the written one in an agent. */
  readonly event: string
  readonly origin: Origin
  /** The part of the hooks' ids that names the group. */
  readonly label: string
  readonly report: Report
  /** The name of the profile that reads it. */
  readonly profile: string
}

/** What all hooks of a group share. */
export interface GroupShare {
  readonly matcherText: string | null
  readonly matcher: Matcher
  readonly warnings: readonly string[]
  /** Why none of its hooks can run. */
  readonly fault: string | null
  /** The fault is that nobody can tell what its matcher accepts. */
  readonly unreadable: boolean
}

/** Reads a group, or a flat entry as seed 002 writes it. Gives at least one hook, unless its list is empty. */
export async function readGroup(
  node: SourceNode,
  reading: GroupReading,
  fault: string | null,
): Promise<ConfiguredHook[]> {
  const hooks = node.fields?.get('hooks')?.node
  const mayBeFlat = reading.row.rules.flatHooks === 'read'
  const flat = mayBeFlat && node.fields !== undefined && hooks === undefined && node.fields.has('command')
  const share = await readShare(node, reading, fault)
  if (flat) return [readHook(node, { ...reading, share, index: 0, flat })]
  reportUnknownFields(node, reading)
  if (hooks?.items) return hooks.items.map((hook, index) => readHook(hook, { ...reading, share, index, flat }))
  if (fault === null) reading.report(hooks ?? node, 'V-HK-04', 'A group needs a "hooks" list.')
  const broken = { ...share, fault: fault ?? 'the group has no "hooks" list' }
  return [readHook(node, { ...reading, share: broken, index: 0, flat })]
}

async function readShare(
  node: SourceNode,
  { row, origin, report }: GroupReading,
  outer: string | null,
): Promise<GroupShare> {
  const fault = outer ?? ambiguity(node.repeated, origin)
  const written = node.fields?.get('matcher')?.node
  const text = written?.value ?? null
  const matcherText = typeof text === 'string' ? text : null
  const share = { matcherText, matcher: ALL, warnings: [], fault, unreadable: false }
  if (written === undefined || text === null || row.matchOn === null) return share
  if (matcherText === null) {
    report(written, 'V-HK-09', 'A matcher must be a text.')
    return { ...share, fault: fault ?? 'its matcher is not a string', unreadable: fault === null }
  }
  const compiled = await compileMatcher(matcherText, row)
  if ('problem' in compiled) {
    report(
      { line: written.line, column: written.column + 1 + compiled.offset },
      'V-HK-09',
      `The matcher ${compiled.problem}.`,
    )
    return { ...share, fault: fault ?? `its matcher ${compiled.problem}`, unreadable: fault === null }
  }
  const warnings = hasEmptyName(matcherText, row)
    ? [`The matcher ${JSON.stringify(matcherText)} has an empty name in its list.`]
    : []
  for (const warning of warnings) report(written, 'V-HK-30', warning)
  return { ...share, matcher: compiled, warnings }
}

function reportUnknownFields(node: SourceNode, { report }: GroupReading): void {
  for (const [name, { key }] of node.fields ?? []) {
    if (GROUP_FIELDS.includes(name)) continue
    const hint = (): string =>
      Object.hasOwn(HOOK_FIELDS, name) ? ' It belongs on the hooks inside.' : suggestion(name, GROUP_FIELDS)
    report(key, 'V-HK-17', () => `"${clipped(name)}" is not a field of a group.${hint()}`)
  }
}
