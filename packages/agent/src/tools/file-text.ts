import { readFile } from 'node:fs/promises'
import { toFileError } from './file-fault.ts'
import type { OnDisk } from './file-on-disk.ts'
import { ToolError } from './tool.ts'

/** Larger files are for programs. */
const MAX_EDITED_FILE_BYTES = 10 * 1024 * 1024

/** The whole text of a file that is to be changed, byte for byte: one that is not UTF-8 would be damaged, and is refused. */
export async function readWholeText(
  path: string,
  { realPath, stats }: Extract<OnDisk, { is: 'file' }>,
): Promise<string> {
  if (stats.size > MAX_EDITED_FILE_BYTES) {
    throw new ToolError(
      `${path} is larger than ${MAX_EDITED_FILE_BYTES / 1024 / 1024} MiB. Change it with a command instead.`,
    )
  }
  let bytes: Buffer
  try {
    bytes = await readFile(realPath)
  } catch (error) {
    throw toFileError(path, error)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new ToolError(`${path} is not UTF-8 text. Change it with a command instead.`)
  }
}
