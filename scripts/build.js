/** Builds the packages, or those that are named: modules and declarations with tsc, a command as one bundle with esbuild. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { importsOutside, lateBuiltins, onlyWhatIsUsed } from './quick-bundle.js'
import { ROOT, tool } from './tools.js'

/** @type {import('esbuild').BuildOptions} */
const ENGINE = {
  alias: { yaml: join(ROOT, 'node_modules/yaml/browser/index.js') }, // for Node it offers CommonJS alone
  external: ['ai', '@ai-sdk/*'], // optional: looked for when a model is asked
}

/** In the order in which they need each other. */
const PACKAGES = {
  hookline: [compileModules, (/** @type {string} */ folder) => bundleCommand(folder, ENGINE), bundleQuickCommands],
  agent: [compileModules, (/** @type {string} */ folder) => bundleCommand(folder, agent(folder))],
}

const wanted = process.argv.slice(2)
for (const [name, steps] of Object.entries(PACKAGES)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const folder = join(ROOT, 'packages', name)
  rmSync(join(folder, 'dist'), { recursive: true, force: true }) // what was removed from src must not live on in dist
  for (const step of steps) if (!(await step(folder))) process.exitCode = 1
}

/** @param {string} folder */
async function compileModules(folder) {
  return spawnSync(tool('tsc'), ['-p', join(folder, 'tsconfig.build.json')], { stdio: 'inherit' }).status === 0
}

/**
 * What the agent depends on stays outside; the terminal's parts, which it does not, come inside.
 * @param {string} folder
 * @returns {import('esbuild').BuildOptions}
 */
function agent(folder) {
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const outside = Object.keys(dependencies).flatMap((name) => [name, `${name}/*`])
  return {
    external: [...outside, 'react-devtools-core'],
    define: { 'process.env.NODE_ENV': '"production"' }, // of two Reacts it takes the small one
    jsx: 'automatic',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" }, // for CommonJS inside
  }
}

/**
 * @param {string} folder
 * @param {import('esbuild').BuildOptions} own
 */
function bundleCommand(folder, own) {
  return bundle({
    entryPoints: [join(folder, 'src/cli/main.ts')],
    // Every chunk lies in dist/cli, as deep as src/ROOM: import.meta.url leads to the same places in both.
    outdir: join(folder, 'dist/cli'),
    splitting: true, // keeps what is imported with import() out of the way until it is needed
    format: 'esm',
    ...own,
  })
}

/**
 * The commands that are called for every event, as one file: a script that gives a function of what it needs to load
 * more. Its first line names it, since what V8 makes of it is kept by that name.
 * @param {string} folder
 */
async function bundleQuickCommands(folder) {
  const outfile = join(folder, 'dist/cli/quick.cjs')
  const bundled = await bundle({
    entryPoints: [join(folder, 'src/cli/quick.ts')],
    outfile,
    format: 'cjs',
    minifyWhitespace: true, // less to read; names stay, for those who read a stack
    banner: { js: '(function (require, importFromBin) {' },
    footer: { js: '})' },
    plugins: [lateBuiltins, importsOutside(folder), onlyWhatIsUsed(/jsonc-parser/)],
  })
  if (!bundled) return false
  const text = readFileSync(outfile, 'latin1')
  writeFileSync(outfile, `/*${createHash('sha256').update(text).digest('hex').slice(0, 16)}*/${text}`, 'latin1')
  return true
}

/** @param {import('esbuild').BuildOptions} own */
function bundle(own) {
  const bundled = build({
    absWorkingDir: ROOT,
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    mainFields: ['module', 'main'], // the `main` of jsonc-parser is UMD, whose requires esbuild cannot follow
    ...own,
    logLevel: 'warning',
  })
  return bundled.then(
    () => true,
    () => false, // esbuild has printed why
  )
}
