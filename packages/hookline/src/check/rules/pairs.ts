import { isFault } from '../../config/hook.ts'
import type { SourceNode } from '../../config/source.ts'
import { knownValues } from '../../pattern/catalogue.ts'
import { overlap } from '../../pattern/overlap.ts'
import type { CommandText } from '../command.ts'
import type { Remark } from '../finding.ts'
import type { Entry, Subject } from '../subject.ts'
import { rewrites } from './scripts.ts'

/** A hook with all that is known about it. */
export interface Examined {
  readonly subject: Subject
  readonly entry: Entry
  readonly command: CommandText | null
  /** Equal for hooks that would run the same thing. */
  readonly runs: string
}

/** V-HK-23: hooks that an earlier one, or policy's, makes superfluous. */
export function duplicateRule(one: Examined, all: readonly Examined[]): Remark[] {
  if (isFault(one.entry.hook.handler)) return []
  const twins = all.filter((other) => other.runs === one.runs && meet(one, other))
  const kept = twins.find(({ subject }) => subject.scope === 'managed') ?? twins[0]
  if (!kept || kept === one) return []
  const message = `It runs the same as ${placeOf(kept)}, and together they run once. Remove one of them.`
  return [{ rule: 'V-HK-23', place: runsAt(one.entry), message }]
}

/** V-HK-22: hooks that replace an input which another one replaces too. */
export function rewriteRule(one: Examined, all: readonly Examined[]): Remark[] {
  if (!replacesInput(one) || duplicateRule(one, all).length > 0) return []
  const earlier = all.slice(0, all.indexOf(one)).find((other) => replacesInput(other) && meet(one, other))
  if (!earlier) return []
  const message = `It replaces the same input as ${placeOf(earlier)}; only the last one counts. Make them one hook, or let their matchers differ.`
  return [{ rule: 'V-HK-22', place: runsAt(one.entry), message }]
}

function replacesInput({ entry, command }: Examined): boolean {
  return entry.row.rewrites !== null && command !== null && rewrites(command)
}

/** Whether two hooks can answer the same event: of one project, of files that count together, with matchers that meet. */
function meet(one: Examined, other: Examined): boolean {
  const together = one.subject === other.subject || (isSettings(one) && isSettings(other))
  const { row, hook } = one.entry
  return (
    together &&
    one.subject.project === other.subject.project &&
    hook.event === other.entry.hook.event &&
    overlap(hook, other.entry.hook, knownValues(row))
  )
}

function isSettings({ subject }: Examined): boolean {
  return subject.format === 'json'
}

function placeOf({ subject, entry }: Examined): string {
  return `${subject.file}:${entry.node.line}`
}

/** Where it says what it runs. */
function runsAt({ hook, node }: Entry): SourceNode {
  const telling = Object.keys(hook.written).find((name) => name !== 'type' && node.fields?.has(name))
  return node.fields?.get(telling ?? '')?.node ?? node
}
