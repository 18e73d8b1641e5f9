import type { Database, Tenant } from './store/database.ts'
import { countFleet } from './store/queries.ts'

/** Counts since a server started. */
export interface ServerCounts {
  batches: number
  records: number
  refused: number
  errors: number
}

/** Messages in the stream in front of the store. */
export interface StreamFigures {
  readonly waiting: number
  readonly aside: number
}

/** Writes figures as a text for Prometheus: a stream that does not answer is one of them. */
export async function formatMetrics(
  database: Database,
  {
    tenants,
    counts,
    stream,
  }: {
    readonly tenants: readonly Tenant[]
    readonly counts: ServerCounts | null
    readonly stream: StreamFigures | 'away' | null
  },
): Promise<string> {
  const sums = { records: 0, machines: 0, gaps: 0 }
  for (const tenant of tenants) {
    await database.addTenant(tenant)
    const found = await countFleet(database, tenant)
    for (const name of ['records', 'machines', 'gaps'] as const) sums[name] += found[name]
  }
  const figures = {
    ...(counts === null
      ? {}
      : {
          hookline_fleet_batches_total: counts.batches,
          hookline_fleet_taken_records_total: counts.records,
          hookline_fleet_refused_records_total: counts.refused,
          hookline_fleet_errors_total: counts.errors,
        }),
    ...(stream === null ? {} : { hookline_fleet_stream_up: stream === 'away' ? 0 : 1 }),
    ...(stream === null || stream === 'away'
      ? {}
      : { hookline_fleet_stream_waiting: stream.waiting, hookline_fleet_stream_aside: stream.aside }),
    hookline_fleet_records: sums.records,
    hookline_fleet_machines: sums.machines,
    hookline_fleet_gaps: sums.gaps,
  }
  return Object.entries(figures)
    .map(([name, value]) => `# TYPE ${name} ${name.endsWith('_total') ? 'counter' : 'gauge'}\n${name} ${value}\n`)
    .join('')
}
