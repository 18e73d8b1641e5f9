import { toFilter } from '../../src/log/query.ts'
import type { LogEntry, RecordStore } from '../../src/log/record-store.ts'
import type { PastRecord } from '../../src/protocol/record.ts'

/** A store that is not a file: entries in memory, one at a time. */
export function memoryStore(entries: readonly LogEntry[]): RecordStore {
  const kept = [...entries]
  async function* wanted(query: Parameters<RecordStore['read']>[0] = {}): AsyncGenerator<readonly LogEntry[]> {
    const found = kept.filter(toFilter(query))
    for (const entry of query.last === undefined ? found : found.slice(-query.last)) yield [entry]
  }
  return {
    name: 'memory',
    append: async (more) => void kept.push(...more),
    read: wanted,
    follow: wanted,
  }
}

/** The same of bare records. */
export function storeOf(records: readonly PastRecord[]): RecordStore {
  return memoryStore(records.map((record) => ({ record, input: null })))
}
