/** Where the repository is, and where npm put the programs it needs. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root of the repository. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url))

/**
 * The path of a program that npm installed.
 * @param {string} name
 */
export function tool(name) {
  return join(ROOT, 'node_modules/.bin', name)
}
