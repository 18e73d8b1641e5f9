/**
 * Ways to join a fact of two protocols: `own`, that of the first; `either`, that of the second where the first has none; `both`,
 * the members of the two, of which the first's go first, or the word that one of them has for all; `prefers`, this one where
 * either of the two has it; a table for what has facts of its own.
 */
type Join<Fact> =
  | 'own'
  | { readonly prefers: Fact }
  | (Fact extends readonly unknown[] ? 'both' : Fact extends object ? 'both' | Joins<Fact> : never)
  | (null extends Fact ? 'either' : Fact extends boolean ? 'either' : never)

/** The way in which each fact is joined: a new fact does not compile without one. */
export type Joins<Facts> = { readonly [Fact in keyof Required<Facts>]: Join<Facts[Fact]> }

/** Joins the facts of two protocols, each in its way. */
export function joinFacts<Facts extends object>(joins: Joins<Facts>, own: Facts, other: Facts): Facts {
  const joined: Record<string, unknown> = {}
  for (const [fact, join] of Object.entries(joins as unknown as Readonly<Record<string, 'own' | AnyJoin>>)) // whatever the facts are
    if (join !== 'own') joined[fact] = joinFact(join, Reflect.get(own, fact), Reflect.get(other, fact))
  return { ...own, ...joined }
}

type AnyJoin = 'either' | 'both' | { readonly prefers: unknown } | Joins<object>

function joinFact(join: AnyJoin, own: unknown, other: unknown): unknown {
  if (join === 'either') return own === null || own === false ? other : own
  if (join === 'both') return joinMembers(own, other)
  if ('prefers' in join) return other === join.prefers ? other : own
  return joinFacts<object>(join, Object(own), Object(other))
}

function joinMembers(own: unknown, other: unknown): unknown {
  if (typeof own === 'string' || typeof other === 'string') return typeof own === 'string' ? own : other
  return Array.isArray(own) && Array.isArray(other)
    ? [...new Set([...own, ...other])]
    : { ...Object(other), ...Object(own) }
}
