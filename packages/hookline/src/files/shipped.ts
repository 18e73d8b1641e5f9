import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * The text of a file that this package ships beside its code, such as `schemas/record.schema.json`. Throws when there is
 * none. It leads to the same place from `src/files` and from the chunks of the build.
 */
function shippedFile(path: string): string {
  return readFileSync(shippedUrl(path), 'utf8')
}

const shippedUrl = (path: string): URL => new URL(`../../${path}`, import.meta.url)

/** The text of a published JSON Schema, such as `settings`, `Stop.input` or `current/settings`; null when there is none of that name. */
export function shippedSchema(name: string): string | null {
  if (!/^(?:\w+\/)?[\w.-]+$/.test(name)) return null
  try {
    return shippedFile(`schemas/${name}.schema.json`)
  } catch {
    return null // no such schema
  }
}

/** A file of the bridges: the tables of an agent, or what is installed there. Throws when there is none. */
export function shippedBridge(name: string): string {
  return shippedFile(`bridges/${name}`)
}

/** Path of the script behind the command `hookline`, of this installation. */
export function shippedScript(): string {
  return fileURLToPath(shippedUrl('bin/hookline.js'))
}
