import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { run as trust } from '../../src/cli/commands/trust/trust.ts'
import { run as validate } from '../../src/cli/commands/validate/validate.ts'
import { COMMANDS } from '../../src/cli/commands.ts'
import { placesOf } from '../support/command.ts'
import { openOn, type World } from '../support/project.ts'
import { projectWith } from '../support/validate.ts'

/** In every place where a definition may hold one. */
const SECRETS = [
  ...['hunter2', 'login-name', 'query-secret', 'fragment-secret'],
  ...['headerSecret9', 'split-secret', 'partly-secret', 'user-query-secret', 'user-header-secret'],
]

const hook = {
  type: 'http',
  url: 'http://login-name:hunter2@127.0.0.1:9/hook?key=query-secret#fragment-secret',
  headers: {
    ...{ 'X-Own': 'headerSecret9', 'X-Split': 'a\nsplit-secret', Authorization: 'Bearer $TOKEN' },
    'X-Part': 'partly-secret$TOKEN',
  },
  timeuot: 5,
}
const users = {
  type: 'http',
  url: 'http://127.0.0.1:9/own?user-query-secret',
  headers: { 'X-A': 'user-header-secret' },
}
const FILES = {
  '.claude/settings.json': JSON.stringify({ hooks: { PreToolUse: [{ hooks: [hook] }] } }, null, 2),
  '.claude/skills/ask/SKILL.md': `---\nname: ask\nhooks:\n  PreToolUse:\n    - hooks:\n        - type: http\n          url: ${hook.url}\n          headers:\n            X-Own: headerSecret9\n          timeuot: 5\n---\n`,
  '../home/.claude/settings.json': JSON.stringify({ hooks: { PreToolUse: [{ hooks: [users] }] } }),
  'all.hooktest.yaml': 'cases:\n  - name: one\n    event: PreToolUse\n    expect: { decision: { blocked: true } }\n',
}

/** Calls of every command that may say something of a hook; a command without an entry fails the test. */
const CALLS: Readonly<Record<string, readonly string[][]>> = {
  events: [['PreToolUse']],
  list: [[], ['--trust'], ['--json']],
  validate: [
    ...[[], ['--json'], ['--fix'], ['--fix', '--json']],
    ...['github', 'sarif', 'junit'].map((format) => ['--format', format]),
  ],
  match: [['Bash']],
  why: [[], ['PreToolUse', '--trust'], ['PreToolUse', '--json']],
  explain: ['--json', '--no-color'].map((flag) => ['PreToolUse', '--trust', flag]),
  fire: ['--json', '--no-color', '--debug'].map((flag) => ['PreToolUse', '--trust', flag]),
  session: [],
  bridge: [['report', 'codex'], ['report', 'codex', '--json'], ['status'], ['install', 'codex', '--dry-run']],
  wrap: [
    ['install', '--dry-run'],
    ['install', '--dry-run', '--json'],
  ],
  tap: [
    ['install', '--dry-run'],
    ['install', '--wrap', 'all', '--dry-run', '--json'],
  ],
  resident: [['status'], ['status', '--json']],
  ship: [['--dry-run'], []],
  guard: [['list'], ['list', '--json'], ['add', '--dry-run']],
  effects: [['ls'], ['ls', '--json']],
  mcp: [],
  log: [],
  stats: [],
  inspect: [],
  test: [['--trust'], ['--trust', '--json']],
  replay: [],
  'check-races': [],
  trust: [[], ['--json'], ['accept', '--yes', 'f00']],
  profile: [[], ['current', '--dry-run'], ['classic', '--scope', 'user', '--dry-run', '--json']],
  add: [
    ['PreToolUse', '--command', 'true', '--dry-run'],
    ['PreToolUse', '--command', 'true', '--dry-run', '--json'],
  ],
  remove: [
    ['project:PreToolUse:0:0', '--dry-run'],
    ['project:PreToolUse:0:0', '--dry-run', '--json'],
    ['user:PreToolUse:0:0', '--dry-run'],
  ],
  init: [['--event', 'PreToolUse', '--dry-run']],
  doctor: [[], ['--json']],
  schema: [['settings']],
  completion: [['bash']],
}

/** These say no more than records do, which \`fire --json\` prints. */
const OF_RECORDS = ['session', 'mcp', 'log', 'stats', 'inspect', 'replay', 'check-races']

const calls = Object.entries(CALLS).flatMap(([name, all]) => all.map((args) => [name, ...args]))

it('every command that may say something of a hook is tried', () => {
  expect(Object.keys(CALLS)).toEqual(expect.arrayContaining(Object.keys(COMMANDS)))
  expect(Object.keys(CALLS).filter((name) => CALLS[name]?.length === 0)).toEqual(OF_RECORDS)
})

/** Trusts the project as it is. */
async function acceptIn(world: World): Promise<void> {
  const { digest } = JSON.parse(await printedBy(world, ['trust', '--json']))
  await printedBy(world, ['trust', 'accept', '--yes', digest])
}

/** What a call prints in a world, on either stream. */
async function printedBy(world: World, [name = '', ...args]: readonly string[]): Promise<string> {
  const kept: string[] = []
  const spies = [vi.spyOn(process.stdout, 'write'), vi.spyOn(process.stderr, 'write')]
  for (const spy of spies) spy.mockImplementation((text) => kept.push(String(text)) > 0)
  const places = placesOf(world, name)
  const profile = name === 'bridge' ? [] : ['--profile', 'current']
  try {
    const { run } = (await COMMANDS[name]?.load()) ?? {}
    await run?.([...args, ...profile, ...places]).catch((error: unknown) => kept.push(String(error)))
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
  return kept.join('')
}

describe('what is printed about an http hook', () => {
  it.each(calls)('holds none of its secrets: %s %s %s %s %s', async (...call) => {
    const said = await printedBy(await projectWith(FILES), call)
    expect(said.length).toBeGreaterThan(20)
    expect(SECRETS.filter((secret) => said.includes(secret))).toEqual([])
  })

  it('is enough to judge it, and to see that it changed', async () => {
    const world = await projectWith(FILES)
    const shown = await printedBy(world, ['trust'])
    expect(shown).toContain('http://127.0.0.1:9/hook?…')
    for (const header of ['X-Own', 'X-Split', 'X-Part', '"Bearer', '$TOKEN"', '…$TOKEN'])
      expect(shown).toContain(header)
    await acceptIn(world)
    const settings = join(world.project, '.claude/settings.json')
    await writeFile(settings, (await readFile(settings, 'utf8')).replaceAll('query-secret', 'other-query-secret'))
    const changed = await printedBy(world, ['trust'])
    expect(changed).toMatch(/^-.*hook\?… sha256:[0-9a-f]{16}/m)
    expect(changed).toMatch(/^\+.*hook\?… sha256:[0-9a-f]{16}/m)
    expect(changed).not.toContain('query-secret')
  })

  it('holds none when a file changes in a session', async () => {
    const world = await projectWith(FILES)
    const engine = await openOn(world, { profile: 'current' })
    const settings = join(world.project, '.claude/settings.json')
    await writeFile(settings, (await readFile(settings, 'utf8')).replaceAll('9/hook', '9/other'))
    const changes = await engine.listChanges()
    expect(changes).toHaveLength(1)
    expect(changes[0]?.diff).toContain('9/other?')
    expect(SECRETS.filter((secret) => JSON.stringify(changes).includes(secret))).toEqual([])
  })

  it('says which variable a header sends, and what cannot be sent, each in one sentence', async () => {
    const world = await projectWith({ '.claude/settings.json': FILES['.claude/settings.json'] })
    const kept: string[] = []
    const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => kept.push(String(text)) > 0)
    try {
      await validate(['--json', '--profile', 'current', ...placesOf(world, 'validate')])
      await trust(['--profile', 'current', ...placesOf(world, 'trust')])
    } finally {
      spy.mockRestore()
    }
    const [found = '', ...shown] = kept
    expect(JSON.parse(found).findings).toMatchObject([
      { rule: 'V-HK-35', message: expect.stringContaining('its url holds credentials') },
      { rule: 'V-HK-35', message: 'Nothing is sent: the value of the header "X-Split" has a line break in it.' },
      { rule: 'V-HK-16', message: expect.stringContaining('"timeuot" is not a field of a hook') },
    ])
    expect(shown.join('')).toContain('$TOKEN')
    expect(await readFile(join(world.project, '.claude/settings.json'), 'utf8')).toContain('hunter2')
  })
})

describe('the address of an http hook', () => {
  it.each([
    ['not an address', 'is no address'],
    ['ftp://127.0.0.1/hook', 'only http and https addresses can be asked'],
    ['file:///tmp/hook', 'only http and https addresses can be asked'],
    ['http://me@127.0.0.1/', 'its url holds credentials'],
  ])('is told of in one sentence: %s', async (url, sentence) => {
    const { findingsIn } = await import('../support/validate.ts')
    const content = { hooks: { PreToolUse: [{ hooks: [{ type: 'http', url }] }] } }
    const findings = await findingsIn({ '.claude/settings.json': JSON.stringify(content) }, 'current')
    expect(findings.filter(({ rule }) => rule !== 'V-HK-50')).toMatchObject([
      { rule: 'V-HK-35', severity: 'error', message: expect.stringContaining(sentence) },
    ])
  })
})
