/** Where the repository is, and where npm put the programs it needs. */
import { readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root of the repository. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** Packages that have another name than their program. @type {Record<string, string>} */
const PACKAGES = { tsc: 'typescript' }

/**
 * The file of a program that npm installed, for Node to run: what npm puts into `.bin` is a batch file on Windows.
 * @param {string} name
 */
export function tool(name) {
  const folder = join(ROOT, 'node_modules', PACKAGES[name] ?? name)
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return join(folder, typeof bin === 'string' ? bin : bin[name])
}

/**
 * A path below the root, with slashes on every system, as esbuild names files.
 * @param {string} path
 */
export function belowRoot(path) {
  return relative(ROOT, path).replaceAll(sep, '/')
}
