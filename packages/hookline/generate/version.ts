import { readFileSync } from 'node:fs'

/** The source of `text/version.ts`: the version of the package, for those who cannot read its package.json, as in a bundle. */
export function versionModule(): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  return [
    '// Generated from package.json by `npm run generate`.',
    '',
    '/** The version of this package. */',
    `export const VERSION = '${version}'`,
    '',
  ].join('\n')
}
