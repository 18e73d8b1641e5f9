/** The exit code of a call that could not be understood. */
export const MISUSED = 2

/**
 * Reads what a program was called with. A mistake in it is told in a sentence, with how the program is called, and ends it.
 * @template Options
 * @param {string} usage
 * @param {() => Options} read
 * @returns {Options}
 */
export function readOptions(usage, read) {
  if (process.argv.includes('--help')) {
    console.log(usage)
    process.exit()
  }
  try {
    return read()
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n${usage}`)
    process.exit(MISUSED)
  }
}
