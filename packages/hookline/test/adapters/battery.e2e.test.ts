import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const program = fileURLToPath(new URL('../../../../scripts/frameworks/run.js', import.meta.url))

/** Adapters whose framework runs on Node 20 and is small enough to be installed here; `npm run frameworks` has all. */
const INSTALLED = ['ai-sdk', 'langchain']

it.each(INSTALLED)('does in all 19 cases what hooks want: %s', async (adapter) => {
  const { stdout } = await promisify(execFile)(process.execPath, [program, adapter], { timeout: 50_000 })
  const seen: Record<string, { passed: boolean; why: string | null }> = JSON.parse(stdout)
  expect(Object.keys(seen)).toHaveLength(19)
  expect(Object.entries(seen).filter(([, { passed }]) => !passed)).toEqual([])
})
