/** How the quick commands are bundled: Node reads all of that file whenever one of them is called, so it leaves out what it can. */
import { join, relative, sep } from 'node:path'

/** Tables that a call may ask for: a part of this file that is skipped costs less than a module that is loaded. */
const INSIDE = /\/current\/profile\.ts$/

/**
 * Leaves out what else is imported with import(): it is loaded from what the library's bundle made of it. A script that V8
 * has compiled earlier cannot import by itself, so `bin` passes `importFromBin` to it.
 * @param {string} folder the package
 * @param {RegExp} optional packages that are installed beside ours, or not at all
 * @returns {{ plugin: import('esbuild').Plugin, late: ReadonlyMap<string, string> }} with what was left out: its place in dist, and its source
 */
export function importsOutside(folder, optional) {
  const bin = join(folder, 'bin')
  /** @type {Map<string, string>} */
  const late = new Map()
  /** @type {import('esbuild').Plugin} */
  const plugin = {
    name: 'imports-outside',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /./ }, ({ kind, path, resolveDir }) => {
        if (kind !== 'dynamic-import' || INSIDE.test(path)) return undefined
        if (optional.test(path)) return { path, namespace: 'outside' }
        const source = path.startsWith('.') ? relative(join(folder, 'src'), join(resolveDir, path)) : path
        const built = path.startsWith('.') ? source.replace(/\.ts$/, '') : `packages/${path}`
        late.set(built, path.startsWith('.') ? join(resolveDir, path) : path)
        return { path: relative(bin, join(folder, 'dist', `${built}.js`)).replaceAll(sep, '/'), namespace: 'outside' }
      })
      // What import() gives is a promise, and a promise of something with a `then` becomes what that gives.
      onLoad({ filter: /./, namespace: 'outside' }, ({ path }) => ({
        contents: `exports.then = (...settle) => importFromBin('${path}').then(...settle)`,
      }))
    },
  }
  return { plugin, late }
}

/**
 * Leaves out what nothing uses of a package that does not say whether that is safe.
 * @param {RegExp} files
 * @returns {import('esbuild').Plugin}
 */
export function onlyWhatIsUsed(files) {
  const asked = Symbol('asked')
  return {
    name: 'only-what-is-used',
    setup({ onResolve, resolve }) {
      onResolve({ filter: /./ }, async ({ path, pluginData, ...where }) => {
        if (pluginData === asked || !files.test(`${where.importer} ${path}`)) return undefined
        return { ...(await resolve(path, { ...where, pluginData: asked })), sideEffects: false }
      })
    },
  }
}

/**
 * Leaves a file out of the other bundle: `bin` starts what it runs from the bundle of quick commands, and from there alone.
 * @param {RegExp} files whose only export is `run`
 * @returns {import('esbuild').Plugin}
 */
export function inQuickAlone(files) {
  const contents = "export async function run() { throw new TypeError('bin/hookline.js starts this from quick.cjs') }"
  return {
    name: 'in-quick-alone',
    setup({ onLoad }) {
      onLoad({ filter: files }, () => ({ contents, loader: 'ts' }))
    },
  }
}
