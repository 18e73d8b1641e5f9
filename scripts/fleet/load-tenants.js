/** What a person of one tenant sees of another one: goal F9. */
import { askRandomly } from './ask-randomly.js'
import { enrolMachines, sendUntilTaken } from './load-rates.js'
import { askServer } from './server.js'

const RECORDS = 20

/**
 * @param {import('./server.js').FleetServer} server
 * @param {number} count
 */
export async function measureTenants(server, count) {
  const events = []
  for (const [tenant, project] of [
    ['mine', undefined],
    ['theirs', 'theirs-alone'],
  ]) {
    const machines = await enrolMachines(server, { tenant: tenant ?? '', withBodies: true, project })
    for (const machine of machines)
      await sendUntilTaken(
        server,
        machine,
        machine.packBatch(RECORDS, () => Date.now()),
      )
    events.push((await askServer(server, `v1/events?tenant=${tenant}&limit=1`)).events[0])
  }
  const body = JSON.stringify({ name: 'one who looks', role: 'admin' })
  const { key } = await askServer(server, 'v1/keys?tenant=mine', { method: 'POST', body })
  const [own, foreign] = events
  return askRandomly({ url: server.url, key, count, seed: 9, tenant: 'theirs', own, foreign })
}
