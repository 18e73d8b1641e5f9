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
  expect(stdout.match(/^\d+ {2}\w+/gm)?.map((heading) => heading.replace(/^\d+ {2}/, ''))).toEqual([
    'SessionStart',
    'UserPromptSubmit',
    'PreToolUse',
    'SubagentStart',
    'PreToolUse',
    'PostToolUseFailure',
    'PostToolUse',
    'PreToolUse',
    'Stop',
    'PostToolUse',
    'Stop',
    'UserPromptSubmit',
    'PreCompact',
    'SessionStart',
    'Stop',
    'SessionEnd',
  ])
  expect(stdout.match(/(?<=decided {2}).*/g)).toEqual([
    'the model gets context:',
    'the model gets context:',
    'refused; the model reads:',
    'the model gets context:',
    'nothing; it takes its course',
    'the model gets context:',
    'nothing; it takes its course',
    'goes on with another input:',
    'the model gets context:',
    'blocked; the model reads:',
    'nothing; it takes its course',
    'nothing; it takes its course',
    'nothing; it takes its course',
    'the summary is asked for with:',
    'the model gets context:',
    'nothing; it takes its course',
    'nothing; it takes its course',
  ])
  expect(stdout.match(/^(Person|Model|Model of the scout): .*/gm)).toEqual([
    'Person: Give the lamp a colour, clean up, and publish it.',
    'Model: I clean up first.',
    'Model: Not like that, then. A scout looks whether there is a colour already.',
    'Model of the scout: I search the sources.',
    'Model of the scout: There is none.',
    'Model: There is none, so I add one.',
    'Model: Now out with it.',
    'Model: The lamp has a colour. I am done.',
    'Model: Right, the changelog.',
    'Model: Done, with a line in CHANGELOG.md.',
    'Person: Is anything left?',
    'Model: Only the push itself, which is for a person.',
  ])
  expect(stdout).toMatch(/only-look\.mjs: \d+ ms, exit 0\n.*scout\.md:/)
  expect(stdout).toContain('slow-check.mjs: backgrounded')
  expect(stdout).toMatch(/Checked\s+│ lamp\.js: 5 lines/)
  expect(stdout).toMatch(/\[new branch\] +main -> main/)
})
