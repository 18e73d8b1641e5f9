/** A temporary folder in memory, for programs that make and remove thousands of small files. */
import { accessSync, chmodSync, constants, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Folder that Linux keeps in memory. */
const PARENT = '/dev/shm'

/** Number by which Linux tells a file system that is in memory. */
const TMPFS = 0x01021994

/** Room that has to be free, in bytes: all tests together were seen to take less than a tenth of it. */
const MIN_FREE = 4 * 2 ** 30

/** Makes a folder in memory; undefined where there is none, or too little of it, or where nothing in it may be run. */
export function makeMemoryFolder() {
  let folder
  try {
    const { type, bavail, bsize } = statfsSync(PARENT)
    if (type !== TMPFS || bavail * bsize < MIN_FREE) return undefined
    folder = mkdtempSync(join(PARENT, 'hl-')) // short: sockets in it have 100 letters for their path
    chmodSync(folder, 0o1777) // as temporary folders are: databases and some tests run as another user
    const program = join(folder, 'program')
    writeFileSync(program, '', { mode: 0o755 })
    accessSync(program, constants.X_OK)
    rmSync(program)
    return folder
  } catch {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
    return undefined // another system, or a folder that nobody may write to or run a program in
  }
}
