/**
 * `npm run bench`: what the engine costs, as ratios over bounds that are measured in the same run.
 * `--check` exits 1 when a target is missed, `--json` prints the rows as JSON, `--quick` takes less than a minute,
 * `--write` puts the tables into RESULTS.md, and the main figures into docs/performance.md; with `--only WORDS`, which measures the
 * parts whose title has these words, it replaces their tables alone, with the day and the load of the machine.
 */
import { cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { readOptions } from '../scripts/read-options.js'
import { measureDispatching } from './measures/dispatching.js'
import { measureFleet } from './measures/fleet.js'
import { measureFunctionHook } from './measures/function-hook.js'
import { measureKeepingApart } from './measures/keeping-apart.js'
import { measureMatching } from './measures/matching.js'
import { measureMemory } from './measures/memory.js'
import { measurePatterns } from './measures/patterns.js'
import { measurePeers, PEER } from './measures/peers.js'
import { measurePythonHook } from './measures/python-hook.js'
import { measureReplay } from './measures/replay.js'
import { measureSerialising } from './measures/serialising.js'
import { measureSpawning } from './measures/spawning.js'
import { measureStartUp } from './measures/start-up.js'
import { measureTelemetry } from './measures/telemetry.js'
import { measureSession, measureWarm } from './measures/warm.js'
import { replaceTables, writeResults } from './results.js'
import { isMissed, tableLines } from './table.js'

/**
 * @typedef {{ quick: boolean, remark: (sentence: string) => void }} Options
 * @typedef {{ title: string, how: string, measure: (options: Options) => Promise<import('./table.js').Row[]> }} Part
 */

/** @type {Part[]} */
const PARTS = [
  {
    title: 'An event with N hooks "true #i", started by resident shells',
    how: 'over another program that starts the same with three pipes, as many at a time; "least" is a Node process that has shells start them and does nothing else; "2 GiB" is a host that has touched so much memory; a loop is blocked for the most CPU time it takes between two turns.',
    measure: measureDispatching,
  },
  {
    title: 'The same, by the host itself and as the engine chooses (resident shells, by then)',
    how: 'over spawn("/bin/sh", ["-c", …]) of the same commands: same bytes written, both outputs read, as many at a time',
    measure: measureSpawning,
  },
  {
    title: 'What it costs to keep hooks apart, and to give them pipes',
    how: 'over the same engine without it: "left-overs" looks for whom a hook left behind in its resident shell\'s session, "pipes" gives hooks of the host itself pipes instead of sockets; the last row is the CPU time of a whole process that fires one event.',
    measure: measureKeepingApart,
  },
  {
    title: `How many times faster than ${PEER}`,
    how: 'its time over ours, on an event with N hooks "true #i", each in a process of its own: it starts bash from its host, all hooks at once; here resident shells start sh.',
    measure: measurePeers,
  },
  {
    title: 'A guard whose interpreter was started ahead',
    how: 'over the same guard in an interpreter that is started at its event',
    measure: measureWarm,
  },
  {
    title: 'A session with three guards at every call: bash, Python and Node',
    how: 'how long a call waits for its guards; beside it the memory of all processes after the last call and the CPU time of the whole session',
    measure: measureSession,
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
    title: 'The same with telemetry',
    how: 'CPU time of a host that dispatches it, over one that has loaded nothing of telemetry',
    measure: measureTelemetry,
  },
  {
    title: 'An event on a machine in a fleet',
    how: 'over the same event where no fleet is named: a record is in the spool before its decision is handed out',
    measure: measureFleet,
  },
  {
    title: 'Starting the command, and loading the library',
    how: 'CPU time of the whole process over that of node -e 0',
    measure: measureStartUp,
  },
  {
    title: 'A hook in Python',
    how: 'CPU time from its start to its answer, over python3 -c pass',
    measure: measurePythonHook,
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

const { check, json, only, quick, write } = readOptions(
  'npm run bench -- [--check] [--json] [--only WORDS] [--quick] [--write]',
  () => {
    const { values } = parseArgs({
      options: {
        check: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        only: { type: 'string' },
        quick: { type: 'boolean', default: false },
        write: { type: 'boolean', default: false },
      },
    })
    if (chooseParts(values.only).length > 0) return values
    throw new Error(
      `--only: no part has "${values.only}" in its title:\n${PARTS.map(({ title }) => `  ${title}`).join('\n')}`,
    )
  },
)

// What npm adds for its scripts doubles an environment, which every process that is started gets and hosts read for it.
for (const name of Object.keys(process.env)) if (name.startsWith('npm_')) delete process.env[name]

const started = performance.now()
const machine = `Node ${process.version}, ${cpus().length} cores, ${process.platform} ${process.arch}`
/** @type {import('./table.js').Row[]} */
const rows = []
/** @type {string[]} */
const tables = []
const alone = `Measured alone on ${new Date().toISOString().slice(0, 10)}, at a load of ${(loadavg()[0] ?? 0).toFixed(1)}.`

if (!json) console.log(`${machine}${quick ? ', quick: few rounds, rough figures' : ''}`)
for (const { title, how, measure } of chooseParts(only)) {
  /** @type {string[]} */
  const remarks = only === undefined ? [] : [alone]
  const measured = await measure({ quick, remark: (sentence) => remarks.push(sentence) })
  const lines = tableLines({ title, how, remarks, rows: measured })
  rows.push(...measured)
  tables.push(...lines)
  if (!json) console.log(lines.join('\n'))
}

const missed = rows.filter(isMissed)
const seconds = Math.round((performance.now() - started) / 1000)
const summary = `${missed.length} of ${rows.filter(({ target }) => target !== null).length} targets missed, ${seconds} s`
if (json) console.log(JSON.stringify({ machine, quick, seconds, rows, missed: missed.length }, null, 2))
else console.log(`\n${summary}`)
if (write && only === undefined) writeResults({ date: new Date(), machine, quick, summary, tables, rows })
else if (write) replaceTables(tables)
process.exitCode = check && missed.length > 0 ? 1 : 0

/**
 * The parts that are measured.
 * @param {string | undefined} words in their titles; all parts without
 */
function chooseParts(words) {
  return PARTS.filter(({ title }) => title.toLowerCase().includes(words?.toLowerCase() ?? ''))
}
