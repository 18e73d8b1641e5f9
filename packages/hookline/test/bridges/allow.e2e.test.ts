import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hookline, inTerminal } from '../support/command.ts'
import { makeWorld, put, type World } from '../support/project.ts'

const FIELD = 'run_shell_command.sandbox_root'
const ALLOW = ['bridge', 'allow', 'gemini', FIELD]
const fileOf = ({ home }: World): string => join(home, '.hookline', 'allowed-fields.json')
const notesIn = async (world: World): Promise<string> => {
  const { stdout } = await hookline(world, ['bridge', 'status', 'gemini', '--json'])
  return JSON.parse(stdout).agents[0].notes.join()
}

/** Nothing that says that an agent started this test. */
const AS_USER = { CLAUDECODE: '', HOOKLINE_AGENT: '' }

describe('an unknown field of a tool', () => {
  it.runIf(process.platform === 'linux')(
    'is allowed by a user at a terminal, shown by status, and taken back',
    async () => {
      const world = await makeWorld()
      const no = await inTerminal(world, ALLOW, 'n\n')
      expect([no.code, existsSync(fileOf(world))]).toEqual([1, false])
      const { code, stdout } = await inTerminal(world, ALLOW, 'y\n')
      expect([code, stdout]).toEqual([
        0,
        expect.stringContaining('Let run_shell_command.sandbox_root pass in Gemini CLI?'),
      ])
      expect(JSON.parse(readFileSync(fileOf(world), 'utf8'))).toEqual({ gemini: [FIELD] })
      expect(statSync(fileOf(world)).mode & 0o777).toBe(0o600)
      expect(await notesIn(world)).toContain(FIELD)
      expect((await hookline(world, ['bridge', 'disallow', 'gemini', FIELD])).stdout).toContain('No longer allowed')
      expect(await notesIn(world)).not.toContain(FIELD)
    },
  )

  it('is not allowed without a terminal, nor in the session of an agent', async () => {
    const world = await makeWorld()
    const alone = await hookline(world, ALLOW, { env: AS_USER })
    expect([alone.code, alone.stderr]).toEqual([1, expect.stringContaining('in a terminal')])
    for (const variable of ['CLAUDECODE', 'HOOKLINE_AGENT', 'GEMINI_CLI', 'COPILOT_CLI', 'OPENCODE']) {
      const { code, stderr } = await hookline(world, ALLOW, { env: { ...AS_USER, [variable]: '1' } })
      expect([code, stderr]).toEqual([1, expect.stringContaining(`${variable} is set`)])
    }
    expect(existsSync(fileOf(world))).toBe(false)
  })

  it('must be one that the table of an agent could have', async () => {
    const world = await makeWorld()
    for (const [field, said] of [
      ['run_shel_command.foo', 'Did you mean "run_shell_command"?'],
      ['foo', 'is not a tool and a field'],
      ['run_shell_command.dir_path', 'in its table already'],
      ['run_shell_command.', 'nothing to allow'],
      ['run_shell_command.*', 'by its name, not by a pattern'],
    ] as const)
      expect((await hookline(world, ['bridge', 'allow', 'gemini', field], { env: AS_USER })).stderr).toContain(said)
    expect((await hookline(world, ['bridge', 'allow', 'gemini'], { env: AS_USER })).stderr).toContain(
      'an agent and a field',
    )
  })

  it('passes no longer where others may have written the file, and status says so', async () => {
    const world = await makeWorld()
    chmodSync(await put(world, 'home/.hookline/allowed-fields.json', { gemini: [FIELD] }), 0o666)
    expect(await notesIn(world)).toContain('may be written by others')
    await put(world, 'home/.hookline/allowed-fields.json', '{"gemini": 5}')
    chmodSync(fileOf(world), 0o600)
    expect(await notesIn(world)).toContain('is not valid')
  })

  it('is listed beside tools that an agent called and that Hookline does not know', async () => {
    const world = await makeWorld()
    await put(world, 'home/.hookline/unlisted-tools.json', { gemini: ['brand_new'] })
    chmodSync(join(world.home, '.hookline/unlisted-tools.json'), 0o600)
    expect(await notesIn(world)).toContain('brand_new')
  })
})
