import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
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

describe('the packed package', () => {
  it('installs into an empty folder, where the ten lines of the README type-check and guard a call', {
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

    expect(readmeLines().trim().split('\n').length).toBeLessThanOrEqual(12)
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
    expect(run(process.execPath, 'out/use.js')).toBe('Refused: not here\nit ran\n')
    expect(run(join(world.project, 'node_modules/.bin/hookline'), '--version')).toMatch(/^\d+\.\d+\.\d+\n$/)
  })
})
