import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { until } from '../../../hookline/test/support/processes.ts'
import { answering } from '../../../hookline/test/support/project.ts'
import { answeringFor } from '../support/answers.ts'
import { group, openSession, recording, seen } from './support/session.ts'

/** Keeps every byte that a program writes to its terminal. */
const KEEPING = 'exec script -qefc "$(printf "%q " "$@")" "$0"'

const TITLE = '\u001b]2;Lamps\u0007'

const hooks = {
  SessionStart: [group(answering({ terminalSequence: TITLE }))],
  UserPromptSubmit: [group(answeringFor('UserPromptSubmit', { sessionTitle: 'Lamps' }))],
  MessageDisplay: [
    group(`grep -q 'key is 42' && ${answeringFor('MessageDisplay', { displayContent: 'The key is ***.' })}`),
  ],
  Stop: [
    group("test -e told && exit 0; touch told; echo 'look at the tests' >&2; exit 2", {
      ...{ async: true, asyncRewake: true },
    }),
  ],
  PreModelSwitch: [group("echo 'keep this one' >&2; exit 2")],
  DirectoryAdded: [group(recording)],
}

it('does in a terminal what hooks of current ask for', { timeout: 120_000 }, async () => {
  const raw = join(tmpdir(), `raw-${randomUUID()}`)
  onTestFinished(() => rm(raw, { force: true }))
  const { terminal, world } = await openSession({
    hooks,
    files: { 'other/a.txt': '' },
    turns: [{ text: 'The key is 42.' }, { text: 'They are red.' }],
    args: ['--profile', 'current'],
    prefix: ['bash', '-c', KEEPING, raw],
    columns: 100,
    rows: 45,
  })
  await terminal.see('Ask something')
  expect(readFileSync(raw, 'utf8')).toContain(TITLE)

  await terminal.enter('What is the key?')
  await terminal.see('The key is ***.')
  await terminal.see('They are red.') // a background hook woke the model
  expect(readFileSync(raw, 'utf8')).not.toContain('key is 42')

  await terminal.enter('/status')
  await terminal.see(/title +Lamps/)
  await terminal.enter('/model you')
  await terminal.see('Model switch blocked by a PreModelSwitch hook')
  await terminal.see('keep this one')
  await terminal.enter('/add-dir ../other')
  await terminal.see('Added to this session')
  await until('hooks have heard of the folder', () => seen(world).length === 1)
  expect(seen(world)).toMatchObject([{ source: 'slash_command', directory: join(world.root, 'other') }])
})
