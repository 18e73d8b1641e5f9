import { isModelHookType } from '../engine/profiles.ts'
import type { Subject } from '../protocol/event-subject.ts'
import type { DispatchRecord } from '../protocol/record/record.ts'
import type { PastEvent } from './past-event.ts'
import type { PlannedEvent, ReplayedEvent } from './replay.ts'

/** Sums of a replay, by what the events are about. */
export interface Totals {
  readonly events: Record<Subject, number>
  /** Events that hooks would refuse today and did not then, or the other version does not. */
  readonly refused: Record<Subject, number>
  readonly asked: Record<Subject, number>
  /** Events that hooks would put off today. */
  readonly deferred: Record<Subject, number>
  /** Events that were refused and would not be now. */
  readonly milder: Record<Subject, number>
  /** Decided alike, with other words or another rewritten input. */
  readonly other: Record<Subject, number>
  /** Calls that were refused then, by whom. */
  readonly refusedThen: Record<'hook' | 'person' | 'rule', number>
  /** Number of times that each hook ran or would run, by id. */
  readonly hooks: Map<string, number>
  /** Hooks that a model decides and that were left out, by id. */
  readonly modelHooks: Set<string>
  /** Hooks that did not run since the project is not trusted, by id. */
  readonly untrusted: Set<string>
  /** Events that this profile does not know. */
  unfit: number
}

/** Nothing counted so far. */
export function makeTotals(): Totals {
  const makeZeroCounts = (): Record<Subject, number> => ({
    prompt: 0,
    call: 0,
    result: 0,
    failure: 0,
    stop: 0,
    other: 0,
  })
  return {
    events: makeZeroCounts(),
    refused: makeZeroCounts(),
    asked: makeZeroCounts(),
    deferred: makeZeroCounts(),
    milder: makeZeroCounts(),
    other: makeZeroCounts(),
    refusedThen: { hook: 0, person: 0, rule: 0 },
    hooks: new Map(),
    modelHooks: new Set(),
    untrusted: new Set(),
    unfit: 0,
  }
}

/** Counts an event whose hooks ran. */
export function addReplayed(totals: Totals, { event, now, difference, record }: ReplayedEvent): void {
  countEvent(totals, event)
  if (now === null) {
    totals.unfit++
    return
  }
  if (difference === 'stricter' && now.is !== 'passed') totals[now.is][event.subject]++
  if (difference === 'milder') totals.milder[event.subject]++
  if (difference === 'other') totals.other[event.subject]++
  for (const id of now.ran) countHook(totals, id)
  if (record) countLeftOut(totals, record.hooks)
}

/** Counts an event whose hooks were only matched. */
export function addPlanned(totals: Totals, { event, hooks }: PlannedEvent): void {
  countEvent(totals, event)
  if (hooks === null) totals.unfit++
  else for (const { id } of hooks) countHook(totals, id)
}

/** Number of events would be decided otherwise. */
export function countDifferences({ refused, asked, deferred, milder, other }: Totals): number {
  return [refused, asked, deferred, milder, other].map(sumCounts).reduce((sum, count) => sum + count, 0)
}

/** Number of events there were. */
export function sumEvents({ events }: Totals): number {
  return sumCounts(events)
}

function sumCounts(counts: Readonly<Record<Subject, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}

function countEvent({ events, refusedThen }: Totals, { subject, before }: PastEvent): void {
  events[subject]++
  if (before.was === 'refused') refusedThen[before.by]++
}

function countHook({ hooks }: Totals, id: string): void {
  hooks.set(id, (hooks.get(id) ?? 0) + 1)
}

function countLeftOut({ modelHooks, untrusted }: Totals, lines: DispatchRecord['hooks']): void {
  for (const { id, verdict, type } of lines) {
    if (verdict === 'untrusted') untrusted.add(id)
    if (verdict === 'unsupported' && isModelHookType(type)) modelHooks.add(id)
  }
}
