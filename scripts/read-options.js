/** What a script was called with: `--help` prints how it is called, and a mistake is told in a sentence with that. */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

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
    const message = error instanceof Error ? error.message.replace(/\. To specify a positional[\s\S]*/, '.') : error
    console.error(`${message}\n\n${usage}`)
    process.exit(MISUSED)
  }
}

/**
 * Reads the options and words of a script that says in its first comment how it is called.
 * @template {import('node:util').ParseArgsConfig} const Config
 * @param {string} url the script's own
 * @param {Config} config
 * @returns {ReturnType<typeof parseArgs<Config>> & { readNumber: (name: string, otherwise: number) => number }}
 */
export function readCall(url, config) {
  const usage = readUsage(url)
  const read = readOptions(usage, () => parseArgs(config))
  const given = /** @type {Readonly<Record<string, unknown>>} */ (read.values)
  /**
   * Reads a number above 0.
   * @param {string} name
   * @param {number} otherwise
   */
  const readNumber = (name, otherwise) =>
    readOptions(usage, () => {
      const number = Number(given[name] ?? otherwise)
      if (number > 0) return number
      throw new Error(`--${name} is a number above 0, not "${given[name]}".`)
    })
  return { ...read, readNumber }
}

/**
 * Reads words that choose among names; none chooses all of them.
 * @param {string} url the script's own
 * @param {readonly string[]} names
 */
export function readNames(url, names) {
  return readOptions(readUsage(url), () => {
    const { positionals } = parseArgs({ allowPositionals: true })
    const unknown = positionals.filter((word) => !names.includes(word))
    if (unknown.length === 0) return positionals.length > 0 ? positionals : names
    throw new Error(`There is no ${unknown.join(', ')}. There are: ${names.join(', ')}.`)
  })
}

/**
 * Reads the comment that a script begins with, without its marks.
 * @param {string} url the script's own
 */
export function readUsage(url) {
  const [comment = ''] = /^(?:\/\*\*[\s\S]*?\*\/|(?:\/\/.*\n)+)/.exec(readFileSync(new URL(url), 'utf8')) ?? []
  return comment.replaceAll(/^\/\*\* ?| ?\*\/$|^ \* ?|^\/\/ ?/gm, '').trim()
}
