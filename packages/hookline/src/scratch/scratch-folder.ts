import { rmSync } from 'node:fs'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Folders that are in use; they go even when the command ends without removing them. */
const folders = new Set<string>()

/** A temp folder, by its real path, and the way to get rid of it. */
export interface ScratchFolder {
  readonly path: string
  readonly remove: () => Promise<void>
}

/** Makes an empty temp folder that nobody else can enter. */
export async function makeScratchFolder(): Promise<ScratchFolder> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'hookline-scratch-')))
  if (folders.size === 0) process.on('exit', removeAll)
  folders.add(path)
  return { path, remove: () => remove(path) }
}

async function remove(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 3 })
  } catch {
    return // a hook still writes into it: the end of the process tries again
  }
  folders.delete(path)
  if (folders.size === 0) process.off('exit', removeAll)
}

function removeAll(): void {
  for (const path of folders) {
    try {
      rmSync(path, { recursive: true, force: true, maxRetries: 3 })
    } catch {
      // nobody is left to be told
    }
  }
}
