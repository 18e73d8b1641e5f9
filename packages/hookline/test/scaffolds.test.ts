import { execFile } from 'node:child_process'
import { cpSync, existsSync, readFileSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { makeWorld } from './support/project.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const NEW = join(ROOT, 'scripts/new.js')

/** A new part of each kind, by the name that the scaffold gives it. */
const PARTS = {
  event: 'PreShip',
  'hook-type': 'page_up',
  profile: 'future',
  bridge: 'lantern',
  rule: 'long-status-message',
  guard: 'bare-addresses',
  program: 'lantern',
  view: 'projects',
  command: 'count-hooks',
  adapter: 'own-loop',
} as const

/** Tests that the scaffolds write, and those that tables of the repository grow by. */
const TESTS = [
  ...['test/architecture.test', 'test/architecture-names.test', 'test/generated.test', 'test/check/rules.test'],
  ...['test/engine/conformance.test', 'hook-types/page-up', 'protocol/future'],
  ...['check/long-status-message', 'cli/count-hooks', 'adapters/own-loop'],
  ...['guards/bare-addresses', 'effects/lantern', 'effects/programs', 'inspect/projects'],
]

/** Parts of the repository that types and laws look at. */
const COPIED = [
  ...['packages', 'docs', 'conformance', 'clients/python', 'README.md', 'CONTRIBUTING.md', 'package.json'],
  ...['tsconfig.json', 'tsconfig.base.json', 'knip.json', 'biome.json', 'vitest.config.ts'],
]

/** A copy of the repository without what is built, in which a scaffold may write. */
async function copyRepository(): Promise<string> {
  const { root: copy } = await makeWorld()
  const isSource = (path: string): boolean => !['node_modules', 'dist', 'screens'].includes(basename(path))
  for (const part of COPIED) cpSync(join(ROOT, part), join(copy, part), { recursive: true, filter: isSource })
  for (const modules of ['node_modules', 'packages/hookline/node_modules', 'packages/agent/node_modules'])
    if (existsSync(join(ROOT, modules))) symlinkSync(join(ROOT, modules), join(copy, modules))
  return copy
}

interface Ended {
  readonly code: number
  readonly said: string
}

async function run(cwd: string, file: string, args: readonly string[]): Promise<Ended> {
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [file, ...args], { cwd, timeout: 240_000 })
    return { code: 0, said: stdout + stderr }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string } // a process that ended so
    return { code, said: stdout + stderr }
  }
}

const scaffold = (root: string, ...args: string[]): Promise<Ended> => run(ROOT, NEW, [...args, '--root', root])

describe('npm run new', () => {
  it('writes parts of every kind that types, laws and tests accept as they are', { timeout: 300_000 }, async () => {
    const copy = await copyRepository()
    for (const [kind, name] of Object.entries(PARTS)) {
      const { code, said } = await scaffold(copy, kind, name)
      expect(said).toMatch(/^(?:write|edit ) [\s\S]*\nNext:\n {2}1\. npm run format/)
      expect(code).toBe(0)
    }
    const tests = await run(copy, 'node_modules/vitest/vitest.mjs', [
      ...['run', '--project', 'hookline', '--no-isolate', ...TESTS, '-u', '--no-color', '--reporter=dot'],
    ])
    expect(tests.said).toMatch(/Test Files {2}15 passed \(15\)/)
    for (const part of ['packages/hookline', 'packages/inspector'])
      expect(await run(copy, 'node_modules/typescript/bin/tsc', ['-p', part, '--checkers', '1'])).toEqual({
        code: 0,
        said: '',
      })
  })

  it('refuses what exists already', async () => {
    const calls = [
      ['event', 'PreToolUse', 'The event PreToolUse exists already.'],
      ['hook-type', 'mcp_tool', 'The hook type mcp_tool exists already.'],
      ['profile', 'current', 'The profile current exists already.'],
      ['bridge', 'codex', 'There is a bridge to codex already.'],
      ['command', 'check-races', 'The command check-races exists already.'],
      ['guard', 'git', 'The guard git exists already.'],
      ['program', 'kubectl', 'kubectl has a row in packages/hookline/src/programs/'],
      ['view', 'cost', 'The view cost exists already.'],
      ['adapter', 'otel', 'The door hookline/otel exists already.'],
    ] as const
    for (const [kind, name, sentence] of calls)
      expect(await scaffold(ROOT, kind, name, '--dry-run')).toMatchObject({
        code: 1,
        said: expect.stringContaining(sentence),
      })
  })

  it('says what is wrong with a call', async () => {
    const calls: [string[], string][] = [
      [[], 'Say what is new: event, hook-type, profile, bridge, rule, guard, program, view, command, adapter.'],
      [['page'], '"page" is not a kind.'],
      [['event'], 'Say what the new event is called'],
      [['event', 'pre-ship'], '"pre-ship" is not a valid name: an event is called like PreDeploy.'],
      [['rule', 'long'], '"long" is not a valid name'],
      [['bridge', 'a', 'b'], '"b" is one word too many'],
      [['bridge', '--wet'], "Unknown option '--wet'"],
    ]
    for (const [args, sentence] of calls) {
      const { code, said } = await scaffold(ROOT, ...args)
      expect(said).toContain(sentence)
      expect(said).not.toContain('    at ')
      expect(code).toBe(1)
    }
  })

  it('only says what it would write when it is asked to', async () => {
    const { code, said } = await scaffold(ROOT, 'command', 'count-hooks', '--dry-run')
    expect(said).toContain('would write packages/hookline/src/cli/commands/count-hooks/count-hooks.ts')
    expect(said).toContain('would edit  packages/hookline/src/cli/commands.ts')
    expect(code).toBe(0)
    expect(existsSync(join(ROOT, 'packages/hookline/src/cli/commands/count-hooks'))).toBe(false)
  })

  it('has its kinds told by --help and by CONTRIBUTING.md', async () => {
    const { said } = await scaffold(ROOT, '--help')
    const page = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8')
    for (const kind of Object.keys(PARTS)) {
      expect(said).toMatch(new RegExp(`^  ${kind} +an? `, 'm'))
      expect(page).toContain(`npm run new -- ${kind} `)
    }
  })
})
