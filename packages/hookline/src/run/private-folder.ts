import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeTempFolder, removeStaleTempFolders, type TempFolder } from '../files/temp-folder.ts'

/** A folder for one session's temp files that nobody else can enter; made when the first file is. */
export class PrivateFolder {
  readonly #sweeping = removeStaleTempFolders()
  #folder: Promise<TempFolder> | undefined

  /** Makes a file that only its owner can read; null when the disk does not take it. */
  async create(extension: string, text: string): Promise<string | null> {
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
    await this.#sweeping
    const folder = await this.#folder?.catch(() => undefined) // it could not be made
    await folder?.remove()
  }
}
