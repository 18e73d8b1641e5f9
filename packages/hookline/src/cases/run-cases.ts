import { availableParallelism } from 'node:os'
import { ProjectPool } from '../scratch/project-pool.ts'
import type { PlacedCase } from './case-file.ts'
import { type CaseOptions, type CaseResult, runCase } from './run-case.ts'

/** Tries cases, some at a time; the results stand in the order of the cases, and each is told as soon as it is there. */
export async function runCases(
  cases: readonly PlacedCase[],
  { onResult = () => {}, ...options }: CaseOptions & { readonly onResult?: (result: CaseResult) => void },
): Promise<CaseResult[]> {
  const results: CaseResult[] = []
  const left = [...cases.entries()]
  const pool = new ProjectPool(options.project)
  const work = async (): Promise<void> => {
    for (let next = left.shift(); next && !options.signal?.aborted; next = left.shift()) {
      const [at, one] = next
      const result = await runCase(one, pool, options)
      results[at] = result
      onResult(result)
    }
  }
  try {
    await Promise.all(Array.from({ length: Math.min(cases.length, availableParallelism()) }, work))
    return results
  } finally {
    await pool.close()
  }
}
