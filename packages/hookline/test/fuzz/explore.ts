import fc from 'fast-check'

/** What the random inputs are made from; printed in the titles. */
export const seed = Number(process.env.HOOKLINE_SEED ?? Date.now() % 2 ** 31)

/** How long each law is tried under `npm run fuzz`; 0 in the gate, where the number of runs is fixed. */
const seconds = Number(process.env.HOOKLINE_FUZZ_SECONDS ?? 0)

/** Milliseconds that a test of a law may take: its search, and making a counterexample small. */
export const timeout = 120_000 + seconds * 1000

/** Holds a law against random inputs: against so many in the gate, against what fits into the time otherwise. */
export async function explore<Inputs>(
  property: fc.IAsyncPropertyWithHooks<Inputs> | fc.IPropertyWithHooks<Inputs>,
  { runs }: { runs: number },
): Promise<void> {
  if (seconds === 0) return fc.assert(property as fc.IAsyncPropertyWithHooks<Inputs>, { seed, numRuns: runs }) // awaits both kinds
  const started = performance.now()
  const details = await fc.check(property as fc.IAsyncPropertyWithHooks<Inputs>, {
    seed,
    numRuns: Number.MAX_SAFE_INTEGER,
    interruptAfterTimeLimit: seconds * 1000,
  })
  if (details.failed) throw new Error(fc.defaultReportMessage(details), { cause: details.errorInstance })
  const perSecond = details.numRuns / ((performance.now() - started) / 1000)
  console.log(`${details.numRuns} runs, ${perSecond.toFixed(0)} a second`)
}
