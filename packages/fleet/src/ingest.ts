import { gunzipSync } from 'node:zlib'
import {
  type ChainLine,
  collectSecrets,
  hashEpoch,
  hashLine,
  makeRedactor,
  parseChainLine,
  parseJsonOrNull,
} from 'hookline/internal'
import type { FleetStore, GapRow, Head, StoredBatch, StoredRecord, StoredRun } from './store/store.ts'

/** Bytes of a batch once it is unpacked; a bomb is not unpacked further. */
const MAX_UNPACKED_BYTES = 16 * 1024 * 1024
const MAX_RECORDS = 5000
const MAX_RECORD_CHARS = 4 * 1024 * 1024
const MAX_NAME_CHARS = 256

/** A batch that cannot be taken, and the status to answer with. */
export class BatchError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Answer to a batch: the highest number that is stored, and records that are not, with the reasons. */
export interface BatchAnswer {
  readonly acked: number
  /** Records that were not known before. */
  readonly stored: number
  readonly refused: readonly { readonly seq: number; readonly reason: string }[]
}

/** Stores a batch of a machine. Resolves once it is committed. Throws a BatchError for one that is none. */
export async function takeBatch(store: FleetStore, machine: string, packed: Buffer, now: Date): Promise<BatchAnswer> {
  const { epoch, person, lines } = parseBatch(unpack(packed))
  const head = await store.readHead(machine, epoch)
  const fresh = lines.filter(({ seq }) => seq > (head?.seq ?? 0))
  const gaps = findGaps(lines, head ?? { seq: 0, head: hashEpoch(epoch) }, now)
  const refused: { seq: number; reason: string }[] = []
  const records = fresh.flatMap((line): StoredRecord[] => {
    const fault = findFault(line)
    if (fault !== null) refused.push({ seq: line.seq, reason: fault })
    return fault === null ? [toRecord(line, now)] : []
  })
  const last = lines.at(-1)
  if (!last) return { acked: head?.seq ?? 0, stored: 0, refused }
  const batch: StoredBatch = {
    ...{ machine, epoch, person, records },
    head: { seq: last.seq, head: hashLine(last) },
    engine: findEngine(fresh),
  }
  if (fresh.length > 0 || gaps.length > 0) await store.addBatch(batch, gaps)
  return { acked: last.seq, stored: records.length, refused }
}

function unpack(packed: Buffer): string {
  try {
    return gunzipSync(packed, { maxOutputLength: MAX_UNPACKED_BYTES }).toString('utf8')
  } catch (error) {
    const isTooLong = error instanceof RangeError
    throw new BatchError(isTooLong ? 413 : 400, isTooLong ? 'the batch is too large' : 'the batch is not gzip')
  }
}

function parseBatch(text: string): { epoch: string; person: string | null; lines: ChainLine[] } {
  const [first = '', ...rest] = text.split('\n').filter((line) => line !== '')
  const header = parseJsonOrNull(first) as { v?: unknown; epoch?: unknown; person?: unknown } | null
  if (
    header === null ||
    typeof header !== 'object' ||
    typeof header.epoch !== 'string' ||
    !/^[0-9a-z]{1,64}$/.test(header.epoch)
  )
    throw new BatchError(400, 'the first line is not the header of a batch')
  if (header.v !== 1)
    throw new BatchError(400, `batches of version ${String(header.v)} are not known here: upgrade the server`)
  if (rest.length > MAX_RECORDS) throw new BatchError(413, `a batch has at most ${MAX_RECORDS} records`)
  const lines = rest.map((line, at) => {
    const parsed = parseChainLine(line)
    if (parsed === null) throw new BatchError(400, `line ${at + 2} is not a record`)
    return parsed
  })
  const isOrdered = lines.every(({ seq }, at) => at === 0 || seq > (lines[at - 1]?.seq ?? 0))
  if (!isOrdered) throw new BatchError(400, 'the records are not in their order')
  const { person } = header
  return { epoch: header.epoch, person: typeof person === 'string' ? person.slice(0, MAX_NAME_CHARS) : null, lines }
}

/** Finds where the chain of a segment is broken, or where records are missing, and what the machine says it lost. */
function findGaps(lines: readonly ChainLine[], known: Head, now: Date): Omit<GapRow, 'machine' | 'epoch'>[] {
  const seenAt = now.toISOString()
  let last = known
  return lines.flatMap((line) => {
    const { seq, prev, facts } = line
    const before = last
    if (seq < before.seq) return [] // sent once more
    const hash = hashLine(line)
    if (seq === before.seq)
      return hash === before.head
        ? []
        : [{ seq, count: 1, because: 'replaced: another record of this number was acknowledged', seenAt }]
    last = { seq, head: hash }
    if (seq > before.seq + 1)
      return [
        { seq: before.seq + 1, count: seq - before.seq - 1, because: 'missing: these records never came', seenAt },
      ]
    if (prev !== before.head)
      return [{ seq, count: 1, because: 'edited: the record before is not the one that was written', seenAt }]
    return 'lost' in facts ? [{ seq, count: facts.lost, because: `lost: ${facts.because}`, seenAt }] : []
  })
}

/** Reason why a record is not stored; null where it is. */
function findFault(line: ChainLine): string | null {
  if (JSON.stringify(line).length > MAX_RECORD_CHARS) return 'it is too large'
  return Number.isNaN(Date.parse(String(line.facts.at))) ? 'it has no time' : null
}

/** Clocks that are further off than this say nothing about when. */
const MAX_CLOCK_OFF_MS = 2 * 24 * 60 * 60 * 1000

function toRecord(line: ChainLine, now: Date): StoredRecord {
  const { seq, facts, body } = line
  const { event, tool, session, project, client, outcome, ms, hooks } = facts as unknown as Record<string, unknown> // as the machine sent it
  const time = new Date(facts.at)
  const isClockOff = Math.abs(time.getTime() - now.getTime()) > MAX_CLOCK_OFF_MS
  const at = (isClockOff ? now : time).toISOString()
  return {
    seq,
    at,
    day: isClockOff ? 'clock-off' : at.slice(0, 'yyyy-mm-dd'.length),
    event: toName(event),
    tool: toName(tool),
    session: toName(session),
    project: toName(project),
    client: toName(client),
    outcome: toName(outcome),
    ms: typeof ms === 'number' ? ms : null,
    facts: JSON.stringify(facts),
    body: body === undefined ? null : redactBody(body),
    isCount: event !== undefined && session === undefined,
    hooks: Array.isArray(hooks) ? hooks.flatMap(toRun) : [],
  }
}

const redact = makeRedactor({})

/** Takes secrets out once more: a machine may be older than the rules of this server. */
function redactBody(body: string): string {
  const value = parseJsonOrNull(body)
  return value === null ? '' : redact(value, collectSecrets(value))
}

function toRun(hook: unknown): StoredRun[] {
  if (typeof hook !== 'object' || hook === null) return []
  const { key, verdict, outcome, failed, timedOut, ms } = hook as Record<string, unknown>
  if (typeof key !== 'string' || typeof verdict !== 'string') return []
  const isFailed = failed === true || timedOut === true || outcome === 'non_blocking_error'
  return [
    {
      key: key.slice(0, MAX_NAME_CHARS),
      verdict,
      outcome: toName(outcome),
      isFailed,
      ms: typeof ms === 'number' ? ms : null,
    },
  ]
}

function toName(value: unknown): string | null {
  return typeof value === 'string' ? value.slice(0, MAX_NAME_CHARS) : null
}

function findEngine(lines: readonly ChainLine[]): string | null {
  const named = lines.flatMap(({ facts }) => ('engine' in facts ? [facts.engine] : []))
  return named.at(-1) ?? null
}
