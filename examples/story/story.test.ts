import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const story = fileURLToPath(new URL('story.js', import.meta.url))

it('walks one session, tells it in 80 columns without colour, and leaves no folder behind', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hookline-story-test-'))
  const env = { ...process.env, TMPDIR: folder }
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [story], { env }).finally(async () => {
    expect(await readdir(folder)).toEqual([])
    await rm(folder, { recursive: true })
  })

  expect(stderr).toBe('')
  expect(stdout).not.toContain('\u001b')
  expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
  expect(stdout.match(/^\d {2}\w+/gm)?.map((heading) => heading.slice(3))).toEqual([
    'SessionStart',
    'UserPromptSubmit',
    'PreToolUse',
    'PreToolUse',
    'PostToolUse',
    'Stop',
    'Stop',
    'SessionEnd',
  ])
  expect(stdout.match(/(?<=decided {2}).*/g)).toEqual([
    'the model gets context:',
    'the model gets context:',
    'refused; the model reads:',
    'goes on with another input:',
    'the model gets context:',
    'nothing; the event takes its course',
    'blocked; the model reads:',
    'nothing; the event takes its course',
    'nothing; the event takes its course',
  ])
  expect(stdout).toContain('slow-check.mjs: backgrounded')
  expect(stdout).toContain('Checked lamp.js: 4 lines')
})
