import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../../src/cli/commands.ts'
import { type Ended, ended, program } from '../support/command.ts'
import { makeWorld } from '../support/project.ts'

const agent = fileURLToPath(new URL('../../../agent/bin/hookline-agent.js', import.meta.url))

/** Arguments without which a command has another mistake to tell. */
const ARGUMENTS: Readonly<Record<string, string[]>> = {
  bridge: ['status'],
  explain: ['Stop'],
  fire: ['Stop'],
  guard: ['list'],
  match: ['Bash'],
  mcp: ['x', '--', 'true'],
  remove: ['--yes'],
  replay: [program],
  tap: ['install'],
  wrap: ['install'],
}

/** Commands that need no folder. */
const ANYWHERE = ['completion', 'resident', 'ship', 'version']

/** How a program ends in a folder that is deleted before it starts. */
async function endedInDeletedFolder(file: string, args: readonly string[]): Promise<Ended> {
  const { root, home } = await makeWorld()
  const folder = join(root, 'gone')
  await mkdir(folder)
  const script = 'cd "$0" && rmdir "$0" && exec "$@"'
  return ended('/bin/bash', ['-c', script, folder, process.execPath, file, ...args], { env: { HOME: home } })
}

const GONE = 'the folder that this shell is in is gone. Go to one that is there: cd ~'

describe('in a folder that was deleted', () => {
  const names = Object.keys(COMMANDS).filter((name) => !ANYWHERE.includes(name))

  it('says so in a sentence, whichever command is called', async () => {
    const calls = ['', ...names].map(async (name) => {
      const { code, stdout, stderr } = await endedInDeletedFolder(
        program,
        name === '' ? [] : [name, ...(ARGUMENTS[name] ?? [])],
      )
      return [name, { code, stdout, stderr }] as const
    })
    const said = Object.fromEntries(await Promise.all(calls))
    const wanted = ['', ...names].map((name) => [
      name,
      {
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(new RegExp(`^${`hookline ${name}`.trimEnd()}: ${GONE}\n$`)),
      },
    ])
    expect(said).toEqual(Object.fromEntries(wanted))
  })

  it.each([[['-p', 'hi']], [['--continue', '-p', 'hi']], [['--init-only']]])(
    'hookline-agent %j says so too',
    async (args) => {
      const { code, stdout, stderr } = await endedInDeletedFolder(agent, args)
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toBe(`hookline-agent: ${GONE}\n`)
    },
  )
})
