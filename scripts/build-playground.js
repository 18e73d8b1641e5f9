/**
 * Builds the playground of the docs site: the code of the commands, bundled for a browser. What it asks of Node is answered by a file
 * system in memory that holds the typed settings alone.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { listPlaygroundExamples } from './playground-examples.js'
import { ROOT } from './tools.js'

const FOLDER = join(ROOT, 'packages/inspector/src/playground')
const BUILTINS = join(FOLDER, 'builtins')

/** Parts of Node that have an answer of their own; all others are absent. */
const OWN = ['fs', 'fs/promises', 'path', 'util', 'buffer', 'crypto', 'timers/promises']

/** @type {import('esbuild').Plugin} */
const builtinsInMemory = {
  name: 'builtins-in-memory',
  setup(build) {
    build.onResolve({ filter: /^node:/ }, ({ path }) => ({ path: path.slice('node:'.length), namespace: 'builtin' }))
    // Required, not imported: a function that no answer needs may be missing, and is undefined then.
    build.onLoad({ filter: /./, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = require('./${OWN.includes(path) ? path.replace('/', '-') : 'absent'}.ts')`,
      resolveDir: BUILTINS,
    }))
  },
}

/**
 * Builds it into a folder. Gives what the code of the commands still imports: nothing.
 * @param {string} outdir
 */
export async function buildPlayground(outdir) {
  const options = {
    absWorkingDir: ROOT,
    bundle: true,
    minify: true,
    target: ['chrome120', 'firefox121', 'safari17'],
    format: /** @type {const} */ ('esm'),
    platform: /** @type {const} */ ('browser'),
    logLevel: /** @type {const} */ ('error'),
    outdir,
  }
  const { metafile } = await build({
    ...options,
    metafile: true,
    stdin: {
      contents: `export * from '../../../hookline/src/inspect/playground.ts'\nexport { setFile } from './builtins/memory-files.ts'\n`,
      resolveDir: FOLDER,
      sourcefile: 'engine.ts',
      loader: 'ts',
    },
    entryNames: 'engine',
    alias: { yaml: './node_modules/yaml/browser/dist/index.js' },
    inject: [join(BUILTINS, 'process.ts')],
    plugins: [builtinsInMemory],
    define: { 'import.meta.url': '"file:///package/dist/chunks/engine.js"' },
  })
  await build({
    ...options,
    entryPoints: { playground: join(FOLDER, 'main.tsx') },
    external: ['./engine.js'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
  })
  await build({ ...options, entryPoints: { playground: join(FOLDER, 'playground.css') } })
  mkdirSync(outdir, { recursive: true })
  writeFileSync(join(outdir, 'index.html'), makeDocument(outdir))
  return Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path))
}

/**
 * The document: its script and its examples by hash, and no address but its own files.
 * @param {string} outdir
 */
function makeDocument(outdir) {
  const examples = JSON.stringify(listPlaygroundExamples()).replaceAll('<', '\\u003c')
  const policy = `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'none'; connect-src 'none'; base-uri 'none'; form-action 'none'`
  const stamp = createHash('sha256')
    .update(readFileSync(join(outdir, 'engine.js')))
    .digest('hex')
    .slice(0, 8)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="content-security-policy" content="${policy}">
<title>Hookline playground</title>
<link rel="stylesheet" href="./playground.css?${stamp}">
</head>
<body>
<div id="app"></div>
<script type="application/json" id="examples">${examples}</script>
<script type="module" src="./playground.js?${stamp}"></script>
</body>
</html>
`
}
