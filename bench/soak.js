/**
 * `npm run soak`: a host that does everything at random for a while, and then must be as it was before.
 * `--events N` says how many events there are and `--with-processes M` how many of them start command hooks, a tenth by
 * default; or `--minutes N` or `--seconds N` how long it goes on. `--seed S` repeats the choices of an earlier run.
 * `HOOKLINE_LAUNCHER` says who starts the hooks; with `HOOKLINE_WARM=on` some of them are in Node and Python, and their
 * interpreters are started ahead. `--plant-leak B` forgets B bytes an event, to show that this is found.
 */
import { setMaxListeners } from 'node:events'
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readOptions } from '../scripts/read-options.js'
import { differencesBetween, settledResources } from './soak/compare.js'
import { Host } from './soak/host.js'
import { LENGTH_OPTIONS, lengthFrom } from './soak/length.js'
import { collectGarbage, judgeMemory, sampleMemory } from './soak/memory.js'
import { describeLeftProcesses, startTrail } from './soak/process-trail.js'
import { randomFrom } from './soak/random.js'
import { countsByKind, startChildOnce, usedResources } from './soak/resources.js'

const USAGE =
  'npm run soak -- [--minutes N | --seconds N | --events N [--with-processes M]] [--seed S] [--plant-leak BYTES]'
const { length, seed, leakedBytes } = readOptions(USAGE, () => {
  const given = parseArgs({
    options: { ...LENGTH_OPTIONS, seed: { type: 'string' }, 'plant-leak': { type: 'string' } },
  }).values
  const seed = given.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(given.seed)
  const leakedBytes = Number(given['plant-leak'] ?? 0)
  if (!Number.isInteger(seed) || !Number.isInteger(leakedBytes)) {
    throw new Error('--seed and --plant-leak are whole numbers')
  }
  return { length: lengthFrom(given), seed, leakedBytes }
})

/** Whatever takes longer than this has come to a halt. */
const HALTED_MS = 30_000

const root = realpathSync(mkdtempSync(join(tmpdir(), 'hookline-soak-')))
const temp = join(root, 'temp')
mkdirSync(temp)
process.env.TMPDIR = temp
const token = `HOOKLINE_SOAK=${root}`
const everlasting = new AbortController().signal
setMaxListeners(0, everlasting) // this host has more events under way than Node expects
/** @type {import('./soak/compare.js').Difference[]} */
const warnings = []
process.on('warning', ({ message }) => warnings.push({ what: 'warning of Node', was: 'none', is: message }))

const { HOOKLINE_LAUNCHER: launcher } = process.env
console.log(`soak of ${length.title}, seed ${seed}, Node ${process.version}, in ${root}`)
console.log(`launcher: ${launcher || 'the usual one'}`)
const start = performance.now()
startTrail()
await startChildOnce()
collectGarbage()
const before = usedResources({ temp, token, signal: everlasting })

const noteEnd = () => watchdog.refresh()
const host = await Host.open({ root, token, signal: everlasting, random: randomFrom(seed), noteEnd })
const watchdog = setTimeout(giveUp, HALTED_MS)
/** @type {import('./soak/memory.js').Sample[]} */
const samples = []
/** @type {number[][]} */
const leaked = []
for (let shift = 1; shift <= length.shifts; shift++) {
  await host.work(length, shift / length.shifts)
  if (leakedBytes > 0)
    while (leaked.length < host.tally.events) leaked.push(new Array(Math.ceil(leakedBytes / 8)).fill(0))
  samples.push(sampleMemory(host.tally.events))
  console.log(progressLine(shift))
}
await host.close()
clearTimeout(watchdog)

const after = await settledResources(before, () => usedResources({ temp, token, signal: everlasting }))
console.log(`\n${host.tally.summary()}`)
console.log(`Before: ${countsByKind(before)}.\nAfter:  ${countsByKind(after)}.`)
const differences = [...differencesBetween(before, after), ...judgeMemory(samples), ...host.surprises, ...warnings]
for (const left of describeLeftProcesses(token)) console.log(`LEFT     ${left}`)
rmSync(root, { recursive: true, force: true })

if (differences.length === 0) console.log('Nothing differs from the start.')
for (const { what, was, is } of differences) console.log(`DIFFERS  ${what.padEnd(40)} before: ${was}, after: ${is}`)
if (differences.length > 0) sayHowToRepeat()
process.exitCode = differences.length > 0 ? 1 : 0

/** @param {number} shift */
function progressLine(shift) {
  const { events, eventsWithProcesses } = host.tally
  const { heapBytes, outsideBytes, residentBytes } = samples.at(-1) ?? sampleMemory(0)
  const mebibytes = (/** @type {number} */ bytes) => `${(bytes / 1024 / 1024).toFixed(2)} MiB`
  const seconds = ((performance.now() - start) / 1000).toFixed(0)
  const done = `${String(Math.round((100 * shift) / length.shifts)).padStart(3)} % after ${seconds} s`
  const memory = `heap ${mebibytes(heapBytes)}, outside ${mebibytes(outsideBytes)}, resident ${mebibytes(residentBytes)}`
  return `${done}: ${events} events, ${eventsWithProcesses} with processes, ${memory}`
}

/** Something never came to its end. */
function giveUp() {
  console.log(`DIFFERS  nothing ended for ${HALTED_MS / 1000} s: ${host.underWay().join(', ') || 'closing'}`)
  sayHowToRepeat()
  process.exit(1)
}

function sayHowToRepeat() {
  const planted = leakedBytes > 0 ? ` --plant-leak ${leakedBytes}` : ''
  const environment = launcher ? `HOOKLINE_LAUNCHER=${launcher} ` : ''
  console.log(`Run it again with: ${environment}npm run soak -- ${length.repeatedBy} --seed ${seed}${planted}`)
}
