import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hookline, inTerminal, tooWide } from '../support/command.ts'
import { commands, makeWorld, put, type World } from '../support/project.ts'

const settings = { hooks: { PreToolUse: [{ matcher: 'Bash', ...commands('exit 2') }] } }
const skill =
  '---\nname: tidy\nhooks:\n  Stop:\n    - hooks:\n        - type: command\n          command: echo tidy\n---\n'
const projectWith = (content: object | string) => makeWorld({ 'project/.claude/settings.json': content })
const fire = ['fire', 'PreToolUse', 'tool_name=Bash']

async function digestOf(world: World): Promise<string> {
  return JSON.parse((await hookline(world, ['trust', '--json'])).stdout).digest
}

/** Without what is different each time. */
const timeless = (text: string): string =>
  text
    .replaceAll(/\d+(\.\d+)? m?s\b|\d{4}-\d\d-\d\dT[\d:.]+Z/g, '')
    .replaceAll(/"(startMs|durationMs|sessionId|session_id)":("[^"]*"|[\d.]+)|"id":"\w+\/\w+\/\d+"/g, '')

describe('hookline trust', () => {
  it('shows every hook that would be trusted with its command, file and line, and the digest', async () => {
    const world = await makeWorld({
      'project/.claude/settings.json': { ...settings, statusLine: { type: 'command', command: 'date' } },
      'project/.claude/skills/tidy/SKILL.md': skill,
      'home/.claude/settings.json': { hooks: { Stop: [commands('echo mine')] } },
    })
    const { code, stdout } = await hookline(world, ['trust'])
    expect(code).toBe(0)
    expect(stdout).toContain('PreToolUse  Bash  .claude/settings.json:7  command\n      exit 2')
    expect(stdout).toContain('Stop  .claude/skills/tidy/SKILL.md:6  command\n      echo tidy')
    expect(stdout).toContain('statusLine  .claude/settings.json:15\n      {"type":"command","command":"date"}')
    expect(stdout).toContain(`digest    ${await digestOf(world)}`)
    expect(stdout).toContain('trusted   no: hookline trust accept')
    expect(stdout).not.toContain('mine')
  })

  it('hides nothing that a terminal would obey, and fits 80 columns', async () => {
    const command = `echo ok \u001b[2K\r\u202e${'x'.repeat(200)}`
    const { stdout } = await hookline(await projectWith({ hooks: { Stop: [commands(command)] } }), ['trust'])
    expect(stdout).toContain('echo ok')
    expect(stdout).toContain('\\u{1b}[2K\\r\\u{202e}xx')
    expect(tooWide(stdout)).toEqual([])
  })

  it('accepts with the digest shown, in either way to pass it, and lets the hooks run', async () => {
    for (const flags of [(digest: string) => ['--yes', digest], (digest: string) => ['--yes', '--digest', digest]]) {
      const world = await projectWith(settings)
      expect((await hookline(world, fire)).code).toBe(1)
      const { code, stdout } = await hookline(world, ['trust', 'accept', ...flags(await digestOf(world))])
      expect({ code, stdout }).toEqual({ code: 0, stdout: `Trusted: ${world.project}\n` })
      expect((await hookline(world, fire)).code).toBe(2)
      expect((await stat(join(world.home, '.hookline/trust.json'))).mode & 0o777).toBe(0o600)
    }
  })

  describe('HOOKLINE_TRUST', () => {
    const codex = JSON.stringify({ session_id: 's', hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: {} })
    const asked: [string, string[], string][] = [
      ['fire', fire, ''],
      ['session', ['session'], '{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{}}\n'],
      ['explain', ['explain', 'PreToolUse', 'tool_name=Bash'], ''],
      ['list', ['list'], ''],
      ['bridge run', ['bridge', 'run', 'codex', 'PreToolUse'], codex],
      ['bridge report', ['bridge', 'report', 'codex'], ''],
    ]

    it.each(asked)(
      'stands for trust in exactly that digest with %s, and stores nothing',
      async (_name, args, input) => {
        const world = await projectWith(settings)
        const digest = await digestOf(world)
        const plain = await hookline(world, args, { input })
        const trusted = await hookline(world, args, { input, env: { HOOKLINE_TRUST: digest } })
        const flag = await hookline(world, [...args, '--trust'], { input })
        expect(timeless(trusted.stdout)).toBe(timeless(flag.stdout))
        expect(timeless(trusted.stdout)).not.toBe(timeless(plain.stdout))
        expect(trusted.code).toBe(flag.code)
        const other = await hookline(world, args, { input, env: { HOOKLINE_TRUST: digest.replace(/^../, '00') } })
        expect(other.code).toBe(plain.code)
        await expect(stat(join(world.home, '.hookline/trust.json'))).rejects.toThrow('ENOENT')
      },
    )

    it('says in one sentence that another digest trusts nothing', async () => {
      const world = await projectWith(settings)
      const env = { HOOKLINE_TRUST: '3f9c', COLUMNS: '200' }
      const { stdout } = await hookline(world, [...fire, '--json'], { env })
      expect(stdout.match(/HOOKLINE_TRUST is not the digest/g)).toHaveLength(1)
      expect((await hookline(world, ['trust'], { env })).stdout).toContain('no: HOOKLINE_TRUST has another digest')
      const start = JSON.stringify({ session_id: 's', hook_event_name: 'SessionStart', cwd: world.project })
      const { stderr } = await hookline(world, ['bridge', 'run', 'codex', 'SessionStart'], { env, input: start })
      expect(stderr.match(/HOOKLINE_TRUST is not the digest/g)).toHaveLength(1)
    })

    it('does not count in a settings file, be it the user’s own', async () => {
      const world = await projectWith(settings)
      await put(world, 'home/.claude/settings.json', { env: { HOOKLINE_TRUST: await digestOf(world) } })
      expect((await hookline(world, fire)).code).toBe(1)
    })
  })

  it.each([
    ['no digest', []],
    ['only a yes', ['--yes']],
    ['another digest', ['--yes', 'abc']],
  ])('refuses to accept with %s, and says what to pass', async (_what, flags) => {
    const world = await projectWith(settings)
    const { code, stdout, stderr } = await hookline(world, ['trust', 'accept', ...flags])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(`--yes ${await digestOf(world)}`)
    expect((await hookline(world, fire)).code).toBe(1)
  })

  it('shows the difference since last time', async () => {
    const world = await projectWith(settings)
    await hookline(world, ['trust', 'accept', '--yes', await digestOf(world)])
    await put(world, 'project/.claude/settings.json', {
      hooks: { PreToolUse: [{ matcher: 'Bash', ...commands('exit 0') }] },
    })
    const { stdout } = await hookline(world, ['trust'])
    expect(stdout).toMatch(/Changed since you trusted it\n[\s\S]*-.*"command": "exit 2"[\s\S]*\+.*"command": "exit 0"/)
    expect(stdout).toContain('trusted   not as it is now')
    const { changes } = JSON.parse((await hookline(world, ['trust', '--json'])).stdout)
    expect(changes).toMatchObject([{ file: '.claude/settings.json', kind: 'changed' }])
  })

  it('reads an entry that only has a digest', async () => {
    const world = await projectWith(settings)
    const digest = await digestOf(world)
    await put(world, 'home/.hookline/trust.json', { version: 1, folders: { [world.project]: { digest, at: 'then' } } })
    expect((await hookline(world, ['trust'])).stdout).toContain('trusted   yes, then')
    await put(world, 'home/.hookline/trust.json', { version: 1, folders: { [world.project]: { digest: 'old' } } })
    expect((await hookline(world, ['trust'])).stdout).toContain('What was trusted then is not known')
  })

  it('revokes, and keeps what was accepted about other folders', async () => {
    const world = await projectWith(settings)
    const other = { digest: 'x', at: 'then' }
    await put(world, 'home/.hookline/trust.json', { version: 1, folders: { '/elsewhere': other } })
    await hookline(world, ['trust', 'accept', '--yes', await digestOf(world)])
    expect(await hookline(world, ['trust', 'revoke', '--json'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('"accepted":false'),
    })
    expect((await hookline(world, fire)).code).toBe(1)
    const { folders } = JSON.parse(await readFile(join(world.home, '.hookline/trust.json'), 'utf8'))
    expect(folders).toEqual({ '/elsewhere': other })
    expect((await hookline(world, ['trust', 'revoke'])).stdout).toContain('there is nothing to revoke')
  })

  it.runIf(process.platform === 'linux').each([
    ['y', 0],
    ['n', 1],
    ['\u0004', 1],
  ])('asks in a terminal; %j makes it exit %d', async (typed, expected) => {
    const world = await projectWith(settings)
    const { code, stdout } = await inTerminal(world, ['trust', 'accept'], `${typed}\n`)
    expect(stdout).toContain('Trust these hooks? They run with your permissions.')
    expect(code).toBe(expected)
    expect((await hookline(world, fire)).code).toBe(expected === 0 ? 2 : 1)
  })

  it('says when there is nothing to accept, and what it does not understand', async () => {
    const world = await makeWorld()
    expect((await hookline(world, ['trust', 'accept'])).stdout).toContain('Nothing in this project needs')
    expect((await hookline(world, ['trust', 'maybe'])).stderr).toContain('"maybe" is not one of show, accept, revoke')
    await put(world, 'project/.claude/settings.json', settings)
    await put(world, 'home/.hookline/trust.json', 'oops')
    const { code, stderr } = await hookline(world, ['trust', 'accept', '--yes', await digestOf(world)])
    expect(code).toBe(1)
    expect(stderr).toContain('cannot be read as a trust store')
  })
})
