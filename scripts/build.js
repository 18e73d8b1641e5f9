/** Builds the packages, or those that are named: doors and command as bundles that share their parts, with declarations. */

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { Script } from 'node:vm'
import { build, transform } from 'esbuild'
import { link, listParts } from '../packages/hookline/bin/link.js'
import { buildInspector } from './build-inspector.js'
import { builtins } from './bundle-builtins.js'
import { groupedChunks } from './bundle-groups.js'
import { compilerOfRe2js } from './bundled-re2js.js'
import { nameChunks } from './chunk-names.js'
import { keepLinesOnly } from './line-maps.js'
import { keepPublicDeclarations } from './public-declarations.js'
import { readCall } from './read-options.js'
import { withoutRowExamples } from './row-examples.js'
import { billOfMaterials, thirdPartyLicences } from './third-party.js'
import { belowRoot, ROOT, tool } from './tools.js'

const TARGET = 'node20.19'

/** Models and frameworks are looked for when one is asked. */
const FRAMEWORKS = ['ai', '@ai-sdk/*', 'langchain', '@langchain/*', '@openai/*']

/** What `src/cli/quick.ts` imports on demand. */
const QUICK_COMMANDS = ['fire/fire', 'explain/explain', 'bridge/run', 'wrap/run'].map((file) => `cli/commands/${file}`)

/** What `bin` links as scripts of their own for a guard: each has a chunk then, which `bin/link.js` names. */
const APART_IN_GUARDS = [
  ...['code/run-code', 'powershell', 'self-running'].map((file) => `effects/${file}`),
  ...[
    'git',
    'npm',
    'files',
    'rare-rooms',
    'package-managers',
    'interpreters',
    'make',
    'task-files',
    'containers',
    'cloud',
    'machine',
  ].map((file) => `effects/readers/${file}`),
  ...['systems', 'work', 'tools', 'languages'].map((file) => `programs/${file}`),
]

/**
 * The shell parser is a package that rules load when they need it. Guards need it for every call, and a script that `bin`
 * links has no packages: there it is a part of the bundle.
 * @type {import('esbuild').Plugin}
 */
const shellParserOfGuards = {
  name: 'shell-parser-of-guards',
  setup(build) {
    build.onResolve({ filter: /^unbash$/ }, ({ importer }) =>
      importer.includes(join('src', 'effects'))
        ? { path: join(ROOT, 'node_modules/unbash/dist/parser.js') }
        : { path: 'unbash', external: true },
    )
  },
}

/** In the order in which they need each other. */
const PACKAGES = { hookline: buildEngine, inspector: buildInspector, agent: buildAgent, fleet: buildFleet }

/** `--maps` leaves every name and a whole map beside every file: they lead from what `npm run walk -- --names` lists to the sources. */
const { values: flags, positionals: wanted } = readCall(import.meta.url, {
  options: { maps: { type: 'boolean' } },
  allowPositionals: true,
})
for (const [name, buildPackage] of Object.entries(PACKAGES)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const folder = join(ROOT, 'packages', name)
  rmSync(join(folder, 'dist'), { recursive: true, force: true }) // what was removed from src must not live on in dist
  if (!(await buildPackage(folder))) process.exitCode = 1
}

/**
 * One bundle with an entry per door, so that whatever two doors need exists once, and nothing that it depends on is
 * left to be installed.
 * @param {string} folder
 */
async function buildEngine(folder) {
  const doors = [
    ...doorsOf(folder),
    'src/cli/main.ts',
    'src/cli/quick.ts',
    'src/cli/quick-tap.ts',
    'src/cli/quick-guard.ts',
  ]
  const loadedLater = ['engine/engine', 'protocol/current/profile', ...QUICK_COMMANDS, ...APART_IN_GUARDS].map(
    (file) => `src/${file}.ts`,
  )
  const entries = [...doors, ...loadedLater]
  const options = {
    entryPoints: Object.fromEntries(
      entries.map((entry) => [belowSource(entry).replace(/\.ts$/, ''), join(folder, entry)]),
    ),
    external: [...Object.keys(readPackage(folder).dependencies), ...FRAMEWORKS],
    alias: { yaml: './node_modules/yaml/browser/dist/index.js' }, // the other one requires parts of Node, which an ES module cannot do once it is in a bundle
    outdir: join(folder, 'dist'),
    // Chunks lie as deep as src/ROOM: import.meta.url leads to the same places from both.
    chunkNames: 'chunks/[name]-[hash]',
    minifySyntax: true, // names stay, for those who read a stack
    minifyWhitespace: true,
    lineLimit: 200, // maps lead from a line to a line, so lines stay short
    splitting: true, // keeps what is imported with import() out of the way until it is needed
    format: /** @type {const} */ ('esm'),
    sourcemap: true,
    sourcesContent: false,
    metafile: true,
  }
  const loadedAsWhole = entries.map((entry) => belowRoot(join(folder, entry)))
  const { plugin: groups, groupOf } = await groupedChunks(ROOT, bundleOptions(options), loadedAsWhole)
  const plugins = [
    builtins((path) => groupOf(path) ?? belowRoot(path)),
    groups,
    compilerOfRe2js,
    shellParserOfGuards,
    withoutRowExamples,
  ]
  const bundled = await bundle({ ...options, plugins })
  if (bundled?.metafile === undefined || !declare(folder)) return false
  keepPublicDeclarations(folder, doorsOf(folder))
  const forHosts = doorsOf(folder).map((door) => belowRoot(join(folder, door)))
  if (!flags.maps) await shrinkOutputs(bundled.metafile.outputs, forHosts)
  nameChunks(join(folder, 'dist'), bundled.metafile.outputs)
  signQuickCommands(join(folder, 'dist/cli/quick.js'), ['fire', 'bridge', 'wrap'])
  signQuickCommands(join(folder, 'dist/cli/quick-tap.js'), ['tap'])
  signQuickCommands(join(folder, 'dist/cli/quick-guard.js'), ['guard'])
  writeFileSync(join(folder, 'dist/THIRD-PARTY.md'), thirdPartyLicences(bundled.metafile))
  const materials = billOfMaterials(bundled.metafile, readPackage(folder))
  writeFileSync(join(folder, 'dist/sbom.cdx.json'), `${JSON.stringify(materials, null, 2)}\n`)
  return true
}

/**
 * Files that are mostly of other packages get smaller, and so do those that only the command loads: no host embeds them.
 * What hosts step into stays readable, with a map of its lines that leads to our sources.
 * @param {import('esbuild').Metafile['outputs']} outputs
 * @param {readonly string[]} doors their sources
 */
async function shrinkOutputs(outputs, doors) {
  const forHosts = loadedBy(doors, outputs)
  for (const [path, { inputs }] of Object.entries(outputs)) {
    const file = join(ROOT, path)
    if (!path.endsWith('.js')) continue
    if (forHosts.has(path) && !isMostlyForeign(inputs)) {
      keepLinesOnly(`${file}.map`)
      continue
    }
    rmSync(`${file}.map`)
    const { code } = await transform(readFileSync(file, 'utf8'), { minify: true, target: TARGET })
    writeFileSync(file, code)
  }
}

/**
 * The outputs of these sources, and all that they load, at once or later.
 * @param {readonly string[]} sources
 * @param {import('esbuild').Metafile['outputs']} outputs
 */
function loadedBy(sources, outputs) {
  const paths = Object.keys(outputs)
  const loaded = new Set(paths.filter((path) => sources.includes(outputs[path]?.entryPoint ?? '')))
  for (const path of loaded) for (const { path: next } of outputs[path]?.imports ?? []) loaded.add(next)
  return loaded
}

/** @param {import('esbuild').Metafile['outputs'][string]['inputs']} inputs */
function isMostlyForeign(inputs) {
  const parts = Object.entries(inputs)
  const bytes = (/** @type {typeof parts} */ some) =>
    some.reduce((sum, [, { bytesInOutput }]) => sum + bytesInOutput, 0)
  return bytes(parts.filter(([input]) => input.includes('node_modules/'))) > bytes(parts) / 2
}

/**
 * The server: a program alone, which nobody imports.
 * @param {string} folder
 */
async function buildFleet(folder) {
  const { dependencies, peerDependencies } = readPackage(folder)
  const bundled = await bundle({
    entryPoints: [join(folder, 'src/main.ts')],
    outdir: join(folder, 'dist'),
    format: 'esm',
    external: Object.keys({ ...dependencies, ...peerDependencies }).flatMap((name) => [name, `${name}/*`]),
  })
  return bundled !== null
}

/** @param {string} folder */
async function buildAgent(folder) {
  const { dependencies } = readPackage(folder)
  // zod comes inside: as a module of its own it brings its messages in forty languages, at every start.
  const outside = Object.keys(dependencies)
    .filter((name) => name !== 'zod')
    .flatMap((name) => [name, `${name}/*`])
  const modules = spawnSync(process.execPath, [tool('tsc'), '-p', join(folder, 'tsconfig.build.json')], {
    stdio: 'inherit',
  })
  const bundled = await bundle({
    entryPoints: [join(folder, 'src/cli/main.ts')],
    outdir: join(folder, 'dist/cli'),
    splitting: true,
    format: 'esm',
    // What the agent depends on stays outside; the terminal's parts, which it does not, come inside.
    external: [...outside, 'react-devtools-core'],
    define: { 'process.env.NODE_ENV': '"production"' }, // of two Reacts it takes the small one
    jsx: 'automatic',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" }, // for CommonJS inside
  })
  return modules.status === 0 && bundled !== null
}

/**
 * Begins the module of commands that are called for every event with the build that it is of, by which `bin` names the
 * scripts that it makes of it and keeps. Throws when no script comes of it.
 * @param {string} file
 * @param {readonly string[]} commands
 */
function signQuickCommands(file, commands) {
  const scripts = commands.flatMap((command) => [
    link(file, command),
    ...listParts(file, command).map((part) => link(file, command, part)),
  ])
  for (const script of scripts) new Script(script) // throws at an import statement that was not linked
  const build = createHash('sha256').update(scripts.join()).digest('hex').slice(0, 16)
  writeFileSync(file, `/*${build}*/${readFileSync(file, 'latin1')}`, 'latin1')
}

/**
 * The sources of the doors that package.json names.
 * @param {string} folder
 */
function doorsOf(folder) {
  const doors = Object.values(readPackage(folder).exports)
  const files = doors.flatMap((door) => (typeof door === 'object' ? [door.default] : []))
  return files.map((file) => join('src', relative('dist', file)).replace(/\.js$/, '.ts'))
}

/** @param {string} entry */
function belowSource(entry) {
  return relative('src', entry).replaceAll(sep, '/')
}

/** @param {string} folder */
function readPackage(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

/** @param {string} folder */
function declare(folder) {
  return (
    spawnSync(process.execPath, [tool('tsc'), '-p', join(folder, 'tsconfig.build.json')], { stdio: 'inherit' })
      .status === 0
  )
}

/**
 * Resolves with null when it failed; esbuild has printed why.
 * @param {import('esbuild').BuildOptions} own
 */
function bundle(own) {
  return build(bundleOptions(own)).catch(() => null)
}

/**
 * @template {import('esbuild').BuildOptions} Own
 * @param {Own} own
 */
function bundleOptions(own) {
  return {
    absWorkingDir: ROOT,
    bundle: true,
    platform: /** @type {const} */ ('node'),
    target: TARGET,
    mainFields: ['module', 'main'], // the `main` of jsonc-parser is UMD, whose requires esbuild cannot follow
    ...own,
    logLevel: /** @type {const} */ ('warning'),
    logOverride: { 'ignored-bare-import': /** @type {const} */ ('silent') }, // groups import files for their place alone
  }
}
