import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { effectsOf } from '../../src/effects/effects-of.ts'
import type { Effect } from '../../src/effects/view.ts'
import { smallWorld } from '../support/small-world.ts'

const world = smallWorld({ 'shop/README.md': '# shop\n' })
const snippets = readFileSync(new URL('code.txt', import.meta.url), 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, language = '', means = '', code = ''] = /^(py|js)\|([^|]*)\|(.*)$/.exec(line) ?? []
    return language === '' ? [] : [{ line, language, means, code: code.replaceAll('⏎', '\n') }]
  })

function describeEffect(effect: Effect): string | null {
  switch (effect.does) {
    case 'run':
      return null
    case 'read':
      return effect.path.place === 'secret' && effect.what === 'content' ? 'read secret' : null
    case 'write':
    case 'delete':
      return `${effect.does} ${effect.path.place}`
    case 'change':
      return `change ${effect.operation}`
    default:
      return effect.does
  }
}

const seen = snippets.map(({ line, language, means, code }) => {
  const program = language === 'py' ? 'python3' : 'node'
  const command = `${program} - <<'END OF CODE'\n${code}\nEND OF CODE`
  const { effects, unseen } = effectsOf({ tool: 'Bash', input: { command } }, world)
  const found = [...new Set(effects.flatMap((each) => describeEffect(each) ?? []))].sort().join('; ')
  const wanted = means === '!' ? '' : means.split('; ').sort().join('; ')
  return { line, wanted, found, isUnseen: unseen.length > 0, needsUnseen: means === '!' }
})

// Nothing of this list is ever run: text is handed to a function, and its answer is looked at.
describe('the reader of Python and JavaScript', () => {
  it('finds exactly the effects of 97 in 100 snippets', () => {
    const wrong = seen.filter((each) => each.found !== each.wanted || (each.needsUnseen && !each.isUnseen))
    expect(wrong.length, JSON.stringify(wrong, null, 1)).toBeLessThanOrEqual(seen.length * 0.03)
    expect(seen.length).toBeGreaterThan(230)
  })

  it('is never silent about a snippet that does something', () => {
    expect(seen.filter((each) => each.wanted !== '' && each.found === '' && !each.isUnseen)).toEqual([])
  })

  it('sees nothing in comments, strings and methods that are named like the functions that do something', () => {
    expect(seen.filter((each) => each.wanted === '' && each.found !== '')).toEqual([])
  })
})
