import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tooWide } from '../../../hookline/test/support/command.ts'
import { processesWith, until } from '../../../hookline/test/support/processes.ts'
import { put } from '../../../hookline/test/support/project.ts'
import { config, smallServer } from '../mcp/support.ts'
import { group, openSession, recording, reopen, seen } from './support/session.ts'

/** What a user meets in the first hour, in as few sessions as it takes; `npm run terminal` looks at each of it alone. */

/** Such a session is long, and machines may be busy. */
const PATIENT = { timeout: 120_000 }

const waits = 'until [ -e go ]; do sleep 0.05; done'
const bash = (command: string): object => ({ tools: [{ name: 'Bash', input: { command } }] })
const events = (world: Parameters<typeof seen>[0]): unknown[] =>
  seen(world).map(({ hook_event_name, source, reason, trigger }) => [hook_event_name, source ?? reason ?? trigger])

it('asks for trust once, and shows hooks, calls, diffs and answers', PATIENT, async () => {
  const answer = '# Plan\nThis is **bold** and `code`.\n\n- one\n- two\n\n```\nlet x = 1\n```'
  const turns = [
    { tools: [{ name: 'Read', input: { file_path: 'notes.txt' } }] },
    { tools: [{ name: 'Edit', input: { file_path: 'notes.txt', old_string: 'two', new_string: 'zwei' } }] },
    bash("printf '\\033]0;stolen\\007\\033[2J'; seq 101 120"),
    { text: answer, usage: { inputTokens: 1200, outputTokens: 7 } },
  ]
  const { terminal, world } = await openSession({
    turns,
    trusted: false,
    files: { 'project/notes.txt': 'one\ntwo\nthree\n' },
    hooks: {
      SessionStart: [group(recording)],
      UserPromptSubmit: [group(waits, { statusMessage: 'Thinking about the prompt' })],
      PostToolUse: [{ matcher: 'Bash', ...group('echo MARK-plain') }],
    },
    args: ['--permission-mode', 'acceptEdits', '--allowed-tools', 'Bash'],
    rows: 60,
  })
  const asked = await terminal.see('This folder has hooks that you do not trust yet')
  expect(asked).toMatch(/UserPromptSubmit {2}\.claude\/settings\.json:\d+/)
  expect(asked).toContain(waits)
  expect(seen(world)).toEqual([])
  await terminal.press('Up', 'Enter')
  await terminal.see('Ask something')
  await terminal.enter('What now?')
  await terminal.see('Thinking about the prompt')
  await put(world, 'project/go', '')
  await terminal.see(/let x = 1[\s\S]*Ask something/)
  await terminal.see(/\d+ in, \d+ out/)
  const screen = await terminal.screen()
  expect(screen).toContain('● Edit(notes.txt)\n  1  one\n  2 -two\n  2 +zwei\n  3  three')
  expect(screen).toContain('… 16 more lines')
  expect(screen).toContain('This is bold and code.')
  expect(screen).toContain('• one')
  expect(screen).not.toMatch(/\*\*|```|# Plan|120\n|MARK-plain/)
  expect(await terminal.title()).not.toContain('stolen')

  await terminal.press('C-o')
  const verbose = await terminal.see(/120[\s\S]*verbose/)
  expect(verbose).toContain('MARK-plain')
  expect(verbose).toMatch(/PostToolUse hook project:PostToolUse:0:0 ended: success, exit 0, \d+ ms/)
  await terminal.press('C-d')
  expect(await terminal.ended()).toBe(0)
  const second = await reopen(world, { turns, trusted: false })
  expect(await second.see('Ask something')).not.toContain('This folder has hooks')
})

it('asks for calls, once, for always and with a reason, and changes the mode', PATIENT, async () => {
  const { terminal, world } = await openSession({
    turns: [bash('touch one'), bash('touch two'), bash('touch three'), bash('mkdir four'), { text: 'Finished.' }],
    hooks: { Notification: [group(recording)] },
    env: { HOOKLINE_NOTIFY_AFTER_MS: '50' },
    rows: 45,
  })
  const isMade = (name: string): boolean => existsSync(join(world.project, name))
  await terminal.see('Ask something')
  await terminal.enter('Make it')
  await terminal.see(/│ {3}touch one/)
  await until('hooks hear that the dialog waits', () => seen(world).length === 1)
  expect(isMade('one')).toBe(false)
  await terminal.press('Enter')
  await terminal.see(/│ {3}touch two/)
  expect(isMade('one')).toBe(true)
  await terminal.see('Yes, and always: Bash(touch:*) (.claude/settings.local.json)')
  await terminal.press('2')
  await terminal.see(/│ {3}mkdir four/) // the call before it was not asked for
  await terminal.press('3')
  await terminal.see('say what to do instead')
  await terminal.enter('use three')
  const screen = await terminal.see(/Finished\.[\s\S]*Ask something/)

  expect(screen).toContain('The user refused this call and says: use three')
  expect([isMade('three'), isMade('four')]).toEqual([true, false])
  expect(seen(world)[0]).toMatchObject({ notification_type: 'permission_prompt' })
  const written = readFileSync(join(world.project, '.claude/settings.local.json'), 'utf8')
  expect(JSON.parse(written)).toEqual({ permissions: { allow: ['Bash(touch:*)'] } })
  await terminal.press('BTab')
  await terminal.seeNow('acceptEdits')
})

it('knows its commands, and those of the project', PATIENT, async () => {
  const command = `---\ndescription: greets\nhooks:\n  Stop:\n    - hooks:\n        - type: command\n          command: touch greeted\n---\nGreet $ARGUMENTS\n`
  const hooks = { SessionStart: [group(recording)], SessionEnd: [group(recording)], PreCompact: [group(recording)] }
  const { terminal, world } = await openSession({
    turns: [{ text: 'Hello, Ada.' }],
    hooks,
    files: { 'project/.claude/commands/greet.md': command, 'project/src/lamp.ts': '' },
    settings: { statusLine: { type: 'command', command: 'printf "\\033[32mall is well\\033[0m\\n"', padding: 2 } },
    rows: 50,
  })
  await terminal.see('  all is well')
  await terminal.type('/gre')
  await terminal.see('greets')
  await terminal.press('Tab')
  await terminal.enter('Ada')
  await terminal.see(/❯ Greet Ada[\s\S]*Hello, Ada\./)
  await until('its hook has run', () => existsSync(join(world.project, 'greeted')))
  await terminal.enter('/compact keep the names')
  await terminal.see('Conversation compacted.')
  await until('the session has started anew', () => seen(world).length === 3)
  expect((await terminal.everything()).match(/Conversation compacted\./g)).toHaveLength(1)
  await terminal.enter('/status')
  await terminal.see(/hooks +3 of 3 active/)
  await terminal.enter('/nonsense')
  const said = (await terminal.see('There is no command "/nonsense".')).replaceAll(/\s+/g, ' ')
  for (const name of ['/compact', '/greet', '/hooks', '/permissions', '/rewind', '/theme']) expect(said).toContain(name)
  await terminal.type('Look at @lam')
  await terminal.see('@src/lamp.ts')
  await terminal.press('Tab')
  await terminal.see('Look at @src/lamp.ts ')
  await terminal.press('C-c')
  await terminal.enter('/clear')
  await terminal.see('Conversation cleared.')
  expect(await terminal.screen()).not.toContain('Hello, Ada.')
  await terminal.enter('/model you')
  await terminal.see('The model is you.')
  await terminal.enter('/exit')

  expect(await terminal.ended()).toBe(0)
  expect(events(world)).toEqual([
    ['SessionStart', 'startup'],
    ['PreCompact', 'manual'],
    ['SessionStart', 'compact'],
    ['SessionEnd', 'clear'],
    ['SessionStart', 'clear'],
    ['SessionEnd', 'prompt_input_exit'],
  ])
})

it('lets the user play the model, and fill in the form of an MCP server', PATIENT, async () => {
  const { terminal, world } = await openSession({
    files: { 'project/.mcp.json': config({ small: smallServer() }) },
    hooks: {
      SessionStart: [group('echo the lamp is broken')],
      PreToolUse: [group('if grep -q forbidden; then echo not that >&2; exit 2; fi')],
      PostToolUse: [{ matcher: 'Write', ...group('echo one line too long >&2; exit 2') }],
      Stop: [group(recording)],
    },
    args: ['--allowed-tools', 'Bash,mcp__small', '--permission-mode', 'acceptEdits'],
    rows: 45,
  })
  expect(await terminal.see('Ask something')).toMatch(/No model is configured, so you play the model[\s\S]*_API_KEY/)
  await terminal.enter('Do something')
  await terminal.see('model❯')
  await terminal.enter('Bash cat forbidden')
  await terminal.see(/PreToolUse:Bash hook error:[\s\S]*model❯/)
  await terminal.type('Write one.txt 1')
  await terminal.press('M-Enter')
  await terminal.enter('Write {"file_path": "two.txt", "content": "2"}')
  const played = await terminal.see(/● Write\(two.txt\)[\s\S]*the model reads:[\s\S]*model❯/)
  expect(played).toMatch(/the model reads:\n +SessionStart:startup hook success: the lamp is broken/)
  expect(played).toMatch(/the model reads:\n[^●]*one line too long/)
  await terminal.enter('mcp__small__ask {}')
  await terminal.see('small asks')
  await terminal.enter('main')
  await terminal.see(/mcp__small__ask[\s\S]*main[\s\S]*model❯/)
  await terminal.enter('That is all.')
  await terminal.see('Ask something')

  expect(readFileSync(join(world.project, 'one.txt'), 'utf8')).toBe('1')
  expect(readFileSync(join(world.project, 'two.txt'), 'utf8')).toBe('2')
  await until('the Stop hook has run', () => seen(world).length === 1)
})

it('interrupts with Esc, leaves when Ctrl+C is pressed twice, and ends what still runs', PATIENT, async () => {
  const token = `HOOKLINE_TEST_TOKEN_${process.pid}_${Date.now()}`
  const hooks = { PostToolUseFailure: [group(recording)], Stop: [group(recording)], SessionEnd: [group(recording)] }
  const { terminal, world } = await openSession({
    turns: [bash('sleep 300'), bash('sleep 300')],
    hooks,
    args: ['--allowed-tools', 'Bash'],
    env: { [token]: '1' },
  })
  await terminal.see('Ask something')
  await terminal.enter('Sleep')
  await terminal.see('Running Bash')
  await terminal.press('Escape')
  await terminal.see('Interrupted')
  await terminal.enter('Again')
  await terminal.seeNow('Running Bash')
  await terminal.press('C-c')
  await terminal.see('Press Ctrl+C again to quit')
  await terminal.press('C-c')

  expect(await terminal.ended()).toBe(0)
  expect(events(world).at(-1)).toEqual(['SessionEnd', 'prompt_input_exit'])
  expect(seen(world)[0]).toMatchObject({ hook_event_name: 'PostToolUseFailure', is_interrupt: true })
  expect(seen(world).filter(({ hook_event_name }) => hook_event_name === 'Stop')).toEqual([])
  await terminal.close()
  await until('nothing is left running', () => processesWith(token).length === 0)
})

it('ends in order at SIGTERM, and when its terminal is closed', PATIENT, async () => {
  const hooks = { SessionEnd: [group(recording)] }
  const { terminal, world } = await openSession({ turns: [], hooks })
  await terminal.see('Ask something')
  process.kill(await terminal.pid(), 'SIGTERM')
  expect(await terminal.ended()).toBe(143)

  const second = await reopen(world, { turns: [] })
  await second.see('Ask something')
  await second.close()

  await until('the hooks have run', () => seen(world).length === 2)
  expect(events(world)).toEqual(Array(2).fill(['SessionEnd', 'other']))
})

it('goes line by line with --plain, says each message once, and is interrupted with Ctrl+C', PATIENT, async () => {
  const guard = group('if grep -q forbidden; then echo not here >&2; exit 2; fi', {
    statusMessage: 'Looking at the call',
  })
  const { terminal, world } = await openSession({
    turns: [
      { tools: [{ name: 'Write', input: { file_path: 'made.txt', content: 'x' } }] },
      bash('cat forbidden'),
      bash('sleep 300'),
    ],
    hooks: {
      SessionStart: [group(recording)],
      PreToolUse: [guard],
      PostToolUse: [group('echo looked at >&2; exit 2')],
    },
    args: ['--plain', '--allowed-tools', 'Bash'],
    trusted: false,
    rows: 50,
  })
  await terminal.see('has hooks that you do not trust yet')
  await terminal.enter('yes')
  await terminal.see('you> ')
  await terminal.enter('Write it')
  await terminal.see('Write made.txt?')
  await terminal.enter('1')
  await terminal.see('Hook says: [echo looked at >&2; exit 2]: looked at')
  await terminal.see(/Call: Bash cat forbidden\nIt failed: PreToolUse:Bash hook error: [\s\S]*: not here/)
  await terminal.see(/(Looking at the call[\s\S]*){3}/)
  await terminal.press('C-c')
  const said = await terminal.see(/Interrupted[\s\S]*you> /)
  expect(said.match(/: not here$/gm)).toHaveLength(1)
  expect(said.match(/: looked at$/gm)).toHaveLength(1)
  expect(said.match(/Press Ctrl\+C again to quit/g)).toHaveLength(1)
  expect(said).not.toMatch(/[╭│❯●]/)
  expect(readFileSync(join(world.project, 'made.txt'), 'utf8')).toBe('x')
})

it('fits into 40 columns, without colours and Unicode where there are none', PATIENT, async () => {
  const { terminal } = await openSession({
    turns: [
      bash('echo some output that is rather long, so that it has to be wrapped'),
      { text: 'An answer that is longer than forty columns, with `code` in it.' },
    ],
    hooks: { PreToolUse: [group('echo a reason that is longer than the terminal is wide >&2; exit 1')] },
    env: { NO_COLOR: '1', LANG: 'C' },
    columns: 40,
    rows: 40,
  })
  await terminal.see('Ask something')
  await terminal.enter('Go')
  await terminal.see('Run this command?')
  const dialog = await terminal.screen()
  await terminal.press('1')
  await terminal.see(/longer than forty\s+columns/)
  const screen = await terminal.screen()

  expect(tooWide(dialog, 40)).toEqual([])
  expect(dialog).toContain('1. Yes, this once')
  expect(tooWide(screen, 40)).toEqual([])
  expect([...`${dialog}${screen}`].filter((character) => character > '~')).toEqual([])
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what it is about
  expect(await terminal.screen({ styled: true })).not.toMatch(/\u001b\[(?:\d+;)*(?:3[0-7]|9[0-7]|38)[;m]/)
})
