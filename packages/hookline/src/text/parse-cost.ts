/** Steps of the parser that a script may cost by its braces: about a tenth of a second. */
const MAX_BRACE_STEPS = 60_000_000

/** True for a script of which the parser would read a word again and again: from each brace in it to its end. */
export function isTooCostlyToParse(script: string): boolean {
  if (!script.includes('{')) return false
  const steps = script.split(/\s+/).map((word) => word.length * (word.split('{').length - 1))
  return steps.reduce((sum, one) => sum + one, 0) > MAX_BRACE_STEPS
}
