import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { until } from '../../../hookline/test/support/processes.ts'
import { put } from '../../../hookline/test/support/project.ts'
import { group, openSession, recording, reopen, seen } from './support/session.ts'

const hooks = { UserPromptSubmit: [group(`${recording}; if tail -2 seen.jsonl | grep -q secret; then exit 2; fi`)] }
const prompts = (world: Parameters<typeof seen>[0]): unknown[] => seen(world).map(({ prompt }) => prompt)

it('recalls what was typed, over commands and sessions, and searches it', async () => {
  const turns = ['One.', 'Two.', 'Three.', 'Four.'].map((text) => ({ text }))
  const { terminal, world } = await openSession({ turns, hooks })
  await terminal.see('Ask something')
  await terminal.enter('light the lamp')
  await terminal.see('One.')
  await terminal.enter('a secret word')
  await terminal.see('Original prompt: a secret word')
  await terminal.enter('/status')
  await terminal.see(/tokens +\d+ in/)
  await terminal.press('Up')
  await terminal.see('│❯ /status')
  await terminal.press('Up') // the menu of commands does not hold it up
  await terminal.see('│❯ light the lamp')
  await terminal.press('C-c')
  await terminal.press('C-d')
  await terminal.ended()

  const second = await reopen(world, { turns })
  await second.see('Ask something')
  await second.press('Up', 'Up')
  await second.see('│❯ light the lamp')
  await second.press('Escape', 'Escape') // empties the input
  await second.see('Ask something')
  await second.press('C-r')
  await second.type('LAMP')
  await second.see('search "LAMP": light the lamp')
  await second.press('Tab')
  await second.type(' twice')
  await second.press('Enter')
  await second.see('One.')
  await second.press('C-r')
  await second.type('lamp')
  await second.see('search "lamp": light the lamp twice')
  await second.press('C-r')
  await second.see(/search "lamp": light the lamp +│/)
  await second.press('Enter')
  await second.see('Two.')
  await second.seeNow(/Two\.[\s\S]*Ask something/)
  const pasted = Array.from({ length: 14 }, (_, at) => `pasted line ${at + 1}`).join('\n')
  await second.type('Look: ')
  await second.paste(pasted)
  await second.see('│❯ Look: [pasted text 1: 14 lines]')
  await second.type(' thanks')
  await second.press('Enter')
  const folded = await second.see(/Three\.[\s\S]*Ask something/)
  expect(folded).toMatch(/❯ Look: pasted line 1\n {2}pasted line 2\n/)
  expect(folded).toContain('… 4 more lines (Ctrl+O shows them)')
  expect(folded).not.toContain('pasted line 11')
  await second.press('C-r')
  await second.type('secret')
  await second.see('nothing found') // a prompt that hooks dropped is kept nowhere

  expect(prompts(world).slice(2)).toEqual(['light the lamp twice', 'light the lamp', `Look: ${pasted} thanks`])
  const file = join(world.home, '.hookline/history', `${world.project.replaceAll(/[\\/:]/g, '-')}.jsonl`)
  expect(readFileSync(file, 'utf8')).not.toContain('secret')
  expect(statSync(file).mode & 0o077).toBe(0)
})

it('runs a command of the user, adds named files, and lets queued prompts be edited', async () => {
  const waits = 'until [ -e go ]; do sleep 0.05; done'
  const { terminal, world } = await openSession({
    turns: [
      { text: 'Read.', usage: { inputTokens: 50_000, outputTokens: 10 } },
      { tools: [{ name: 'Bash', input: { command: waits } }], usage: { inputTokens: 155_000, outputTokens: 10 } },
      { text: 'Waited.', usage: { inputTokens: 155_000, outputTokens: 10 } },
      { text: 'Last.' },
    ],
    files: {
      'project/notes.txt': 'the lamp is lit at six\n',
      'project/.env': 'TOKEN=hidden\n',
      'far.txt': 'outside of the project\n',
      'project/.claude/settings.json': { permissions: { deny: ['Read(./.env)'], allow: ['Bash'] } },
    },
    rows: 45,
  })
  await terminal.see('Ask something')
  await terminal.enter('!printf "mine\\n"; cd /; exit 3')
  await terminal.see(/you: Bash\(printf.*\)\n +└ mine\n +Exit code 3/)
  await terminal.enter('Look at @notes.txt, @.env, @../far.txt and @nowhere.')
  await terminal.see('Read.')
  await terminal.see(/@\.env was not added: Permission to use Read was denied by the rule\s+Read\(\.\/\.env\)/)
  await terminal.see(/@\.\.\/far\.txt was not added: reading it requires approval/)
  await terminal.see('@notes.txt was read: 1 line')
  await terminal.see('context 25%')

  await terminal.enter('Wait')
  await terminal.see('Running Bash')
  await terminal.enter('second prompt')
  await terminal.see('queued: second prompt')
  await terminal.enter('third prompt')
  await terminal.see('queued: third prompt')
  await terminal.press('Up')
  await terminal.see('│❯ third prompt')
  await terminal.type('!')
  await terminal.press('Enter')
  await terminal.see('queued: third prompt!')
  await terminal.see('context 78% full: at 85% the conversation is compacted')
  await terminal.press('Escape') // nothing that was typed is lost
  await terminal.see('Interrupted')
  await terminal.see(/│❯ second prompt +│\n│ +third prompt! /)
  await put(world, 'project/go', '')

  const transcript = readFileSync(transcriptOf(world), 'utf8')
  expect(transcript).toMatch(/The user ran this command:\\nprintf/)
  expect(transcript).toContain('the lamp is lit at six')
  expect(transcript).not.toContain('TOKEN=hidden')
  expect(transcript).not.toContain('outside of the project')
})

it('goes back to before an earlier prompt, with the files that were changed since', async () => {
  const write = (content: string): object => ({ tools: [{ name: 'Write', input: { file_path: 'made.txt', content } }] })
  const read = { tools: [{ name: 'Read', input: { file_path: 'kept.txt' } }] }
  const edit = { file_path: 'kept.txt', old_string: 'old', new_string: 'new' }
  const { terminal, world } = await openSession({
    turns: [
      { text: 'First answer.' },
      write('one\n'),
      read,
      { tools: [{ name: 'Edit', input: edit }] },
      { text: 'Second answer.' },
      { text: 'Third answer.' },
      { text: 'Fourth answer.' },
    ],
    files: { 'project/kept.txt': 'old\n' },
    args: ['--permission-mode', 'acceptEdits'],
    rows: 40,
  })
  const kept = (): string => readFileSync(join(world.project, 'kept.txt'), 'utf8')
  await terminal.see('Ask something')
  await terminal.enter('first')
  await terminal.see('First answer.')
  await terminal.enter('second')
  await terminal.see(/Second answer\.[\s\S]*Ask something/)
  expect(kept()).toBe('new\n')

  await terminal.press('Escape')
  await terminal.see('Press Esc again to go back to an earlier prompt')
  await terminal.press('Escape')
  await terminal.see(/Go back to before which prompt\?[\s\S]*first[\s\S]*❯ second/)
  await terminal.press('Enter')
  await terminal.see(/What goes back\?[\s\S]*2 files: made\.txt, kept\.txt/)
  await terminal.press('Down', 'Enter')
  await terminal.see(/Back to before this prompt\. 2 files restored\.[\s\S]*│❯ second/)
  await until('the files are as they were', () => kept() === 'old\n')
  expect(existsSync(join(world.project, 'made.txt'))).toBe(false)
  expect(await terminal.screen()).not.toContain('Second answer.')

  await terminal.type(' thoughts')
  await terminal.press('Enter')
  await terminal.see('Third answer.')
  await terminal.press('C-d')
  await terminal.ended()
  const again = await reopen(world, { turns: [{ text: 'Fourth answer.' }], args: ['--continue'], rows: 40 })
  await again.see('Third answer.')
  await again.see(/Resumed: first \(2 prompts, last answer 20\d\d-\d\d-\d\d \d\d:\d\d UTC\)/)
  const screen = await again.screen()
  expect(screen).toContain('❯ second thoughts')
  expect(screen).toContain('First answer.')
  expect(screen).not.toContain('Second answer.')
})

function transcriptOf({ home, project }: { readonly home: string; readonly project: string }): string {
  const folder = join(home, '.hookline/projects', project.replaceAll(/[\\/:]/g, '-'))
  const [name = ''] = readdirSync(folder).filter((each) => each.endsWith('.jsonl'))
  return join(folder, name)
}
