import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const DRIFT = fileURLToPath(new URL('../../../scripts/drift.js', import.meta.url))
const drift = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [DRIFT, ...args], { encoding: 'utf8' })
  return { status, said: `${stdout}${stderr}` }
}

it.each([
  [['--help'], 0, /^npm run drift/],
  [['--only', 'no-such-question'], 1, /No question has "no-such-question" in its id\. Ids: /],
  [['--colour'], 1, /Unknown option '--colour'/],
  [['--only', 'Stop', '--record'], 1, /--only asks some questions, so it writes nothing/],
  [['--client', '/no/such/client'], 0, /^Skipped: (?:there is no program at \/no\/such\/client|no network namespace)/],
] as const)('npm run drift -- %j ends with %i and a sentence', (args, status, said) => {
  expect(drift(...args)).toEqual({ status, said: expect.stringMatching(said) })
})
