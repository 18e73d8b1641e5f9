import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { tooWide } from '../../../hookline/test/support/command.ts'
import { put } from '../../../hookline/test/support/project.ts'
import { group, openSession } from './support/session.ts'

const notes = Array.from({ length: 30 }, (_, at) => `note ${at + 1}`).join('\n')
const bash = (command: string): object => ({ tools: [{ name: 'Bash', input: { command } }] })

it('shows what will run: every line of a command, the change in its file, and where "always" is kept', async () => {
  const edit = { file_path: 'notes.txt', old_string: 'note 20', new_string: 'note twenty\n\twith a tab' }
  const secret = `curl 'https://${'a'.repeat(70)}.example/${'b'.repeat(300)}'`
  const { terminal, world } = await openSession({
    turns: [
      bash('ls # only looking\n\ttouch made\necho done'),
      bash(Array.from({ length: 60 }, (_, at) => `step ${at}`).join('\n')),
      bash(secret),
      { tools: [{ name: 'Read', input: { file_path: 'notes.txt' } }] },
      { tools: [{ name: 'Edit', input: edit }] },
      bash('sleep 300'),
      { text: 'Over.' },
    ],
    files: { 'project/notes.txt': `${notes}\n` },
    columns: 60,
    rows: 30,
  })
  await terminal.see('Ask something')
  await terminal.enter('Go')
  const lines = await terminal.see(/│ {3}ls # only looking +│\n│ {7}touch made +│\n│ {3}echo done +│/)
  expect(tooWide(lines, 60)).toEqual([])

  await terminal.press('1')
  const [, more] =
    /(\d+) more lines: PageUp and PageDown/.exec(await terminal.see(/│ {3}step 0 [\s\S]*more lines/)) ?? []
  expect(Number(more)).toBeGreaterThan(40)
  for (let page = 0; page < 4; page++) await terminal.press('NPage')
  await terminal.see('step 59')

  await terminal.press('1')
  await terminal.see('curl')
  const always = await terminal.see(/2\. Yes, and always[\s\S]*3\. No/)
  expect(always.replace(/[│\s]+/g, '')).toContain('(.claude/settings.local.json)3.No')

  await terminal.press('1')
  await terminal.see('Edit notes.txt?')
  const diff = (await terminal.screen()).replaceAll(/ *│$/gm, '')
  expect(diff).toContain(
    ['17  note 17', '18  note 18', '19  note 19', '20 -note 20', '20 +note twenty', '21 +    with a tab', '22  note 21']
      .map((line) => `│   ${line}`)
      .join('\n'),
  )
  await terminal.press('1')
  await terminal.see(/sleep 300[\s\S]*Run this command\?|Run this command\?[\s\S]*sleep 300/)
  expect(readFileSync(join(world.project, 'notes.txt'), 'utf8')).toContain('note twenty\n\twith a tab\n')
  await terminal.press('C-c')
  await terminal.see('Interrupted')
  await terminal.seeGone('Run this command?')
})

it('leaves what the user types in the prompt when a dialog appears under their hands', async () => {
  const waits = 'until [ -e go ]; do sleep 0.05; done'
  const { terminal, world } = await openSession({
    turns: [bash('touch made')],
    hooks: { PreToolUse: [group(waits, { statusMessage: 'Waiting for the word' })] },
    env: { HOOKLINE_ANSWER_AFTER_MS: '600000' },
  })
  await terminal.see('Ask something')
  await terminal.enter('Make it')
  await terminal.see('Waiting for the word')
  await terminal.type('and the')
  await terminal.see('│❯ and the')
  await put(world, 'project/go', '')
  await terminal.see('Run this command?')
  await terminal.type(' other one, too')
  await terminal.seeNow('kept for the prompt: and the other one, too')
  await terminal.press('Enter')
  await terminal.type('1')
  await terminal.seeNow('kept for the prompt: and the other one, too ⏎ 1')

  expect(await terminal.screen()).toContain('❯ 1. Yes, this once')
  expect(existsSync(join(world.project, 'made'))).toBe(false)
  await terminal.press('Escape')
  await terminal.see('Interrupted')
  await terminal.seeNow(/│❯ and the other one, too +│\n│ +1/)
})

it('begins every dialog anew, whatever was chosen in the one before it', async () => {
  const calls = ['touch one', 'touch two'].map((command) => ({ name: 'Bash', input: { command } }))
  const { terminal } = await openSession({ turns: [{ tools: calls }] })
  await terminal.see('Ask something')
  await terminal.enter('Make them')
  await terminal.see(/│ {3}touch one/)
  await terminal.press('End', 'Enter')
  await terminal.see('say what to do instead')
  await terminal.enter('not this')

  await terminal.seeNow(/│ {3}touch two[\s\S]*❯ 1\. Yes, this once/)
})

it.each([
  { what: 'the list of hooks', keys: ['/hooks', 'Enter'], title: 'Hooks by event' },
  { what: 'the sessions', keys: ['/resume', 'Enter'], title: 'Resume which session?' },
])('closes $what with Ctrl+C, and says so', async ({ keys, title }) => {
  const session = { type: 'user', message: { role: 'user', content: 'Hello' }, uuid: 'a', parentUuid: null }
  const { terminal, world } = await openSession({ turns: [] })
  const folder = `home/.hookline/projects/${world.project.replaceAll(/[\\/:]/g, '-')}`
  await put(
    world,
    `${folder}/00000000-0000-4000-8000-000000000000.jsonl`,
    `${JSON.stringify({ ...session, cwd: world.project, sessionId: 'x', timestamp: '2026-01-01T00:00:00Z' })}\n`,
  )
  await terminal.see('Ask something')
  for (const key of keys) await terminal.press(key)
  await terminal.see(title)

  await terminal.press('C-c')

  await terminal.see('Interrupted')
  await terminal.seeGone(title)
})
