import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { effectsOf } from '../../src/effects/effects-of.ts'
import { readCallList } from '../support/call-list.ts'
import { smallWorld } from '../support/small-world.ts'

const world = smallWorld()
const names = ['constructor', '__proto__', 'toString', 'valueOf', 'hasOwnProperty', 'a(b', '*(*', '[', '\\', ']']

function readSitting(name: string): readonly string[] {
  const text = readFileSync(new URL(`../guards/cases/sittings/${name}.txt`, import.meta.url), 'utf8')
  return readCallList(text).flatMap(({ input }) => (typeof input.command === 'string' ? [input.command] : []))
}

/** Words of the reader itself, where a mistake in it took the place of a reading. */
function listMistakes(command: string): string[] {
  const { unseen } = effectsOf({ tool: 'Bash', input: { command } }, world)
  return unseen
    .filter(
      ({ reason, of }) =>
        reason === 'not-parsed' && /is not a|is not iterable|cannot (?:read|convert)|invalid reg/i.test(of),
    )
    .map(({ of }) => `${command}: ${of}`)
}

// Nothing here is ever run: text is handed to a function, and its answer is looked at.
describe('a name that every object answers to, or that is no pattern', () => {
  it.each(names)('%s is read as any other in each place of a command', (name) => {
    const commands = [...readSitting('1-everyday'), ...readSitting('4-harmful')]
    const replaced = commands.flatMap((command, at) => {
      const words = [...command.matchAll(/[\w./-]+/g)]
      return [at, at + 1, at + 3].flatMap((turn) => {
        const word = words[turn % words.length]
        return word ? [command.slice(0, word.index) + name + command.slice(word.index + word[0].length)] : []
      })
    })
    expect(replaced.flatMap(listMistakes)).toEqual([])
  })

  it.each(names)('%s is read as any other function, member, script and tool', (name) => {
    const commands = [
      `${name} a b`,
      `sudo -u x ${name}`,
      `git ${name} --${name}`,
      `npm run ${name}`,
      `npx ${name} ${name}`,
      `make ${name}`,
      `docker ${name} ${name}`,
      `uv run ${name}`,
      `node -e 'const a = ${name}(1); b.${name}(2)'`,
      `python3 -c 'import os; ${name}(1); os.${name}(2)'`,
      `ruby -e 'x.${name}(1)'`,
      `${name}=1 ${name}`,
      `./a.${name}`,
    ]
    expect(commands.flatMap(listMistakes)).toEqual([])
    const { unseen } = effectsOf({ tool: name, input: { [name]: 'a' } }, world)
    expect(unseen.filter(({ reason }) => reason === 'not-parsed')).toEqual([])
  })
})
