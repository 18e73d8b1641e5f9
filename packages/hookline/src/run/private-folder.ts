import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Folders of sessions that are open. They go even when a host ends without closing its engine. */
const folders = new Set<string>()

/** A folder for one session's temp files that nobody else can enter; made when the first file is. */
export class PrivateFolder {
  #path: Promise<string> | undefined

  /** Makes a file that only its owner can read; null when the disk does not take it. */
  async create(extension: string, text: string): Promise<string | null> {
    try {
      this.#path ??= makeFolder()
      const file = join(await this.#path, `${randomUUID()}${extension}`)
      await writeFile(file, text, { mode: 0o600, flag: 'wx' })
      return file
    } catch {
      return null // full, or not writable
    }
  }

  async remove(): Promise<void> {
    const path = await this.#path?.catch(() => undefined) // it could not be made
    if (path === undefined) return
    await rm(path, { recursive: true, force: true, maxRetries: 3 }).then(
      () => forget(path),
      () => {}, // the end of the process tries again
    )
  }
}

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hookline-'))
  if (folders.size === 0) process.on('exit', removeAll)
  folders.add(folder)
  return folder
}

function forget(folder: string): void {
  folders.delete(folder)
  if (folders.size === 0) process.off('exit', removeAll)
}

function removeAll(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
}
