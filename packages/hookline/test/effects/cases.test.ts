import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { effectsOf } from '../../src/effects/effects-of.ts'
import type { Effect } from '../../src/effects/view.ts'
import { smallWorld } from '../support/small-world.ts'

const world = smallWorld({ 'shop/README.md': '# shop\n', '.claude/settings.json': '{}' })
const cases = ['cases.txt', 'rows.txt']
  .flatMap((file) => readFileSync(new URL(file, import.meta.url), 'utf8').split('\n'))
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => {
    const at = line.lastIndexOf('=>')
    const meant = line.slice(at + 2).trim()
    const effects = meant
      .replace(/!$/, '')
      .split(';')
      .map((each) => each.trim())
      .filter((each) => each !== '')
    return {
      command: line.slice(0, at).trimEnd().replaceAll('⏎', '\n'),
      effects: effects.sort(),
      isUnseen: meant.endsWith('!'),
    }
  })

/** An effect as the list writes it; null for runs and reads of ordinary files, which are free. */
function describeEffect(effect: Effect): string | null {
  switch (effect.does) {
    case 'run':
      return null
    case 'read':
      return effect.path.place === 'secret' && effect.what === 'content' ? `read secret ${effect.certainty}` : null
    case 'write':
    case 'delete':
      return `${effect.does} ${effect.path.place} ${effect.certainty}`
    case 'change':
      return `change ${effect.system}:${effect.operation} ${effect.certainty}`
    default:
      return effect.does
  }
}

// Nothing of this list is ever run: text is handed to a function, and its answer is looked at.
describe('the view of a call', () => {
  it('has exactly the effects that the call has, with places and certainties', () => {
    const wrong = cases.flatMap(({ command, effects, isUnseen }) => {
      const view = effectsOf({ tool: 'Bash', input: { command } }, world)
      const guesses = view.guesses.flatMap((effect) => describeEffect(effect) ?? [])
      const seen = [
        ...view.effects.flatMap((effect) => describeEffect(effect) ?? []),
        ...guesses.map((guess) => `maybe ${guess}`),
      ].sort()
      const isRight = JSON.stringify(seen) === JSON.stringify(effects) && (!isUnseen || view.unseen.length > 0)
      return isRight ? [] : [`${command} => ${seen.join('; ')}${view.unseen.length > 0 ? ' !' : ''}`]
    })
    expect(wrong).toEqual([])
    expect(cases.length).toBeGreaterThan(300)
  })
})
