import { appendLines, type LineText, makeNoFile } from '../record/log-file.ts'
import { type LogOptions, settleLog } from '../record/log-options.ts'
import { collectSecrets, makeRedactor } from '../record/redact.ts'
import { followLogFiles } from './follow-log.ts'
import { toFilter } from './query.ts'
import { readLogFiles } from './read-log.ts'
import type { FollowOptions, LogEntry, ReadOptions, RecordStore } from './record-store.ts'
import { joinTaps, makeTapReader } from './tapped-record.ts'

/** The log of a file, together with the files that were moved aside: `file.1`, `file.2`, … */
export function openFileStore(file: string, options: Omit<LogOptions, 'file'> = {}): RecordStore {
  return {
    name: file,
    append: (entries) => appendEntries(entries, { file, ...options }),
    read: (reading = {}) => readFileEntries(file, reading),
    follow: (reading) => followEntries(file, reading),
  }
}

async function appendEntries(entries: readonly LogEntry[], options: LogOptions): Promise<void> {
  const log = settleLog(options, {})
  if (log === null) throw new TypeError('a file store has a file')
  const redact = makeRedactor(process.env)
  const lines = entries.map(({ record, input }): LineText => {
    const event = { record, input }
    return { start: redact(event, collectSecrets(event)).slice(0, -'}'.length), configured: null }
  })
  if (lines.length > 0) await appendLines(log, lines, { last: makeNoFile(), onWritten: () => {} })
}

async function* readFileEntries(
  file: string,
  { onSkipped, last, ...query }: ReadOptions,
): AsyncGenerator<readonly LogEntry[]> {
  const readTap = await makeTapReader()
  const isWanted = toFilter(query)
  const newest = last === undefined ? null : new NewestEntries(last)
  for await (const entries of joinTaps(readLogFiles(file, { onSkipped, readTap }), readTap)) {
    const wanted = entries.filter(isWanted)
    if (newest === null) yield wanted
    else newest.add(wanted)
  }
  if (newest !== null) yield newest.take()
}

async function* followEntries(
  file: string,
  { onSkipped, last, signal, ...query }: FollowOptions,
): AsyncGenerator<readonly LogEntry[]> {
  const readTap = await makeTapReader()
  const isWanted = toFilter(query)
  let newest = last === undefined ? null : new NewestEntries(last)
  for await (const entries of followLogFiles(file, { onSkipped, readTap }, signal)) {
    if (newest === null) yield (entries ?? []).filter(isWanted)
    else if (entries !== null) newest.add(entries.filter(isWanted))
    else {
      yield newest.take()
      newest = null
    }
  }
}

/** The newest of many entries, in the order of their times. Holds twice as many as are wanted. */
export class NewestEntries {
  readonly #count: number
  #entries: LogEntry[] = []

  constructor(count: number) {
    this.#count = count
  }

  add(entries: readonly LogEntry[]): void {
    for (const entry of entries) {
      this.#entries.push(entry)
      if (this.#entries.length > 2 * this.#count) this.#entries = this.take()
    }
  }

  take(): LogEntry[] {
    if (this.#count === 0) return []
    return this.#entries.sort((a, b) => Date.parse(a.record.at) - Date.parse(b.record.at)).slice(-this.#count)
  }
}
