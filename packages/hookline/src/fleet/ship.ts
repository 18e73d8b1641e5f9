import { gzipSync } from 'node:zlib'
import { isObject } from '../text/json.ts'
import { type ChainLine, hashLine, type KnownHead, parseChainLine } from './chain.ts'
import {
  appendRefused,
  listSegments,
  noteAck,
  readSegment,
  removeShipped,
  type Segment,
  type SpoolPlace,
} from './segments.ts'
import { describeUnreached, makeServerAddress } from './server-address.ts'

/** Records of one batch at most. */
const MAX_BATCH_RECORDS = 500
/** Bytes of one batch at most, before it is compressed; a single record may be longer. */
const MAX_BATCH_BYTES = 1024 * 1024
const REQUEST_TIMEOUT_MS = 30_000

/** Party that records are sent to, and credential of this machine. */
export interface FleetServer {
  readonly url: string
  readonly key: string
}

/** A batch as it leaves the machine: a line that says what it is, and the lines of a segment. */
export interface Batch {
  readonly epoch: string
  readonly lines: readonly ChainLine[]
  /** Text on the wire, before it is compressed. */
  readonly text: string
}

/** Outcome of shipping. */
export interface Shipped {
  readonly sent: number
  readonly refused: number
  readonly segments: number
  /** Reason why it ended early; null: all was sent. */
  readonly problem: ShipProblem | null
}

/** Reason why the server has not taken a batch. */
export interface ShipProblem {
  readonly because: string
  /** Trying again may help, after so many seconds where the server says so. */
  readonly retry: { readonly afterSeconds: number | null } | null
}

/** Lists the batches that would leave the machine. */
export async function* listBatches(
  place: SpoolPlace,
  person: string | null,
): AsyncGenerator<Batch & { segment: Segment }> {
  for (const segment of await listSegments(place)) {
    const { lines } = await readSegment(segment)
    const left = listUnshipped(lines.map(parseChainLine), segment)
    for (const batch of splitBatches(left)) yield { ...makeBatch(segment.epoch, batch, person), segment }
  }
}

/** Lists the records that the server has not acknowledged. */
function listUnshipped(lines: readonly (ChainLine | null)[], { acked }: Segment): ChainLine[] {
  return lines.flatMap((line) => (line !== null && line.seq > acked.seq ? [line] : []))
}

function* splitBatches(lines: readonly ChainLine[]): Generator<ChainLine[]> {
  let batch: ChainLine[] = []
  let bytes = 0
  for (const line of lines) {
    const size = JSON.stringify(line).length
    if (batch.length > 0 && (batch.length >= MAX_BATCH_RECORDS || bytes + size > MAX_BATCH_BYTES)) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(line)
    bytes += size
  }
  if (batch.length > 0) yield batch
}

function makeBatch(epoch: string, lines: readonly ChainLine[], person: string | null): Batch {
  const header = { v: 1, epoch, ...(person === null ? {} : { person }) }
  return { epoch, lines, text: [header, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('') }
}

/** Sends what the server does not have yet. Segments that it has whole are removed. Never rejects for what the server does. */
export async function ship(
  place: SpoolPlace,
  server: FleetServer,
  { person = null, signal }: { readonly person?: string | null; readonly signal?: AbortSignal } = {},
): Promise<Shipped> {
  let [sent, refused, segments] = [0, 0, 0]
  for (const { epoch } of await listSegments(place)) {
    for (;;) {
      const segment = (await listSegments(place)).find((one) => one.epoch === epoch)
      const next = segment === undefined ? null : await readNextBatch(segment, person)
      if (segment === undefined || next === null) break
      if (next.lines.length === 0) {
        if (next.isWhole) {
          await removeShipped(segment)
          segments++
        }
        break
      }
      const answer = await post(server, next, signal)
      if ('problem' in answer) return { sent, refused, segments, problem: answer.problem }
      const { acked } = answer
      const taken = next.lines.filter(({ seq }) => seq <= acked.seq)
      if (taken.length === 0)
        return {
          sent,
          refused,
          segments,
          problem: { because: 'it has stored nothing of the batch', retry: { afterSeconds: null } },
        }
      const aside = answer.refused.flatMap(({ seq, reason }) => {
        const line = next.lines.find((one) => one.seq === seq)
        return line === undefined ? [] : [{ line, reason }]
      })
      if (aside.length > 0) await appendRefused(place, epoch, aside)
      await noteAck(place, epoch, acked)
      refused += aside.length
      sent += countRecords(taken) - aside.length
      if (answer.missing.length > 0) sent += await sendMissing(segment, answer.missing, { server, person, signal })
    }
  }
  return { sent, refused, segments, problem: null }
}

/** Sends once more what a server has lost that this machine still has, as where it was restored from a backup. Returns the number. */
async function sendMissing(
  segment: Segment,
  missing: ShipAnswer['missing'],
  { server, person, signal }: { server: FleetServer; person: string | null; signal: AbortSignal | undefined },
): Promise<number> {
  const { lines } = await readSegment(segment)
  const kept = lines.flatMap((text) => {
    const line = parseChainLine(text)
    const isMissing = line !== null && missing.some(({ seq, count }) => line.seq >= seq && line.seq < seq + count)
    return isMissing ? [line] : []
  })
  let sent = 0
  for (const batch of splitBatches(kept)) {
    const answer = await post(server, makeBatch(segment.epoch, batch, person), signal)
    if ('problem' in answer) break // told as missing by the server, until the next answer
    sent += countRecords(batch)
  }
  return sent
}

/** Counts lines that are records: the end of a segment is none. */
export function countRecords(lines: readonly ChainLine[]): number {
  return lines.filter(({ facts }) => !('end' in facts)).length
}

async function readNextBatch(segment: Segment, person: string | null): Promise<(Batch & { isWhole: boolean }) | null> {
  const { lines, rest } = await readSegment(segment)
  const parsed = lines.map(parseChainLine)
  const left = listUnshipped(parsed, segment)
  const [batch = []] = splitBatches(left)
  const last = parsed.at(-1)
  const isEnded = last !== null && last !== undefined && 'end' in last.facts
  return {
    ...makeBatch(segment.epoch, batch, person),
    isWhole: (isEnded || !segment.isOpen) && (rest === '' || !segment.isOpen),
  }
}

interface ShipAnswer {
  readonly acked: KnownHead
  readonly refused: readonly { readonly seq: number; readonly reason: string }[]
  /** Records before the batch that the server does not have. */
  readonly missing: readonly { readonly seq: number; readonly count: number }[]
}

async function post(
  { url, key }: FleetServer,
  { text, lines }: Batch,
  signal: AbortSignal | undefined,
): Promise<ShipAnswer | { readonly problem: ShipProblem }> {
  const limit = AbortSignal.timeout(REQUEST_TIMEOUT_MS)
  try {
    const response = await fetch(makeServerAddress(url, 'v1/records'), {
      method: 'POST',
      redirect: 'error',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/x-ndjson',
        'content-encoding': 'gzip',
      },
      body: gzipSync(text),
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    })
    if (!response.ok) return { problem: await readProblem(response) }
    return readAnswer(await response.json(), lines)
  } catch (error) {
    const because = limit.aborted ? 'it did not answer in time' : `it ${describeUnreached(error)}`
    return { problem: { because, retry: { afterSeconds: null } } }
  }
}

async function readProblem(response: Response): Promise<ShipProblem> {
  const told = (await response.text().catch(() => '')).slice(0, 300).trim()
  const after = Number(response.headers.get('retry-after') ?? Number.NaN)
  const isPassing = response.status === 429 || response.status >= 500
  return {
    because: `it answered ${response.status}${told === '' ? '' : `: ${told}`}`,
    retry: isPassing ? { afterSeconds: Number.isFinite(after) ? after : null } : null,
  }
}

/** Reads what the server has stored: all of the batch where it knows more of the segment. An answer that names what was not sent counts for nothing. */
function readAnswer(answer: unknown, lines: readonly ChainLine[]): ShipAnswer | { readonly problem: ShipProblem } {
  const stored = isObject(answer) && typeof answer.acked === 'number' ? answer.acked : Number.NaN
  const end = lines.at(-1)
  const last = end !== undefined && stored > end.seq ? end : lines.find(({ seq }) => seq === stored)
  if (!isObject(answer) || (stored !== 0 && last === undefined))
    return { problem: { because: 'its answer is not one of a fleet server', retry: null } }
  const acked = last === undefined ? { seq: 0, head: '' } : { seq: last.seq, head: hashLine(last) }
  const refused = Array.isArray(answer.refused) ? answer.refused.filter(isRefusal) : []
  const missing = Array.isArray(answer.missing) ? answer.missing.filter(isGap) : []
  return { acked, refused, missing }
}

function isRefusal(one: unknown): one is { seq: number; reason: string } {
  return isObject(one) && typeof one.seq === 'number' && typeof one.reason === 'string'
}

function isGap(one: unknown): one is { seq: number; count: number } {
  return isObject(one) && typeof one.seq === 'number' && typeof one.count === 'number'
}
