import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * The text of a file that this package ships beside its code, such as `schemas/record.schema.json`. Throws when there is
 * none. It leads to the same place from `src/files` and from the chunks of the build.
 */
function readShippedFile(path: string): string {
  return readFileSync(findShippedUrl(path), 'utf8')
}

const findShippedUrl = (path: string): URL => new URL(`../../${path}`, import.meta.url)

/** The text of a published JSON Schema, such as `settings`, `Stop.input` or `current/settings`; null when there is none of that name. */
export function readShippedSchema(name: string): string | null {
  if (!/^(?:\w+\/)?[\w.-]+$/.test(name)) return null
  try {
    return readShippedFile(`schemas/${name}.schema.json`)
  } catch {
    return null // no such schema
  }
}

/** A file of the bridges: the tables of an agent, or what is installed there. Throws when there is none. */
export function readShippedBridge(name: string): string {
  return readShippedFile(`bridges/${name}`)
}

/** Path of the script behind the command `hookline`, of this installation. */
export function findShippedScript(): string {
  return fileURLToPath(findShippedUrl('bin/hookline.js'))
}

/** Folder with the files of the page that `hookline inspect` serves. */
export function findShippedPage(): URL {
  return findShippedUrl('dist/inspector/')
}
