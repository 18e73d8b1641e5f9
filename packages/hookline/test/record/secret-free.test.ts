import fc from 'fast-check'
import { expect, it } from 'vitest'
import { makeRedactor } from '../../src/record/redact.ts'
import { makeSecretFreeCheck } from '../../src/record/secret-free.ts'
import { HEX_TOKENS, LINE_LOGINS, LOGINS, SECRETS, TOKENS } from '../support/secrets.ts'

const redact = makeRedactor({})
const isSecretFree = makeSecretFreeCheck()

const TEXTS = [
  ...Object.values(SECRETS).map(([text]) => text),
  ...Object.values(TOKENS),
  ...Object.values(HEX_TOKENS),
  ...[...LOGINS, ...LINE_LOGINS, 'hunter2-hunter2', '--password', 'mysql', '-pCANARY', 'Secret', 'ls -l src', 'Bash'],
]
const NAMES = [
  'command',
  'args',
  'password',
  'name',
  'key',
  'value',
  'kind',
  'data',
  'token',
  'description',
  '__proto__',
]

it('sees no secret where there is none, and is not asked twice', () => {
  const input = { tool_input: { command: 'npm test', flags: [], at: '2026-11-19T00:00:00.000Z' }, ms: 3, signal: null }
  for (let time = 0; time < 2; time++) expect(isSecretFree(input)).toBe(true)
})

/** Values whose parts are harmless, each for itself. */
const TOGETHER: readonly unknown[] = [
  ['mysql', '-u', 'root', '-pCANARY'],
  ['deploy', '--password', 'CANARY'],
  { command: 'redis-cli', args: ['-a', 'CANARY'] },
  { name: 'DB_PASSWORD', value: 'CANARY' },
  { key: 'password', value: 'CANARY' },
  { kind: 'Secret', data: { a: 'CANARY' } },
  { password: 'CANARY', quoted: 'CANARY-1 CANARY' },
]

it.each([...TEXTS.slice(0, -2).map((text) => ({ text })), ...TOGETHER])('leaves %j to the redactor', (value) => {
  const changed = [value, [value], { deep: [{ value }] }].filter((one) => redact(one) !== JSON.stringify(one))
  for (const one of changed) expect(isSecretFree(one)).toBe(false)
  if (TOGETHER.includes(value)) expect(changed).toHaveLength(3)
})

it('calls nothing free that the redactor changes, however texts and names stand together', () => {
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(...TEXTS),
      fc.constantFrom(...TOGETHER),
      fc.constantFrom<unknown>(1, true, null, ''),
      fc.string(),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(fc.oneof(fc.constantFrom(...NAMES, ...TEXTS), fc.string()), tie('value'), { maxKeys: 4 }),
    ),
  }))
  let free = 0
  fc.assert(
    fc.property(value, (drawn) => {
      const text = JSON.stringify(drawn)
      const read: unknown = JSON.parse(text)
      if (!isSecretFree(read)) return
      free++
      expect(redact(read)).toBe(JSON.stringify(read))
    }),
    { numRuns: 2000 },
  )
  expect(free).toBeGreaterThan(100)
})

it('leaves to the redactor what is deeper than the stack', () => {
  const depth = 200_000
  expect(isSecretFree(JSON.parse(`${'[{"a":'.repeat(depth)}1${'}]'.repeat(depth)}`))).toBe(false)
})
