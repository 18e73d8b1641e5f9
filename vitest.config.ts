import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const END_TO_END = 'packages/*/test/**/*.e2e.test.ts'
const TERMINAL = 'packages/agent/test/**/*.terminal.test.ts'

const engine = new URL('packages/hookline/', import.meta.url)
const { exports: doors }: { exports: Readonly<Record<string, { readonly default?: string }>> } = JSON.parse(
  readFileSync(new URL('package.json', engine), 'utf8'),
)

/** Files and rooms that `npm test` runs by themselves (`scripts/test-steps.js`). */
const apart = (process.env.TESTS_APART ?? '').split(' ').filter((path) => path !== '')
delete process.env.TESTS_APART // a test that runs vitest itself names its own files

/** Unit tests of the agent meet the engine's sources by the doors of its package: they run before anything is built. */
const alias = Object.entries(doors).flatMap(([door, { default: built }]) =>
  built === undefined
    ? []
    : [
        {
          find: new RegExp(`^hookline${door.slice(1)}$`),
          replacement: fileURLToPath(new URL(built.replace('/dist/', '/src/').replace(/\.js$/, '.ts'), engine)),
        },
      ],
)

/** Begins with the tests that mostly wait, which would be left alone on the machine: vitest begins with the largest files. */
class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isWaiting = ({ moduleId }: TestSpecification): boolean => /\/soak\.e2e\.test\.ts$/.test(moduleId)
    return [...sorted.filter(isWaiting), ...sorted.filter((file) => !isWaiting(file))]
  }
}

export default defineConfig({
  test: {
    update: 'none', // a generated file that is missing fails, and is written by -u alone
    pool: 'forks',
    sequence: { sequencer: WaitingFirst },
    maxWorkers: Math.max(2, availableParallelism()), // most tests wait for processes
    env: {
      HOOKLINE_RESIDENT: 'off',
      CLAUDECODE: '',
      COPILOT_CLI: '',
      GEMINI_CLI: '',
      CODEX_SANDBOX: '',
      OPENCODE: '',
      AI_AGENT: '',
    }, // an agent may run the tests
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        resolve: { alias },
        test: {
          name: 'hookline',
          include: ['packages/*/test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, END_TO_END, TERMINAL, ...apart.map((path) => `${path}**`)],
        },
      },
      {
        // Runs what the build made: the command, and examples that import `hookline` as its users do.
        extends: true,
        test: {
          name: 'e2e',
          include: [END_TO_END, 'examples/**/*.test.ts'],
          server: { deps: { external: [/\/packages\/[^/]+\/dist\//] } },
        },
      },
      {
        // What the terminal does, one thing a session: too long for every `npm test`, which has the same in shared sessions.
        extends: true,
        test: { name: 'terminal', include: [TERMINAL] },
      },
    ],
  },
})
