import { gunzip } from 'node:zlib'
import {
  type ChainLine,
  collectSecrets,
  hashEpoch,
  hashLine,
  makeRedactor,
  makeSecretFreeCheck,
  parseChainLine,
  parseJsonOrNull,
} from 'hookline/internal'
import { RequestError } from './request-error.ts'

/** Bytes of a batch once it is unpacked; a bomb is not unpacked further. */
const MAX_UNPACKED_BYTES = 16 * 1024 * 1024
const MAX_RECORDS = 5000
const MAX_RECORD_CHARS = 4 * 1024 * 1024
const MAX_NAME_CHARS = 256
const MAX_HOOKS = 1000
/** Clocks that are further off than this say nothing about when. */
const MAX_CLOCK_OFF_MS = 2 * 24 * 60 * 60 * 1000
/** Day of records whose clock is far off. */
export const CLOCK_OFF_DAY = 0

/** Records of one segment of a machine, in their order. */
export interface Batch {
  readonly machine: string
  readonly epoch: string
  readonly person: string
  readonly lines: readonly BatchLine[]
}

/** A line of a batch: its place in the chain, and what is stored of it. */
export interface BatchLine {
  readonly seq: number
  readonly prev: string
  readonly hash: string
  /** Facts that are told apart: an event, records that the machine lost, the end of the segment, or a record that is refused. */
  readonly content:
    | { readonly is: 'event'; readonly record: StoredRecord; readonly isBodyGone: boolean }
    | { readonly is: 'lost'; readonly count: number; readonly because: string }
    | { readonly is: 'end' }
    | { readonly is: 'refused'; readonly reason: string }
}

/** An event as it is stored. */
export interface StoredRecord {
  /** Time of the event; of a machine whose clock is far off that of its arrival. */
  readonly at: number
  readonly day: number
  readonly event: string
  readonly tool: string | null
  /** Null where figures alone were sent: they are added up, and no record is stored. */
  readonly session: string | null
  readonly project: string | null
  readonly projectName: string | null
  readonly client: string | null
  readonly engine: string | null
  readonly snapshot: string | null
  readonly outcome: string | null
  readonly ms: number
  /** JSON of the facts. */
  readonly facts: string
  /** JSON of record and event, where the level of the machine has it. */
  readonly body: string | null
  readonly hooks: readonly StoredRun[]
}

/** A hook at an event. */
export interface StoredRun {
  readonly key: string
  readonly scope: string
  readonly type: string | null
  readonly verdict: string
  readonly outcome: string | null
  readonly isFailed: boolean
  readonly isTimedOut: boolean
  readonly ms: number | null
}

/** Unpacks and reads a batch of a machine. Throws a RequestError for one that is none. */
export async function parseBatch(machine: string, packed: Buffer, now: Date): Promise<Batch> {
  const [first = '', ...rest] = (await unpack(packed)).split('\n').filter((line) => line !== '')
  const { epoch, person } = parseHeader(first)
  if (rest.length > MAX_RECORDS) throw new RequestError(413, `a batch has at most ${MAX_RECORDS} records`)
  const lines = rest.map((text, at) => {
    const line = parseChainLine(text)
    if (line === null) throw new RequestError(400, `line ${at + 2} is not a record`)
    return { seq: line.seq, prev: line.prev, hash: hashLine(line), content: readContent(line, text.length, now) }
  })
  const isOrdered = lines.every(({ seq }, at) => at === 0 || seq > (lines[at - 1]?.seq ?? 0))
  if (!isOrdered) throw new RequestError(400, 'the records are not in their order')
  return { machine, epoch, person: person ?? machine, lines }
}

function unpack(packed: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    gunzip(packed, { maxOutputLength: MAX_UNPACKED_BYTES }, (error, bytes) => {
      if (error === null) return resolve(bytes.toString('utf8'))
      const isTooLong = error instanceof RangeError
      reject(new RequestError(isTooLong ? 413 : 400, isTooLong ? 'the batch is too large' : 'the batch is not gzip'))
    })
  })
}

function parseHeader(text: string): { epoch: string; person: string | null } {
  const header = parseJsonOrNull(text) as { v?: unknown; epoch?: unknown; person?: unknown } | null
  if (
    header === null ||
    typeof header !== 'object' ||
    typeof header.epoch !== 'string' ||
    !/^[0-9a-z]{1,64}$/.test(header.epoch)
  )
    throw new RequestError(400, 'the first line is not the header of a batch')
  if (header.v !== 1)
    throw new RequestError(400, `batches of version ${String(header.v)} are not known here: upgrade the server`)
  return { epoch: header.epoch, person: toName(header.person) }
}

function readContent(line: ChainLine, chars: number, now: Date): BatchLine['content'] {
  const facts = line.facts as unknown as Readonly<Record<string, unknown>> // as the machine sent it
  if (facts.end === true) return { is: 'end' }
  if (facts.lost !== undefined)
    return { is: 'lost', count: toCount(facts.lost), because: toName(facts.because) ?? 'it does not say why' }
  if (chars > MAX_RECORD_CHARS) return { is: 'refused', reason: 'it is too large' }
  const time = Date.parse(String(facts.at))
  if (Number.isNaN(time)) return { is: 'refused', reason: 'it has no time' }
  if (typeof facts.event !== 'string' || facts.event === '') return { is: 'refused', reason: 'it has no event' }
  const { body = null, digest } = line
  const record = toRecord(facts, { time, now: now.getTime(), body })
  return { is: 'event', record, isBodyGone: digest !== null && body === null }
}

function toRecord(
  facts: Readonly<Record<string, unknown>>,
  { time, now, body }: { readonly time: number; readonly now: number; readonly body: string | null },
): StoredRecord {
  const isClockOff = Math.abs(time - now) > MAX_CLOCK_OFF_MS
  const { event, tool, session, project, projectName, client, engine, snapshot, outcome, ms, hooks } = facts
  return {
    at: isClockOff ? now : time,
    day: isClockOff ? CLOCK_OFF_DAY : toDay(time),
    event: toName(event) ?? '',
    tool: toName(tool),
    session: toName(session),
    project: toName(project),
    projectName: toName(projectName),
    client: toName(client),
    engine: toName(engine),
    snapshot: toName(snapshot),
    outcome: toName(outcome),
    ms: toMilliseconds(ms) ?? 0,
    facts: JSON.stringify(facts),
    body: body === null ? null : redactBody(body),
    hooks: Array.isArray(hooks) ? hooks.slice(0, MAX_HOOKS).flatMap(toRun) : [],
  }
}

/** The day of a time, as a number such as 20261118. */
export function toDay(time: number): number {
  return Number(new Date(time).toISOString().slice(0, 'yyyy-mm-dd'.length).replaceAll('-', ''))
}

const redact = makeRedactor({})
const isSecretFree = makeSecretFreeCheck()

/** Takes secrets out once more: a machine may be older than the rules of this server. Most bodies have none left. */
function redactBody(body: string): string | null {
  const value = parseJsonOrNull(body)
  if (value === null) return null
  return isSecretFree(value) ? JSON.stringify(value) : redact(value, collectSecrets(value))
}

function toRun(hook: unknown): StoredRun[] {
  if (typeof hook !== 'object' || hook === null) return []
  const { key, scope, type, verdict, outcome, failed, timedOut, ms } = hook as Record<string, unknown>
  const [name, word] = [toName(key), toName(verdict)]
  if (name === null || word === null) return []
  return [
    {
      key: name,
      scope: toName(scope) ?? '',
      type: toName(type),
      verdict: word,
      outcome: toName(outcome),
      isFailed: failed === true || timedOut === true || outcome === 'non_blocking_error',
      isTimedOut: timedOut === true,
      ms: toMilliseconds(ms),
    },
  ]
}

/** Characters that PostgreSQL refuses, and halves of characters. */
const UNSTORABLE = /\0|\p{Surrogate}/gu

/** A text that every database takes, and that is not endless. */
function toName(value: unknown): string | null {
  return typeof value === 'string' ? value.slice(0, MAX_NAME_CHARS).replaceAll(UNSTORABLE, '') : null
}

function toCount(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 1
}

function toMilliseconds(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null
}

/** State of a segment at the server. */
export interface Head {
  readonly seq: number
  readonly head: string
}

/** Kind of a gap. A loss that the machine itself tells has a reason; all others are alarms. */
export type GapKind = 'missing' | 'edited' | 'replaced' | 'lost'

/** A hole in what a machine sent, or a break of its chain. */
export interface Gap {
  readonly seq: number
  readonly count: number
  readonly kind: GapKind
  readonly because: string
}

/** Records that never came, as far as a server knows. */
export type Missing = Pick<Gap, 'seq' | 'count'>

/** A batch beside what the server has of its segment. */
export interface Judgement {
  /** Records that are not stored yet; some of them may be late. */
  readonly fresh: readonly BatchLine[]
  /** Holes of the segment once it has the batch. */
  readonly missing: readonly Missing[]
  /** True where late records came. */
  readonly isFilled: boolean
  readonly gaps: readonly Gap[]
  /** State of the segment with the batch. */
  readonly head: Head
  readonly isEnded: boolean
}

/** Head of a segment of which nothing came yet. */
export function makeFirstHead(epoch: string): Head {
  return { seq: 0, head: hashEpoch(epoch) }
}

/** Reason of a gap whose records may still come. */
export const NEVER_CAME = 'these records never came'

/** Finds what is new in a batch, where its chain is broken, and what the machine says it lost. */
export function judgeBatch({ lines }: Pick<Batch, 'lines'>, known: Head, absent: readonly Missing[] = []): Judgement {
  const gaps: Gap[] = []
  let head = known
  for (const line of lines) {
    gaps.push(...findGap(line, head))
    if (line.seq > head.seq) head = { seq: line.seq, head: line.hash }
  }
  const late = lines.filter(({ seq }) => seq <= known.seq && absent.some((gap) => isWithin(seq, gap)))
  const fresh = [...late, ...lines.filter(({ seq }) => seq > known.seq)]
  const missing = [...fillGaps(absent, late), ...gaps.filter(({ kind }) => kind === 'missing')]
  gaps.push(...findDroppedBodies(fresh))
  return { fresh, gaps, head, isEnded: fresh.at(-1)?.content.is === 'end', missing, isFilled: late.length > 0 }
}

const isWithin = (at: number, { seq, count }: Missing): boolean => at >= seq && at < seq + count

/** Takes late records out of gaps. */
function fillGaps(absent: readonly Missing[], late: readonly BatchLine[]): Missing[] {
  const left = [...absent]
  for (const { seq } of late) {
    const at = left.findIndex((gap) => isWithin(seq, gap))
    const gap = left[at]
    if (gap === undefined) continue
    const parts = [
      { seq: gap.seq, count: seq - gap.seq },
      { seq: seq + 1, count: gap.seq + gap.count - seq - 1 },
    ]
    left.splice(at, 1, ...parts.filter(({ count }) => count > 0))
  }
  return left
}

/** Finds records whose bodies the machine has dropped: of each that it had, the digest is there. */
function findDroppedBodies(fresh: readonly BatchLine[]): Gap[] {
  const runs: { seq: number; count: number }[] = []
  for (const { seq, content } of fresh) {
    if (content.is !== 'event' || !content.isBodyGone) continue
    const last = runs.at(-1)
    if (last !== undefined && last.seq + last.count === seq) last.count++
    else runs.push({ seq, count: 1 })
  }
  const because = 'their bodies went before they were sent: the spool of the machine was full'
  return runs.map((run) => ({ ...run, kind: 'lost', because }))
}

function findGap({ seq, prev, hash, content }: BatchLine, before: Head): Gap[] {
  if (seq < before.seq) return [] // sent once more
  if (seq === before.seq)
    return hash === before.head || seq === 0
      ? []
      : [{ seq, count: 1, kind: 'replaced', because: 'another record of this number was acknowledged' }]
  if (seq > before.seq + 1)
    return [{ seq: before.seq + 1, count: seq - before.seq - 1, kind: 'missing', because: NEVER_CAME }]
  if (prev !== before.head)
    return [{ seq, count: 1, kind: 'edited', because: 'the record before is not the one that was written' }]
  return content.is === 'lost' ? [{ seq, count: content.count, kind: 'lost', because: content.because }] : []
}
