import { toFilter } from '../../src/log/query.ts'
import type { LogEntry, RecordStore } from '../../src/log/record-store.ts'
import type { PastRecord } from '../../src/protocol/record/record.ts'

/** Makes a store that is not a file: records in memory, one at a time. */
export function storeOf(records: readonly PastRecord[]): RecordStore {
  const kept = records.map((record): LogEntry => ({ record, input: null }))
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
