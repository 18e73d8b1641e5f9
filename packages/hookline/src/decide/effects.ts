import { isDeepStrictEqual } from 'node:util'
import type { EffectMerge } from '../protocol/effect.ts'
import type { EventRow } from '../protocol/event-row.ts'
import type { Effects } from '../read/effects.ts'

/** How what several hooks ask for, in configuration order, becomes one. There is at least one value. */
const MERGES: Readonly<Record<EffectMerge, (values: readonly unknown[]) => unknown>> = {
  first: (values) => values[0],
  last: (values) => values.at(-1),
  all: (values) => {
    const all = values.flat()
    return all.filter((value, at) => all.findIndex((other) => isDeepStrictEqual(other, value)) === at)
  },
  any: (values) => values.includes(true),
  joined: (values) => values.join('\n\n'),
}

/** What a decision says of the effects of its protocol. */
export function mergeEffects({ effects, noEffects }: EventRow, asked: readonly Effects[]): Effects {
  const merged: Record<string, unknown> = { ...noEffects }
  for (const name of Object.keys(effects)) {
    const values = asked.map((one) => one[name]).filter((value) => value !== undefined)
    const merge = effects[name]?.merge
    if (merge !== undefined && values.length > 0) merged[name] = MERGES[merge](values)
  }
  return merged
}
