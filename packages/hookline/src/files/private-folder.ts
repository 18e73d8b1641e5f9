import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeTempFolder, removeStaleTempFolders, type TempFolder } from './temp-folder.ts'

/** Old folders are removed late, so that a process of a single event does not wait for it. */
const SWEEP_AFTER_MS = 50

/** A folder for one session's temp files that no other user can enter; made when the first file is. */
export class PrivateFolder {
  readonly #later = setTimeout(() => this.#sweep(), SWEEP_AFTER_MS).unref()
  #sweeping: Promise<void> | undefined
  #folder: Promise<TempFolder> | undefined

  /** Makes a file that only its owner can read; null when the disk does not take it. */
  async create(extension: string, text: string): Promise<string | null> {
    this.#sweep()
    try {
      this.#folder ??= makeTempFolder()
      const file = join((await this.#folder).path, `${randomUUID()}${extension}`)
      await writeFile(file, text, { mode: 0o600, flag: 'wx' })
      return file
    } catch {
      return null // full, or not writable
    }
  }

  async remove(): Promise<void> {
    clearTimeout(this.#later)
    await this.#sweeping
    const folder = await this.#folder?.catch(() => undefined) // it could not be made
    await folder?.remove()
  }

  #sweep(): void {
    this.#sweeping ??= removeStaleTempFolders()
  }
}
