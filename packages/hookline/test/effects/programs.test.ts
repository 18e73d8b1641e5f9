import { describe, expect, it } from 'vitest'
import { effectsOf } from '../../src/effects/effects-of.ts'
import { findReader } from '../../src/effects/readers/table.ts'
import { listProgramRows } from '../../src/programs/table.ts'
import { smallWorld } from '../support/small-world.ts'

const world = smallWorld()
const rows = listProgramRows()
const examples = rows.flatMap(([names, row]) =>
  Object.entries(row.examples ?? {}).map(([command, means]) => ({ names, command, means })),
)

/** The effects of a call in the words of the table: `delete home`, `send`, `registry publish`. */
function describeEffects(command: string): string[] {
  const { effects } = effectsOf({ tool: 'Bash', input: { command } }, world)
  return effects.flatMap((effect) => {
    if (effect.does === 'change') return [`${effect.system} ${effect.operation}`]
    if (effect.does === 'read') return effect.path.place === 'secret' && effect.what !== 'name' ? ['read secret'] : []
    if (effect.does === 'write' || effect.does === 'delete') return [`${effect.does} ${effect.path.place}`]
    return effect.does === 'run' ? [] : [effect.does]
  })
}

describe('the table of programs', () => {
  it('has 400 rows, and each program once', () => {
    const names = rows.flatMap(([each]) => each.split(' '))
    expect(rows.length).toBeGreaterThanOrEqual(400)
    expect(names.length).toBeGreaterThan(2500)
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  })

  it('has an example for every row, and a reader for every name of one', () => {
    expect(rows.filter(([, row]) => !row.examples).map(([names]) => names)).toEqual([])
    expect(rows.filter(([, row]) => row.reader && !findReader(row.reader)).map(([names]) => names)).toEqual([])
  })

  it('means what its examples say, and nothing where they say nothing', () => {
    const wrong = examples.flatMap(({ command, means }) => {
      const found = describeEffects(command)
      const wanted = means.split(',').filter((each) => each !== '')
      const isRight = wanted.length === 0 ? found.every(isMild) : wanted.every((each) => found.includes(each))
      return isRight ? [] : [{ command, means, found }]
    })
    expect(wrong).toEqual([])
  })
})

/** Effects inside the project that no guard asks about. */
function isMild(effect: string): boolean {
  return /^(?:write|delete) (?:project|built|temp)$|^fetch$|^git (?:commit|branch)$/.test(effect)
}
