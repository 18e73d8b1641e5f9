import { execFile, execFileSync } from 'node:child_process'
import { truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { loadProfile, PROFILE_NAMES } from '../../src/protocol/profiles.ts'
import { placesOf } from '../support/command.ts'
import { type Content, commands, makeWorld, put, type World } from '../support/project.ts'

const program = fileURLToPath(new URL('../../bin/hookline.js', import.meta.url))

interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs the built command in a world. */
function hookline(world: World, args: string[], input = ''): Promise<Ended> {
  const places = placesOf(world, args[0])
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [program, ...args, ...places],
      { timeout: 30_000 },
      (error, stdout, stderr) => {
        resolve({ code: error ? Number(error.code) : 0, stdout, stderr })
      },
    )
    child.stdin?.end(input)
  })
}

const guard = {
  hooks: { PreToolUse: [{ matcher: 'Bash', ...commands('echo no-$((1+1)) >&2; exit 2') }], Stop: [commands('true')] },
}
const guarded = (files: Record<string, Content> = {}) => makeWorld({ 'project/.claude/settings.json': guard, ...files })

describe('hookline fire', () => {
  it('exits 2 when the event is blocked, and 0 when nothing objects', async () => {
    const world = await guarded()
    const blocked = await hookline(world, [
      'fire',
      'PreToolUse',
      'tool_name=Bash',
      'tool_input.command=rm -rf /',
      '--trust',
    ])
    expect(blocked).toMatchObject({ code: 2, stdout: expect.stringContaining('PreToolUse  denied: no-2') })
    expect(await hookline(world, ['fire', 'Stop', '--trust'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('allowed (no hook objected)'),
    })
  })

  it('prints the record as one line of JSON', async () => {
    const { stdout } = await hookline(await guarded(), ['fire', 'PreToolUse', 'tool_name=Bash', '--json', '--trust'])
    expect(JSON.parse(stdout)).toMatchObject({
      version: 2,
      event: 'PreToolUse',
      decision: { blocked: true },
      hooks: [{ exitCode: 2 }],
    })
  })

  it('says why a hook of a folder that nobody accepted does not run', async () => {
    const { stdout } = await hookline(await guarded(), ['fire', 'PreToolUse', 'tool_name=Bash'])
    expect(stdout).toContain('untrusted  .claude/settings.json:7')
    expect(stdout).toContain('not trusted in Hookline yet; otherwise: would run')
  })

  it('exits 1 and says how to give trust when every hook that matches waits for it, with the record as ever', async () => {
    const world = await guarded()
    const fire = (...args: string[]) => hookline(world, ['fire', 'PreToolUse', '--json', ...args])
    const { code, stdout, stderr } = await fire('tool_name=Bash')
    expect(code).toBe(1)
    expect(stderr).toMatch(/not trusted yet[\s\S]*hookline trust accept[\s\S]*--trust/)
    expect(JSON.parse(stdout).hooks).toMatchObject([{ verdict: 'untrusted' }])
    const inWords = await hookline(world, ['fire', 'PreToolUse', 'tool_name=Bash'])
    expect({ code: inWords.code, says: inWords.stdout.includes('hookline trust accept') }).toEqual({
      code: 1,
      says: true,
    })
    expect(await fire('tool_name=Read')).toMatchObject({ code: 0, stderr: '' }) // it would not have matched
    expect((await fire('tool_name=Bash', '--trust')).code).toBe(2)
    await put(world, 'home/.claude/settings.json', { hooks: { PreToolUse: [commands('true')] } })
    expect(await fire('tool_name=Bash')).toMatchObject({ code: 0, stderr: '' }) // another hook has run
  })

  it('reads fields by type, whole inputs from a file or from stdin, and fills in the rest', async () => {
    const world = await guarded({
      'home/.claude/settings.json': { hooks: { TaskCompleted: [commands('cat')] } },
      'event.json': { task_id: 'x' },
    })
    const seen = async (args: string[], input?: string) => {
      const { stdout } = await hookline(world, ['fire', 'TaskCompleted', '--json', ...args], input)
      return JSON.parse(JSON.parse(stdout).decision.messages[0].text)
    }
    expect(await seen(['task_id=7', 'extra.deep=7', 'flag=true'])).toMatchObject({
      task_id: '7',
      extra: { deep: 7 },
      flag: true,
      task_subject: 'Write the docs',
      permission_mode: 'default',
      cwd: world.project,
      transcript_path: expect.stringMatching(/^\//),
    })
    expect(await seen(['--input', join(world.root, 'event.json'), 'team_name=core'])).toMatchObject({
      task_id: 'x',
      team_name: 'core',
    })
    expect(await seen(['--input', '-'], '{"task_id":"from stdin"}')).toMatchObject({ task_id: 'from stdin' })
  })

  const mistakes: Record<string, [string[], RegExp]> = {
    'an unknown event': [['fire', 'PreToolUses'], /"PreToolUses" is not an event\. Did you mean "PreToolUse"\?/],
    'no event': [['fire'], /which event\?/],
    'a field of the wrong type': [['fire', 'Stop', 'stop_hook_active=maybe'], /stop_hook_active must be a boolean/],
    'a word that is no field': [['fire', 'Stop', 'hello'], /"hello" is not of the form field=value/],
    'an unknown flag': [['fire', 'Stop', '--colour'], /Unknown option '--colour'/],
    'an input that is not there': [['fire', 'Stop', '--input', 'gone.json'], /gone\.json cannot be read \(ENOENT\)/],
    'a broken input': [['fire', 'Stop', '--input', '-'], /- is not JSON/],
    'an unknown profile': [['fire', 'Stop', '--profile', 'next'], /--profile must be classic/],
    'an unknown category': [
      ['fire', 'Stop', '--debug', 'all'],
      /"all" is not a category of --debug\. Categories: hooks\./,
    ],
    'a bad timeout': [['fire', 'Stop', '--default-timeout', '0'], /--default-timeout must be a positive number/],
    'a plugin that is not there': [['fire', 'Stop', '--plugin', 'gone'], /--plugin: there is no folder gone/],
    'an unknown command': [['fires'], /"fires" is not a command/],
  }

  it.each(Object.entries(mistakes))('answers %s in a sentence, with exit code 1', async (_what, [args, sentence]) => {
    const { code, stdout, stderr } = await hookline(await guarded(), args, '{')
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(sentence)
    expect(stderr).not.toMatch(/^\s+at /m)
  })

  it.each([
    [['fire', '--debug', 'Stop']],
    [['fire', 'Stop', '--debug', 'stop_hook_active=true']],
    [['fire', 'Stop', '--json', '--debug']],
    [['fire', 'Stop', '--debug', '--json']],
  ])('%j logs everything', async (args) => {
    const { stderr } = await hookline(await guarded(), args)
    expect(stderr).toMatch(/^\[DEBUG\] /m)
  })

  const unreadable: Record<string, (path: string) => Promise<unknown> | unknown> = {
    'broken JSON': () => {},
    'a FIFO': (path) => execFileSync('sh', ['-c', 'rm "$1" && mkfifo "$1"', 'sh', path]),
    'a file of 50 MB': (path) => truncate(path, 50_000_000),
    'a folder': (path) => execFileSync('sh', ['-c', 'rm "$1" && mkdir "$1"', 'sh', path]),
  }

  it.each(Object.entries(unreadable))(
    'names %s among the settings, runs the other hooks, and exits 1',
    async (_what, spoil) => {
      const user = { hooks: { Stop: [commands('echo the user speaks')] } }
      const world = await makeWorld({
        'project/.claude/settings.json': '{ "hooks": ',
        'home/.claude/settings.json': user,
      })
      await spoil(join(world.project, '.claude/settings.json'))
      const { code, stdout, stderr } = await hookline(world, ['fire', 'Stop', '--trust'])
      expect(code).toBe(1)
      expect(stderr).toMatch(/^\.claude\/settings\.json:1:\d+ {2}settings\.json .*it contributes nothing\.$/m)
      expect(stdout).toMatch(/In the verbose view\n +the user speaks/)
    },
  )

  it('does not open without a readable policy', async () => {
    const { code, stderr } = await hookline(await guarded({ 'managed.json': '{' }), ['fire', 'Stop', '--trust'])
    expect(code).toBe(1)
    expect(stderr).toMatch(/managed\.json:1:\d+ .*Policy is unknown, so nothing is run/)
  })

  it('explains itself', async () => {
    const world = await guarded()
    expect(await hookline(world, ['fire', '--help'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('field=value'),
    })
    const alone = execFileSync(process.execPath, [program], { encoding: 'utf8' })
    expect(alone).toMatch(/fire +dispatch one event/)
    expect(execFileSync(process.execPath, [program, '--version'], { encoding: 'utf8' })).toMatch(/^\d+\.\d+\.\d+\n$/)
  })
})

describe('hookline session', () => {
  it.each(PROFILE_NAMES)('takes every event of %s, and says of each whatever hooks could ask for', async (profile) => {
    const { events } = await loadProfile(profile)
    const rows = [...events.values()]
    const lines = rows.map(({ name, example }) => JSON.stringify({ hook_event_name: name, ...example }))
    const { code, stdout } = await hookline(await makeWorld(), ['session', '--profile', profile], lines.join('\n'))
    const records = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect([code, records.map((record) => [record.profile, record.event])]).toEqual([
      0,
      rows.map(({ name }) => [profile, name]),
    ])
    const keys = new Set(records.map(({ decision }) => Object.keys(decision).sort().join()))
    expect(keys.size).toBe(1)
    for (const name of Object.keys(rows[0]?.noEffects ?? {})) expect([...keys][0]?.split(',')).toContain(name)
  })

  it('answers each line with one line, goes on after a bad one, and says at the end what was not delivered', async () => {
    const late = { hooks: { Stop: [{ hooks: [{ type: 'command', command: 'sleep 20', async: true }] }] } }
    const lines = ['nonsense', '[]', '{"hook_event_name":"Nope"}', '{"control":"dance"}', '{"hook_event_name":"Stop"}']
    const world = await makeWorld({ 'project/.claude/settings.json': late })
    const { code, stdout } = await hookline(world, ['session', '--trust'], `${lines.join('\n')}\n`)
    expect(code).toBe(0)
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([
      { error: expect.stringContaining('not JSON') },
      { error: expect.stringContaining('must be a JSON object') },
      { error: expect.stringContaining('"Nope" is not an event') },
      { error: expect.stringContaining('"dance" is not a control') },
      { event: 'Stop', hooks: [{ verdict: 'backgrounded' }] },
      { undelivered: [{ hook: 'project:Stop:0:0' }] },
    ])
  })
})
