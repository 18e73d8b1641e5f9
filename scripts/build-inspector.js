/** Builds the page of `hookline inspect` into the package hookline: one script and one style. */
import { join } from 'node:path'
import { build } from 'esbuild'
import { ROOT } from './tools.js'

/** Browsers that run the page. */
const TARGET = ['chrome120', 'firefox121', 'safari17']

/** Resolves with false when it failed; esbuild has printed why. */
export async function buildInspector() {
  const folder = join(ROOT, 'packages/inspector/src')
  const options = {
    absWorkingDir: ROOT,
    bundle: true,
    minify: true,
    target: TARGET,
    outdir: join(ROOT, 'packages/hookline/dist/inspector'),
    logLevel: /** @type {const} */ ('warning'),
  }
  const script = build({
    ...options,
    entryPoints: { inspector: join(folder, 'main.tsx') },
    format: 'esm',
    platform: 'browser',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none', // their licences are in THIRD-PARTY.md
  })
  const style = build({ ...options, entryPoints: { inspector: join(folder, 'style.css') } })
  const built = await Promise.allSettled([script, style])
  return built.every(({ status }) => status === 'fulfilled')
}
