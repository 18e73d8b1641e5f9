import { readdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { PRIVATE, readOwn } from '../files/own.ts'
import { isBelow } from '../files/paths.ts'
import { isAlive } from '../files/process-alive.ts'
import { replaceFile } from '../files/replace.ts'
import { readEntryId } from '../log/event-summary.ts'
import type { LogEntry } from '../log/record-store.ts'
import { isObject, parseJsonOrNull } from '../text/json.ts'

/** An inspector that runs, as other commands of the user find it. It holds no key: the address opens in a browser that was let in. */
interface InspectorMark {
  readonly pid: number
  readonly address: string
  /** Logs that it shows, and folders whose logs it shows. */
  readonly logs: readonly string[]
}

const nameFolder = (home: string): string => join(home, '.hookline', 'inspectors')

/** Leaves a mark by which other commands find this inspector. Resolves with what takes it away again. Never rejects: it is only a hint. */
export async function markInspector(
  home: string,
  { address, logs }: Pick<InspectorMark, 'address' | 'logs'>,
): Promise<() => Promise<void>> {
  const folder = nameFolder(home)
  const file = join(folder, `${process.pid}.json`)
  const mark: InspectorMark = { pid: process.pid, address, logs: logs.map((log) => resolve(log)) }
  await removeStale(folder)
  await replaceFile(file, `${JSON.stringify(mark)}\n`, PRIVATE).catch(() => {}) // a home that cannot be written
  return () => rm(file, { force: true }).catch(() => {}) // the same
}

async function removeStale(folder: string): Promise<void> {
  for (const { pid, file } of await listMarks(folder)) if (!isAlive(pid)) await rm(file, { force: true })
}

async function listMarks(folder: string): Promise<{ readonly pid: number; readonly file: string }[]> {
  const names = await readdir(folder).catch((): string[] => []) // no inspector was ever started
  return names.flatMap((name) => {
    const pid = Number(/^(\d+)\.json$/.exec(name)?.[1] ?? Number.NaN)
    return Number.isSafeInteger(pid) ? [{ pid, file: join(folder, name) }] : []
  })
}

/** Finds the address of an inspector that shows a log; null where none runs. */
export async function findInspector(home: string, log: string): Promise<string | null> {
  for (const { pid, file } of await listMarks(nameFolder(home))) {
    const content = isAlive(pid) ? await readOwn(file) : null
    const mark = content?.read === 'text' ? parseMark(parseJsonOrNull(content.text)) : null
    const shown = resolve(log)
    if (mark?.logs.some((one) => one === shown || isBelow(shown, one))) return mark.address
  }
  return null
}

function parseMark(value: unknown): Pick<InspectorMark, 'address' | 'logs'> | null {
  if (!isObject(value) || typeof value.address !== 'string' || !Array.isArray(value.logs)) return null
  if (!/^http:\/\/(?:127\.0\.0\.1|\[::1\]):\d+\/$/.test(value.address)) return null
  return { address: value.address, logs: value.logs.filter((log) => typeof log === 'string') }
}

/** The address of an event on the page of an inspector. */
export function formatEventAddress(address: string, entry: LogEntry): string {
  const [session, id] = [entry.record.sessionId, readEntryId(entry)].map(encodeURIComponent)
  return `${address}session/${session}/event/${id}`
}
