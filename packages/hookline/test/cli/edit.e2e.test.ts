import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { findLoosening } from '../../src/effects/loosening.ts'
import { ended, hookline, inTerminal, placesOf, program, tooWide } from '../support/command.ts'
import { hooklineInProcess } from '../support/in-process.ts'
import { commands, makeWorld, put, type World } from '../support/project.ts'

const SETTINGS = 'project/.claude/settings.json'
const textOf = ({ root }: World, path = SETTINGS) => readFile(join(root, path), 'utf8')

/** Settings in every formatting that people leave them in. */
const FORMATTINGS: Record<string, string> = {
  'an empty object': '{}',
  'an empty object with a line break': '{\n}\n',
  'other settings only': '{\n  "model": "opus"\n}\n',
  'one line': '{"model":"opus","permissions":{"allow":["Bash"]}}',
  'an empty hooks object': '{\n  "hooks": {},\n  "model": "opus"\n}\n',
  'an empty list of another event': '{\n  "hooks": {\n    "PreToolUse": []\n  }\n}\n',
  'a hook on one line': '{ "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "true" }] }] } }\n',
  tabs: '{\n\t"hooks": {\n\t\t"PreToolUse": [\n\t\t\t{ "hooks": [] }\n\t\t]\n\t}\n}\n',
  'CRLF and no final newline': '{\r\n    "hooks": {\r\n        "PreToolUse": []\r\n    },\r\n    "model": "opus"\r\n}',
  'comments and trailing commas':
    '// mine\n{\n  "hooks": {\n    // before a prompt\n    "Stop": [\n      { "hooks": [{ "type": "command", "command": "true" }] }, // keep this\n    ],\n  },\n}\n',
  'a comment in an empty list': '{ "hooks": { "Stop": [ /* none yet */ ] } }',
  'a byte order mark': '\uFEFF{\n  "hooks": {}\n}\n',
}

/** Calls that loosen what guards an agent, one for each row of the table. */
const LOOSENING = [
  ['remove', '--event', 'Stop', '--command', 'echo mine'],
  ['profile', 'classic'],
  ['tap', 'uninstall'],
  ['wrap', 'uninstall'],
  ['bridge', 'uninstall', 'codex'],
  ['bridge', 'allow', 'codex', 'x'],
  ['resident', 'stop'],
  ['trust', 'accept'],
  ['guard', 'allow', 'delete', '~/x'],
  ['guard', 'trust'],
  ['guard', 'remove'],
]

describe('hookline add and remove', () => {
  it.each(Object.entries(FORMATTINGS))('restore %s to the byte', async (_what, text) => {
    const world = await makeWorld({ [SETTINGS]: text })
    const event = ['--event', 'Stop', '--command', 'echo "new"']
    expect(await hooklineInProcess(world, ['add', 'Stop', '--command', 'echo "new"'])).toMatchObject({ code: 0 })
    expect(await textOf(world)).not.toBe(text)
    expect((await hooklineInProcess(world, ['fire', 'Stop', '--trust', '--json'])).stdout).toContain('echo \\"new\\"')
    expect(await hooklineInProcess(world, ['remove', ...event])).toMatchObject({ code: 0 })
    expect(await textOf(world)).toBe(text)
  })

  it('leave no empty list of the event, though there was one before', async () => {
    const world = await makeWorld({ [SETTINGS]: '{\n  "hooks": {\n    "Stop": [],\n    "PreToolUse": []\n  }\n}\n' })
    await hooklineInProcess(world, ['add', 'Stop', '--command', 'true'])
    await hooklineInProcess(world, ['remove', '--event', 'Stop', '--command', 'true'])
    expect(await textOf(world)).toBe('{\n  "hooks": {\n    "PreToolUse": []\n  }\n}\n')
  })

  it('lose no entry when two processes make 100 edits at once, and restore the file in the end', async () => {
    const text = '{\n  // shared\n  "model": "opus"\n}\n'
    const world = await makeWorld({ [SETTINGS]: text })
    const both = (edit: Parameters<typeof editing>[2]) =>
      Promise.all(['a', 'b'].map((who) => editing(world, who, edit)))
    await both((command) => ['add', 'Stop', '--command', command])
    const { hooks } = JSON.parse((await textOf(world)).replace('// shared', ''))
    const added = hooks.Stop.map((group: ReturnType<typeof commands>) => group.hooks[0]?.command)
    const expected = ['a', 'b'].flatMap((who) => Array.from({ length: 25 }, (_, at) => `echo ${who} ${at + 1}`))
    expect(added.toSorted()).toEqual(expected.toSorted())
    expect((await hookline(world, ['trust', '--json'])).stdout).toContain('"accepted":true')
    await both((command) => ['remove', '--event', 'Stop', '--command', command, '--yes'])
    expect(await textOf(world)).toBe(text)
  }, 120_000)
})

/** 25 edits by a process of its own, which calls the built command again and again. */
function editing(world: World, who: string, edit: (command: string) => string[]): Promise<unknown> {
  const calls = Array.from({ length: 25 }, (_, at) => [...edit(`echo ${who} ${at + 1}`), ...placesOf(world)])
  const script = `
    process.stdout.setMaxListeners(0)
    const [main, calls] = process.argv.slice(1)
    for (const [at, words] of JSON.parse(calls).entries()) {
      process.argv = [process.execPath, 'hookline', ...words]
      await import(main + '?' + at)
      if (process.exitCode !== 0) process.exit()
    }`
  const main = new URL('../../dist/cli/main.js', import.meta.url).href
  return promisify(execFile)(process.execPath, ['--input-type=module', '-e', script, main, JSON.stringify(calls)])
}

describe('an edit that an agent makes', () => {
  const asksToTrust = async (world: World, env = {}): Promise<boolean> =>
    JSON.parse((await hooklineInProcess(world, ['trust', '--json'], { env })).stdout).accepted === false
  const add = ['add', 'Stop', '--command', 'echo new']
  const EDITS: Record<string, string[]> = {
    add,
    'wrap install': ['wrap', 'install', '--yes'],
    'tap install': ['tap', 'install', '--scope', 'project', '--yes'],
    init: ['init', '--event', 'Stop', '--yes'],
  }

  it.each(Object.entries(EDITS))('of %s is written and not trusted, and says so', async (_name, words) => {
    const guards = { hooks: { Stop: [commands('echo mine')], PreToolUse: [commands('exit 2')] } }
    for (const env of [{ CLAUDECODE: '1' }, { HOOKLINE_AGENT: 'codex' }, {}]) {
      const world = await makeWorld({ [SETTINGS]: guards })
      const { digest } = JSON.parse((await hooklineInProcess(world, ['trust', '--json'])).stdout)
      await hooklineInProcess(world, ['trust', 'accept', '--yes', digest])
      const before = await textOf(world)
      const { code, stdout } = await hooklineInProcess(world, words, { env })
      expect({ code, isWritten: (await textOf(world)) !== before }).toEqual({ code: 0, isWritten: true })
      const byAgent = Object.keys(env).length > 0
      expect(await asksToTrust(world)).toBe(byAgent)
      if (byAgent) expect(stdout).toMatch(/not trusted with this edit, since\s[\s\S]*runs\sthis/)
    }
  })

  it.each(LOOSENING)('is refused where it loosens what guards the agent: %s %s', async (...words) => {
    const world = await makeWorld({ [SETTINGS]: { hooks: { Stop: [commands('echo mine')] } } })
    const before = await textOf(world)
    for (const env of [{ CLAUDECODE: '1' }, { HOOKLINE_AGENT: 'codex' }]) {
      const { code, stderr } = await hooklineInProcess(world, words, { env })
      expect({ code, says: stderr }).toEqual({ code: 1, says: expect.stringContaining('is for the user to decide') })
    }
    expect(await textOf(world)).toBe(before)
    const shown = await hooklineInProcess(world, [...words, '--help'], { env: { CLAUDECODE: '1' } })
    expect(shown.code).toBe(0)
  })

  it.each(LOOSENING)('is refused where it loosens guards and nobody can be asked: %s %s', async (...words) => {
    const world = await makeWorld({ [SETTINGS]: { hooks: { Stop: [commands('echo mine')] } } })
    const before = await textOf(world)
    const env = { CLAUDECODE: '', AI_AGENT: '', HOOKLINE_AGENT: '' }
    const call = [program, ...words, ...placesOf(world, words[0])]
    const { code, stderr } = await ended(process.execPath, call, { env })
    const isAnswered = findLoosening(words)?.unasked === 'yes'
    expect({ code, says: stderr }).toEqual({
      code: 1,
      says: expect.stringContaining(isAnswered ? '--yes' : 'hookline'),
    })
    expect(await textOf(world)).toBe(before)
  })

  it('trusts nothing in a project that had no hook before', async () => {
    const world = await makeWorld({ 'project/readme': '' })
    await hooklineInProcess(world, add, { env: { GEMINI_CLI: '1' } })
    expect(await asksToTrust(world)).toBe(true)
  })

  it('is not kept as trusted by a session that it starts', async () => {
    const world = await makeWorld({ [SETTINGS]: { hooks: { Stop: [commands('true')] } } })
    const { digest } = JSON.parse((await hooklineInProcess(world, ['trust', '--json'])).stdout)
    const input = `${JSON.stringify({ control: 'trust', accept: digest, keep: true })}\n`
    const { stdout } = await hookline(world, ['session'], { input, env: { CLAUDECODE: '1' } })
    expect(stdout).toContain('is for the user to decide')
    expect(await asksToTrust(world)).toBe(true)
  })
})

describe('hookline add', () => {
  it('writes every field that is given, shows the difference, and reports it as JSON', async () => {
    const world = await makeWorld()
    const flags = ['--matcher', 'Edit|Write', '--timeout', '2.5', '--async', '--status-message', 'Formatting']
    const { code, stdout } = await hookline(world, ['add', 'PostToolUse', '--command', 'npm run format', ...flags])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^\+ +"command": "npm run format",$/m)
    expect(tooWide(stdout)).toEqual([])
    const hook = { type: 'command', command: 'npm run format', timeout: 2.5, async: true, statusMessage: 'Formatting' }
    expect(JSON.parse(await textOf(world))).toEqual({
      hooks: { PostToolUse: [{ matcher: 'Edit|Write', hooks: [hook] }] },
    })
    const prompt = ['--type', 'prompt', '--prompt', 'Done?', '--model', 'small', '--scope', 'user', '--json']
    const report = JSON.parse((await hookline(world, ['add', 'Stop', ...prompt])).stdout)
    expect(report).toMatchObject({
      written: true,
      scope: 'user',
      hook: { type: 'prompt', prompt: 'Done?', model: 'small' },
    })
  })

  it('keeps an accepted project accepted, and says of another that its hooks do not run', async () => {
    const world = await makeWorld()
    await hooklineInProcess(world, ['add', 'Stop', '--command', 'exit 2'])
    expect((await hooklineInProcess(world, ['fire', 'Stop'])).code).toBe(2)
    const other = await makeWorld({ [SETTINGS]: { hooks: { Stop: [commands('true')] } } })
    expect((await hooklineInProcess(other, ['add', 'Stop', '--command', 'exit 2'])).stdout).toContain(
      'The project is not trusted yet',
    )
    expect((await hooklineInProcess(other, ['fire', 'Stop'])).code).toBe(1)
  })

  it('refuses what is there already, unless forced', async () => {
    const world = await makeWorld({ [SETTINGS]: { hooks: { Stop: [commands('true')] } } })
    const again = ['add', 'Stop', '--command', 'true']
    expect(await hooklineInProcess(world, again)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('.claude/settings.json:6 has this hook already (project:Stop:0:0)'),
    })
    expect((await hooklineInProcess(world, ['add', 'Notification', ...again.slice(2)])).code).toBe(0)
    expect((await hooklineInProcess(world, [...again, '--force'])).code).toBe(0)
    expect(JSON.parse(await textOf(world)).hooks.Stop).toHaveLength(2)
  })

  const mistakes: Record<string, [string[], RegExp]> = {
    'no event': [['--command', 'x'], /for which event\?/],
    'an unknown event': [['Stopp', '--command', 'x'], /"Stopp" is not an event\. Did you mean "Stop"\?/],
    'no command': [['Stop'], /what should it run\?/],
    'an empty command': [['Stop', '--command', ' '], /The command is empty/],
    'a bad timeout': [['Stop', '--command', 'x', '--timeout', 'soon'], /--timeout must be a positive number/],
    'a bad matcher': [['PreToolUse', '--command', 'x', '--matcher', '(['], /matcher/],
    'an unknown type': [['Stop', '--type', 'script', '--prompt', 'x'], /"script"/],
    'a prompt where none runs': [['PreCompact', '--type', 'prompt', '--prompt', 'x'], /do not run for PreCompact/],
    'the managed scope': [['Stop', '--command', 'x', '--scope', 'managed'], /managed settings are policy/],
    'an unknown scope': [['Stop', '--command', 'x', '--scope', 'global'], /--scope must be project, local, user/],
  }

  it.each(Object.entries(mistakes))('answers %s in a sentence and writes nothing', async (_what, [args, sentence]) => {
    const world = await makeWorld()
    const { code, stderr } = await hooklineInProcess(world, ['add', ...args])
    expect(code).toBe(1)
    expect(stderr).toMatch(sentence)
    expect(stderr).not.toMatch(/^\s+at /m)
    expect(existsSync(join(world.project, '.claude'))).toBe(false)
  })

  it.each(['{ "hooks": ', '[]', '{ "hooks": [] }', '{ "hooks": { "Stop": {} } }', ''])(
    'refuses a file that reads %j and leaves it alone',
    async (text) => {
      const world = await makeWorld({ [SETTINGS]: text })
      const { code, stderr } = await hooklineInProcess(world, ['add', 'Stop', '--command', 'x'])
      expect(code).toBe(1)
      expect(stderr).toMatch(/Nothing was written/)
      expect(await textOf(world)).toBe(text)
    },
  )

  const editing: Record<string, string[]> = {
    add: ['add', 'Stop', '--command', 'x'],
    remove: ['remove', '--event', 'Stop', '--command', 'x'],
    profile: ['profile', 'current'],
    wrap: ['wrap', 'install'],
    unwrap: ['wrap', 'uninstall'],
    tap: ['tap', 'install', '--scope', 'project', '--wrap', 'all'],
    guard: ['guard', 'add', '--agent', 'claude-code', '--scope', 'project', '--if-missing', 'refuse', '--yes'],
  }

  it.each(Object.entries(editing))('says what keeps "%s" from editing a file, and leaves it alone', async (_, args) => {
    const faults: [string, RegExp][] = [
      ['', /settings\.json is empty\. Delete it, or write \{\} into it/],
      ['// nothing yet\n', /settings\.json:\d+:1 {2}settings\.json is not JSON: value expected; fix it first/],
      ['{ "hooks": ', /settings\.json is not JSON/],
      ['{"hooks":{"Stop":[]},"hooks":{}}', /:1:\d+ {2}settings\.json has "hooks" twice; fix it first/],
      ['{\0"\0a\0', /settings\.json is UTF-16, not UTF-8; fix it first/],
    ]
    for (const [text, sentence] of faults) {
      const world = await makeWorld({ [SETTINGS]: text })
      const { code, stderr } = await hooklineInProcess(world, args)
      expect(stderr).toMatch(sentence)
      expect(stderr).toContain('Nothing was written.')
      expect(code).toBe(1)
      expect(await textOf(world)).toBe(text)
    }
  })

  it('names the file that stands in the place of the folder', async () => {
    const world = await makeWorld({ 'project/.claude': 'a file' })
    const { code, stderr } = await hooklineInProcess(world, ['add', 'Stop', '--command', 'true'])
    expect(stderr).toMatch(/\.claude is not a folder; nothing was written/)
    expect(code).toBe(1)
    expect(await textOf(world, 'project/.claude')).toBe('a file')
  })

  it('writes nothing on a dry run, or through a link out of the project', async () => {
    const world = await makeWorld({ 'elsewhere.json': '{}' })
    expect((await hooklineInProcess(world, ['add', 'Stop', '--command', 'x', '--dry-run'])).stdout).toContain(
      'Nothing was written',
    )
    expect(existsSync(join(world.project, '.claude'))).toBe(false)
    await put(world, 'project/.claude/other.json', '{}')
    await symlink(join(world.root, 'elsewhere.json'), join(world.project, '.claude/settings.json'))
    expect((await hooklineInProcess(world, ['add', 'Stop', '--command', 'x'])).stderr).toContain('leads out of')
    expect(await textOf(world, 'elsewhere.json')).toBe('{}')
  })

  it('offers to keep local settings out of git', async () => {
    const world = await makeWorld({ 'project/.gitignore': 'node_modules' })
    const local = ['add', 'Stop', '--scope', 'local', '--command']
    expect((await hooklineInProcess(world, [...local, 'true'])).stderr).toContain(
      'is not in .gitignore; --gitignore adds it',
    )
    expect((await hooklineInProcess(world, [...local, 'exit 0', '--gitignore'])).code).toBe(0)
    expect((await hooklineInProcess(world, [...local, 'test 1', '--gitignore'])).stderr).toBe('')
    expect(await textOf(world, 'project/.gitignore')).toBe('node_modules\n.claude/settings.local.json\n')
  })

  it.runIf(process.platform === 'linux')('asks in a terminal, and takes no for an answer', async () => {
    const world = await makeWorld()
    const refused = await inTerminal(world, ['add', 'Stop', '--command', 'true'], 'n\n')
    expect(refused).toMatchObject({ code: 1, stdout: expect.stringContaining('Write this to .claude/settings.json?') })
    expect(existsSync(join(world.project, '.claude/settings.json'))).toBe(false)
    const agreed = await inTerminal(world, ['add', 'Stop', '--command', 'true', '--scope', 'local'], 'y\ny\n')
    expect(agreed).toMatchObject({ code: 0, stdout: expect.stringContaining('to .gitignore?') })
    expect(await textOf(world, 'project/.gitignore')).toBe('.claude/settings.local.json\n')
  })
})

describe('hookline remove', () => {
  const hooks = {
    Stop: [commands('one', 'two'), commands('two'), { matcher: '', command: 'flat' }],
    Stopp: [commands('misspelt')],
  }

  it('removes exactly the hook that is named, by id or by what it runs', async () => {
    const world = await makeWorld({ [SETTINGS]: { hooks } })
    expect((await hookline(world, ['remove', 'project:Stop:0:0'])).code).toBe(0)
    expect((await hookline(world, ['remove', '--event', 'Stop', '--command', 'flat'])).code).toBe(0)
    expect((await hookline(world, ['remove', '--event', 'Stopp', '--command', 'misspelt', '--json'])).code).toBe(0)
    expect(JSON.parse(await textOf(world))).toEqual({ hooks: { Stop: [commands('two'), commands('two')] } })
  })

  const refusals: Record<string, [string[], RegExp]> = {
    'one of several': [
      ['--event', 'Stop', '--command', 'two'],
      /several.*\n.*project:Stop:0:1.*:\d+\n.*project:Stop:1:0/,
    ],
    'one that is not there': [['project:Stop:7:0'], /There is no project:Stop:7:0/],
    'a command that is not there': [['--event', 'Stop', '--command', 'three'], /There is no Stop hook "three"/],
    'no id': [[], /which hook\?/],
    'a word that is not an id': [['Stop'], /"Stop" is not the key or the id of a hook/],
    "policy's own": [['managed:Stop:0:0'], /managed settings are policy/],
    "a plugin's": [['plugin:tidy:Stop:0:0'], /its author's/],
    "another scope's": [['project:Stop:0:0', '--scope', 'user'], /not of the scope user/],
  }

  it.each(Object.entries(refusals))('refuses %s and leaves the file alone', async (_what, [args, sentence]) => {
    const world = await makeWorld({ [SETTINGS]: { hooks } })
    const before = await textOf(world)
    const { code, stderr } = await hooklineInProcess(world, ['remove', ...args])
    expect(code).toBe(1)
    expect(stderr).toMatch(sentence)
    expect(await textOf(world)).toBe(before)
  })
})
