import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import type { Audience } from './access.ts'
import { ANSWERS, BODIES, QUERIES } from './api.ts'
import { toDay } from './batch.ts'
import { exportEvents } from './export.ts'
import type { Ingest } from './ingest.ts'
import { hashKey, makeKey } from './keys.ts'
import { formatMetrics, type ServerCounts } from './metrics.ts'
import { describeApi } from './openapi.ts'
import type { Quotas } from './quotas.ts'
import { readPackedBody } from './request-body.ts'
import { RequestError } from './request-error.ts'
import type { Tenant } from './store/database.ts'
import {
  countRefusals,
  findAlarms,
  listEvents,
  listGaps,
  listHeads,
  listMachines,
  listSessions,
  listSessionWords,
  measureHooks,
  measureHours,
  readBody,
  readHead,
} from './store/queries.ts'
import type { FleetStore } from './store/store.ts'
import type { RecordStream } from './stream/record-stream.ts'

/** Parts of a running server that answers are made with. */
export interface Fleet {
  readonly store: FleetStore
  readonly stream: RecordStream | null
  readonly ingest: Ingest
  readonly quotas: Quotas
  readonly counts: ServerCounts
}

/** A request whose sender may ask, and whose parameters and body are valid. */
export interface Call<Query = unknown, Body = unknown> {
  readonly fleet: Fleet
  readonly query: Query
  readonly body: Body
  readonly request: IncomingMessage
  /** Tenant of the credential, or the one that the owner of the server names. */
  readonly tenant: Tenant
  /** True for the owner of the server, who is of no tenant. */
  readonly isOwner: boolean
  /** Id of the machine that asks; empty for a person. */
  readonly machine: string
}

/** An answer: a value, or a text, whole or in parts. */
export type Answer =
  | { readonly status?: number; readonly json: unknown }
  | { readonly type: string; readonly text: string | AsyncIterable<string> }

/** A question that the server answers. Requests are checked, and the document of the interface is made, by its schemas. */
export interface Route {
  readonly path: `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`
  /** Party that may ask. */
  readonly audience: Audience
  readonly about: string
  readonly query: z.ZodObject
  readonly body?: z.ZodType
  /** Schema of the answer, or the content type of one that is not JSON. */
  readonly answers: z.ZodType | string
  readonly status?: number
  /** True where the owner of the server makes a tenant by naming it. */
  readonly makesTenant?: true
  readonly answer: (call: Call) => Promise<Answer>
}

/** Makes a route of typed parts. */
function defineRoute<Query extends z.ZodObject, Body extends z.ZodType>(
  path: Route['path'],
  audience: Audience,
  {
    find,
    ...more
  }: Omit<Route, 'path' | 'audience' | 'query' | 'body' | 'answer'> & {
    readonly query: Query
    readonly body?: Body
    readonly find: (call: Call<z.output<Query>, z.output<Body>>) => Promise<unknown>
  },
): Route {
  const answer = async (call: Call): Promise<Answer> => {
    const found = await find(call as Call<z.output<Query>, z.output<Body>>) // checked by the schemas of this route
    if (typeof more.answers === 'string') return { type: more.answers, text: found as string | AsyncIterable<string> } // the type of such routes
    return { json: found, ...(more.status === undefined ? {} : { status: more.status }) }
  }
  return { path, audience, ...more, answer }
}

const PLAIN_TEXT = 'text/plain; charset=utf-8'
const PROMETHEUS_TEXT = 'text/plain; version=0.0.4; charset=utf-8'
const NDJSON = 'application/x-ndjson'
const DAY_MS = 86_400_000
const FIGURE_DAYS = 30
const ALARM_DAYS = 7

const findStart = (since: number | undefined, days: number): number => since ?? Date.now() - days * DAY_MS

/** Questions that the server answers. */
export const ROUTES: readonly Route[] = [
  defineRoute('GET /healthz', 'anyone', {
    about: 'True while the process answers.',
    ...{ query: QUERIES.none, answers: PLAIN_TEXT, find: async () => 'ok\n' },
  }),
  defineRoute('GET /readyz', 'anyone', {
    about:
      'True while records are taken: the store answers and took the last batch, or the stream in front of it answers.',
    ...{ query: QUERIES.none, answers: PLAIN_TEXT },
    find: async ({ fleet: { store, stream, ingest } }) => {
      await (stream ?? store).check()
      if (stream === null && !ingest.isStoring(Date.now()))
        throw new RequestError(503, 'the store has not taken the last batch', { 'retry-after': '5' })
      return 'ready\n'
    },
  }),
  defineRoute('GET /v1/openapi.json', 'anyone', {
    about: 'This document.',
    ...{ query: QUERIES.none, answers: z.record(z.string(), z.unknown()), find: async () => describeApi(ROUTES) },
  }),
  defineRoute('GET /metrics', 'viewer', {
    about: 'Figures for Prometheus: of the tenant of the key, or of the whole server for its owner.',
    ...{ query: QUERIES.none, answers: PROMETHEUS_TEXT },
    find: async ({ fleet, tenant, isOwner }) =>
      formatMetrics(fleet.store.database, {
        tenants: isOwner ? await fleet.store.listTenants() : [tenant],
        counts: isOwner ? fleet.counts : null,
        stream: (isOwner && (await fleet.stream?.measure())) || null,
      }),
  }),
  defineRoute('POST /v1/enrol', 'anyone', {
    about: 'Exchanges a token, which works once, for the key of a machine.',
    ...{ query: QUERIES.none, body: BODIES.enrolment, answers: ANSWERS.enrolment, status: 201 },
    find: ({ fleet: { store }, body }) => enrolMachine(store, body),
  }),
  defineRoute('POST /v1/records', 'machine', {
    about:
      'Takes a batch: gzip of a header and the lines of a segment. The answer says what is stored, or is in the stream for good.',
    ...{ query: QUERIES.none, answers: ANSWERS.records, find: takeRecords },
  }),
  defineRoute('GET /v1/status', 'machine', {
    about: 'The head of a segment as the server knows it.',
    ...{ query: QUERIES.status, answers: ANSWERS.status },
    find: async ({ fleet, tenant, machine, query: { epoch } }) => ({
      machine,
      head: await readHead(fleet.store.database, tenant, { machine, epoch }),
    }),
  }),
  defineRoute('GET /v1/machines', 'viewer', {
    about: 'Machines by their ids, and the newest gaps.',
    ...{ query: QUERIES.machines, answers: ANSWERS.machines },
    find: async ({ fleet: { store }, tenant, query }) => {
      const { rows, cursor } = await listMachines(store.database, tenant, query)
      return { machines: rows, gaps: await listGaps(store.database, tenant), cursor }
    },
  }),
  defineRoute('GET /v1/heads', 'viewer', {
    about: 'Segments of a machine, the newest first.',
    ...{ query: QUERIES.machine, answers: ANSWERS.heads },
    find: async ({ fleet, tenant, query }) => ({
      heads: await listHeads(fleet.store.database, tenant, query.machine),
    }),
  }),
  defineRoute('GET /v1/alarms', 'viewer', {
    about: 'Guards that are silent on one machine, gaps without a reason, hooks that fail too often; of 7 days.',
    ...{ query: QUERIES.alarms, answers: ANSWERS.alarms },
    find: async ({ fleet, tenant, query: { since, failing } }) => ({
      alarms: await findAlarms(fleet.store.database, tenant, {
        day: toDay(findStart(since, ALARM_DAYS)),
        maxFailing: failing,
      }),
    }),
  }),
  defineRoute('GET /v1/hooks', 'viewer', {
    about: 'Hooks by what they did; of 30 days.',
    ...{ query: QUERIES.since, answers: ANSWERS.hooks },
    find: async ({ fleet, tenant, query: { since } }) => ({
      hooks: await measureHooks(fleet.store.database, tenant, findStart(since, FIGURE_DAYS)),
    }),
  }),
  defineRoute('GET /v1/hours', 'viewer', {
    about: 'p95 of each hook hour by hour; of 30 days.',
    ...{ query: QUERIES.since, answers: ANSWERS.hours },
    find: async ({ fleet, tenant, query: { since } }) => ({
      hours: await measureHours(fleet.store.database, tenant, findStart(since, FIGURE_DAYS)),
    }),
  }),
  defineRoute('GET /v1/refusals', 'viewer', {
    about: 'Refusals by hook, event and tool; of 30 days.',
    ...{ query: QUERIES.since, answers: ANSWERS.refusals },
    find: async ({ fleet, tenant, query: { since } }) => ({
      refusals: await countRefusals(fleet.store.database, tenant, toDay(findStart(since, FIGURE_DAYS))),
    }),
  }),
  defineRoute('GET /v1/sessions', 'viewer', {
    about: 'Sessions, the newest first, and the words that filters offer.',
    ...{ query: QUERIES.sessions, answers: ANSWERS.sessions },
    find: async ({ fleet: { store }, tenant, query: { agent: client, q: text, ...query } }) => ({
      ...(await listSessions(store.database, tenant, { ...query, client, text })),
      ...(await listSessionWords(store.database, tenant)),
    }),
  }),
  defineRoute('GET /v1/events', 'viewer', {
    about: 'Events, the newest first.',
    ...{ query: QUERIES.events, answers: ANSWERS.events },
    find: async ({ fleet, tenant, query: { agent: client, ...query } }) => {
      const { rows, cursor } = await listEvents(fleet.store.database, tenant, { ...query, client })
      return { events: rows, cursor }
    },
  }),
  defineRoute('GET /v1/body', 'viewer', {
    about: 'Record and event of one event, where the level of its machine has them.',
    ...{ query: QUERIES.body, answers: ANSWERS.body },
    find: async ({ fleet, tenant, query }) => {
      const body = await readBody(fleet.store.database, tenant, query)
      return { body: body === null ? null : JSON.parse(body) }
    },
  }),
  defineRoute('GET /v1/export', 'viewer', {
    about: 'All events: a line each, or lines of OTLP logs.',
    ...{ query: QUERIES.export, answers: NDJSON },
    find: async ({ fleet, tenant, query: { format } }) => exportEvents(fleet.store.database, tenant, format),
  }),
  defineRoute('GET /v1/size', 'viewer', {
    about: 'Bytes of the tenant on the disk.',
    ...{ query: QUERIES.none, answers: ANSWERS.size },
    find: async ({ fleet, tenant }) => ({ bytes: await fleet.store.database.measure(tenant) }),
  }),
  defineRoute('POST /v1/tokens', 'admin', {
    about: 'Makes a token that enrols one machine within a day. The owner of the server makes a tenant by naming it.',
    ...{ query: QUERIES.none, answers: ANSWERS.token, status: 201, makesTenant: true },
    find: ({ fleet, tenant }) => makeToken(fleet.store, tenant),
  }),
  defineRoute('GET /v1/keys', 'admin', {
    about: "People's keys, without the secrets.",
    ...{ query: QUERIES.none, answers: ANSWERS.keys },
    find: async ({ fleet, tenant }) => ({ keys: await fleet.store.listKeys(tenant) }),
  }),
  defineRoute('POST /v1/keys', 'admin', {
    about: 'Makes the key of a person, with a role. One of the same name is replaced.',
    ...{ query: QUERIES.none, body: BODIES.key, answers: ANSWERS.key, status: 201 },
    find: ({ fleet, tenant, body }) => addKey(fleet.store, tenant, body),
  }),
  defineRoute('DELETE /v1/keys', 'admin', {
    about: 'Takes the key of a person.',
    ...{ query: QUERIES.keyName, answers: ANSWERS.revoked },
    find: async ({ fleet, tenant, query: { name } }) => {
      if (!(await fleet.store.removeKey(tenant, name))) throw new RequestError(404, 'there is no key of that name')
      return { revoked: name }
    },
  }),
  defineRoute('POST /v1/revoke', 'admin', {
    about: 'Takes the key of a machine: it can send nothing any more, and what it sent stays.',
    ...{ query: QUERIES.none, body: BODIES.machine, answers: ANSWERS.revoked },
    find: async ({ fleet, tenant, body: { machine } }) => {
      if (!(await fleet.store.revokeMachine(tenant, machine)))
        throw new RequestError(404, 'no machine of this tenant has that id and a key')
      return { revoked: machine }
    },
  }),
  defineRoute('POST /v1/erase', 'admin', {
    about: 'Deletes the key that the bodies of a person are sealed with: nobody can read them any more.',
    ...{ query: QUERIES.none, body: BODIES.person, answers: ANSWERS.erased },
    find: async ({ fleet, tenant, body: { person } }) => {
      await fleet.store.erasePerson(tenant, person, Date.now())
      return { erased: person }
    },
  }),
  defineRoute('GET /v1/retention', 'viewer', {
    about: 'Days that the tenant keeps bodies, facts and figures.',
    ...{ query: QUERIES.none, answers: ANSWERS.retention },
    find: ({ fleet, tenant }) => fleet.store.readRetention(tenant),
  }),
  defineRoute('PUT /v1/retention', 'admin', {
    about: 'Says how many days the tenant keeps, and drops what is older.',
    ...{ query: QUERIES.none, body: BODIES.retention, answers: ANSWERS.dropped },
    find: async ({ fleet, tenant, body }) => {
      await fleet.store.setRetention(tenant, body)
      return { dropped: await fleet.store.dropOldDays(tenant, Date.now()) }
    },
  }),
  defineRoute('GET /v1/tenants', 'owner', {
    about: 'Names of all tenants.',
    ...{ query: QUERIES.none, answers: ANSWERS.tenants },
    find: async ({ fleet }) => ({ tenants: (await fleet.store.listTenants()).map(({ name }) => name) }),
  }),
]

async function takeRecords({ fleet, request, tenant, machine }: Call): Promise<unknown> {
  const wait = fleet.quotas.take(machine, Date.now())
  if (wait !== null) throw new RequestError(429, 'too many batches of this machine', { 'retry-after': String(wait) })
  const answer = await fleet.ingest.take(tenant, machine, await readPackedBody(request))
  fleet.counts.batches++
  fleet.counts.records += answer.stored
  fleet.counts.refused += answer.refused.length
  return answer
}

async function enrolMachine(store: FleetStore, { token, name }: z.output<typeof BODIES.enrolment>): Promise<unknown> {
  const machine = { id: randomUUID(), key: makeKey() }
  const shown = name?.slice(0, 256).replaceAll('\0', '') ?? machine.id
  const enrolled = { id: machine.id, name: shown, keyHash: hashKey(machine.key) }
  if ((await store.enrolMachine(hashKey(token), enrolled, Date.now())) === null)
    throw new RequestError(403, 'the token is unknown, was used, or has expired: ask for a new one')
  return { machine: machine.id, key: machine.key }
}

const TOKEN_HOURS = 24

/** Makes a token that enrols one machine. */
export async function makeToken(store: FleetStore, tenant: Tenant): Promise<{ token: string; expiresAt: string }> {
  const token = makeKey()
  const expiresAt = Date.now() + TOKEN_HOURS * 3_600_000
  await store.addToken(tenant, hashKey(token), expiresAt)
  return { token, expiresAt: new Date(expiresAt).toISOString() }
}

async function addKey(
  store: FleetStore,
  tenant: Tenant,
  { name, role, days }: z.output<typeof BODIES.key>,
): Promise<unknown> {
  const key = makeKey()
  const row = { name, role, madeAt: Date.now(), expiresAt: Date.now() + days * DAY_MS }
  await store.addKey(tenant, hashKey(key), row)
  return { ...row, key }
}
