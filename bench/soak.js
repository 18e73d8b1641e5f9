/**
 * `npm run soak`: a host that does everything at random for some minutes, and then must be as it was before.
 * `--minutes N` or `--seconds N` say how long, `--seed S` repeats the choices of an earlier run.
 */
import { setMaxListeners } from 'node:events'
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { differencesBetween, settledResources } from './soak/compare.js'
import { Host } from './soak/host.js'
import { collectGarbage, judgeMemory, sampleMemory } from './soak/memory.js'
import { randomFrom } from './soak/random.js'
import { startChildOnce, usedResources } from './soak/resources.js'

const {
  minutes,
  seconds,
  seed: given,
} = parseArgs({
  options: { minutes: { type: 'string' }, seconds: { type: 'string' }, seed: { type: 'string' } },
}).values
const lengthMs = seconds === undefined ? Number(minutes ?? 3) * 60_000 : Number(seconds) * 1000
const seed = given === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(given)
if (!(lengthMs > 0) || !Number.isInteger(seed))
  throw new Error('--minutes and --seconds are numbers, --seed is an integer')

/** More than any work needs that is under way when the time is over. */
const OVERTIME_MS = 30_000
/** How long the host works between two looks at its memory. */
const SHIFT_MS = Math.min(2000, lengthMs / 4)

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
const watchdog = setTimeout(giveUp, lengthMs + OVERTIME_MS)

console.log(`soak of ${lengthMs / 1000} s, seed ${seed}, Node ${process.version}, in ${root}`)
await startChildOnce()
collectGarbage()
const before = usedResources({ temp, token, signal: everlasting })

const random = randomFrom(seed)
const host = await Host.open({ root, token, signal: everlasting, random })
/** @type {import('./soak/memory.js').Sample[]} */
const samples = []
const end = performance.now() + lengthMs
while (performance.now() < end) {
  await host.work(Math.min(SHIFT_MS, end - performance.now()))
  samples.push(sampleMemory(host.events))
  console.log(progressLine())
}
await host.close()

const after = await settledResources(before, () => usedResources({ temp, token, signal: everlasting }))
clearTimeout(watchdog)
const differences = [...differencesBetween(before, after), ...judgeMemory(samples), ...host.surprises, ...warnings]
rmSync(root, { recursive: true, force: true })

console.log(`\n${host.summary()}`)
if (differences.length === 0) console.log('Nothing differs from the start.')
for (const { what, was, is } of differences) console.log(`DIFFERS  ${what.padEnd(34)} before: ${was}, after: ${is}`)
if (differences.length > 0)
  console.log(`Run it again with: npm run soak -- --seconds ${lengthMs / 1000} --seed ${seed}`)
process.exitCode = differences.length > 0 ? 1 : 0

function progressLine() {
  const { heapBytes, outsideBytes, residentBytes } = samples.at(-1) ?? sampleMemory(0)
  const mebibytes = (/** @type {number} */ bytes) => `${(bytes / 1024 / 1024).toFixed(2)} MiB`
  const left = Math.max(0, (end - performance.now()) / 1000).toFixed(0)
  const memory = `heap ${mebibytes(heapBytes)}, outside ${mebibytes(outsideBytes)}, resident ${mebibytes(residentBytes)}`
  return `${String(host.events).padStart(6)} events, ${memory}, ${left} s left`
}

/** Something never came to its end. */
function giveUp() {
  console.log(
    `DIFFERS  still at work ${OVERTIME_MS / 1000} s after the end: ${host.underWay().join(', ') || 'closing'}`,
  )
  console.log(`Run it again with: npm run soak -- --seconds ${lengthMs / 1000} --seed ${seed}`)
  process.exit(1)
}
