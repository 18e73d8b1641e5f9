import { z } from 'zod'

/** Rows of a page at most. */
const MAX_PAGE_ROWS = 1000
const MAX_WORD_CHARS = 1024

const word = z
  .string()
  .max(MAX_WORD_CHARS)
  .transform((text) => text.replaceAll('\0', ''))
const wholeNumber = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER)
const time = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text))
const page = { limit: z.coerce.number().int().min(1).max(MAX_PAGE_ROWS).default(100), cursor: word.optional() }
const filters = {
  machine: word.optional(),
  person: word.optional(),
  project: word.optional(),
  agent: word.optional(),
  session: word.optional(),
  since: time.optional(),
}

/** Parameters of questions, by the name of what is asked for. */
export const QUERIES = {
  none: z.strictObject({}),
  since: z.strictObject({ since: time.optional() }),
  alarms: z.strictObject({ since: time.optional(), failing: z.coerce.number().min(0).max(1).default(0.1) }),
  machine: z.strictObject({ machine: word }),
  status: z.strictObject({ epoch: word.default('') }),
  machines: z.strictObject(page),
  sessions: z.strictObject({ ...filters, ...page, q: word.optional(), offset: wholeNumber.default(0) }),
  events: z.strictObject({
    ...filters,
    ...page,
    event: word.optional(),
    tool: word.optional(),
    outcome: word.optional(),
  }),
  body: z.strictObject({ machine: word, epoch: word, seq: wholeNumber, day: wholeNumber }),
  keyName: z.strictObject({ name: word }),
  export: z.strictObject({ format: z.enum(['ndjson', 'otlp']).default('ndjson') }),
} as const

/** Roles of people, each of which may do what the ones before may. */
export const ROLES = ['viewer', 'author', 'admin'] as const

/** One of them. */
export type Role = (typeof ROLES)[number]

const days = z.number().int().min(1).max(10_000)
const MAX_KEY_DAYS = 3650

/** Bodies of requests. */
export const BODIES = {
  enrolment: z.object({ token: z.string().max(MAX_WORD_CHARS), name: z.string().optional() }),
  person: z.strictObject({ person: z.string().min(1).max(MAX_WORD_CHARS) }),
  machine: z.strictObject({ machine: z.string().min(1).max(MAX_WORD_CHARS) }),
  key: z.strictObject({
    name: z.string().min(1).max(256),
    role: z.enum(ROLES),
    days: z.number().int().min(1).max(MAX_KEY_DAYS).default(90),
  }),
  retention: z.strictObject({ bodyDays: days, factDays: days, figureDays: days }),
} as const

const text = z.string()
const number = z.number()
const textOrNone = z.string().nullable()
const cursor = z.string().nullable()
const gap = z.strictObject({
  ...{ machine: text, epoch: text, seq: number, count: number },
  ...{ kind: z.enum(['missing', 'edited', 'replaced', 'lost']), because: text, seenAt: number },
})
const session = z.strictObject({
  ...{ session: text, machine: text, client: textOrNone, project: textOrNone, projectName: textOrNone },
  ...{ person: textOrNone, firstAt: number, lastAt: number, events: number, refusals: number, failures: number },
  ...{ runs: number, totalMs: number, slowestMs: number },
})
const hook = z.strictObject({
  ...{ key: text, event: text, scope: text, runs: number, refusals: number, failures: number, timeouts: number },
  ...{ totalMs: number, maxMs: number, p50: number, p95: number, machines: number },
})
const alarm = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('silent-guard'), machine: text, key: text, event: text, because: text }),
  z.strictObject({ kind: z.literal('gap'), machine: text, epoch: text, seq: number, because: text }),
  z.strictObject({ kind: z.literal('failing-hook'), key: text, event: text, share: number, because: text }),
])
const key = z.strictObject({ name: text, role: z.enum(ROLES), madeAt: number, expiresAt: number })

/** Answers, by what is asked for. Times are milliseconds since 1970. */
export const ANSWERS = {
  records: z.strictObject({
    acked: number,
    stored: number,
    refused: z.array(z.strictObject({ seq: number, reason: text })),
    missing: z.array(z.strictObject({ seq: number, count: number })).optional(),
  }),
  enrolment: z.strictObject({ machine: text, key: text }),
  status: z.strictObject({ machine: text, head: z.strictObject({ seq: number, head: text }).nullable() }),
  token: z.strictObject({ token: text, expiresAt: text }),
  tenants: z.strictObject({ tenants: z.array(text) }),
  machines: z.strictObject({
    machines: z.array(
      z.strictObject({
        ...{ id: text, name: text, enrolledAt: number, seenAt: number.nullable(), engine: textOrNone },
        ...{ records: number, sessions: number, gaps: number },
      }),
    ),
    gaps: z.array(gap),
    cursor,
  }),
  heads: z.strictObject({
    heads: z.array(z.strictObject({ epoch: text, seq: number, head: text, ended: number, ackedAt: number })),
  }),
  alarms: z.strictObject({ alarms: z.array(alarm) }),
  hooks: z.strictObject({ hooks: z.array(hook) }),
  hours: z.strictObject({
    hours: z.array(z.strictObject({ key: text, event: text, at: number, runs: number, p95: number })),
  }),
  refusals: z.strictObject({
    refusals: z.array(z.strictObject({ hook: text, event: text, tool: text, outcome: text, count: number })),
  }),
  sessions: z.strictObject({
    ...{ total: number, rows: z.array(session), cursor },
    ...{ projects: z.array(text), agents: z.array(text), people: z.array(text) },
  }),
  events: z.strictObject({
    events: z.array(
      z.strictObject({
        ...{ machine: text, epoch: text, seq: number, at: number, day: number, session: text, person: textOrNone },
        facts: z.record(z.string(), z.unknown()),
      }),
    ),
    cursor,
  }),
  body: z.strictObject({ body: z.unknown() }),
  size: z.strictObject({ bytes: number }),
  erased: z.strictObject({ erased: text }),
  revoked: z.strictObject({ revoked: text }),
  key: z.strictObject({ ...key.shape, key: text }),
  keys: z.strictObject({ keys: z.array(key) }),
  retention: BODIES.retention,
  dropped: z.strictObject({ dropped: z.array(text) }),
  error: z.strictObject({ error: text }),
} as const
