/** Leaves of a package's declarations those that its doors lead to. */
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

/**
 * Removes every declaration in dist that no door's declarations import.
 * @param {string} folder the package
 * @param {readonly string[]} doors their sources, relative to it
 */
export function keepPublicDeclarations(folder, doors) {
  const dist = join(folder, 'dist')
  const kept = new Set(doors.map((door) => join(dist, relative('src', door)).replace(/\.ts$/, '.d.ts')))
  for (const file of kept) for (const target of declarationsNamedIn(file)) kept.add(target)
  const files = readdirSync(dist, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  for (const path of files.map(({ parentPath, name }) => join(parentPath, name))) {
    if (path.endsWith('.d.ts') && !kept.has(path)) rmSync(path)
  }
  for (const name of readdirSync(dist)) {
    const path = join(dist, name)
    if (statSync(path).isDirectory() && readdirSync(path).length === 0) rmSync(path, { recursive: true })
  }
}

/** @param {string} file */
function declarationsNamedIn(file) {
  const named = readFileSync(file, 'utf8').matchAll(/(?:from|import) ?\(?['"](\.{1,2}\/[^'"]+)['"]/g)
  const targets = [...named].map(([, path = '']) => resolve(dirname(file), path.replace(/\.(?:ts|js)$/, '.d.ts')))
  return targets.filter((target) => existsSync(target))
}
