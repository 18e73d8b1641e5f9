import { isDeepStrictEqual } from 'node:util'
import type { Decision } from '../protocol/record.ts'
import { lastToFinish, type Verdict } from './last-to-finish.ts'
import type { Voice } from './voice.ts'

/**
 * What two hooks do to each other in a client that takes the last to finish. `rewrite`: which of two inputs is used depends on who ends
 * last. `reason`: so does what the model reads. `undone`: the refusal of one is undone by the other, whoever ends last.
 */
export type RaceKind = 'rewrite' | 'reason' | 'undone'

/** Two hooks that conflict over one event. */
export interface Race {
  readonly kind: RaceKind
  /** In configuration order. */
  readonly hooks: readonly [string, string]
  /** What is decided here, whoever ends last. */
  readonly here: Verdict
  /** What a client that takes the last to finish decides when the first of them ends last, and when the second does. */
  readonly there: readonly [Verdict, Verdict]
}

/**
 * Every pair of hooks whose answers conflict. Whatever order n hooks end in, only the last rewrite and the last reason count, so it is
 * enough to let each two of them end last, both ways round.
 */
export function racesBetween(voices: readonly Voice[], decision: Decision): Race[] {
  const here = { permission: decision.permission, reason: decision.reason, updatedInput: decision.updatedInput }
  return voices.flatMap((one, at) =>
    voices.slice(at + 1).flatMap((other): Race[] => {
      const rest = voices.filter((voice) => voice !== one && voice !== other)
      const there = [lastToFinish([...rest, other, one]), lastToFinish([...rest, one, other])] as const
      const kind = kindOf([one, other], there)
      return kind === null ? [] : [{ kind, hooks: [one.hook, other.hook], here, there }]
    }),
  )
}

function kindOf(pair: readonly [Voice, Voice], [first, second]: readonly [Verdict, Verdict]): RaceKind | null {
  if (!isDeepStrictEqual(first.updatedInput, second.updatedInput)) return 'rewrite'
  if (undoes(...pair) || undoes(pair[1], pair[0]))
    return first.permission === 'deny' ? reasonRace(first, second) : 'undone'
  return reasonRace(first, second)
}

const reasonRace = (first: Verdict, second: Verdict): RaceKind | null =>
  first.reason === second.reason ? null : 'reason'

/** An exit code 2 and a JSON that does not deny. */
function undoes(one: Voice, other: Voice): boolean {
  return one.by === 'exit-code' && other.by === 'json' && other.permission !== null && other.permission !== 'deny'
}
