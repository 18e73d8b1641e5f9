import type { AlarmRow, MachineRow } from 'hookline/internal'
import { toDay } from '../batch.ts'
import type { Tenant } from '../store/database.ts'
import { type Alarm, findAlarms, listMachines } from '../store/queries.ts'
import type { FleetStore } from '../store/store.ts'
import { nameMachines } from './record-source.ts'

const MAX_ROWS = 500
const ALARM_DAYS = 7
const MAX_FAILING = 0.1
const DAY_MS = 86_400_000

/** Shows the machines of a tenant, those that were seen last first. */
export async function showMachines(store: FleetStore, tenant: Tenant) {
  const { rows, cursor } = await listMachines(store.database, tenant, { limit: MAX_ROWS })
  const names = await nameMachines(store, tenant)
  const heads = await readNewestHeads(store, tenant)
  const silent = new Map<string, string[]>()
  for (const alarm of await readAlarms(store, tenant)) {
    if (alarm.kind !== 'silent-guard') continue
    silent.set(alarm.machine, [...(silent.get(alarm.machine) ?? []), describeHook(alarm)])
  }
  const machines = rows.map(({ id, name, engine, seenAt, enrolledAt, records, sessions, gaps }): MachineRow => {
    return {
      ...{ id, name: names.get(id) ?? name, version: engine, seenAt, enrolledAt, records, sessions, gaps },
      head: heads.get(id) ?? null,
      silent: silent.get(id) ?? [],
    }
  })
  return {
    machines: machines.sort((a, b) => (b.seenAt ?? 0) - (a.seenAt ?? 0) || (a.name < b.name ? -1 : 1)),
    isCut: cursor !== null,
  }
}

interface HeadRow {
  readonly machine: string
  readonly epoch: string
  readonly seq: number
  readonly head: string
  readonly ended: number
}

/** The segment of each machine that something came of last. */
async function readNewestHeads({ database }: FleetStore, tenant: Tenant) {
  const rows = await database.read(tenant, (sql) =>
    sql.all<HeadRow>(
      `SELECT h.machine, h.epoch, h.seq, h.head, h.ended FROM heads h
       JOIN (SELECT machine, max(acked_at) AS at FROM heads GROUP BY machine) n ON n.machine = h.machine AND n.at = h.acked_at`,
    ),
  )
  return new Map(
    rows.map(({ machine, epoch, seq, head, ended }) => [machine, { epoch, seq, digest: head, ended: ended === 1 }]),
  )
}

/** Shows what a person should look at. */
export async function showAlarms(store: FleetStore, tenant: Tenant) {
  const names = await nameMachines(store, tenant)
  const alarms = (await readAlarms(store, tenant)).map((alarm): AlarmRow => {
    const { kind, because } = alarm
    if (alarm.kind === 'failing-hook') return { kind, machine: null, about: describeHook(alarm), because }
    const machine = names.get(alarm.machine) ?? alarm.machine
    const about = alarm.kind === 'gap' ? `segment ${alarm.epoch}, from record ${alarm.seq}` : describeHook(alarm)
    return { kind, machine, about, because }
  })
  return { alarms, days: ALARM_DAYS, maxFailing: MAX_FAILING }
}

function readAlarms({ database }: FleetStore, tenant: Tenant): Promise<Alarm[]> {
  return findAlarms(database, tenant, { day: toDay(Date.now() - ALARM_DAYS * DAY_MS), maxFailing: MAX_FAILING })
}

const describeHook = ({ event, key }: { readonly event: string; readonly key: string }): string => `${event} ${key}`
