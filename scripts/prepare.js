/** Builds after an install, unless the install left the build tools out. */
import { existsSync } from 'node:fs'

const missing = ['typescript', 'esbuild'].filter(
  (name) => !existsSync(new URL(`../node_modules/${name}`, import.meta.url)),
)

if (missing.length === 0) await import('./build.js')
else console.log(`Not built: ${missing.join(' and ')} not installed (this install omits dev dependencies).`)
