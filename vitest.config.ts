import { configDefaults, defineConfig } from 'vitest/config'

const END_TO_END = 'packages/*/test/**/*.e2e.test.ts'

export default defineConfig({
  test: {
    pool: 'forks',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'hookline',
          include: ['packages/*/test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, END_TO_END],
        },
      },
      {
        // Runs what the build made: the command, and examples that import `hookline` as its users do.
        extends: true,
        test: { name: 'e2e', include: [END_TO_END, 'examples/**/*.test.ts'] },
      },
    ],
  },
})
