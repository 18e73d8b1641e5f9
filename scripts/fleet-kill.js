/**
 * `npm run fleet:kill`: goals F2 and F12. Hosts, shippers, the server and its database are killed at random (SIGKILL) while hosts decide
 * events; prints what was lost and what is there twice. Of the store `stream`, three servers, a cluster of three of NATS and PostgreSQL
 * are killed in turn, and records have to be taken while each of them is away. `--store` chooses, `--short` is the form of the gate,
 * `--seed N` repeats a run.
 */

import { loadavg } from 'node:os'
import { killFleet } from './fleet/kill-run.js'
import { missingNats } from './fleet/nats.js'
import { missingPostgres } from './fleet/postgres.js'
import { readCall } from './read-options.js'

const { values: flags, readNumber } = readCall(import.meta.url, {
  options: {
    short: { type: 'boolean' },
    store: { type: 'string', multiple: true },
    kills: { type: 'string' },
    events: { type: 'string' },
    seed: { type: 'string' },
  },
})
const kills = readNumber('kills', flags.short ? 5 : 200)
const events = readNumber('events', flags.short ? 600 : 100_000)
const seed = readNumber('seed', Date.now() % 1_000_000)
let isBad = false
for (const store of /** @type {const} */ (['sqlite', 'postgres', 'stream'])) {
  if (flags.store !== undefined && !flags.store.includes(store)) continue
  const missing = (store === 'sqlite' ? null : missingPostgres) ?? (store === 'stream' ? missingNats : null)
  if (missing !== null) {
    console.log(`left out: ${missing}`)
    continue
  }
  console.log(`${store}, seed ${seed}`)
  const found = await killFleet({ store, kills, events, seed, note: (line) => console.log(`  ${line}`) })
  const parts = Object.entries(found.kills).map(([part, count]) => `${part} ${count}`)
  const { decided, acknowledged, stored, lost, unwritten, doubled, stalled } = found
  console.log(
    `${store}: killed ${parts.join(', ')}; decided ${decided}, acknowledged ${acknowledged}, stored ${stored}`,
  )
  console.log(`${store}: ${lost.length} lost, ${doubled} twice (load ${loadavg()[0]?.toFixed(1)})`)
  if (unwritten > 0)
    console.log(
      `${store}: ${unwritten} were decided on a disk that the host called slow, and waited when it was killed`,
    )
  for (const one of lost.slice(0, 10)) console.log(`  ${one}`)
  if (store === 'stream')
    console.log(
      stalled.length === 0
        ? 'stream: records were acknowledged while each part was away'
        : `stream: nothing was acknowledged while these were away: ${stalled.join(', ')}`,
    )
  if (lost.length + doubled + stalled.length > 0) isBad = true
}
process.exitCode = isBad ? 1 : 0
