import { expect, it } from 'vitest'
import { put } from '../../../hookline/test/support/project.ts'
import { group, openSession, recording, seen } from './support/session.ts'

it('shows the answer with light Markdown', async () => {
  const text = '# Plan\nThis is **bold** and `code`.\n\n- one\n- two\n\n```\nlet x = 1\n```'
  const { terminal } = await openSession({ turns: [{ text }] })
  await terminal.see('Ask something')

  await terminal.enter('What now?')
  await terminal.see('let x = 1')
  const screen = await terminal.screen()

  expect(screen).toContain('❯ What now?')
  expect(screen).toContain('• one')
  expect(screen).toContain('This is bold and code.')
  expect(screen).not.toMatch(/\*\*|```|# Plan/)
})

it('shows a call with its input, folds a long result, and unfolds it', async () => {
  const tools = [{ name: 'Bash', input: { command: 'seq 101 120' } }]
  const { terminal } = await openSession({
    turns: [{ tools }, { text: 'Counted.' }],
    args: ['--allowed-tools', 'Bash'],
  })
  await terminal.see('Ask something')

  await terminal.enter('Count')
  await terminal.see('Counted.')
  const folded = await terminal.screen()
  await terminal.press('C-o')
  await terminal.see('120')

  expect(folded).toContain('● Bash(seq 101 120)')
  expect(folded).toContain('… 16 more lines')
  expect(folded).not.toContain('120\n')
})

it('shows what Edit and Write change as a diff', async () => {
  const turns = [
    { tools: [{ name: 'Read', input: { file_path: 'notes.txt' } }] },
    { tools: [{ name: 'Edit', input: { file_path: 'notes.txt', old_string: 'two', new_string: 'zwei' } }] },
    { tools: [{ name: 'Write', input: { file_path: 'new.txt', content: 'fresh\n' } }] },
    { text: 'Edited.' },
  ]
  const files = { 'project/notes.txt': 'one\ntwo\nthree\n' }
  const { terminal } = await openSession({ turns, files, args: ['--permission-mode', 'acceptEdits'] })
  await terminal.see('Ask something')

  await terminal.enter('Edit it')
  const screen = await terminal.see('Edited.')

  expect(screen).toContain('● Edit(notes.txt)\n  1  one\n  2 -two\n  2 +zwei\n  3  three')
  expect(screen).toContain('● Write(new.txt)\n  1 +fresh')
})

it('shows the message of a hook beside the spinner while it runs', async () => {
  const waits = 'until [ -e go ]; do sleep 0.05; done'
  const hooks = { UserPromptSubmit: [group(waits, { statusMessage: 'Thinking about the prompt' })] }
  const { terminal, world } = await openSession({ turns: [{ text: 'Here.' }], hooks })
  await terminal.see('Ask something')

  await terminal.enter('Hello')
  await terminal.see('Thinking about the prompt')
  expect(await terminal.screen()).not.toContain('Here.')
  await put(world, 'project/go', '')
  await terminal.see('Here.')
  await terminal.seeGone('Thinking about the prompt')
})

it('counts tokens', async () => {
  const { terminal } = await openSession({ turns: [{ text: 'Hi.', usage: { inputTokens: 1200, outputTokens: 7 } }] })
  await terminal.see('Ask something')

  await terminal.enter('Hello')

  await terminal.see('1200 in, 7 out')
})

it('takes several lines, and text that is pasted, as one prompt', async () => {
  const { terminal, world } = await openSession({
    turns: [{ text: 'First.' }, { text: 'Second.' }, { text: 'Third.' }],
    hooks: { UserPromptSubmit: [group(recording)] },
  })
  await terminal.see('Ask something')

  await terminal.type('one\\')
  await terminal.press('Enter')
  await terminal.type('two')
  await terminal.press('M-Enter')
  await terminal.enter('three')
  await terminal.see('First.')
  await terminal.paste('pasted\nlines\n')
  await terminal.see('lines')
  await terminal.press('Enter')
  await terminal.see('Second.')

  expect(seen(world).map(({ prompt }) => prompt)).toEqual(['one\ntwo\nthree', 'pasted\nlines\n'])
})

it('recalls what was typed before', async () => {
  const { terminal, world } = await openSession({
    turns: [{ text: 'First.' }, { text: 'Second.' }, { text: 'Third.' }],
    hooks: { UserPromptSubmit: [group(recording)] },
  })
  await terminal.see('Ask something')
  await terminal.enter('alpha')
  await terminal.see('First.')
  await terminal.enter('beta')
  await terminal.see('Second.')

  await terminal.type('draft')
  await terminal.press('Up', 'Up', 'Down', 'Down', 'Up', 'Up')
  await terminal.see('❯ alpha ')
  await terminal.press('Enter')
  await terminal.see('Third.')

  expect(seen(world).map(({ prompt }) => prompt)).toEqual(['alpha', 'beta', 'alpha'])
})

it('keeps what is typed while the agent works for its next turn', async () => {
  const waits = 'until [ -e go ]; do sleep 0.05; done'
  const { terminal, world } = await openSession({
    turns: [{ tools: [{ name: 'Bash', input: { command: waits } }] }, { text: 'First.' }, { text: 'Second.' }],
    args: ['--allowed-tools', 'Bash'],
  })
  await terminal.see('Ask something')
  await terminal.enter('one')
  await terminal.see('Running Bash')

  await terminal.enter('two')
  await terminal.see('queued: two')
  await put(world, 'project/go', '')

  await terminal.see(/First\.[\s\S]*❯ two[\s\S]*Second\./)
})

it('writes nothing that a tool printed to the terminal as it is', async () => {
  const tools = [{ name: 'Bash', input: { command: "printf '\\033]0;stolen\\007\\033[2Jclean'" } }]
  const { terminal } = await openSession({ turns: [{ tools }, { text: 'Done.' }], args: ['--allowed-tools', 'Bash'] })
  await terminal.see('Ask something')

  await terminal.enter('Print')

  const everything = await terminal.see('Done.')
  expect(everything).toContain('clean')
  expect(everything).toContain('❯ Print')
  expect(await terminal.title()).not.toContain('stolen')
})
