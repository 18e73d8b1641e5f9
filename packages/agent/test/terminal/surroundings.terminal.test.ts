import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tooWide } from '../../../hookline/test/support/command.ts'
import { group, openSession, recording, seen } from './support/session.ts'

const call = {
  tools: [{ name: 'Bash', input: { command: 'echo some output that is rather long, so that it has to be wrapped' } }],
}
const turns = [call, { text: 'An answer that is longer than forty columns, with `code` in it.' }]

it('fits into 40 columns', async () => {
  const hooks = { PreToolUse: [group('echo a reason that is longer than the terminal is wide >&2; exit 1')] }
  const { terminal } = await openSession({ turns, hooks, columns: 40, rows: 40 })
  await terminal.see('Ask something')

  await terminal.enter('Go')
  await terminal.see('Run this command?')
  const dialog = await terminal.screen()
  await terminal.press('1')
  await terminal.see(/longer than forty\s+columns/)

  expect(tooWide(dialog, 40)).toEqual([])
  expect(dialog).toContain('1. Yes, this once')
  expect(tooWide(await terminal.screen(), 40)).toEqual([])
})

it('draws everything anew when the terminal gets another size', async () => {
  const { terminal } = await openSession({ turns, args: ['--allowed-tools', 'Bash'] })
  await terminal.see('Ask something')
  await terminal.enter('Go')
  await terminal.see('An answer')

  await terminal.resize(50, 30)
  await terminal.see(/╭─{48}╮\n│❯ {3}Ask something/)
  await terminal.resize(100, 30)
  await terminal.see(/╭─{98}╮\n│❯ {3}Ask something/)
  const screen = await terminal.screen()

  expect(screen.match(/An answer/g)).toHaveLength(1)
  expect(screen.match(/Ask something/g)).toHaveLength(1)
})

it('uses no colour where NO_COLOR is set', async () => {
  const { terminal } = await openSession({ turns, args: ['--allowed-tools', 'Bash'], env: { NO_COLOR: '1' } })
  await terminal.see('Ask something')
  await terminal.enter('Go')
  await terminal.see('An answer')

  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what it is about
  expect(await terminal.screen({ styled: true })).not.toMatch(/\u001b\[(?:\d+;)*(?:3[0-7]|9[0-7]|38)[;m]/)
})

it('uses colours elsewhere', async () => {
  const { terminal } = await openSession({ turns, args: ['--allowed-tools', 'Bash'] })
  await terminal.see('Ask something')
  await terminal.enter('Go')
  await terminal.see('An answer')

  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what it is about
  expect(await terminal.screen({ styled: true })).toMatch(/\u001b\[(?:\d+;)*3[0-7]m/)
})

it('draws with plain characters where there is no Unicode', async () => {
  const { terminal } = await openSession({ turns, args: ['--allowed-tools', 'Bash'], env: { LANG: 'C' } })
  await terminal.see('Ask something')
  await terminal.enter('Go')
  await terminal.see('An answer')

  const screen = await terminal.screen()
  expect(screen).toContain('* Bash(echo some output')
  expect([...screen].filter((character) => character > '~')).toEqual([])
})

it.each([
  { how: 'with --plain', args: ['--plain'], env: {} },
  { how: 'in a terminal that cannot draw', args: [], env: { TERM: 'dumb' } },
])('goes line by line $how', async ({ args, env }) => {
  const dumb = 'TERM' in env ? ['env', 'TERM=dumb'] : []
  const { terminal, world } = await openSession({
    turns: [{ tools: [{ name: 'Write', input: { file_path: 'made.txt', content: 'x' } }] }, { text: 'Written.' }],
    hooks: {
      SessionStart: [group(recording)],
      PostToolUse: [group('echo looked at >&2; exit 2')],
      SessionEnd: [group(recording)],
    },
    args,
    prefix: dumb,
    trusted: false,
  })

  await terminal.see('has hooks that you do not trust yet')
  await terminal.enter('yes')
  await terminal.see('you> ')
  await terminal.enter('Write it')
  await terminal.see('Write made.txt?')
  await terminal.enter('1')
  await terminal.see('Hook says: [echo looked at >&2; exit 2]: looked at')
  await terminal.see('Agent: Written.')
  await terminal.press('C-d')

  expect(await terminal.ended()).toBe(0)
  expect(await terminal.everything()).not.toMatch(/[╭│❯●]/)
  expect(readFileSync(join(world.project, 'made.txt'), 'utf8')).toBe('x')
  expect(seen(world).map(({ hook_event_name }) => hook_event_name)).toEqual(['SessionStart', 'SessionEnd'])
})

it('interrupts a turn with Ctrl+C in the plain mode, too, and prints each message once', async () => {
  const { terminal } = await openSession({
    turns: [
      { tools: [{ name: 'Bash', input: { command: 'cat forbidden' } }] },
      { tools: [{ name: 'Bash', input: { command: 'sleep 300' } }] },
    ],
    hooks: {
      PreToolUse: [
        group('if grep -q forbidden; then echo not here >&2; exit 2; fi', { statusMessage: 'Looking at the call' }),
      ],
    },
    args: ['--plain', '--allowed-tools', 'Bash'],
  })
  await terminal.see('you> ')
  await terminal.enter('Sleep')
  await terminal.see(/Call: Bash cat forbidden\nIt failed: PreToolUse:Bash hook error: [\s\S]*: not here/)
  await terminal.see(/Looking at the call[\s\S]*Looking at the call/)

  await terminal.press('C-c')

  const said = await terminal.see(/Interrupted[\s\S]*you> /)
  expect(said.match(/: not here$/gm)).toHaveLength(1)
  expect(said.match(/Press Ctrl\+C again to quit/g)).toHaveLength(1)
})
