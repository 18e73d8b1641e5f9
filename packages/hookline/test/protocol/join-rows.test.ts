import { describe, expect, it } from 'vitest'
import { joinRows } from '../../src/protocol/join-profiles.ts'
import { loadProfile } from '../../src/protocol/profiles.ts'

const [classic, current] = [await loadProfile('classic'), await loadProfile('current')]

const shared = [...classic.events.keys()].flatMap((name) => {
  const [own, other] = [classic.events.get(name), current.events.get(name)]
  return own === undefined || other === undefined ? [] : [{ name, own, other }]
})

describe('a row of two profiles', () => {
  it.each(shared)('is the row itself where both have the same: $name', ({ own }) => {
    expect(joinRows(own, own)).toEqual(own)
  })

  it.each(shared)('has whatever hooks of either can do to $name', ({ own, other }) => {
    for (const [first, second] of [
      [own, other],
      [other, own],
    ] as const) {
      const joined = joinRows(first, second)
      expect(joined.canBlock).toBe(own.canBlock || other.canBlock)
      expect(joined.endsSession).toBe(own.endsSession || other.endsSession)
      expect(Object.keys(joined.effects).sort()).toEqual(
        [...new Set([...Object.keys(own.effects), ...Object.keys(other.effects)])].sort(),
      )
      expect(new Set(joined.inputFields)).toEqual(new Set([...own.inputFields, ...other.inputFields]))
      for (const fact of ['rewrites', 'replaces', 'erases', 'secondsTogether'] as const)
        expect(joined[fact]).toBe(first[fact] ?? second[fact])
      expect(joined.merges).toBe((first.canBlock ? first : second).merges)
    }
  })

  it.each(shared)('is otherwise as the first has $name', ({ own, other }) => {
    const joined = joinRows(own, other)
    const differing = Object.keys(own).filter((fact) => !Object.is(Reflect.get(own, fact), Reflect.get(joined, fact)))
    const joint = ['merges', 'canBlock', 'inputFields', 'effects', 'noEffects', 'rewrites', 'replaces', 'erases']
    expect(differing.filter((fact) => ![...joint, 'endsSession', 'secondsTogether'].includes(fact))).toEqual([])
  })
})
