/**
 * `npm run bench`: what the engine costs, as ratios over bounds that are measured in the same run.
 * `--check` exits 1 when a target is missed, `--json` prints the rows as JSON, `--quick` takes less than a minute,
 * `--write` puts the tables into RESULTS.md.
 */
import { writeFileSync } from 'node:fs'
import { cpus, release, totalmem, type } from 'node:os'
import { parseArgs } from 'node:util'
import { measureDispatching } from './measures/dispatching.js'
import { measureFunctionHook } from './measures/function-hook.js'
import { measureMatching } from './measures/matching.js'
import { measureMemory } from './measures/memory.js'
import { measurePatterns } from './measures/patterns.js'
import { measureReplay } from './measures/replay.js'
import { measureSerialising } from './measures/serialising.js'
import { measureSpawning } from './measures/spawning.js'
import { measureStartUp } from './measures/start-up.js'
import { isMissed, tableLines } from './table.js'

/**
 * @typedef {{ title: string, how: string, measure: (options: { quick: boolean }) => Promise<import('./table.js').Row[]> }} Part
 */

/** @type {Part[]} */
const PARTS = [
  {
    title: 'An event with N hooks "true #i", started by resident shells',
    how: 'over a C program that starts the same with posix_spawn and three pipes, as many at a time; "2 GiB" is a host that has touched so much memory; a loop is blocked for the most CPU time it takes between two turns',
    measure: measureDispatching,
  },
  {
    title: 'The same, started by the host itself',
    how: 'over spawn("/bin/sh", ["-c", …]) of the same commands: same bytes written, both outputs read, as many at a time',
    measure: measureSpawning,
  },
  {
    title: 'An event without a matching hook, at 10,000 groups',
    how: 'over a scan of 10,000 precompiled RegExp objects; a third each of names, lists of names, prefixes as regexes',
    measure: measureMatching,
  },
  {
    title: 'The worst patterns, on a subject of 1 KiB that they do not match',
    how: 'a whole dispatch; medians of the first match after opening and of those after it, each with a new subject; some patterns are refused when the engine opens',
    measure: measurePatterns,
  },
  {
    title: 'Serialising an event of 10 MB for 10 commands',
    how: 'time inside JSON.stringify and Buffer.from while it is dispatched, over doing both once',
    measure: measureSerialising,
  },
  {
    title: 'An event with a function hook',
    how: 'over a bare await of the same function, unless it says otherwise',
    measure: measureFunctionHook,
  },
  {
    title: 'Starting the command',
    how: 'CPU time of the whole call over that of node -e 0',
    measure: measureStartUp,
  },
  {
    title: 'Memory of the host while a hook floods it',
    how: 'growth of its resident set in a fresh process, at its highest; target: two caps of 1 MiB and 20 MiB',
    measure: measureMemory,
  },
  {
    title: 'Replaying a long session with --plan, 10 hooks on two events',
    how: 'CPU time and memory of a whole call on a synthetic transcript; target: 50,000 events a second, in bounded memory',
    measure: measureReplay,
  },
]

const { check, json, quick, write } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
}).values

const started = performance.now()
const machine = `Node ${process.version}, ${cpus().length} cores, ${process.platform} ${process.arch}`
/** @type {import('./table.js').Row[]} */
const rows = []
/** @type {string[]} */
const tables = []

if (!json) console.log(`${machine}${quick ? ', quick: few rounds, rough figures' : ''}`)
for (const { title, how, measure } of PARTS) {
  const measured = await measure({ quick })
  rows.push(...measured)
  tables.push(...tableLines({ title, how, rows: measured }))
  if (!json) console.log(tableLines({ title, how, rows: measured }).join('\n'))
}

const missed = rows.filter(isMissed)
const seconds = Math.round((performance.now() - started) / 1000)
const summary = `${missed.length} of ${rows.filter(({ target }) => target !== null).length} targets missed, ${seconds} s`
if (json) console.log(JSON.stringify({ machine, quick, seconds, rows, missed: missed.length }, null, 2))
else console.log(`\n${summary}`)
if (write) writeFileSync(new URL('RESULTS.md', import.meta.url), results())
process.exitCode = check && missed.length > 0 ? 1 : 0

function results() {
  const date = new Date().toISOString().slice(0, 10)
  const processor = cpus()[0]?.model.trim() ?? 'unknown processor'
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`
  return [
    '# Results of `npm run bench`',
    '',
    `${date}. ${machine}, ${processor}, ${memory}, ${type()} ${release()}.${quick ? ' Few rounds: rough figures.' : ''}`,
    '',
    `Ratios of medians (p50) and of lower quartiles (p25), measured in turn in one run. ${summary}.`,
    '',
    '```',
    ...tables.slice(1),
    '```',
    '',
  ].join('\n')
}
