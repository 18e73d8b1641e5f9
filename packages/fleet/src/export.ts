import type { Database, Tenant } from './store/database.ts'
import { type FleetEvent, groupRows, listEvents } from './store/queries.ts'

const PAGE_ROWS = 1000
const NANOSECONDS_OF_MS = 1_000_000n
const SEVERITY_INFO = 9
const SEVERITY_WARN = 13

/** Streams all events of a tenant, the newest first. */
export async function* exportEvents(
  database: Database,
  tenant: Tenant,
  format: 'ndjson' | 'otlp',
): AsyncGenerator<string> {
  for (let cursor: string | undefined; ; ) {
    const page = await listEvents(database, tenant, { limit: PAGE_ROWS, cursor })
    if (format === 'ndjson') for (const event of page.rows) yield `${JSON.stringify(event)}\n`
    else if (page.rows.length > 0) yield `${JSON.stringify(toOtlpLogs(page.rows))}\n`
    if (page.cursor === null) return
    cursor = page.cursor
  }
}

/** Writes events as a request of OTLP for logs, with a resource for each machine. */
function toOtlpLogs(events: readonly FleetEvent[]): object {
  const machines = groupRows(events, ({ machine }) => machine)
  return {
    resourceLogs: [...machines].map(([machine, found]) => ({
      resource: { attributes: toAttributes({ 'service.name': 'hookline', 'host.id': machine }) },
      scopeLogs: [{ scope: { name: 'hookline' }, logRecords: found.map(toLogRecord) }],
    })),
  }
}

function toLogRecord({ epoch, seq, at, session, person, facts }: FleetEvent): object {
  const { event, tool, outcome, project, projectName, client, ms } = facts
  const isPassed = outcome === 'passed' || outcome === 'allowed'
  return {
    timeUnixNano: String(BigInt(at) * NANOSECONDS_OF_MS),
    severityNumber: isPassed ? SEVERITY_INFO : SEVERITY_WARN,
    severityText: isPassed ? 'INFO' : 'WARN',
    eventName: 'hookline.event',
    body: { stringValue: JSON.stringify(facts) },
    attributes: toAttributes({
      ...{ 'session.id': session, 'user.id': person, 'hookline.event': event, 'hookline.outcome': outcome },
      ...{ 'hookline.tool': tool, 'hookline.client': client, 'hookline.project': projectName, 'hookline.ms': ms },
      ...{ 'hookline.project.hash': project, 'hookline.epoch': epoch, 'hookline.seq': seq },
    }),
  }
}

/** Attributes of those values that are there. Whole numbers are texts in the JSON of OTLP. */
function toAttributes(values: Readonly<Record<string, unknown>>): object[] {
  return Object.entries(values).flatMap(([key, value]): object[] => {
    if (typeof value === 'string') return [{ key, value: { stringValue: value } }]
    if (typeof value !== 'number') return []
    return [{ key, value: Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value } }]
  })
}
