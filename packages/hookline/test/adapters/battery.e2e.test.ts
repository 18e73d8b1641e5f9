import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const program = fileURLToPath(new URL('../../../../scripts/frameworks/run.js', import.meta.url))

/** Adapters whose framework runs on Node 20 and is small enough to be installed here; `npm run frameworks` has all. */
const INSTALLED = ['ai-sdk', 'langchain']

const RUNS = INSTALLED.flatMap((adapter) => ['at-once', 'streamed'].map((how) => [adapter, how] as const))

/** Time that a battery may take: one took 39 s at a load of 30. */
const TIMEOUT_MS = 170_000

it.each(RUNS)(
  'does in all 23 cases what hooks want: %s, %s',
  { timeout: TIMEOUT_MS + 10_000 },
  async (adapter, how) => {
    const { stdout } = await promisify(execFile)(process.execPath, [program, adapter, how], { timeout: TIMEOUT_MS })
    const seen: Record<string, { passed: boolean; why: string | null }> = JSON.parse(stdout)
    expect(Object.keys(seen)).toHaveLength(23)
    expect(Object.entries(seen).filter(([, { passed }]) => !passed)).toEqual([])
  },
)
