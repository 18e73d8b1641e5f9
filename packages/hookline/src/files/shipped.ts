import { readFileSync } from 'node:fs'

/**
 * The text of a file that this package ships beside its code, such as `schemas/record.schema.json`. Throws when there is
 * none. It leads to the same place from `src/files` and from the chunks of the build.
 */
export function shippedFile(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
}

/** The version of this package. */
export function packageVersion(): string {
  return String(JSON.parse(shippedFile('package.json')).version)
}
