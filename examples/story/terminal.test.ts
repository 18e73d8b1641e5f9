import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { openTerminal } from '../../scripts/tmux-terminal.js'

const story = fileURLToPath(new URL('story.js', import.meta.url))

it('is shown as a session where there is a terminal', async () => {
  const { PATH, HOME, TMPDIR } = process.env
  const env = { PATH, HOME, LANG: 'C.UTF-8', ...(TMPDIR === undefined ? {} : { TMPDIR }) }
  const terminal = await openTerminal({ command: [process.execPath, story], cwd: HOME ?? '/', env, rows: 60 })
  onTestFinished(() => terminal.close())

  const session = await terminal.see('Done, with a line in CHANGELOG.md.')
  await terminal.see('Ask something')
  await terminal.press('C-d')

  expect(session).toContain('refuse-rm-rf.mjs')
  expect(await terminal.ended()).toBe(0)
})
