/** Builds packages/hookline: modules and declarations with tsc, the command as one bundle with esbuild. */
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { ROOT, tool } from './tools.js'

const PACKAGE = join(ROOT, 'packages/hookline')
const DIST = join(PACKAGE, 'dist')

rmSync(DIST, { recursive: true, force: true }) // what was removed from src must not live on in dist
if (!compileModules() || !(await bundleCommand())) process.exitCode = 1

function compileModules() {
  return spawnSync(tool('tsc'), ['-p', join(PACKAGE, 'tsconfig.build.json')], { stdio: 'inherit' }).status === 0
}

function bundleCommand() {
  const bundled = build({
    absWorkingDir: ROOT,
    entryPoints: [join(PACKAGE, 'src/cli/main.ts')],
    // Every chunk lies in dist/cli, as deep as src/ROOM: import.meta.url leads to the same places in both.
    outdir: join(DIST, 'cli'),
    bundle: true,
    splitting: true, // keeps what is imported with import() out of the way until it is needed
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    mainFields: ['module', 'main'], // the `main` of jsonc-parser is UMD, whose requires esbuild cannot follow
    alias: { yaml: join(ROOT, 'node_modules/yaml/browser/index.js') }, // for Node it offers CommonJS alone
    logLevel: 'warning',
  })
  return bundled.then(
    () => true,
    () => false, // esbuild has printed why
  )
}
