import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

/** After a change of dependencies, `node scripts/complete-lock.js [FOLDER]` adds what a registry does not have. */
it.each(['package-lock.json', 'site/package-lock.json'])(
  '%s has every optional package, or npm ci refuses it',
  (name) => {
    const path = fileURLToPath(new URL(`../../../${name}`, import.meta.url))
    const packages: Record<string, { readonly optionalDependencies?: Record<string, string> }> = JSON.parse(
      readFileSync(path, 'utf8'),
    ).packages
    const missing = Object.entries(packages).flatMap(([parent, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter(
        (one) => !packages[`node_modules/${one}`] && !packages[`${parent}/node_modules/${one}`],
      ),
    )
    expect(missing).toEqual([])
  },
)
