import { createHash } from 'node:crypto'
import { isObject } from '../text/json.ts'
import type { Facts } from './levels.ts'

/** A line of a segment. Its hash covers all but the body, of which it has the digest: bodies can go, and the chain stays. */
export interface ChainLine {
  /** Number in its segment, from 1. Together with machine and epoch it names the record. */
  readonly seq: number
  /** Hash of the line before; of the first one the hash of the epoch. */
  readonly prev: string
  readonly facts: Facts | LossFacts | EndFacts
  /** Digest of the body; null where there was none. */
  readonly digest: string | null
  /** JSON of record and event, as long as it is kept. */
  readonly body?: string
}

/** Facts of records that could not be kept. */
export interface LossFacts {
  readonly lost: number
  readonly because: string
  readonly at: string
}

/** Facts of a segment that ends as it should: a line that is missing before it was taken out. */
export interface EndFacts {
  readonly end: true
  readonly at: string
}

/** Hash before the first line of a segment. */
export function hashEpoch(epoch: string): string {
  return hash(epoch)
}

/** Hash of a line, which the next one has. */
export function hashLine({ seq, prev, facts, digest }: ChainLine): string {
  return hash(JSON.stringify([seq, prev, facts, digest]))
}

/** Digest of a body. */
export function digestBody(body: string | null): string | null {
  return body === null ? null : hash(body)
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Reads a line of a segment; null where it is not one. */
export function parseChainLine(text: string): ChainLine | null {
  try {
    const line: unknown = JSON.parse(text)
    if (!isObject(line) || !isObject(line.facts)) return null
    const { seq, prev, facts, digest, body } = line
    if (typeof seq !== 'number' || !Number.isSafeInteger(seq) || seq < 1 || typeof prev !== 'string') return null
    if (digest !== null && typeof digest !== 'string') return null
    if (body !== undefined && typeof body !== 'string') return null
    return { seq, prev, facts: facts as unknown as Facts, digest, ...(body === undefined ? {} : { body }) } // as the writer wrote it
  } catch {
    return null
  }
}

/** Fault of a chain, and the line that it was seen at. */
export interface ChainFault {
  readonly fault: 'edited' | 'reordered' | 'cut-head' | 'cut-tail' | 'gap' | 'replaced' | 'torn'
  readonly seq: number
  readonly because: string
}

/** Knowledge about a chain from elsewhere: what a server acknowledged of it. */
export interface KnownHead {
  readonly seq: number
  readonly head: string
}

/** Result of verifying a segment: integrity and completeness are two answers. */
export interface Verification {
  /** Lines that were read. */
  readonly lines: number
  readonly head: KnownHead
  /** Nothing that is there was changed. */
  readonly isIntact: boolean
  /** Nothing is missing. */
  readonly isComplete: boolean
  readonly faults: readonly ChainFault[]
}

/** Faults after which what is there is not what was written. */
const CHANGED: ReadonlySet<ChainFault['fault']> = new Set(['edited', 'reordered', 'replaced', 'torn'])

/**
 * Verifies the lines of a segment in the order of its file. `start` is what is known of its beginning where earlier lines were
 * shipped and went; `known` is what a server has acknowledged; `isOpen` says that its process may still write.
 */
export function verifyChain(
  texts: readonly string[],
  {
    epoch,
    start,
    known,
    isOpen,
  }: { readonly epoch: string; readonly start?: KnownHead; readonly known?: KnownHead; readonly isOpen: boolean },
): Verification {
  const faults: ChainFault[] = []
  let last: KnownHead = start ?? { seq: 0, head: hashEpoch(epoch) }
  let isEnded = false
  let lines = 0
  for (const [at, text] of texts.entries()) {
    const line = parseChainLine(text)
    if (line === null) {
      const isLast = at === texts.length - 1
      const because = isLast ? 'the last line was not written whole' : `line ${at + 1} is not a record`
      faults.push({ fault: isLast && !isOpen ? 'cut-tail' : 'torn', seq: last.seq + 1, because })
      continue
    }
    lines++
    faults.push(...compareLine(line, last))
    if (known?.seq === line.seq && known.head !== hashLine(line))
      faults.push({
        fault: 'replaced',
        seq: line.seq,
        because: 'the server has acknowledged another record of this number',
      })
    last = { seq: line.seq, head: hashLine(line) }
    isEnded = 'end' in line.facts
  }
  if (known !== undefined && known.seq > last.seq)
    faults.push({ fault: 'cut-tail', seq: last.seq + 1, because: `the server has acknowledged ${known.seq} records` })
  else if (!isEnded && !isOpen && texts.length > 0 && faults.every(({ fault }) => fault !== 'cut-tail'))
    faults.push({ fault: 'cut-tail', seq: last.seq + 1, because: 'it has no end, and its process is gone' })
  const isIntact = faults.every(({ fault }) => !CHANGED.has(fault))
  return { lines, head: last, isIntact, isComplete: faults.length === 0, faults }
}

function compareLine(line: ChainLine, last: KnownHead): ChainFault[] {
  const { seq, prev, body, digest } = line
  const faults: ChainFault[] = []
  if (body !== undefined && digestBody(body) !== digest)
    faults.push({ fault: 'edited', seq, because: 'its body is not the one that was written' })
  if (seq === last.seq + 1) {
    if (prev !== last.head)
      faults.push({
        fault: 'edited',
        seq: Math.max(last.seq, 1),
        because: `record ${seq} was written behind another one`,
      })
  } else if (seq <= last.seq) faults.push({ fault: 'reordered', seq, because: `it stands behind record ${last.seq}` })
  else if (last.seq === 0) faults.push({ fault: 'cut-head', seq: 1, because: `the first record is number ${seq}` })
  else faults.push({ fault: 'gap', seq: last.seq + 1, because: `records ${last.seq + 1} to ${seq - 1} are missing` })
  return faults
}
