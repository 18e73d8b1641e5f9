import { execFile, execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { Script } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { PROFILE_NAMES } from '../../src/protocol/profiles.ts'
import { hookline, placesOf, program } from '../support/command.ts'
import { commands, makeWorld, put, type World } from '../support/project.ts'

const quick = join(dirname(program), '../dist/cli/quick.js')

/** The build that it is of. */
const [, build = ''] = /^\/\*(\w+)\*\//.exec(readFileSync(quick, 'latin1')) ?? []

/** What a kept file has in front: how long the script is that follows it. */
const HEADER = 16

const settings = { hooks: { PreToolUse: [{ matcher: 'Bash', ...commands('true') }] } }

const GUARDED = { session_id: 's', hook_event_name: 'PreToolUse', tool_name: 'Bash' }

/** Prints to stderr which modules of Node a call has loaded. */
const listModules = "process.on('exit', () => require('node:fs').writeSync(2, process.moduleLoadList.join('\\n')))"

async function modulesOf(world: World, args: string[], { input = '' } = {}): Promise<string[]> {
  const preload = await put(world, 'list-modules.cjs', listModules)
  const { stderr } = await hookline(world, args, {
    input,
    env: { NODE_OPTIONS: `--require "${preload}"` },
  })
  return stderr.split('\n').map((line) => line.replace(/^NativeModule /, ''))
}

describe('a call for an event', () => {
  it('loads no part of Node for which it has no use', async () => {
    const world = await makeWorld({ 'project/.claude/settings.json': settings })
    const loaded = await modulesOf(world, ['fire', 'Stop', '--json', '--trust'])
    const dear = ['crypto', 'net', 'stream', 'child_process', 'fs/promises', 'perf_hooks', 'internal/modules/esm/load']
    expect(loaded).toContain('os')
    expect(loaded.filter((name) => dear.includes(name))).toEqual([])
  })

  it.each(['ls', 'rm -rf ~/Documents'])('loads no part of Node for which a guard has no use: %s', async (command) => {
    const world = await makeWorld({ 'home/Documents/notes.txt': 'notes\n' })
    const input = JSON.stringify({ ...GUARDED, tool_input: { command }, cwd: world.project })
    const loaded = await modulesOf(world, ['guard'], { input })
    const dear = ['crypto', 'net', 'stream', 'child_process', 'fs/promises', 'perf_hooks', 'internal/modules/esm/load']
    expect(loaded).toContain('os')
    expect(loaded.filter((name) => dear.includes(name))).toEqual([])
  })

  it('finds what it loads later: patterns, components, a log', async () => {
    const world = await makeWorld({
      'project/.claude/settings.json': {
        hooks: { PreToolUse: [{ matcher: '(Ba|Fi)sh{1,2}', ...commands('echo no >&2; exit 2') }] },
      },
      'project/.claude/skills/tidy/SKILL.md': '---\nname: tidy\n---\nTidy up.\n',
    })
    const env = { HOOKLINE_LOG: join(world.root, 'log.jsonl'), HOOKLINE_LAUNCHER: 'pool' }
    const { code, stderr } = await hookline(world, ['fire', 'PreToolUse', 'tool_name=Bash', '--trust'], { env })
    expect({ code, stderr }).toEqual({ code: 2, stderr: '' })
    expect(readFileSync(env.HOOKLINE_LOG, 'utf8').trim().split('\n')).toHaveLength(1)
  })

  it('ends as a fault, not as "no hook objected", when it ends before its answer', async () => {
    const world = await makeWorld({ 'project/.claude/settings.json': settings })
    const early = await put(world, 'early.cjs', 'setImmediate(() => process.exit())') // while its hook runs
    const env = { NODE_OPTIONS: `--require "${early}"` }
    const { code, stdout } = await hookline(world, ['fire', 'PreToolUse', 'tool_name=Bash', '--trust'], { env })
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
  })

  it('prints all of a long record into a pipe that does not wait for its reader', async () => {
    const world = await makeWorld({})
    const fields = ['tool_name=Bash', `tool_input.command=${'x'.repeat(100)}`]
    const long = { hooks: { PreToolUse: [commands(...Array.from({ length: 2000 }, (_, at) => `true ${at}`))] } }
    await put(world, 'project/.claude/settings.json', long)
    const args = [program, 'explain', 'PreToolUse', ...fields, '--json', '--trust', ...placesOf(world)]
    const stdout = await readSlowly(args)
    expect(stdout.length).toBeGreaterThan(200_000)
    expect(JSON.parse(stdout).hooks).toHaveLength(2000)
  })

  it.each(['fire', 'bridge', 'list'])(
    'prints the help of %s into a pipe that nobody reads, and says nothing',
    (name) => {
      const words = ['-c', '"$@" | true', 'sh', process.execPath, program, name, '--help']
      expect(spawnSync('sh', words, { encoding: 'utf8' }).stderr).toBe('')
    },
  )
})

describe('a checkout that is not built', () => {
  it.each(['fire', 'list', 'doctor', 'bridge'])('says so in a sentence when hookline %s is called', async (name) => {
    const { root } = await makeWorld()
    cpSync(dirname(program), join(root, 'bin'), { recursive: true })
    const words = [join(root, 'bin/hookline.js'), name, ...(name === 'bridge' ? ['run', 'codex', 'Stop'] : [])]
    const { status, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8', input: '{}' })
    const told = expect.stringMatching(/^hookline: .* not built\. .*\n$/)
    expect({ status, stderr }).toEqual({ status: name === 'bridge' ? 2 : 1, stderr: told }) // to an agent 2 is a refusal
  })

  it.each(['wrap', 'tap'])('runs a hook that hookline %s stands around as it is', async (name) => {
    const { root } = await makeWorld()
    cpSync(dirname(program), join(root, 'bin'), { recursive: true })
    const words = [join(root, 'bin/hookline.js'), name, '--event', 'Stop', '--', 'cat; exit 2']
    const { status, stdout } = spawnSync(process.execPath, words, { encoding: 'utf8', input: '{}' })
    expect({ status, stdout }).toEqual({ status: 2, stdout: '{}' })
  })
})

describe('an engine', () => {
  it.each(PROFILE_NAMES)('opens under %s where no other package is installed', async (profile) => {
    const world = await makeWorld({ 'project/.claude/settings.json': settings })
    const alone = join(world.root, 'hookline') // where no package can be found
    cpSync(join(dirname(program), '../dist'), join(alone, 'dist'), { recursive: true })
    await put(world, 'hookline/package.json', { type: 'module' })
    const options = { profile, project: world.project, home: world.home, managed: world.managed, trust: 'accepted' }
    await put(
      world,
      'hookline/host.js',
      `
      import { openEngine } from './dist/index.js'
      const engine = await openEngine(${JSON.stringify(options)})
      const { hooks } = await engine.dispatch({ hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: {} })
      await engine.close()
      console.log(hooks.map(({ verdict }) => verdict).join())
    `,
    )
    expect(execFileSync(process.execPath, [join(alone, 'host.js')], { encoding: 'utf8' })).toBe('ran\n')
  })
})

describe('what V8 made of the command', () => {
  const compiledIn = (world: World): string => join(world.home, '.hookline/compiled')
  const fire = (world: World, env: NodeJS.ProcessEnv = {}, command = 'fire') =>
    hookline(world, [command, 'Stop', '--json'], { env: { HOME: world.home, ...env } })
  const modeOf = (path: string): number => statSync(path).mode & 0o777

  /** A kept file in its two parts: the script, and what V8 made of it. */
  const partsOf = (kept: Buffer): { script: string; code: Buffer } => {
    const end = HEADER + Number(kept.toString('latin1', 0, HEADER))
    return { script: kept.toString('latin1', HEADER, end), code: kept.subarray(Math.ceil(end / 8) * 8) }
  }

  /** Another script in the place of the command's. */
  const withForeignScript = (kept: Buffer): Buffer => {
    const { script } = partsOf(kept)
    const foreign = "(function () { process.stdout.write('FOREIGN CODE RAN') })".padEnd(script.length)
    return Buffer.from(
      kept.toString('latin1').replace(script, () => foreign),
      'latin1',
    )
  }

  /** Code of another script, which V8 would take for the command's: it compares nothing but the length. */
  const withForeignCode = (kept: Buffer): Buffer => {
    const { script } = partsOf(withForeignScript(kept))
    const { code } = partsOf(kept)
    const foreign = new Script(script, { filename: quick }).createCachedData()
    return Buffer.concat([kept.subarray(0, kept.length - code.length), foreign])
  }

  const compiledFile = (world: World): string => join(compiledIn(world), readdirSync(compiledIn(world))[0] ?? '')

  it("is kept at the first use in a folder of the user's own, and taken at the next", async () => {
    const world = await makeWorld()
    await fire(world)
    const file = compiledFile(world)
    expect(file).toContain(`${build}-${process.version}-${process.platform}-${process.arch}`)
    expect([compiledIn(world), file].map(modeOf)).toEqual([0o700, 0o600])
    const kept = readFileSync(file)
    const { script, code } = partsOf(kept)
    expect(new Script(script, { filename: quick, cachedData: code }).cachedDataRejected).toBe(false)
    writeFileSync(file, withForeignCode(kept))
    expect((await fire(world)).stdout).toBe('FOREIGN CODE RAN') // it is the file that runs: so it must be ours
  })

  it.each<[string, (kept: Buffer) => Buffer]>([
    ['is empty', () => Buffer.alloc(0)],
    ['ends in the script', (kept) => kept.subarray(0, 1000)],
    ['ends in its code', (kept) => kept.subarray(0, -1000)],
    ['has no length', (kept) => Buffer.from(kept.toString('latin1').replace(/^\d+/, 'x'), 'latin1')],
  ])('is made again when it %s', async (_how, spoilt) => {
    const world = await makeWorld()
    await fire(world)
    const file = compiledFile(world)
    const { script } = partsOf(readFileSync(file))
    writeFileSync(file, spoilt(readFileSync(file)))
    expect(JSON.parse((await fire(world)).stdout).event).toBe('Stop')
    const again = partsOf(readFileSync(compiledFile(world)))
    expect(again.script).toBe(script)
    expect(new Script(script, { filename: quick, cachedData: again.code }).cachedDataRejected).toBe(false)
  })

  it('is kept once more when a call used more of it, and then left alone', async () => {
    const world = await makeWorld({ 'project/.claude/settings.json': { hooks: { Stop: [commands('true')] } } })
    const env = { HOME: world.home }
    const kept = (): string[] => readdirSync(compiledIn(world)).map((name) => name.replace(/.*-(?=fire|bridge)/, ''))
    await hookline(world, ['fire', 'Stop', '--profile', 'classic'], { env })
    expect(kept()).toEqual(['fire'])
    await hookline(world, ['fire', 'Stop', '--profile', 'classic', '--trust'], { env })
    expect(kept()).toEqual(['fire-hooks'])
    await fire(world)
    expect(kept()).toEqual(['fire-hooks-current']) // no one chose: hooks are read both ways
    const payload = { session_id: 'a', cwd: world.project, tool_name: 'Bash', tool_input: { command: 'ls' } }
    await hookline(world, ['bridge', 'run', 'codex', 'PreToolUse'], { env, input: JSON.stringify(payload) })
    expect(kept().sort()).toEqual(['bridge-current', 'fire-hooks-current'])
    const times = (): number[] =>
      readdirSync(compiledIn(world)).map((name) => statSync(join(compiledIn(world), name)).mtimeMs)
    const before = times()
    await fire(world)
    await hookline(world, ['fire', 'Stop', '--trust'], { env })
    expect(times()).toEqual(before)
  })

  it.each<[string, (folder: string, file: string) => void]>([
    ['a file that others may write to', (_folder, file) => chmodSync(file, 0o622)],
    ['a folder that others may write to', (folder) => chmodSync(folder, 0o777)],
    ['a .hookline that others may write to', (folder) => chmodSync(dirname(folder), 0o777)],
    [
      'a linked file',
      (folder, file) => {
        renameSync(file, join(folder, '../elsewhere'))
        symlinkSync('../elsewhere', file)
      },
    ],
    [
      'a linked folder',
      (folder) => {
        renameSync(folder, `${folder}-elsewhere`)
        symlinkSync(`${folder}-elsewhere`, folder)
      },
    ],
  ])('is not believed in %s', async (_where, spoil) => {
    for (const foreign of [withForeignCode, withForeignScript]) {
      const world = await makeWorld()
      await fire(world)
      const file = compiledFile(world)
      writeFileSync(file, foreign(readFileSync(file)))
      spoil(compiledIn(world), file)
      const { code, stdout } = await fire(world)
      expect({ code, event: JSON.parse(stdout).event }).toEqual({ code: 0, event: 'Stop' })
    }
  })

  it.runIf(process.getuid?.() === 0)('is not believed when it belongs to another user', async () => {
    const world = await makeWorld()
    await fire(world)
    const file = compiledFile(world)
    writeFileSync(file, withForeignCode(readFileSync(file)))
    chownSync(file, 12345, 12345)
    expect(JSON.parse((await fire(world)).stdout).event).toBe('Stop')
  })

  it('costs nobody anything who has no home to write to, or wants none of it', async () => {
    const world = await makeWorld({ 'home/.hookline': 'a file, not a folder' })
    expect(await fire(world)).toMatchObject({ code: 0, stderr: '' })
    const other = await makeWorld()
    expect(await fire(other, { NODE_DISABLE_COMPILE_CACHE: '1' })).toMatchObject({ code: 0, stderr: '' })
    expect(existsSync(compiledIn(other))).toBe(false)
  })

  it.each(['', '.', './'])('is not kept in the current folder by a HOME of %j', async (HOME) => {
    const world = await makeWorld()
    const args = [program, 'fire', 'Stop', '--json', ...placesOf(world)]
    const { status } = spawnSync(process.execPath, args, { cwd: world.project, env: { PATH: process.env.PATH, HOME } })
    expect({ status, made: readdirSync(world.project) }).toEqual({ status: 0, made: [] })
  })

  it('is not kept by explain, which is a look', async () => {
    const world = await makeWorld()
    await fire(world, {}, 'explain')
    expect(existsSync(compiledIn(world))).toBe(false)
  })

  it('is kept in pieces for a guard, which reads what a call needs of them, and once more when a call used more', async () => {
    const world = await makeWorld({ 'home/Documents/notes.txt': 'notes\n' })
    const ask = (tool_name: string, tool_input: object) =>
      hookline(world, ['guard'], {
        env: { HOME: world.home },
        input: JSON.stringify({ ...GUARDED, tool_name, tool_input, cwd: world.project }),
      })
    const kept = (): string[] =>
      readdirSync(compiledIn(world))
        .map((name) => name.replace(/.*-(?=guard)/, ''))
        .sort()
    await ask('Read', { file_path: 'a.ts' })
    expect(kept()).toEqual(['guard'])
    await ask('Bash', { command: 'ls' })
    expect(kept()).toEqual(['guard-unb', 'guard.unbash'])
    const { stdout } = await ask('Bash', { command: 'git status && rm -rf ~/Documents' })
    expect(stdout).toContain('"permissionDecision":"deny"')
    expect(kept()).toEqual(expect.arrayContaining(['guard.git', 'guard.redact-verdict', 'guard.unbash']))
    const before = kept()
    expect((await ask('Bash', { command: 'git status && rm -rf ~/Documents' })).stdout).toBe(stdout)
    expect(kept()).toEqual(before)
  })

  it('does not pile up with every version', async () => {
    const world = await makeWorld(
      Object.fromEntries(Array.from({ length: 44 }, (_, at) => [`home/.hookline/compiled/old-${at}`, 'x'])),
    )
    chmodSync(compiledIn(world), 0o700)
    chmodSync(dirname(compiledIn(world)), 0o700)
    await fire(world)
    expect(readdirSync(compiledIn(world)).length).toBe(40)
  })
})

/** What a call prints whose stdout is full before anybody reads, and fails instead of waiting. */
function readSlowly(args: string[]): Promise<string> {
  const unblock =
    'import fcntl, os, sys; fcntl.fcntl(1, fcntl.F_SETFL, os.O_NONBLOCK); os.execv(sys.argv[1], sys.argv[1:])'
  return new Promise((resolve, reject) => {
    const options = { maxBuffer: 2 ** 26, timeout: 30_000 }
    const child = execFile('python3', ['-c', unblock, process.execPath, ...args], options, (error, stdout) =>
      error ? reject(error) : resolve(stdout),
    )
    child.stdin?.end()
  })
}
