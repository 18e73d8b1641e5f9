/** Makes one file of the unit tests that say something about Windows, which node.exe can run without vitest. */
import { readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { ROOT } from '../tools.js'

/** Where trust, rules, files, variables and programs are tested, below `packages/hookline/test`. */
export const UNIT_TESTS = [
  'config/trust.test.ts',
  'faults/security-trust.test.ts',
  'config/changes-elsewhere.test.ts',
  'files/windows-files.test.ts',
  'process/windows.test.ts',
  'rule/commands.test.ts',
  'rule/windows-paths.test.ts',
  'run/env-files.test.ts',
  'run/windows-environment.test.ts',
]

/**
 * Bundles them into a folder.
 * @param {{ folder: string, repository: string }} places `repository`: where the repository lies, as the system that runs them names it
 */
export async function bundleTests({ folder, repository }) {
  const lines = UNIT_TESTS.map((file) => `import ${JSON.stringify(`./packages/hookline/test/${file}`)}`)
  await build({
    stdin: { contents: `${lines.join('\n')}\nimport { runTests } from 'vitest'\nawait runTests()\n`, resolveDir: ROOT },
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    sourcemap: false,
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    alias: { vitest: join(ROOT, 'scripts/windows/vitest.mjs') },
    mainFields: ['module', 'main'],
    external: ['ai', '@ai-sdk/*', 'langchain', '@langchain/*', 'esbuild', 'koffi'],
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    plugins: [ownPlaces(repository)],
    ignoreAnnotations: true, // a test is imported for what it does
    logLevel: 'error',
  })
  return join(folder, 'stdin.mjs')
}

/**
 * Files go on knowing where they lie, although they are in a bundle.
 * @param {string} repository
 * @returns {import('esbuild').Plugin}
 */
function ownPlaces(repository) {
  return {
    name: 'own places',
    setup: ({ onLoad }) =>
      onLoad({ filter: /packages[\\/]hookline[\\/](?:src|test|bin)[\\/].*\.[jt]s$/ }, ({ path }) => {
        const here = [repository, ...relative(ROOT, path).split(sep)]
        const isWindows = repository.includes('\\')
        const own = here.join(isWindows ? '\\' : '/')
        const url = isWindows ? `file:///${own.replaceAll('\\', '/')}` : pathToFileURL(own).href
        const contents = readFileSync(path, 'utf8')
          .replaceAll('import.meta.dirname', () =>
            JSON.stringify(own.slice(0, own.lastIndexOf(isWindows ? '\\' : '/'))),
          )
          .replaceAll('import.meta.url', () => JSON.stringify(url))
        return { contents, loader: path.endsWith('.ts') ? 'ts' : 'js' }
      }),
  }
}
