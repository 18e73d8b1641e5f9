import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../../src/cli/commands.ts'
import { DEFAULT_PROFILE } from '../../src/protocol/profiles.ts'
import { EVENT_TABLES } from '../../src/protocol/schemas/tables.ts'
import { hookline, tooWide } from '../support/command.ts'
import { hooklineInProcess } from '../support/in-process.ts'
import { makeWorld } from '../support/project.ts'

const events = [...DEFAULT_PROFILE.events.keys()]

let printed: Promise<string> | undefined

/** What bash offers at the end of a line. */
async function offered(line: string): Promise<string[]> {
  printed ??= makeWorld().then(async (world) => (await hookline(world, ['completion', 'bash'])).stdout)
  const script = await printed
  const words = line.split(' ')
  const ask = `
    ${script}
    COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
    _hookline
    printf '%s\\n' "\${COMPREPLY[@]}"`
  return execFileSync('bash', ['--norc', '-c', ask], { encoding: 'utf8' }).trim().split('\n')
}

describe('hookline completion', () => {
  it('completes commands, flags, words and event names in bash', async () => {
    expect(await offered('hookline ')).toEqual([...Object.keys(COMMANDS), 'help', '--help', '--version'])
    expect(await offered('hookline do')).toEqual(['doctor'])
    expect(await offered('hookline fire Pre')).toEqual(['PreToolUse', 'PreCompact', 'PreModelSwitch'])
    expect(await offered('hookline init --event Sub')).toEqual(['SubagentStart', 'SubagentStop'])
    expect(await offered('hookline trust ')).toEqual(['show', 'accept', 'revoke'])
    expect(await offered('hookline fire PreToolUse tool_i')).toEqual(['tool_input.command=', 'tool_input.'])
    expect(await offered('hookline bridge install code')).toEqual(['codex'])
    expect(await offered('hookline validate --explain missing-s')).toEqual(['missing-script'])
    expect(await offered('hookline schema s')).toEqual(['settings'])
    expect(await offered('hookline add Stop --sta')).toEqual(['--status-message'])
  })

  it('asks the same program in the other shells, for hookline-agent too', async () => {
    const world = await makeWorld()
    for (const shell of ['bash', 'zsh', 'fish', 'powershell']) {
      const { code, stdout } = await hooklineInProcess(world, ['completion', shell])
      expect([shell, code]).toEqual([shell, 0])
      expect(stdout).toMatch(/hookline completion --complete -- |'completion', '--complete'/)
      expect(stdout).toContain('hookline-agent --help')
    }
  })

  it('says which shells there are', async () => {
    const world = await makeWorld()
    expect(await hooklineInProcess(world, ['completion'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('bash, zsh, fish, powershell'),
    })
    expect((await hooklineInProcess(world, ['completion', 'tcsh'])).stderr).toContain(
      '"tcsh" is not one of bash, zsh, fish',
    )
  })
})

describe('hookline schema', () => {
  it('lists what there is, and prints each as JSON Schema', async () => {
    const world = await makeWorld()
    const names: string[] = JSON.parse((await hooklineInProcess(world, ['schema', '--json'])).stdout)
    const either = new Set([...events, ...Object.keys(EVENT_TABLES.current)])
    expect(names).toEqual(['settings', 'record', 'hook-test', ...either])
    const { stdout } = await hooklineInProcess(world, ['schema'])
    expect(tooWide(stdout)).toEqual([])
    for (const name of ['settings', 'record', 'PreToolUse']) {
      expect(JSON.parse((await hooklineInProcess(world, ['schema', name])).stdout)).toHaveProperty('$schema')
    }
    const answer = JSON.parse((await hooklineInProcess(world, ['schema', 'PreToolUse', '--answer'])).stdout)
    expect(JSON.stringify(answer)).toContain('permissionDecision')
  })

  it('has the schemas of each profile', async () => {
    const world = await makeWorld()
    const ofCurrent = async (...args: string[]): Promise<string> =>
      (await hooklineInProcess(world, ['schema', ...args, '--profile', 'current'])).stdout
    expect(JSON.parse(await ofCurrent('--json'))).toEqual(
      expect.arrayContaining(['settings', 'record', 'hook-test', ...Object.keys(EVENT_TABLES.current)]),
    )
    expect(await ofCurrent('settings')).toContain('"PostToolBatch"')
    expect(await ofCurrent('PreToolUse', '--answer')).toContain('"defer"')
  })

  it.each([
    [['Stopp'], /there is no schema "Stopp"\. Did you mean "Stop"\?/],
    [['settings', '--answer'], /--answer is for events/],
    [['../package'], /there is no schema/],
  ])('answers %j in a sentence', async (args, sentence) => {
    const { code, stderr } = await hooklineInProcess(await makeWorld(), ['schema', ...args])
    expect(code).toBe(1)
    expect(stderr).toMatch(sentence)
  })
})

describe('the commands', () => {
  it('explain themselves with examples, in 80 columns', async () => {
    const world = await makeWorld()
    for (const name of ['trust', 'profile', 'add', 'remove', 'init', 'doctor', 'schema', 'completion']) {
      const { code, stdout } = await hooklineInProcess(world, [name, '--help'])
      expect(code).toBe(0)
      expect(stdout).toMatch(new RegExp(`^ {2}.*hookline ${name}`, 'm'))
      expect(stdout).toContain('--json')
      expect(tooWide(stdout)).toEqual([])
    }
  })
})
