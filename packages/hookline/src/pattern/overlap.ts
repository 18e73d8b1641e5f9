import { listSimpleMatchers, type Matcher } from './matcher.ts'

/** A matcher, and how it is written. */
interface MatchingHook {
  readonly matcher: Matcher
  readonly matcherText: string | null
}

/** True if two hooks can both be hit by one event, as far as known values tell; in doubt they cannot. */
export function canOverlap(one: MatchingHook, other: MatchingHook, known: readonly string[]): boolean {
  if (one.matcher.kind === 'all' || other.matcher.kind === 'all') return true
  if (one.matcherText === other.matcherText) return true
  const values = [...listMatcherNames(one), ...listMatcherNames(other), ...known]
  return values.some((value) => isHit(one, value) && isHit(other, value))
}

/**
 * The hooks that can be hit together with each of several whose matchers are written differently, by position, itself among them:
 * as `canOverlap` has it of each two, but a value is tested once against every matcher, and no matcher against another.
 */
export function findOverlaps(hooks: readonly MatchingHook[], known: readonly string[]): number[][] {
  const all = hooks.map((_, at) => at)
  const names = hooks.map((hook) => new Set(listMatcherNames(hook)))
  const found = hooks.map((_, at) => new Set([at]))
  const meet = (some: readonly number[], others: readonly number[]): void => {
    for (const at of some) for (const other of others) found[at]?.add(other)
    for (const at of others) for (const other of some) found[at]?.add(other)
  }
  for (const value of new Set([...known, ...names.flatMap((own) => [...own])])) {
    const hit = listPositions(hooks, (hook) => isHit(hook, value))
    meet(known.includes(value) ? hit : listPositions(names, (own) => own.has(value)), hit)
  }
  meet(
    listPositions(hooks, ({ matcher }) => matcher.kind === 'all'),
    all,
  )
  return found.map((positions) => [...positions].sort((one, other) => one - other))
}

function listPositions<Item>(items: readonly Item[], isMeant: (item: Item) => boolean): number[] {
  return items.flatMap((item, at) => (isMeant(item) ? at : []))
}

function listMatcherNames({ matcher }: MatchingHook): Iterable<string> {
  return listSimpleMatchers(matcher).flatMap((simple) => (simple.kind === 'names' ? [...simple.names] : []))
}

function isHit({ matcher }: MatchingHook, value: string): boolean {
  return listSimpleMatchers(matcher).some((simple) => {
    if (simple.kind === 'names') return simple.names.has(value)
    return simple.kind === 'regex' && simple.test(value)
  })
}
