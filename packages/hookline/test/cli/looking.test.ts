import { lstatSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../../src/cli/commands.ts'
import { hooklineInProcess } from '../support/in-process.ts'
import { logOf } from '../support/log-lines.ts'
import { commands, makeWorld, openOn, put, type World } from '../support/project.ts'
import { call, transcriptOf } from '../support/sessions.ts'

const OWN = 'home/.claude/settings.json'
const prompt = { hook_event_name: 'UserPromptSubmit', prompt: 'hello' } as const

/** Every file below a folder with its content and when it was changed. */
function everything(folder: string): string[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  return paths.map((path) => {
    const stats = lstatSync(join(folder, path))
    return `${path} ${stats.ctimeMs} ${stats.isFile() ? readFileSync(join(folder, path), 'utf8') : ''}`
  })
}

/** A world in which the user's hooks are not those of the session before. */
async function changedWorld(): Promise<World> {
  const world = await makeWorld({
    [OWN]: { hooks: { Stop: [commands('true')] } },
    'project/.claude/settings.json': { hooks: { Stop: [commands('true')] } },
    'project/a.hooktest.yaml': 'cases:\n  - name: one\n    event: Stop\n',
  })
  await (await openOn(world)).dispatch(prompt)
  await put(world, OWN, { hooks: { Stop: [commands('planted')] } })
  mkdirSync(join(world.root, 'tmp'))
  return world
}

type Call = readonly string[]

/** Calls that only look, by command; `{transcript}` and `{log}` stand for files. A command without an entry fails the test. */
const LOOKING: Readonly<Record<string, readonly Call[]>> = {
  events: [[], ['Stop', '--json']],
  list: [[], ['--json']],
  validate: [[], ['--json'], ['--explain', 'V-HK-09']],
  match: [['Bash']],
  why: [[], ['Stop', '--json']],
  explain: [['Stop'], ['Stop', '--json']],
  log: [['{log}'], ['{log}', '--to-test']],
  stats: [['{log}'], ['{log}', '--json']],
  guard: [['try', 'rm -rf ~'], ['list'], ['log'], ['add', '--dry-run']],
  effects: [['rm -rf ~'], ['ls', '--json']],
  inspect: [['--help']], // test/inspect sees it serve a page and write nothing but its index
  replay: [['{transcript}', '--plan']],
  trust: [[], ['show', '--json']],
  bridge: [
    ['status'],
    ['report', '--json'],
    ['install', 'codex', '--dry-run'],
    ['uninstall', 'codex', '--dry-run'],
    ['table', 'kiro'],
    ['install', 'cline', '--dry-run'],
    ['install', 'copilot', '--for', 'cloud', '--if-missing', 'pass', '--dry-run'],
  ],
  resident: [['status'], ['status', '--json'], ['stop']],
  ship: [['--dry-run'], []],
  wrap: [
    ['install', '--dry-run'],
    ['install', '--dry-run', '--json'],
    ['uninstall', '--dry-run'],
  ],
  tap: [
    ['install', '--dry-run'],
    ['install', '--wrap', 'all', '--dry-run', '--json'],
    ['uninstall', '--dry-run'],
  ],
  profile: [[], ['--json'], ['current', '--dry-run']],
  add: [['Stop', '--command', 'x', '--dry-run']],
  remove: [['user:Stop:0:0', '--dry-run']],
  init: [['--event', 'Stop', '--dry-run']],
  doctor: [[], ['--json']],
  schema: [[], ['settings']],
  completion: [['bash']],
}

/** These run hooks whatever they are called with, and so may write. */
const RUNNING = ['fire', 'session', 'mcp', 'test', 'check-races']

/** Hooks that are only tried out may write; the notice is not for them either. */
const TRYING: readonly Call[] = [
  ['replay', '{transcript}', '--trust'],
  ['check-races', '{transcript}', '--trust'],
  ['test', '--trust', '--home', '{home}'],
]

interface Looked {
  readonly world: World
  /** Makes a call in the world; resolves with its exit code and what it said. */
  readonly make: (call: Call) => ReturnType<typeof hooklineInProcess>
}

/** The changed world, with a transcript and a log to look at. */
async function lookedAt(): Promise<Looked> {
  const world = await changedWorld()
  const transcript = await transcriptOf([call('t1', 'ls')])
  const log = await put(world, 'logs/hooks.jsonl', logOf('s'))
  const words: Record<string, string> = { '{transcript}': transcript, '{log}': log, '{home}': world.home }
  const make = (args: Call) =>
    hooklineInProcess(
      world,
      args.map((word) => words[word] ?? word),
      { env: { HOOKLINE_LOG: undefined, TMPDIR: join(world.root, 'tmp') } },
    )
  return { world, make }
}

const looks = Object.entries(LOOKING).flatMap(([command, calls]) => calls.map((args) => [command, ...args]))

describe('what only looks', () => {
  it('is tried of every command that can', () => {
    expect([...Object.keys(LOOKING), ...RUNNING].sort()).toEqual(Object.keys(COMMANDS).sort())
  })

  it('writes nothing in the home, the project or the temp folder, and leaves the notice of changed hooks to the next session', {
    timeout: 300_000,
  }, async () => {
    const { world, make } = await lookedAt()
    const before = everything(world.root)
    for (const args of looks) {
      const { stderr } = await make(args)
      expect({ args, stderr, files: everything(world.root) }).toEqual({
        args,
        stderr: expect.not.stringMatching(/--help\.$|a fault in Hookline/m), // a call that is refused looks at nothing
        files: before,
      })
    }

    for (const args of TRYING) await make(args)
    const engine = await openOn(world)
    engine.list()
    await engine.close()

    expect((await (await openOn(world)).dispatch(prompt)).notices?.join()).toContain(
      'are not those of the last session',
    )
    expect((await (await openOn(world)).dispatch(prompt)).notices ?? []).toEqual([])
  })
})
