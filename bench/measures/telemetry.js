import { fileURLToPath } from 'node:url'
import { inRounds, ratioRow } from '../rounds.js'
import { TimedProgram } from '../timed-program.js'

const HOST = fileURLToPath(new URL('../telemetry-host.js', import.meta.url))
const DISPATCHES = 2000
/** Nothing but the noise. */
const ABSENT_TARGET = 1.1

/**
 * What telemetry costs an event where it is absent, and where it is used and no SDK listens.
 * @param {{ quick: boolean }} options
 */
export async function measureTelemetry({ quick }) {
  const hosts = ['none', 'loaded', 'used'].map((way) => new TimedProgram(process.execPath, [HOST, way]))
  try {
    const works = hosts.map((host) => ({ run: () => host.ask(String(DISPATCHES)), times: DISPATCHES }))
    const [none, loaded, used] = works
    if (!none || !loaded || !used) throw new Error('there are three hosts')
    const taken = await inRounds({ rounds: quick ? 5 : 30, warmUp: 3 }, { none, loaded, used })
    return [
      ratioRow('absent: loaded, not used', { ours: taken.loaded, bound: taken.none, target: ABSENT_TARGET }),
      ratioRow('used, no SDK registered', { ours: taken.used, bound: taken.none, target: null }),
    ]
  } finally {
    for (const host of hosts) host.close()
  }
}
