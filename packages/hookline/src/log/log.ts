import { NewestEntries, openFileStore } from './file-store.ts'
import { findLogs } from './read-log.ts'
import type { FollowOptions, LogEntry, ReadOptions, RecordStore } from './record-store.ts'

/** Source of entries: a file, a folder with logs below it, a store, or several of these. */
export type LogSource = string | RecordStore | readonly (string | RecordStore)[]

/** Reads recorded events one by one, the oldest of each store first. Rejects with a HooklineError where there is no log. */
export async function* readLog(
  source: LogSource,
  options: ReadOptions = {},
): AsyncGenerator<LogEntry, void, undefined> {
  for await (const entries of readEntries(source, options)) yield* entries
}

/** Reads recorded events of one file or store, and then those to come, until the signal aborts. */
export async function* followLog(
  source: string | RecordStore,
  options: FollowOptions,
): AsyncGenerator<LogEntry, void, undefined> {
  const store = typeof source === 'string' ? openFileStore(source) : source
  for await (const entries of store.follow(options)) yield* entries
}

/** The same as `readLog`, some entries at a time: quicker where there are many. */
export async function* readEntries(
  source: LogSource,
  options: ReadOptions = {},
): AsyncGenerator<readonly LogEntry[], void, undefined> {
  const stores = await openStores(source)
  const newest = options.last === undefined || stores.length < 2 ? null : new NewestEntries(options.last)
  for (const store of stores) {
    for await (const entries of store.read(options)) {
      if (newest === null) yield entries
      else newest.add(entries)
    }
  }
  if (newest !== null) yield newest.take()
}

async function openStores(source: LogSource): Promise<RecordStore[]> {
  const sources = Array.isArray(source) ? source : [source]
  const stores = sources.map(async (one: string | RecordStore) =>
    typeof one === 'string' ? (await findLogs(one)).map((file) => openFileStore(file)) : [one],
  )
  return (await Promise.all(stores)).flat()
}
