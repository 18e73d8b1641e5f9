/** The packed package, an empty folder with nothing else in it, and what was seen of it before. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { ROOT } from '../tools.js'

/** Where runtimes and results are kept. */
export const CACHE = join(homedir(), '.cache', 'hookline-platforms')
const FOLDERS = ['conformance', 'conformance-current', 'conformance-auto']
const BATTERY = 'scripts/platforms/battery.mjs'
const shell = process.platform === 'win32' // where npm is a batch file

/** The files of the conformance cases, below the root. */
export const CASE_FILES = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => `${folder}/${name}`),
)

/**
 * Packs the package, and says where.
 * @param {string} folder
 */
export function pack(folder) {
  const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder]
  execFileSync('npm', args, { cwd: join(ROOT, 'packages/hookline'), stdio: 'pipe', shell })
  return join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '')
}

/**
 * Makes a folder with nothing but the packed package and the battery in it.
 * @param {string} folder
 * @param {string} tarball
 */
export function install(folder, tarball) {
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  const args = ['install', '--silent', '--no-audit', '--no-fund', '--prefer-offline', tarball]
  execFileSync('npm', args, { cwd: folder, stdio: 'inherit', shell })
  copyFileSync(join(ROOT, BATTERY), join(folder, 'battery.mjs'))
}

/** What the results of the battery and of the conformance cases depend on besides the package, below the root. */
export const SOURCES = { battery: [BATTERY] }
/** The runner of the cases of all profiles; below the root. */
export const RUNNER = 'conformance/run.mjs'

/**
 * What was seen when a check was run, and on which day. `digest` is that of the package and of what else it depends on.
 * @typedef {readonly [passed: number, failed: number, skipped: number, late: number]} Counts `late`: of those that passed, at a second try
 * @typedef {{ seen: string, failures: string[], counts: Counts | null }} Seen
 * @typedef {Seen & { day: string, digest: string }} Result
 */

/** Results by what was checked. They are kept, so that a run goes on where it was cut off, and count as long as package and suite stay the same. */
export class Results {
  #path
  #tarball
  #again
  /** @type {Record<string, Result>} */
  #results = {}

  /**
   * @param {string} name of the file that keeps them
   * @param {string} tarball
   * @param {{ again: boolean }} options whether nothing that was seen before counts
   */
  constructor(name, tarball, { again }) {
    this.#path = join(CACHE, name)
    this.#tarball = readFileSync(tarball)
    this.#again = again
    try {
      this.#results = JSON.parse(readFileSync(this.#path, 'utf8'))
    } catch {
      // nothing was kept
    }
  }

  /**
   * What was seen before; undefined when it was seen of another package or suite.
   * @param {string} key
   * @param {readonly string[]} sources
   */
  kept(key, sources) {
    const result = this.#results[key]
    return result?.digest === this.#digestOf(sources) ? result : undefined
  }

  /**
   * What was seen before, or is seen in a new run, which is kept from then on. What failed before is run again.
   * @param {string} key
   * @param {readonly string[]} sources
   * @param {(before?: Seen) => Seen | Promise<Seen>} run
   */
  async of(key, sources, run) {
    const kept = this.#again ? undefined : this.kept(key, sources)
    if (kept?.failures.length === 0) return kept
    const result = { ...(await run(kept)), day: today(), digest: this.#digestOf(sources) }
    this.#results[key] = result
    mkdirSync(dirname(this.#path), { recursive: true })
    writeFileSync(this.#path, JSON.stringify(this.#results, null, 2))
    return result
  }

  /** @param {readonly string[]} sources */
  #digestOf(sources) {
    const hash = createHash('sha256').update(this.#tarball)
    for (const file of sources) hash.update(readFileSync(join(ROOT, file)))
    return hash.digest('hex')
  }
}

/** The day, as the page shows it. */
export function today() {
  return new Date().toISOString().slice(0, 10)
}

/**
 * What a battery or the conformance runner tells in its last line, and the lines of what failed. What failed is run once more,
 * alone: some deadlines are too short for a machine that is busy with something else.
 * @param {(only: string) => string | Promise<string>} run what matches, by the names that failures are printed with
 * @param {Seen} [before] what failed in it is run again, and nothing else
 * @returns {Promise<Seen>}
 */
export async function seenIn(run, before) {
  const first = before ?? readSummary(await run(''))
  const names = first.failures.map((line) => line.replace(/^FAIL (.*?) {2}.*$/s, '$1'))
  if (names.length === 0 || first.counts === null) return seenOf(first)
  const again = readSummary(await run(`^(?:${names.map(escaped).join('|')})$`))
  if (again.counts === null || again.counts[0] + again.counts[1] !== names.length) return seenOf(first)
  const [passed, , skipped, late] = first.counts
  const [more, left] = again.counts
  return seenOf({ counts: [passed + more, left, skipped, late + more], failures: again.failures })
}

/** @typedef {{ counts: Counts | null, failures: string[] }} Summary */

/**
 * @param {string} output
 * @returns {Summary}
 */
function readSummary(output) {
  const lines = output.trim().split('\n')
  const failures = lines.filter((line) => line.startsWith('FAIL'))
  const found = /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/.exec(lines.at(-1)?.trim() ?? '')
  if (found === null) return { counts: null, failures: [...failures, `FAIL did not end: ${lines.at(-1)?.slice(-300)}`] }
  const [, passed, failed, skipped = 0] = found
  return { counts: [Number(passed), Number(failed), Number(skipped), 0], failures }
}

/**
 * @param {Summary} summary
 * @returns {Seen}
 */
function seenOf({ counts, failures }) {
  if (counts === null) return { seen: '1 failed', failures, counts }
  const [passed, failed, skipped, late] = counts
  const parts = [`${passed} passed`, failed > 0 ? `${failed} failed` : '', skipped > 0 ? `${skipped} skipped` : '']
  const again = late > 0 ? ` (${late} at a second try)` : ''
  return { seen: `${parts.filter(Boolean).join(', ')}${again}`, failures, counts }
}

/**
 * The results of several runs as one; undefined stands for a run that was not made.
 * @param {readonly (Seen | undefined)[]} runs
 * @returns {Seen | undefined}
 */
export function sumOf(runs) {
  const made = runs.filter((run) => run !== undefined)
  if (made.length <= 1 && runs.length <= 1) return made[0]
  if (made.length === 0) return undefined
  /** @param {number} at */
  const total = (at) => made.reduce((sum, { counts }) => sum + (counts?.[at] ?? 0), 0)
  const failures = made.flatMap((run) => run.failures)
  const sum = seenOf({ counts: [total(0), total(1), total(2), total(3)], failures })
  const left = runs.length - made.length
  return left === 0 ? sum : { ...sum, seen: `${sum.seen}; ${left} of ${runs.length} files not run` }
}

/** @param {string} text */
function escaped(text) {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

/**
 * A table in Markdown.
 * @param {string[][]} rows the first has the names of the columns
 */
export function tableOf([names = [], ...rows]) {
  return [names, names.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/**
 * Replaces the table between two marks of docs/platforms.md.
 * @param {string} mark
 * @param {string} text
 */
export function writeTable(mark, text) {
  const path = join(ROOT, 'docs', 'platforms.md')
  const page = readFileSync(path, 'utf8')
  const between = new RegExp(`<!-- ${mark} -->[\\s\\S]*<!-- /${mark} -->`)
  if (!between.test(page)) throw new Error(`docs/platforms.md has no place for the table "${mark}"`)
  writeFileSync(
    path,
    page.replace(between, () => `<!-- ${mark} -->\n\n${text}\n\n<!-- /${mark} -->`),
  )
}
