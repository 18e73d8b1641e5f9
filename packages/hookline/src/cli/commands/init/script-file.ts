import { chmod, lstat, mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { HooklineError } from '../../../files/error.ts'
import { refuseLeadingOut } from '../../../files/paths.ts'
import { errorCode } from '../../../files/read.ts'

/** Throws a HooklineError when something has that name already. */
export async function refuseExisting(path: string): Promise<void> {
  const exists = await lstat(path).then(
    () => true,
    () => false, // writing it says what is wrong
  )
  if (exists) throw new HooklineError(`${path} exists already; give another --name. Nothing was written.`)
}

/** Makes an executable file that did not exist, in a folder that does not lead out of where it should be. */
export async function createScript(path: string, text: string, below: string): Promise<void> {
  refuseLeadingOut(path, below)
  try {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text, { flag: 'wx', mode: 0o755 })
    await chmod(path, 0o755) // whatever the umask says about others, its owner may run it
  } catch (error) {
    throw new HooklineError(`${path} cannot be written (${errorCode(error)}).`)
  }
}

/** Takes back a script that is not needed after all. */
export async function removeScript(path: string): Promise<void> {
  await rm(path, { force: true }).catch(() => {}) // it is of no harm
}
