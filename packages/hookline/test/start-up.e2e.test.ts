import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Script } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { hookline, placesOf, program } from './support/command.ts'
import { commands, makeWorld, put, type World } from './support/project.ts'

const bundle = join(dirname(program), '../dist/cli/quick.cjs')

const settings = { hooks: { PreToolUse: [{ matcher: 'Bash', ...commands('true') }] } }

/** Prints to stderr which modules of Node a call has loaded. */
const witness = "process.on('exit', () => require('node:fs').writeSync(2, process.moduleLoadList.join('\\n')))"

async function modulesOf(world: World, args: string[]): Promise<string[]> {
  const preload = await put(world, 'witness.cjs', witness)
  const { stderr } = await hookline(world, args, { env: { NODE_OPTIONS: `--require "${preload}"` } })
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

  it('starts from what the build has compiled', () => {
    const filename = `${bundle}.${process.version}-${process.platform}-${process.arch}`
    expect(existsSync(filename)).toBe(true)
    const script = new Script(readFileSync(bundle, 'latin1'), { filename: bundle, cachedData: readFileSync(filename) })
    expect(script.cachedDataRejected).toBe(false)
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
