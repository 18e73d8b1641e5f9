import { join } from 'node:path'
import { expect, it } from 'vitest'
import { put } from '../../../hookline/test/support/project.ts'
import { program } from '../support/command.ts'
import { openShell } from './support/session.ts'

const long = Array.from({ length: 12 }, (_, at) => `line ${at} of the answer`).join('\n')
const turns = [{ text: long }, { tools: [{ name: 'Bash', input: { command: 'seq 901 930' } }] }, { text: 'Counted.' }]

it('keeps what has scrolled away: at another size, in the verbose view, while it is suspended, and when it is left', async () => {
  const { terminal, world } = await openShell({ columns: 80, rows: 24 })
  await put(world, 'turns.json', { turns })
  for (const at of [1, 2, 3]) await terminal.enter(`echo before-$((${at} * 11))`)
  await terminal.see('before-33')
  const words = [process.execPath, program, '--home', world.home, '--managed', world.managed, '--trust']
  const model = ['--model', `script:${join(world.root, 'turns.json')}`, '--allowed-tools', 'Bash']
  await terminal.enter([...words, ...model].map((word) => `'${word}'`).join(' '))
  await terminal.see('Ask something')

  await terminal.resize(60, 24) // what stood on the screen before the session is not the session's to erase
  await terminal.see(/╭─{58}╮\n│❯ {3}Ask something/)
  expect(await terminal.everything()).toMatch(/before-22[\s\S]*before-33/)
  await terminal.enter('Hello')
  await terminal.see('line 11 of the answer')
  await terminal.enter('Count')
  await terminal.see('Counted.')
  await terminal.resize(90, 20)
  await terminal.see(/╭─{88}╮\n│❯ {3}Ask something/)
  const normal = await terminal.everything()
  expect(normal.match(/Counted\./g)).toHaveLength(1)
  expect(normal.match(/… 26 more lines/g)).toHaveLength(1)
  expect(normal.match(/Ask something/g)).toHaveLength(1) // no frame is left behind

  await terminal.press('C-o')
  await terminal.see(/930[\s\S]*verbose/)
  await terminal.press('C-o')
  await terminal.seeGone('verbose')

  await terminal.press('C-z')
  await terminal.see('Stopped')
  await terminal.enter('echo mean$((7 * 6))while')
  await terminal.see('mean42while')
  await terminal.enter('fg')
  await terminal.see(/mean42while[\s\S]*Ask something[\s\S]*The session goes on/)
  await terminal.press('C-d')
  const left = await terminal.see(/Resume this session: hookline-agent --resume [\w-]{36}/)

  for (const text of ['before-11', 'before-33', 'line 0 of the answer', '930', 'Counted.', 'mean42while'])
    expect(left).toContain(text)
  expect(left).not.toContain('Ask something')
  expect(left).not.toContain('Ending the session')
})
