/**
 * A host for the measure of telemetry: `none` has nothing to do with it, `loaded` has loaded `hookline/otel` and does not use it,
 * `used` gives it to its engine, where no SDK is registered. A line dispatches an event with a function hook so many times, and
 * prints the CPU time in milliseconds.
 */
import { createInterface } from 'node:readline'
import { BASH_CALL, withEngine } from './project.js'

const [way] = process.argv.slice(2)
const options = way === 'none' ? {} : await telemetryOptions()
await withEngine({}, serve, way === 'used' ? options : {})

async function telemetryOptions() {
  const { makeTelemetry } = await import('hookline/otel')
  return makeTelemetry(await import('@opentelemetry/api'))
}

/** @param {import('hookline').Engine} engine */
async function serve(engine) {
  await engine.on('PreToolUse', async () => ({ continue: true }))
  for await (const line of createInterface(process.stdin)) {
    const before = process.cpuUsage()
    for (let left = Number(line); left > 0; left--) await engine.dispatch(BASH_CALL)
    const { user, system } = process.cpuUsage(before)
    console.log(String((user + system) / 1000))
  }
}
