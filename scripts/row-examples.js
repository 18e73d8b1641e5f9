import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Examples of a row of the programs: an object of plain strings, alone on its lines or behind another field. */
const EXAMPLES = /,?\s*\bexamples: \{(?:[^{}'"]|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")*\}/g

/**
 * Leaves the examples of rows out of what is built: only tests read them, and a guard that starts for one call would make them all.
 * Line breaks stay, so that maps of lines lead to the sources.
 * @type {import('esbuild').Plugin}
 */
export const withoutRowExamples = {
  name: 'without-row-examples',
  setup(build) {
    build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      if (!path.includes(join('src', 'programs'))) return undefined
      return { contents: removeRowExamples(await readFile(path, 'utf8')), loader: 'ts' }
    })
  },
}

/** @param {string} text */
export function removeRowExamples(text) {
  return text.replace(EXAMPLES, (examples) => '\n'.repeat(examples.split('\n').length - 1))
}
