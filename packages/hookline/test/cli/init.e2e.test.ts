import { execFile, execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { transform } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { listPossibleAnswers } from '../../src/cli/commands/init/possible-answers.ts'
import type { DispatchRecord, EngineOptions } from '../../src/index.ts'
import { DEFAULT_PROFILE } from '../../src/protocol/profiles.ts'
import { hookline, inTerminal, program } from '../support/command.ts'
import { hooklineInProcess } from '../support/in-process.ts'
import { makeWorld, openOn, put, type World } from '../support/project.ts'

const rows = [...DEFAULT_PROFILE.events.values()]
const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))

/** The languages whose hooks can be run here. */
const RUNNABLE = { sh: 'sh', node: 'mjs', python: 'py' } as const

async function init(world: World, event: string, language: string, ...flags: string[]) {
  return hooklineInProcess(world, ['init', '--event', event, '--language', language, '--name', 'guard', ...flags])
}

async function fired(world: World, event: string, options: EngineOptions = {}): Promise<DispatchRecord> {
  const row = DEFAULT_PROFILE.events.get(event)
  const engine = await openOn(world, { trust: 'stored', ...options })
  return engine.dispatch({ hook_event_name: event, ...row?.example } as never) // a whole input by its row
}

describe('hookline init', () => {
  it.each(Object.entries(RUNNABLE))(
    'makes a hook in %s that works at once, for every event',
    async (language, ending) => {
      for (const { name } of rows) {
        const world = await makeWorld()
        expect(await init(world, name, language, '--profile', 'classic')).toMatchObject({ code: 0 })
        expect((await stat(join(world.project, `.claude/hooks/guard.${ending}`))).mode & 0o111).toBe(0o111)
        const { hooks, decision } = await fired(world, name, { profile: 'classic' })
        expect(hooks).toMatchObject([{ verdict: 'ran', outcome: 'success', exitCode: 0, warnings: [] }])
        expect(decision.messages.map(({ text }) => text).join()).toMatch(/guard ran/)
        expect(decision.blocked).toBe(false)
      }
    },
    120_000,
  )

  it.each(Object.entries(RUNNABLE))(
    'shows in %s only what the event takes, each line ready to use',
    async (language, ending) => {
      for (const row of rows) {
        const world = await makeWorld()
        await init(world, row.name, language, '--profile', 'classic')
        const script = join(world.project, `.claude/hooks/guard.${ending}`)
        const text = await readFile(script, 'utf8')
        const offered = [...text.matchAll(/^(?:#|\/\/) {3}(.*)$/gm)].map(([, line = '']) => line)
        const choices = listPossibleAnswers(row)
        expect(offered).toHaveLength(choices.length)
        for (const [at, line] of offered.entries()) {
          await writeFile(
            script,
            text.replace(/^answer.*guard ran.*$/m, () => line),
          )
          await chmod(script, 0o755)
          const { hooks, decision } = await fired(world, row.name, { profile: 'classic' })
          const choice = choices[at]
          expect({ line, warnings: hooks[0]?.warnings }).toEqual({ line, warnings: [] })
          expect({ line, effect: effectOf(decision) }).toEqual({ line, effect: expectedEffect(choice?.does ?? '') })
        }
      }
    },
    300_000,
  )

  it('makes TypeScript that compiles and runs', async () => {
    const world = await makeWorld()
    for (const { name } of rows) {
      expect((await hooklineInProcess(world, ['init', '--event', name, '--language', 'ts'])).code).toBe(0)
    }
    await mkdir(join(world.project, 'node_modules/@types'), { recursive: true })
    await symlink(join(ROOT, 'packages/hookline'), join(world.project, 'node_modules/hookline'))
    await symlink(join(ROOT, 'node_modules/@types/node'), join(world.project, 'node_modules/@types/node'))
    await put(world, 'project/package.json', { type: 'module' })
    const options = {
      strict: true,
      noEmit: true,
      module: 'nodenext',
      target: 'es2023',
      types: ['node'],
      skipLibCheck: true,
    }
    await put(world, 'project/tsconfig.json', { compilerOptions: options, include: ['.claude/hooks/*.ts'] })
    await promisify(execFile)(join(ROOT, 'node_modules/.bin/tsc'), ['-p', world.project, '--checkers', '1'])

    const source = await readFile(join(world.project, '.claude/hooks/stop.ts'), 'utf8')
    const { code } = await transform(source, { loader: 'ts' })
    await put(world, 'project/.claude/hooks/stop.js', code)
    const event = JSON.stringify({ hook_event_name: 'Stop', stop_hook_active: false })
    const said = execFileSync(process.execPath, [join(world.project, '.claude/hooks/stop.js')], { input: event })
    expect(JSON.parse(said.toString())).toEqual({ systemMessage: 'stop ran on Stop' })
  })

  it.each(['sh', 'node', 'ts', 'python'])('makes hooks in %s that no rule objects to', async (language) => {
    const world = await makeWorld({ 'project/package.json': { type: 'module' } })
    for (const { name } of rows) await hooklineInProcess(world, ['init', '--event', name, '--language', language])
    expect(await hookline(world, ['validate'])).toMatchObject({
      code: 0,
      stdout: expect.not.stringMatching(/warning|error/),
    })
  })

  it('overwrites nothing, and leaves no script behind when the entry cannot be written', async () => {
    const world = await makeWorld({ 'project/.claude/hooks/guard.sh': 'mine' })
    expect(await init(world, 'Stop', 'sh')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('exists already'),
    })
    expect(await readFile(join(world.project, '.claude/hooks/guard.sh'), 'utf8')).toBe('mine')
    await put(world, 'project/.claude/settings.json', '{')
    expect((await init(world, 'Stop', 'node')).code).toBe(1)
    expect(existsSync(join(world.project, '.claude/hooks/guard.mjs'))).toBe(false)
  })

  it('writes no script through a link out of the project', async () => {
    const world = await makeWorld({ 'elsewhere/note': '', 'project/.claude/note': '' })
    await symlink(join(world.root, 'elsewhere'), join(world.project, '.claude/hooks'))
    expect((await init(world, 'Stop', 'sh')).stderr).toContain('leads out of')
    expect(existsSync(join(world.root, 'elsewhere/guard.sh'))).toBe(false)
  })

  it('makes hooks of the user in their home, and shows all of it on a dry run', async () => {
    const world = await makeWorld()
    const flags = ['--event', 'PreToolUse', '--matcher', 'Bash', '--scope', 'user', '--json']
    const shown = JSON.parse((await hookline(world, ['init', ...flags, '--dry-run'])).stdout)
    expect(shown).toMatchObject({
      written: false,
      matcher: 'Bash',
      script: join(world.home, '.claude/hooks/pre-tool-use.sh'),
    })
    expect(existsSync(join(world.home, '.claude'))).toBe(false)
    expect((await hookline(world, ['init', ...flags])).code).toBe(0)
    expect((await fired(world, 'PreToolUse')).hooks).toMatchObject([{ scope: 'user', verdict: 'ran', exitCode: 0 }])
  })

  it.runIf(process.platform === 'linux')('asks in a terminal for what is missing', async () => {
    const world = await makeWorld()
    const { code, stdout } = await inTerminal(world, ['init'], 'PreToolUse\nnonsense\n4\nBash\n\ny\n')
    expect(stdout).toContain('In which language?')
    expect(code).toBe(0)
    expect((await fired(world, 'PreToolUse')).hooks).toMatchObject([
      { matcher: 'Bash', command: expect.stringContaining('pre-tool-use.py'), exitCode: 0 },
    ])
  })

  const mistakes: Record<string, [string[], RegExp]> = {
    'no event': [[], /for which event\?/],
    'an unknown event': [['--event', 'Stopp'], /Did you mean "Stop"\?/],
    'an unknown language': [['--event', 'Stop', '--language', 'perl'], /--language must be sh, node, ts, python/],
    'a name with a path in it': [['--event', 'Stop', '--name', '../x'], /--name may have letters/],
    'a useless matcher': [['--event', 'Stop', '--matcher', 'Bash'], /Stop takes no --matcher/],
    'the managed scope': [['--event', 'Stop', '--scope', 'managed'], /managed settings are policy/],
  }

  it.each(Object.entries(mistakes))('answers %s in a sentence', async (_what, [args, sentence]) => {
    const world = await makeWorld()
    const { code, stderr } = await hookline(world, ['init', ...args])
    expect(code).toBe(1)
    expect(stderr).toMatch(sentence)
    expect(existsSync(join(world.project, '.claude'))).toBe(false)
  })

  it('is the first thing that is offered', () => {
    expect(execFileSync(process.execPath, [program, 'init', '--help'], { encoding: 'utf8' })).toContain(
      'hookline init --event',
    )
  })
})

type Effect = 'halts' | 'deny' | 'ask' | 'allow' | 'blocks' | 'rewrites' | 'tells' | 'instructs' | 'nothing'

function effectOf({
  halt,
  permission,
  blocked,
  updatedInput,
  context,
  instructions,
}: DispatchRecord['decision']): Effect {
  if (halt) return 'halts'
  if (blocked) return 'blocks'
  if (permission !== null && permission !== 'defer') return permission
  if (updatedInput !== null) return 'rewrites'
  if (instructions !== null) return 'instructs'
  return context.length > 0 ? 'tells' : 'nothing'
}

/** What the words of a comment promise. */
function expectedEffect(does: string): Effect {
  const promises: [RegExp, Effect][] = [
    [/^Stop the agent/, 'halts'],
    [/^(Refuse|Block|With exit code 2|Answer the dialog with no)/, 'blocks'],
    [/^Ask the user/, 'ask'],
    [/^(Allow it|Answer it with yes)/, 'allow'],
    [/^Replace the whole/, 'rewrites'],
    [/^(Tell the model|The same as plain text)/, 'tells'],
    [/^Add to the instructions/, 'instructs'],
  ]
  return promises.find(([words]) => words.test(does))?.[1] ?? 'nothing'
}
