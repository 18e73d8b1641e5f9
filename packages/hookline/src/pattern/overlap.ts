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
  const values = [...listNames(one), ...listNames(other), ...known]
  return values.some((value) => isHit(one, value) && isHit(other, value))
}

function listNames({ matcher }: MatchingHook): Iterable<string> {
  return listSimpleMatchers(matcher).flatMap((simple) => (simple.kind === 'names' ? [...simple.names] : []))
}

function isHit({ matcher }: MatchingHook, value: string): boolean {
  return listSimpleMatchers(matcher).some((simple) => {
    if (simple.kind === 'names') return simple.names.has(value)
    return simple.kind === 'regex' && simple.test(value)
  })
}
