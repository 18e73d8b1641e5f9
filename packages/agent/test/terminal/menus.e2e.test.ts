import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tooWide } from '../../../hookline/test/support/command.ts'
import { until } from '../../../hookline/test/support/processes.ts'
import { put } from '../../../hookline/test/support/project.ts'
import { group, openSession, reopen } from './support/session.ts'

it('edits and removes hooks and rules, and writes files that end in a newline', async () => {
  const { terminal, world } = await openSession({
    turns: [],
    hooks: { Stop: [group('echo one'), group('echo two')] },
    settings: { permissions: { deny: ['Bash(rm:*)'], allow: ['WebFetch(domain:x.test)'] } },
  })
  const settings = (): string => readFileSync(join(world.project, '.claude/settings.json'), 'utf8')
  const local = join(world.project, '.claude/settings.local.json')
  await terminal.see('Ask something')
  await terminal.enter('/hooks')
  await terminal.see(/❯ on {2}echo one {2}Stop {2}project/)
  await terminal.press('Enter')
  await terminal.see('d: switch off for this session')
  await terminal.press('d')
  await terminal.see('1 hook off')
  await terminal.press('Escape')
  await terminal.see(/❯ off {2}echo one {2}Stop {2}project[^\n]*\n│ +on {3}echo two/)
  await terminal.press('Enter')
  await terminal.see('d: switch on again')
  await terminal.press('d')
  await terminal.seeGone('1 hook off')
  await terminal.press('Escape')
  await terminal.seeNow(/❯ on {2}echo one/)
  await terminal.press('Enter')
  await terminal.see('e: edit, x: remove')
  await terminal.press('e')
  await terminal.see('The command of project:Stop:0:0')
  await terminal.type(' more')
  await terminal.press('Enter')
  await terminal.see('Changed: Stop')
  await terminal.see(/❯ on {2}echo one more {2}Stop/)
  await terminal.press('Down', 'Enter')
  await terminal.see('project:Stop:1:0')
  await terminal.press('x')
  await terminal.see('Remove this hook?')
  await terminal.press('y')
  await terminal.see('Removed: Stop echo two')
  const edited = JSON.parse(settings())
  edited.hooks.Notification = [group('echo three')]
  await put(world, 'project/.claude/settings.json', JSON.stringify(edited, null, '\t')) // by something else, with tabs
  await terminal.press('r')
  const review = await terminal.see(/\.claude\/settings\.json was changed[\s\S]*more lines/)
  expect(tooWide(review, 80)).toEqual([])
  expect(review.split('\n').filter((line) => line.startsWith('│') && !line.endsWith('│'))).toEqual([]) // frames are whole
  await terminal.press('y')
  await terminal.see('Trusted: 1 changed file.')
  await terminal.press('Escape')
  await terminal.see('Ask something') // or Esc and what is typed arrive as one key

  await terminal.enter('/permissions')
  await terminal.see(/Permissions, mode default[\s\S]*deny +Bash\(rm:\*\)/)
  await terminal.press('a')
  await terminal.see('A new rule')
  await terminal.type('Bash(npm test:*)')
  await terminal.press('Enter')
  await terminal.see('allow: Bash(npm test:*), in .claude/settings.local.json')
  await terminal.press('Home')
  const [first = ''] = /❯ .*/.exec(await terminal.see(/❯ \w+ /)) ?? []
  await terminal.press('x')
  await terminal.see('Remove this rule?')
  await terminal.press('y')
  await terminal.see('Removed: ')
  await terminal.press('Home', 'Enter')
  await terminal.see('Edit the rule')
  await terminal.press('BSpace')
  await terminal.type('x)')
  await terminal.press('Enter')
  await terminal.see('Changed: ')
  await terminal.press('Escape')
  await terminal.see('Ask something')

  expect(first).toMatch(/❯ (allow|ask|deny)/)
  expect(JSON.parse(settings()).hooks.Stop).toEqual([group('echo one more')])
  await until('the rule is kept', () => existsSync(local))
  expect(readFileSync(local, 'utf8')).toMatch(/}\n$/)
})

it('ends plan mode with a plan that the user approves, and draws tables, links, boxes and code', async () => {
  const plan = '# Plan\n\n1. write `made.txt`\n2. rest'
  const answer = [
    '| name | state |\n|---|---|\n| lamp | **lit** at six, and it stays lit until the morning comes over the hills |',
    '- [x] done\n- [ ] open\n\nSee [the page](https://x.test/page).',
    '```ts\nconst lamp = "lit" // at six\n```',
  ].join('\n\n')
  const { terminal, world } = await openSession({
    turns: [
      { tools: [{ name: 'Write', input: { file_path: 'made.txt', content: 'x' } }] },
      { tools: [{ name: 'ExitPlanMode', input: { plan } }] },
      { tools: [{ name: 'ExitPlanMode', input: { plan: `${plan}\n3. sleep` } }] },
      { tools: [{ name: 'Write', input: { file_path: 'made.txt', content: 'x' } }] },
      { text: answer },
      { text: 'Light.' },
    ],
    args: ['--permission-mode', 'plan'],
    columns: 60,
    rows: 60,
  })
  await terminal.see('Ask something')
  await terminal.type('/')
  await terminal.see(/1 of \d\d: arrows scroll/)
  await terminal.press('Up')
  await terminal.see(/(\d\d) of \1: arrows scroll/)
  await terminal.press('C-c')
  await terminal.see('Ask something')
  await terminal.enter('Make it')
  await terminal.see('Permission to use Write was denied in the mode plan')
  await terminal.see(/plan:[\s\S]*1\. write made\.txt[\s\S]*Approve this plan\?/)
  await terminal.press('3')
  await terminal.see('say what to change')
  await terminal.enter('sleep too')
  await terminal.see('The user says: sleep too')
  await terminal.see(/3\. sleep[\s\S]*Approve this plan\?/)
  await terminal.press('1')
  await terminal.see(/at six[\s\S]*Ask something/)
  const screen = await terminal.screen()
  const styled = await terminal.screen({ styled: true })

  expect(screen).toContain('acceptEdits')
  expect(readFileSync(join(world.project, 'made.txt'), 'utf8')).toBe('x')
  expect(screen).toMatch(/name {2}state *\n─{4} {2}─+\n/)
  expect(tooWide(screen, 60)).toEqual([])
  expect(screen).toMatch(/☑ done\n☐ open/)
  expect(screen).toContain('See the page (https://x.test/page).')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are what it is about
  expect(styled).toMatch(/\u001b\[36mconst\u001b\[\d+m.*\u001b\[32m"lit"/)
  await terminal.enter('/theme light')
  await terminal.see('Theme: light.')
  await terminal.enter('Again')
  await terminal.see('Light.')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are what it is about
  expect(await terminal.screen({ styled: true })).toMatch(/\u001b\[34m❯ /)
  expect(readFileSync(join(world.home, '.hookline/theme'), 'utf8')).toBe('light\n')
})

it('lists sessions in which the user said something, and shows the diffs of the one that goes on', async () => {
  const hooks = { SessionStart: [group('echo context for the model')] }
  const turns = [
    { tools: [{ name: 'Write', input: { file_path: 'new.txt', content: 'fresh\n' } }] },
    { text: 'Written.' },
  ]
  const { terminal, world } = await openSession({ turns, hooks, args: ['--permission-mode', 'acceptEdits'] })
  await terminal.see('Ask something')
  await terminal.enter('Write it')
  await terminal.see(/Written\.[\s\S]*Ask something/)
  await terminal.press('C-d')
  await terminal.ended()
  const empty = await reopen(world, { turns: [] })
  await empty.see('Ask something')
  await empty.press('C-d')
  expect(await empty.ended()).toBe(0)
  expect(await empty.everything()).not.toContain('Resume this session') // there is nothing to resume

  const third = await reopen(world, { turns: [] })
  await third.see('Ask something')
  await third.enter('/resume')
  const listed = await third.see('Resume which session?')
  expect(listed.match(/\d\d:\d\d {2}\d+ messages?/g)).toHaveLength(1)
  await third.press('Enter')
  await third.see('Written.')
  expect(await third.screen()).toContain('● Write(new.txt)\n  1 +fresh')
})
