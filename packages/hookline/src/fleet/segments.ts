import { lstat, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { PRIVATE, readOwn } from '../files/own.ts'
import { isAlive } from '../files/process-alive.ts'
import { readErrorCode } from '../files/read.ts'
import { replaceFile } from '../files/replace.ts'
import { type ChainLine, hashEpoch, hashLine, type KnownHead, parseChainLine } from './chain.ts'

/** Folder of the segments of all processes of a user. */
export interface SpoolPlace {
  readonly folder: string
}

const SEGMENT = '.jsonl'
const SEALED = '.jsonl.gz'
const ACK = '.ack'
const ASIDE = '.aside.jsonl'

/** The spool of a home. */
export function findSpool(home: string): SpoolPlace {
  return { folder: join(home, '.hookline', 'spool') }
}

/** Path of the segment that this process writes. */
export function nameSegment({ folder }: SpoolPlace, epoch: string): string {
  return join(folder, `${epoch}-${process.pid}${SEGMENT}`)
}

/** Name of the segment of an engine behind those that its process has ended. */
export function nameEpoch(engine: string, ended: number): string {
  return ended === 0 ? engine : `${engine}x${ended}`
}

const NAME = /^(([0-9a-z]+?)(?:x(\d+))?)-(\d+)\.jsonl(?:\.gz)?$/

/** A segment as it stands on the disk. */
export interface Segment {
  readonly epoch: string
  readonly path: string
  readonly bytes: number
  readonly changed: number
  /** True while its process may still write. */
  readonly isOpen: boolean
  /** Progress of shipping it. */
  readonly acked: KnownHead
}

/** Lists the segments of a spool, the oldest first. */
export async function listSegments({ folder }: SpoolPlace): Promise<Segment[]> {
  const names = await readdir(folder).catch(() => []) // nothing was kept yet
  const newest = findNewest(names)
  const found = names.map(async (name): Promise<Segment[]> => {
    const [, epoch, engine, ended = 0, pid] = NAME.exec(name) ?? []
    if (epoch === undefined) return []
    const path = join(folder, name)
    const stats = await lstat(path).catch(() => null) // shipped and gone meanwhile
    if (!stats?.isFile()) return [] // a pipe would be waited for, and a link leads elsewhere
    const isLast = Number(ended) === newest.get(`${engine}-${pid}`)
    const isOpen = isLast && name.endsWith(SEGMENT) && isAlive(Number(pid))
    return [{ epoch, path, bytes: stats.size, changed: stats.mtimeMs, isOpen, acked: await readAck(folder, epoch) }]
  })
  return (await Promise.all(found)).flat().sort((a, b) => a.changed - b.changed)
}

/** Numbers of the newest segments of each engine: its process writes into no other. */
function findNewest(names: readonly string[]): ReadonlyMap<string, number> {
  const newest = new Map<string, number>()
  for (const name of names) {
    const [, , engine, ended = 0, pid] = NAME.exec(name) ?? []
    const key = `${engine}-${pid}`
    newest.set(key, Math.max(newest.get(key) ?? 0, Number(ended)))
  }
  return newest
}

/** Reads the whole lines of a segment; what is behind the last line break is still being written, or was cut off. One that went meanwhile has none. */
export async function readSegment({ path }: Pick<Segment, 'path'>): Promise<{ lines: string[]; rest: string }> {
  const bytes = await readFile(path).catch((error: unknown) => {
    if (readErrorCode(error) !== 'ENOENT') throw error
    return Buffer.alloc(0) // shipped, sealed or ended meanwhile
  })
  if (bytes.length === 0) return { rest: '', lines: [] }
  const text = (path.endsWith(SEALED) ? gunzipSync(bytes, { maxOutputLength: MAX_UNPACKED_BYTES }) : bytes).toString()
  const lines = text.split('\n')
  return { rest: lines.pop() ?? '', lines }
}

const MAX_UNPACKED_BYTES = 1024 * 1024 * 1024

async function readAck(folder: string, epoch: string): Promise<KnownHead> {
  const none = { seq: 0, head: hashEpoch(epoch) }
  const content = await readOwn(join(folder, `${epoch}${ACK}`))
  if (content.read !== 'text') return none
  try {
    const ack: Partial<KnownHead> = JSON.parse(content.text)
    return typeof ack.seq === 'number' && typeof ack.head === 'string' ? { seq: ack.seq, head: ack.head } : none
  } catch {
    return none // shipped once more, which changes nothing at the server
  }
}

/** Notes what the server has stored of a segment. */
export async function noteAck({ folder }: SpoolPlace, epoch: string, acked: KnownHead): Promise<void> {
  await replaceFile(join(folder, `${epoch}${ACK}`), `${JSON.stringify(acked)}\n`, PRIVATE)
}

/** Puts records aside that the server refuses, with the reasons: they block nothing. */
export async function appendRefused(
  { folder }: SpoolPlace,
  epoch: string,
  refused: readonly { readonly line: ChainLine; readonly reason: string }[],
): Promise<void> {
  const path = join(folder, `${epoch}${ASIDE}`)
  const before = await readFile(path, 'utf8').catch(() => '') // none was refused before
  const lines = refused.map((one) => JSON.stringify(one))
  await replaceFile(path, `${before}${lines.join('\n')}\n`, PRIVATE)
}

/** Removes a segment that the server has whole. Its head stays, so that the next one to look knows where it ended. */
export async function removeShipped({ path }: Pick<Segment, 'path'>): Promise<void> {
  await rm(path, { force: true })
}

/** Outcome of keeping a spool within its limit. */
export interface Sweep {
  readonly sealed: number
  readonly withoutBodies: number
  readonly dropped: number
}

/** File that tells when the spool was swept last. */
const SWEPT = '.swept'
/** Time after which sessions sweep a spool that nobody ships. */
const MAX_UNSWEPT_MS = 3_600_000

/** True where neither a shipper nor a session has swept the spool for a while. */
export async function isSweepDue({ folder }: SpoolPlace, now: number): Promise<boolean> {
  const stats = await lstat(join(folder, SWEPT)).catch(() => null) // never swept
  return stats === null || Math.abs(now - stats.mtimeMs) > MAX_UNSWEPT_MS
}

/** Compresses segments that nobody writes any more, and keeps the spool within its limit: bodies go before facts, the oldest first. */
export async function sweepSpool(place: SpoolPlace, maxBytes: number): Promise<Sweep> {
  await replaceFile(join(place.folder, SWEPT), '', PRIVATE)
  let sealed = 0
  for (const segment of await listSegments(place)) if (await sealSegment(segment)) sealed++
  const changed = { withoutBodies: 0, dropped: 0 }
  for (const [shrink, count] of [
    [removeBodies, 'withoutBodies'],
    [dropRecords, 'dropped'],
  ] as const) {
    const segments = await listSegments(place)
    let total = segments.reduce((sum, { bytes }) => sum + bytes, 0)
    for (const segment of segments) {
      if (total <= maxBytes) break
      if (segment.isOpen) continue
      total -= segment.bytes - (await shrink(segment))
      changed[count]++
    }
  }
  return { sealed, ...changed }
}

/** Drops the records of a segment that the server does not have. Their loss is a record, which it will have. Returns the bytes then. */
async function dropRecords(segment: Segment): Promise<number> {
  const { lines } = await readSegment(segment)
  if (lines.length === 0) return 0
  const { seq, head } = segment.acked
  const lost = lines.map(parseChainLine).reduce((sum, line) => sum + (line === null ? 1 : countLost(line, seq)), 0)
  const at = new Date().toISOString()
  const loss: ChainLine = { seq: seq + 1, prev: head, facts: { lost, because: 'the spool was full', at }, digest: null }
  const end: ChainLine = { seq: seq + 2, prev: hashLine(loss), facts: { end: true, at }, digest: null }
  return writeSealed(segment.path, Buffer.from([loss, end].map((line) => `${JSON.stringify(line)}\n`).join('')))
}

function countLost({ seq, facts }: ChainLine, acked: number): number {
  if (seq <= acked || 'end' in facts) return 0
  return 'lost' in facts ? facts.lost : 1
}

async function sealSegment({ path, isOpen }: Segment): Promise<boolean> {
  if (isOpen || path.endsWith(SEALED)) return false
  const content = await readFile(path).catch(() => null) // shipped, or sealed by another process meanwhile
  if (content !== null) await writeSealed(path, content)
  return content !== null
}

/** Writes a segment anew, without the bodies of its records. Returns its bytes then. */
async function removeBodies(segment: Segment): Promise<number> {
  const { lines } = await readSegment(segment)
  if (lines.length === 0) return 0
  const kept = lines.map((text) => {
    const line = parseChainLine(text)
    if (line?.body === undefined) return text
    const { body: _, ...rest } = line
    return JSON.stringify(rest)
  })
  return writeSealed(segment.path, Buffer.from(kept.map((line) => `${line}\n`).join('')))
}

/** Puts a compressed segment in the place of one; a reader sees the old one or the new one. Returns its bytes. */
async function writeSealed(path: string, content: Buffer): Promise<number> {
  const sealed = path.endsWith(SEALED) ? path : `${path}.gz`
  const bytes = gzipSync(content)
  await replaceFile(sealed, bytes, PRIVATE)
  if (sealed !== path) await rm(path, { force: true })
  return bytes.length
}
