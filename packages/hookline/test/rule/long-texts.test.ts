import { expect, it } from 'vitest'
import { behaviorOf } from './support.ts'

const UNITS = [
  'z',
  '-',
  '/',
  ';',
  '=',
  '$(',
  '{',
  '"',
  "'",
  '`',
  '1',
  ' ',
  '\n',
  'a ',
  'a=b ',
  'a|',
  '{a,',
  '<<E\n',
  '../',
]

it.each(['', 'echo ', 'find . -name ', "sed -n 'p", "sed 'b", 'python3'])(
  'decides at once about a long command that begins with "%s", whatever it repeats',
  async (start) => {
    for (const unit of UNITS) {
      const command = `${start}${unit.repeat(45_000 / unit.length)}!'`
      const began = process.cpuUsage()
      await behaviorOf({ toolName: 'Bash', input: { command } }, { deny: ['Bash(rm:*)', 'Read(**/.env)'] })
      expect([unit, process.cpuUsage(began).user / 1000 < 2500]).toEqual([unit, true])
    }
  },
)
