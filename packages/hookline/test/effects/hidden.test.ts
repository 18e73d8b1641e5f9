import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { effectsOf } from '../../src/effects/effects-of.ts'
import type { View } from '../../src/effects/view.ts'
import { smallWorld } from '../support/small-world.ts'

const world = smallWorld({ 'shop/README.md': '# shop\n', '.claude/settings.json': '{}' })
const ways = readFileSync(new URL('hidden.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.replaceAll('⏎', '\n').replaceAll('⇥', '\t'))
const commands = ['rm -rf ~/Documents', 'echo evil >> ~/.bashrc', 'git reset --hard', 'crontab -r']

function hide(way: string, command: string): string {
  return way
    .replaceAll('%SQ', () => `'${command.replaceAll("'", "'\\''")}'`)
    .replaceAll('%DQ', () => `"${command.replace(/[\\"$`]/g, '\\$&')}"`)
    .replaceAll('%PY', () => JSON.stringify(command))
    .replaceAll('%RAW', () => command)
}

/** True for a view of nothing at all: no effect but runs and ordinary reads and writes, and nothing unseen. */
function isSilent({ effects, flows, unseen }: View): boolean {
  if (flows.length > 0 || unseen.length > 0) return false
  return !effects.some(
    (effect) =>
      effect.does === 'delete' ||
      effect.does === 'change' ||
      (effect.does === 'write' && !/^(?:built|temp|project)$/.test(effect.path.place)),
  )
}

// Nothing of this is ever run: text is handed to a function, and its answer is looked at.
describe('a command that another hides', () => {
  it.each(commands)(
    'keeps %j an effect, or says that something is unseen, in all ways of the list',
    (command) => {
      const silent = ways
        .map((way) => hide(way, command))
        .filter((hidden) => isSilent(effectsOf({ tool: 'Bash', input: { command: hidden } }, world)))
      expect(silent).toEqual([])
      expect(ways.length).toBeGreaterThan(1_200)
    },
    120_000,
  )
})
