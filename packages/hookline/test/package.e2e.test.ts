import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { cp, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { commands, makeWorld, put, type World } from './support/project.ts'

const repository = fileURLToPath(new URL('../../..', import.meta.url))

/** The ten lines of the README. */
function readmeLines(): string {
  const readme = readFileSync(join(repository, 'README.md'), 'utf8')
  return /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? ''
}

const useThem = `
import { guarded } from './guard.ts'
console.log(await guarded('Bash', { command: 'rm -rf /' }, async () => 'it ran'))
console.log(await guarded('Read', { file_path: 'x' }, async () => 'it ran'))
`

/** The bytes of all files below a folder. */
function sizeOf(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return entries.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}

/** Packs the package and installs it into an empty folder, once. */
async function install(): Promise<{ readonly world: World; readonly tarball: string }> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'hookline-packed-')))
  const world = { root, project: join(root, 'project'), home: join(root, 'home'), managed: join(root, 'none.json') }
  await put(world, 'project/package.json', { name: 'somebody', private: true, type: 'module' })
  const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', world.root]
  const packed = execFileSync('npm', pack, { cwd: join(repository, 'packages/hookline'), encoding: 'utf8' })
  const tarball = join(world.root, packed.trim().split('\n').at(-1) ?? '')
  const options = ['--silent', '--no-audit', '--no-fund', '--prefer-offline']
  execFileSync('npm', ['install', ...options, tarball], { cwd: world.project, stdio: 'pipe' })
  return { world, tarball }
}

let installed: ReturnType<typeof install>
afterAll(async () => rm((await installed).world.root, { recursive: true, force: true }))
beforeAll(() => {
  installed = install()
  return installed.then(() => {})
}, 300_000)

const compilerOptions = {
  module: 'nodenext',
  target: 'es2023',
  strict: true,
  skipLibCheck: false,
  typeRoots: [join(repository, 'node_modules/@types')],
  types: ['node'],
}

/** What the compiler says about a file of a consumer: the lines at fault, as `line: code`. */
async function faultsIn(file: string, text: string, more: object = {}): Promise<string[]> {
  const { world } = await installed
  await put(world, `project/${file}`, text)
  await put(world, 'project/tsconfig.json', {
    compilerOptions: { ...compilerOptions, noEmit: true, ...more },
    files: [file],
  })
  const tsc = join(repository, 'node_modules/.bin/tsc')
  const { stdout } = spawnSync(tsc, ['-p', '.', '--pretty', 'false', '--checkers', '1'], {
    cwd: world.project,
    encoding: 'utf8',
  })
  return [...stdout.matchAll(/^(\S+)\((\d+),\d+\): error (TS\d+)/gm)].map(([, at, line, code]) =>
    at === file ? `${line}: ${code}` : `${at} ${line}: ${code}`,
  )
}

const rightUses = `
import { type AnyEngine, type CurrentEvents, type Decision, type DispatchRecord, type Engine, HooklineError, openEngine } from 'hookline'
import { guardCall } from 'hookline/tools'
export async function use(given: string): Promise<Decision> {
  const engine: Engine = await openEngine({ project: '.', trust: 'accepted' })
  await engine.on('PreToolUse', ({ tool_name }) => {
    if (tool_name.startsWith('B')) return { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny' } }
    return undefined
  })
  await engine.on('Stop', async ({ stop_hook_active }) => (stop_hook_active ? undefined : 'text'))
  await engine.on('SessionEnd', () => {}, { timeout: 1 })
  await engine.on(given, (input) => ({ systemMessage: String(input.hook_event_name) }))
  await engine.register({ PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'true', timeout: 2 }] }] })
  const record: DispatchRecord = await engine.dispatch({ hook_event_name: 'PreToolUse', tool_name: 'Bash' })
  for (const { verdict, warnings } of record.hooks) if (verdict === 'invalid') console.log(warnings.join())
  const { hooks } = engine.explain({ hook_event_name: 'Stop', stop_hook_active: false }, { trusted: true })
  console.log(hooks.length, HooklineError.name)
  await engine.close()
  return record.decision
}
export async function useCurrent(): Promise<Decision> {
  const engine: Engine<CurrentEvents> = await openEngine({ profile: 'current' })
  const either: AnyEngine[] = [engine, await openEngine(), await openEngine({ profile: 'classic' })]
  await engine.on('PreToolUse', ({ mcp_server }) => ({
    terminalSequence: mcp_server?.name ?? '',
    hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'defer' },
  }))
  await engine.on('Elicitation', ({ mcp_server_name }) => ({
    hookSpecificOutput: { hookEventName: 'Elicitation', action: 'accept', content: { mcp_server_name } },
  }))
  await engine.register({
    PreToolUse: [{ hooks: [{ type: 'command', command: 'guard', args: ['-x'], if: 'Bash(git *)', onFailure: 'block' }] }],
    PostToolBatch: [{ hooks: [{ type: 'http', url: 'http://127.0.0.1', headers: { a: 'b' } }, { type: 'mcp_tool', server: 'a', tool: 'b' }] }],
    Stop: [{ hooks: [{ type: 'prompt', prompt: 'Done?', continueOnBlock: true }, { type: 'agent', prompt: (messages) => messages.length + '?' }] }],
  })
  await guardCall(engine, { name: 'Bash', input: {}, run: () => either.length })
  await engine.dispatch({ hook_event_name: 'PreCompact', trigger: 'manual', custom_instructions: null })
  return (await engine.dispatch({ hook_event_name: 'FileChanged', file_path: '/lamp' })).decision
}
`

const wrongUses = `import { openEngine } from 'hookline'
const engine = await openEngine()
await engine.on('PreToolUsed', () => {})
await engine.on('PreToolUse', ({ tool_nmae }) => String(tool_nmae satisfies string))
await engine.on('PreToolUse', () => ({ continue: 'no' }))
await engine.register({ PreToolUsed: [] })
await engine.register({ Stop: [{ hooks: [{ type: 'command', command: 'true', timeuot: 1 }] }] })
await engine.register({ Stop: [{ hooks: [{ type: 'banana', command: 'true' }] }] })
await engine.dispatch({ hook_event_name: 'PreToolUse' })
const record = await engine.dispatch({ hook_event_name: 'Stop' })
record.decision.blocked = false
record.decision.context.push('more')
record.hooks[0]?.warnings.push('more')
await openEngine({ projekt: '.' })
engine.explain({ hook_event_name: 'Stop' }, { agin: true })
await engine.on('PostToolBatch', () => {})
await engine.register({ Stop: [{ hooks: [{ type: 'http', url: 'http://127.0.0.1' }] }] })
await engine.register({ Stop: [{ hooks: [{ type: 'command', command: 'true', args: [] }] }] })
const current = await openEngine({ profile: 'current' })
await current.on('PostToolBatsh', () => {})
await current.on('PreToolUse', () => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'later' } }))
await current.on('PreToolUse', () => ({ decision: 'deny' }))
await current.dispatch({ hook_event_name: 'FileChanged' })
await current.register({ Stop: [{ hooks: [{ type: 'http', command: 'true' }] }] })
await current.register({ Stop: [{ hooks: [{ type: 'prompt', prompt: 'Done?', onFailure: 'block' }] }] })
await openEngine({ profile: 'curent' })
`

describe('the types of the packed package', () => {
  it.each([
    ['ESM', 'right.mts', {}],
    ['CommonJS', 'right.cts', {}],
    ['exact optional properties', 'right.mts', { exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true }],
    ['a bundler', 'right.mts', { module: 'esnext', moduleResolution: 'bundler' }],
  ])('take right uses: %s', { timeout: 60_000 }, async (_what, file, more) => {
    expect(await faultsIn(file, rightUses, more)).toEqual([])
  })

  it('refuse wrong uses, each at its line', { timeout: 60_000 }, async () => {
    const faults = await faultsIn('wrong.mts', wrongUses)
    const lines = [...new Set(faults.map((fault) => Number(fault.split(':')[0])))]
    expect(lines).toEqual([3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16, 17, 18, 20, 21, 22, 23, 24, 25, 26])
  })

  it.each(['index.d.ts', 'hook/index.d.ts', 'tools/index.d.ts'])(
    'name nothing internal and no schema library at %s',
    async (door) => {
      const { world } = await installed
      const dist = join(world.project, 'node_modules/hookline/dist')
      const read = (file: string): string => readFileSync(join(dist, file), 'utf8')
      const files = new Set([door])
      for (const file of files) {
        for (const [, path = ''] of read(file).matchAll(/(?:from|import) ?\(?['"](\.{1,2}\/[^'"]+)['"]/g)) {
          files.add(join(dirname(file), path.replace(/\.(?:ts|js)$/, '.d.ts')))
        }
      }
      const text = [...files].map(read).join('')
      expect(text).not.toMatch(/(?:from|import\() ?['"]zod/)
      const declared = [...text.matchAll(/\b(?:interface|class|type|function) (\w+)/g)].map(([, name]) => name)
      expect(declared.length).toBeGreaterThan(10)
      expect(declared.filter((name) => INTERNAL.includes(name ?? ''))).toEqual([])
    },
  )

  it('take undefined for every option that may be left out', async () => {
    const { world } = await installed
    const types = join(world.project, 'node_modules/hookline/dist')
    const files = readdirSync(types, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.d.ts'))
    const options = files
      .map((file) => readFileSync(join(types, file), 'utf8'))
      .flatMap((text) => text.match(/^(?:export )?(?:declare )?interface \w+Options\b[\s\S]*?^\}/gm) ?? [])
      .flatMap((declaration) => declaration.match(/^ {4}(?:readonly )?\w+\?: (?:[^{;]|\{[^}]*\})*;/gm) ?? [])
    expect(options.length).toBeGreaterThan(40)
    expect(options.filter((option) => !option.endsWith('undefined;'))).toEqual([])
  })

  it('are those that the main door lists', async () => {
    const { world } = await installed
    const text = readFileSync(join(world.project, 'node_modules/hookline/dist/index.d.ts'), 'utf8')
    const exported = [...text.matchAll(/\{([^}]*)\}/g)].flatMap(([, names = '']) => names.split(','))
    const names = exported.map(
      (name) =>
        name
          .trim()
          .replace(/^type /, '')
          .split(' as ')
          .at(-1) ?? '',
    )
    expect(names.filter(Boolean).sort()).toEqual(PUBLIC_NAMES)
  })
})

/** Types that hold a session together, which no host sees. */
const INTERNAL = 'Session SessionEngine Settled Snapshot Listeners Plan Run Opinion Slots Background ChangeWatch'.split(
  ' ',
)

/** Everything that `hookline` exports. */
const PUBLIC_NAMES =
  'Abortable AbsentGuard Activation AgentReply AgentTask AnyEngine CallMcpTool CommandHookSetting ConfiguredHook ContextOrigin CurrentAgentHookSetting CurrentCommandHookSetting CurrentEvents CurrentHookSetting CurrentPromptHookSetting Decision DefaultEvents Delivery DispatchRecord Engine EngineOptions EventInput EventName EventRow EventTypes ExplainOptions ExplainedCondition Explanation FilledPorts FunctionHook FunctionHookOptions HookAnswer HookFault HookFields HookFunction HookGroup HookInput HookLine HooklineError HooksSetting HttpHookSetting InputFor KnownEvent ListedHook ListedModule LogOptions LoopOptions McpToolCall McpToolHookSetting McpToolResult Message ModelHookSetting ModelPorts ModelQuestion ModelReply ModelUsage NewHook PendingChange Problem Profile ProfileName Progress PromptFunction ProtocolRules ReceivedFor ReceivedInput RecordHost RecordListener RecordProject RecordSink RecordedEvent Registration Scope SpokenCall SpokenMessage SpokenResult TraceContext TraceSource TrustAnswer TrustRequest UntrustedListener Verdict WritableScope cleanText findDefaultManagedFile openEngine'.split(
    ' ',
  )

describe('the packed package', () => {
  it('installs small into an empty folder, where the ten lines of the README type-check and guard a call', {
    timeout: 300_000,
  }, async () => {
    const { world, tarball } = await installed
    const run = (file: string, ...args: string[]): string =>
      execFileSync(file, args, { cwd: world.project, encoding: 'utf8', env: { ...process.env, HOME: world.home } })

    expect(statSync(tarball).size).toBeLessThan(1_200_000) // with the guards, the page of the inspector and the fleet
    expect(sizeOf(join(world.project, 'node_modules'))).toBeLessThan(12_000_000)
    expect(run(process.execPath, '--eval', "console.log(typeof require('hookline').openEngine)")).toBe('function\n')

    await put(world, 'project/guard.ts', readmeLines())
    await put(world, 'project/use.ts', useThem)
    const emitting = { ...compilerOptions, noEmit: false, outDir: 'out', rewriteRelativeImportExtensions: true }
    await put(world, 'project/tsconfig.json', { compilerOptions: emitting, files: ['use.ts'] })
    run(join(repository, 'node_modules/.bin/tsc'), '-p', '.', '--checkers', '1')

    const guard = { hooks: { PreToolUse: [{ matcher: 'Bash', ...commands('echo not here >&2; exit 2') }] } }
    await put(world, 'home/.claude/settings.json', guard)
    const refusal = 'Refused: PreToolUse:Bash hook error: [echo not here >&2; exit 2]: not here'
    expect(run(process.execPath, 'out/use.js')).toBe(`${refusal}\nit ran\n`)
    expect(run(join(world.project, 'node_modules/.bin/hookline'), '--version')).toMatch(/^\d+\.\d+\.\d+\n$/)
  })
})

/** A host in a few lines, as somebody would bundle it. */
const host = `
import { openEngine } from 'hookline'
import { guardCall } from 'hookline/tools'
async function main() {
  const engine = await openEngine({ project: process.argv[2], home: process.argv[3], managed: process.argv[4], trust: 'accepted' })
  for (let at = 0; at < 3; at++) {
    const { decision, hooks } = await engine.dispatch({ hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'ls' } })
    console.log(decision.reason, hooks.map(({ verdict }) => verdict).join())
  }
  await engine.close()
  console.log(typeof guardCall)
}
main()
`

describe('a host that is bundled with the engine inside', () => {
  it.each(['esm', 'cjs'] as const)('runs its hooks as %s', async (format) => {
    const group = { matcher: '(Ba|Fi)sh{1,2}', ...commands('echo not here >&2; exit 2') }
    const world = await makeWorld({ 'project/.claude/settings.json': { hooks: { PreToolUse: [group] } } })
    const outfile = join(world.root, format === 'esm' ? 'host.mjs' : 'host.cjs')
    const stdin = { contents: host, resolveDir: repository }
    const external = ['ai', '@ai-sdk/*']
    await build({ bundle: true, platform: 'node', external, stdin, format, outfile, tsconfigRaw: {} }) // not our sources
    const args = [outfile, world.project, world.home, world.managed]
    const printed = execFileSync(process.execPath, args, { encoding: 'utf8', timeout: 60_000 })
    expect(printed).toBe(`${'not here ran\n'.repeat(3)}function\n`)
  })

  it('has one pool, one launcher and one clock, however many doors are loaded', async () => {
    const { world } = await installed
    await put(world, 'project/all-doors.mjs', allDoors)
    const args = ['all-doors.mjs', world.project, world.home]
    const printed = execFileSync(process.execPath, args, { cwd: world.project, encoding: 'utf8', timeout: 60_000 })
    const { doors, ...copies } = JSON.parse(printed)
    expect(doors).toBeGreaterThan(8)
    expect(copies).toEqual({ ShellPool: 1, Launcher: 1, OrphanGuard: 1, setAlarm: 1, HooklineError: 1 })
  })
})

/** Loads every door as a module and as CommonJS, uses a shell of the pool, and counts the copies of what holds state. */
const allDoors = `
import { Session } from 'node:inspector/promises'
import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
const [project, home] = process.argv.slice(2)
const { exports, peerDependencies } = JSON.parse(readFileSync(new URL('node_modules/hookline/package.json', import.meta.url), 'utf8'))
const doors = Object.keys(exports).filter((door) => !door.endsWith('.json')).map((door) => 'hookline' + door.slice(1))
const loaded = []
for (const door of doors) {
  try {
    await import(door)
    createRequire(import.meta.url)(door)
    loaded.push(door)
  } catch (error) {
    // The door of a framework that is not installed says which one is missing.
    const [, missing] = /^Cannot find package '([^']+)'/.exec(error.message) ?? []
    if (!(missing in peerDependencies)) throw error
  }
}
const { openEngine } = await import('hookline')
const engine = await openEngine({ project, home, managed: home + '/none', launcher: 'pool' })
await engine.register({ Stop: [{ hooks: [{ type: 'command', command: ':' }] }] })
const { hooks } = await engine.dispatch({ hook_event_name: 'Stop' })
if (hooks.at(-1).launcher !== 'pool') throw new Error('no shell of the pool was used')
await engine.close()
const inspector = new Session()
inspector.connect()
const scripts = []
inspector.on('Debugger.scriptParsed', ({ params }) => { if (params.url.includes('/hookline/dist/')) scripts.push(params) })
await inspector.post('Debugger.enable')
const sources = await Promise.all(scripts.map(({ scriptId }) => inspector.post('Debugger.getScriptSource', { scriptId })))
const count = (name) => sources.filter(({ scriptSource }) => new RegExp('(class|function) ' + name + '\\\\b|\\\\b' + name + ' ?= ?class\\\\b').test(scriptSource)).length
const names = ['ShellPool', 'Launcher', 'OrphanGuard', 'setAlarm', 'HooklineError']
console.log(JSON.stringify({ doors: loaded.length, ...Object.fromEntries(names.map((name) => [name, count(name)])) }))
process.exit(0)
`

/** The fenced blocks of a kind in a page of docs/. */
function blocksOf(page: string, kind: string): string[] {
  const text = readFileSync(join(repository, 'docs', page), 'utf8')
  return [...text.matchAll(new RegExp(`^\`\`\`${kind}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, body = '']) => body)
}

const SOUND = { hooks: { PreToolUse: [{ matcher: 'Bash', ...commands('echo no >&2; exit 2') }] } }
const UNSOUND = { hooks: { PreToolUsed: [commands('true')] } }
const CASE =
  'cases:\n  - name: refuses a call\n    event: PreToolUse\n    input: { tool_name: Bash, tool_input: { command: ls } }\n    expect: { decision: { blocked: true } }\n'

/** A project with hooks, a case and the packed file where the recipes look for it, and an `npm` that has installed that file before. */
async function ciProject(settings: object = SOUND): Promise<World> {
  const { world: there, tarball } = await installed
  const world = await makeWorld({
    'project/.claude/settings.json': settings,
    'project/.claude/guard.hooktest.yaml': CASE,
    'bin/npm': `#!/bin/sh
[ "$1 $2 $3 $4" = 'install --no-audit --no-fund --prefix' ] && [ -f "$6" ] || exit 1
mkdir -p "$5" && ln -sfn '${there.project}/node_modules' "$5/node_modules"
`,
  })
  chmodSync(join(world.root, 'bin/npm'), 0o755)
  await mkdir(join(world.project, 'tools'))
  await cp(tarball, join(world.project, 'tools/hookline-0.1.0.tgz'))
  return world
}

/** Runs shell text as a service does: a new shell each, in the project, and the first that fails ends it. */
function runsIn(world: World, texts: readonly string[], env: NodeJS.ProcessEnv): { code: number; output: string } {
  let output = ''
  const paths = join(world.root, 'paths')
  for (const text of texts) {
    const added = existsSync(paths) ? readFileSync(paths, 'utf8').trim().split('\n') : []
    const PATH = [join(world.root, 'bin'), ...added, process.env.PATH].join(':')
    const { status, stdout, stderr } = spawnSync('bash', ['-e', '-c', text], {
      cwd: world.project,
      env: { ...process.env, HOME: world.home, PATH, GITHUB_PATH: paths, ...env },
      encoding: 'utf8',
    })
    output += stdout + stderr
    if (status !== 0) return { code: status ?? -1, output }
  }
  return { code: 0, output }
}

describe('the recipes for CI', () => {
  const [github = '', gitlab = '', preCommit = ''] = blocksOf('ci.md', 'yaml')

  it('check hooks on GitHub, and fail a pull request that silences one', { timeout: 300_000 }, async () => {
    const { jobs } = parse(github) as { jobs: { hooks: { steps: { run?: string }[] } } }
    const steps = jobs.hooks.steps.flatMap(({ run }) => (run === undefined ? [] : [run]))
    expect(steps).toHaveLength(4)
    const world = await ciProject()
    const env = { RUNNER_TEMP: join(world.root, 'temp') }
    expect(runsIn(world, steps, env)).toMatchObject({ code: 0 })
    await put(world, 'project/.claude/settings.json', UNSOUND)
    const { code, output } = runsIn(world, steps.slice(2), env)
    expect([code, output]).toEqual([1, expect.stringMatching(/^::error file=\.claude\/settings\.json,line=\d+/m)])
  })

  it('check hooks on GitLab, and write a report', { timeout: 300_000 }, async () => {
    const { hooks } = parse(gitlab) as { hooks: { script: string[]; artifacts: { reports: { junit: string } } } }
    const script = hooks.script.join('\n') // one shell runs all of them
    const world = await ciProject()
    const env = { CI_BUILDS_DIR: join(world.root, 'builds') }
    expect(runsIn(world, [script], env)).toMatchObject({ code: 0 })
    await put(world, 'project/.claude/settings.json', UNSOUND)
    expect(runsIn(world, [script], env).code).toBe(1)
    expect(readFileSync(join(world.project, hooks.artifacts.reports.junit), 'utf8')).toContain('<failure')
  })

  it('refuse a commit, where hookline is installed', async () => {
    const { world: there } = await installed
    const world = await ciProject(UNSOUND)
    const [hook = ''] = blocksOf('ci.md', 'bash')
    await put(world, 'project/.githooks/pre-commit', hook)
    const git = (path: string, ...args: string[]) =>
      spawnSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.com', ...args], {
        cwd: world.project,
        encoding: 'utf8',
        env: { ...process.env, HOME: world.home, PATH: path },
      })
    const usual = `${dirname(process.execPath)}:/usr/bin:/bin`
    chmodSync(join(world.project, '.githooks/pre-commit'), 0o755)
    git(usual, 'init', '-q')
    git(usual, 'config', 'core.hooksPath', '.githooks')
    git(usual, 'add', '.claude')
    const refused = git(`${join(there.project, 'node_modules/.bin')}:${usual}`, 'commit', '-qm', 'x')
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('"PreToolUsed" is not an event')])
    const { repos } = parse(preCommit) as { repos: { hooks: { entry: string }[] }[] }
    expect(hook).toContain(repos[0]?.hooks[0]?.entry)
  })
})

describe('the editor set-up', () => {
  it('has schemas that a validator takes, at the paths that the editors are told', async () => {
    const { world } = await installed
    const [, ...printed] = blocksOf('editor.md', '')[0]?.trim().split('\n') ?? []
    await mkdir(join(world.project, 'schemas'), { recursive: true })
    const path = `${join(world.project, 'node_modules/.bin')}:${process.env.PATH}`
    execFileSync('bash', ['-e', '-c', printed.join('\n')], {
      cwd: world.project,
      env: { ...process.env, HOME: world.home, PATH: path },
    })
    const [settings = ''] = blocksOf('editor.md', 'json')
    const [mappings = ''] = blocksOf('editor.md', 'xml')
    const {
      'json.schemas': [mapped],
      'yaml.schemas': cases,
    } = JSON.parse(settings)
    const schemaAt = (file: string) => JSON.parse(readFileSync(join(world.project, file), 'utf8'))
    const isSettings = new Ajv().compile(schemaAt(mapped.url))
    expect(mapped.fileMatch).toEqual(['/.claude/settings.json', '/.claude/settings.local.json'])
    expect(isSettings({ model: 'x', permissions: { allow: [] }, ...SOUND })).toBe(true)
    for (const wrong of [UNSOUND, { hooks: { Stop: [{ hooks: [{ type: 'command' }] }] } }, { hooks: [] }])
      expect(isSettings(wrong), JSON.stringify(wrong)).toBe(false)
    const isCases = new Ajv().compile(schemaAt(Object.keys(cases)[0] ?? ''))
    expect(isCases(parse(CASE))).toBe(true)
    expect(mappings).toContain(`value="${mapped.url.slice('./'.length)}"`)
    expect(existsSync(join(world.project, /relativePathToSchema" value="([^"]+)"/.exec(mappings)?.[1] ?? ''))).toBe(
      true,
    )
  })
})
