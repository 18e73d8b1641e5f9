import type { Usage } from '../output/messages.ts'

/** Dollars for a million tokens, as the provider published them in 2025. */
interface Price {
  readonly model: RegExp
  readonly input: number
  readonly output: number
}

/** Models whose price is known for certain; of others only tokens are told. */
const PRICES: readonly Price[] = [
  { model: /^claude-opus-4-5/, input: 5, output: 25 },
  { model: /^claude-sonnet-4-5/, input: 3, output: 15 },
  { model: /^claude-haiku-4-5/, input: 1, output: 5 },
  { model: /^gpt-4\.1-mini/, input: 0.4, output: 1.6 },
  { model: /^gpt-4\.1-nano/, input: 0.1, output: 0.4 },
  { model: /^gpt-4\.1/, input: 2, output: 8 },
]

/** Prices of what a provider's cache holds and takes in, as parts of the price of input. */
const CACHE_READ = 0.1
const CACHE_WRITE = 1.25

/** Estimates what tokens cost in dollars, by list price; null where no price is known. */
export function estimateCost(model: string, usage: Usage): number | null {
  const price = PRICES.find((each) => each.model.test(model))
  if (price === undefined) return null
  const { inputTokens, outputTokens, cacheReadTokens: read = 0, cacheWriteTokens: write = 0 } = usage
  const input = inputTokens - read - write + read * CACHE_READ + write * CACHE_WRITE
  return (input * price.input + outputTokens * price.output) / 1_000_000
}

/** Tokens and, where it is known, cost, in few characters. */
export function formatSpending(usage: Usage, cost: number | null): string {
  const tokens = `${shortenCount(usage.inputTokens)} in, ${shortenCount(usage.outputTokens)} out`
  return cost === null ? tokens : `${tokens}, $${cost.toFixed(cost < 1 ? 4 : 2)}`
}

function shortenCount(tokens: number): string {
  return tokens < 10_000 ? String(tokens) : `${(tokens / 1000).toFixed(1)}k`
}
