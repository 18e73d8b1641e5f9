import { expect, it } from 'vitest'
import { processesWith, until } from '../../../hookline/test/support/processes.ts'
import { group, openSession, recording, seen } from './support/session.ts'

const hooks = {
  Stop: [group(recording)],
  PostToolUseFailure: [group(recording)],
  SessionEnd: [group(recording)],
}
const sleeps = [{ tools: [{ name: 'Bash', input: { command: 'sleep 300' } }] }, { text: 'After.' }]
const args = ['--allowed-tools', 'Bash']

it.each(['C-c', 'Escape'])(
  'interrupts a turn with %s: the tool fails as interrupted, and no Stop hook runs',
  async (key) => {
    const { terminal, world } = await openSession({ turns: sleeps, hooks, args })
    await terminal.see('Ask something')
    await terminal.enter('Sleep')
    await terminal.see('Running Bash')

    await terminal.press(key)
    await terminal.see('Interrupted')
    await terminal.enter('Go on')
    await terminal.see('After.')
    await until('the Stop hook has run', () => seen(world).length > 1)

    expect(seen(world)).toMatchObject([
      { hook_event_name: 'PostToolUseFailure', is_interrupt: true },
      { hook_event_name: 'Stop' }, // of the second prompt
    ])
  },
)

it('leaves when Ctrl+C is pressed twice, and ends what still runs', async () => {
  const token = `HOOKLINE_TEST_TOKEN_${process.pid}_${Date.now()}`
  const { terminal, world } = await openSession({ turns: sleeps, hooks, args, env: { [token]: '1' } })
  await terminal.see('Ask something')
  await terminal.enter('Sleep')
  await terminal.see('Running Bash')

  await terminal.press('C-c')
  await terminal.see('Press Ctrl+C again to quit')
  await terminal.press('C-c')

  expect(await terminal.ended()).toBe(0)
  expect(seen(world).at(-1)).toMatchObject({ hook_event_name: 'SessionEnd', reason: 'prompt_input_exit' })
  await terminal.close()
  await until('nothing is left running', () => processesWith(token).length === 0)
})

it('empties the input with the first Ctrl+C', async () => {
  const { terminal } = await openSession({ turns: [] })
  await terminal.see('Ask something')

  await terminal.type('never mind')
  await terminal.see('never mind')
  await terminal.press('C-c')

  await terminal.seeGone('never mind')
  await terminal.see('Press Ctrl+C again to quit')
})

it.each([
  { how: 'Ctrl+D', reason: 'prompt_input_exit', keys: ['C-d'] },
  { how: '/exit', reason: 'prompt_input_exit', keys: ['/exit', 'Enter'] },
  { how: '/logout', reason: 'logout', keys: ['/logout', 'Enter'] },
])('leaves with $how: SessionEnd says $reason', async ({ reason, keys }) => {
  const { terminal, world } = await openSession({ turns: [], hooks })
  await terminal.see('Ask something')

  for (const key of keys) await terminal.press(key)

  expect(await terminal.ended()).toBe(0)
  expect(seen(world)).toMatchObject([{ hook_event_name: 'SessionEnd', reason }])
})

it('tells what a SessionEnd hook failed with', async () => {
  const { terminal } = await openSession({ turns: [], hooks: { SessionEnd: [group('echo cannot save >&2; exit 1')] } })
  await terminal.see('Ask something')

  await terminal.press('C-d')

  await terminal.see('SessionEnd hook [echo cannot save >&2; exit 1] failed: cannot save')
  expect(await terminal.ended()).toBe(0)
})

it.each([
  { signal: 'SIGTERM', code: 143 },
  { signal: 'SIGINT', code: 130 },
] as const)('ends in order at $signal', async ({ signal, code }) => {
  const { terminal, world } = await openSession({ turns: sleeps, hooks, args })
  await terminal.see('Ask something')
  await terminal.enter('Sleep')
  await terminal.see('Running Bash')

  process.kill(await terminal.pid(), signal)

  expect(await terminal.ended()).toBe(code)
  expect(seen(world).at(-1)).toMatchObject({ hook_event_name: 'SessionEnd', reason: 'other' })
})

it('runs SessionEnd hooks when the terminal is closed', async () => {
  const { terminal, world } = await openSession({ turns: [], hooks })
  await terminal.see('Ask something')

  await terminal.close()

  await until('the hook has run', () => seen(world).length === 1)
  expect(seen(world)).toMatchObject([{ hook_event_name: 'SessionEnd', reason: 'other' }])
})

it('leaves while SessionStart hooks still run, and ends them', async () => {
  const token = `HOOKLINE_TEST_TOKEN_${process.pid}_${Date.now()}`
  const slow = { ...hooks, SessionStart: [group('sleep 300', { statusMessage: 'Starting slowly' })] }
  const { terminal, world } = await openSession({ turns: [], hooks: slow, env: { [token]: '1' } })
  await terminal.see('Starting slowly')

  await terminal.press('C-d')

  expect(await terminal.ended()).toBe(0)
  expect(seen(world)).toMatchObject([{ hook_event_name: 'SessionEnd' }])
  await terminal.close()
  await until('nothing is left running', () => processesWith(token).length === 0)
})

it('says what is wrong with the model that was asked for, and ends', async () => {
  const { terminal } = await openSession({ args: ['--model', 'script:missing.json'] })

  await terminal.see('hookline-agent: The script missing.json does not exist')
  expect(await terminal.ended()).toBe(1)
})
