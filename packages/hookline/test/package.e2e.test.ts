import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { commands, makeWorld, put } from './support/project.ts'

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

describe('the packed package', () => {
  it('installs small into an empty folder, where the ten lines of the README type-check and guard a call', {
    timeout: 300_000,
  }, async () => {
    const world = await makeWorld({ 'project/package.json': { name: 'somebody', private: true, type: 'module' } })
    const run = (file: string, ...args: string[]): string =>
      execFileSync(file, args, { cwd: world.project, encoding: 'utf8', env: { ...process.env, HOME: world.home } })
    const packed = execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', world.root], {
      cwd: join(repository, 'packages/hookline'),
      encoding: 'utf8',
    })
    const tarball = join(world.root, packed.trim().split('\n').at(-1) ?? '')
    execFileSync('npm', ['install', '--silent', '--no-audit', '--no-fund', tarball], {
      cwd: world.project,
      stdio: 'pipe',
    })

    expect(statSync(tarball).size).toBeLessThan(600_000)
    expect(sizeOf(join(world.project, 'node_modules'))).toBeLessThan(12_000_000)
    expect(run(process.execPath, '--eval', "console.log(typeof require('hookline').openEngine)")).toBe('function\n')

    await put(world, 'project/guard.ts', readmeLines())
    await put(world, 'project/use.ts', useThem)
    const compilerOptions = {
      module: 'nodenext',
      target: 'es2023',
      strict: true,
      noEmit: false,
      outDir: 'out',
      rewriteRelativeImportExtensions: true,
      typeRoots: [join(repository, 'node_modules/@types')],
      types: ['node'],
    }
    await put(world, 'project/tsconfig.json', { compilerOptions, files: ['use.ts'] })
    run(join(repository, 'node_modules/.bin/tsc'), '-p', '.')

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

  it('shares what the doors have in common, so that state exists once', () => {
    const dist = join(repository, 'packages/hookline/dist')
    const holding = readdirSync(dist, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.js'))
      .filter(
        (name) =>
          readFileSync(join(dist, name), 'utf8').match(/class HooklineError\b|HooklineError = class\b/) !== null,
      )
    expect(holding).toHaveLength(1)
  })
})
