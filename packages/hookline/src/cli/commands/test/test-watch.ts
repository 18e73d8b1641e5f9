import { type FSWatcher, watch } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Folders in which much changes that no hook reads. */
const NOT_WATCHED: ReadonlySet<string> = new Set(['node_modules', '.git', '.venv'])
/** Editors write a file in several steps. */
const QUIET_MS = 100

/** Does something now, and again whenever files of a folder have changed, until it is aborted; never twice at a time. */
export async function watchAndRun(folder: string, act: () => Promise<void>, signal: AbortSignal): Promise<void> {
  let changed = false
  let wake = (): void => {}
  const watchers = await openWatchers(folder, () => {
    changed = true
    wake()
  })
  signal.addEventListener('abort', () => wake(), { once: true })
  try {
    while (!signal.aborted) {
      await act()
      if (!changed && !signal.aborted) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, QUIET_MS))
      changed = false
    }
  } finally {
    for (const watcher of watchers) watcher.close()
  }
}

/** The folder itself, and each of its subfolders with all below it. */
async function openWatchers(folder: string, onChange: () => void): Promise<FSWatcher[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const below = entries.filter((entry) => entry.isDirectory() && !NOT_WATCHED.has(entry.name))
  return [
    watch(folder, onChange),
    ...below.map(({ name }) => watch(join(folder, name), { recursive: true }, onChange)),
  ].map((watcher) => watcher.on('error', () => {})) // a folder was removed
}
