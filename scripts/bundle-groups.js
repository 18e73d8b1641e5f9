/**
 * Which files of a bundle with several entries come to lie in one chunk. esbuild makes a chunk of the files that the same
 * entries need; where everything that is loaded later is an entry these are many, and loading one costs Node about as
 * much as 20 KB of code.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { belowRoot } from './tools.js'

/**
 * Has files lie in one chunk when the same of these sources need them, whatever else does.
 * @param {string} root against which esbuild names files
 * @param {import('esbuild').BuildOptions} options of the bundle, with all its entries
 * @param {readonly string[]} sources
 * @returns {Promise<{ plugin: import('esbuild').Plugin, groupOf: (path: string) => string | undefined }>}
 */
export async function groupedChunks(root, options, sources) {
  const { metafile } = await build({ ...options, write: false, metafile: true })
  /** @type {Map<string, string>} by file: the places in the list of those that need it */
  const groups = new Map()
  const imported = new Set(Object.keys(metafile.inputs).flatMap((file) => importsOf(file, metafile)))
  for (const [at, source] of sources.entries()) {
    for (const file of filesNeededBy(source, metafile)) {
      if (imported.has(file)) groups.set(file, `${groups.get(file) ?? ''}/${at}`) // the others are entries, and stay where they are
    }
  }
  /** @param {string} file */
  const otherGroupsNeededBy = (file) => {
    const needed = importsOf(file, metafile).flatMap((path) => groups.get(path) ?? [])
    return [...new Set(needed)].filter((group) => group !== groups.get(file))
  }
  /** @param {string} group */
  const filesOf = (group) => [...groups].flatMap(([file, other]) => (other === group ? join(root, file) : []))
  /** @type {import('esbuild').Plugin} */
  const plugin = {
    name: 'grouped-chunks',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^group:/ }, ({ path }) => ({ path: path.slice('group:'.length), namespace: 'group' }))
      // What needs one file of a group imports all of them, so that the same entries need each.
      onLoad({ filter: /./, namespace: 'group' }, ({ path }) => ({
        contents: importing(filesOf(path)),
        resolveDir: root,
      }))
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const needed = otherGroupsNeededBy(belowRoot(path))
        if (needed.length === 0) return undefined
        const imports = importing(needed.map((group) => `group:${group}`))
        return { contents: `${readFileSync(path, 'utf8')}\n${imports}`, loader: 'ts' }
      })
    },
  }
  return { plugin, groupOf: (path) => groups.get(belowRoot(path)) }
}

/**
 * A source and what it imports, however far away, but for what it loads later.
 * @param {string} source
 * @param {import('esbuild').Metafile} metafile
 */
function filesNeededBy(source, metafile) {
  const files = new Set([source])
  for (const file of files) for (const path of importsOf(file, metafile)) files.add(path)
  return files
}

/**
 * @param {string} file
 * @param {import('esbuild').Metafile} metafile
 */
function importsOf(file, { inputs }) {
  const imports = inputs[file]?.imports ?? []
  return imports.flatMap(({ kind, path, external }) => (kind === 'import-statement' && !external ? path : []))
}

/** @param {readonly string[]} paths */
function importing(paths) {
  return paths.map((path) => `import ${JSON.stringify(path)}`).join('\n')
}
