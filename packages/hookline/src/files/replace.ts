import { randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { HooklineError } from './error.ts'
import { realPath } from './paths.ts'
import { errorCode } from './read.ts'

/**
 * Replaces a file in one step: a reader sees the old text or the new one. A link is followed, not replaced. Rejects with
 * a HooklineError when that cannot be done; the old file is then as it was. `followLinks: false` replaces a link.
 */
export async function replaceFile(
  path: string,
  text: string,
  { mode, folderMode, followLinks = true }: { mode?: number; folderMode?: number; followLinks?: boolean } = {},
): Promise<void> {
  const target = followLinks ? realPath(path) : path
  const draft = `${target}.${randomUUID()}.tmp`
  try {
    await mkdir(dirname(target), { recursive: true, ...(folderMode === undefined ? {} : { mode: folderMode }) })
    const kept =
      mode ??
      (await stat(target).then(
        (stats) => stats.mode & 0o777,
        () => undefined,
      )) // a new file gets the usual mode
    await writeAndSync(draft, text, kept)
    await rename(draft, target)
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {}) // it may not even be there
    throw new HooklineError(`${path} cannot be written (${errorCode(error)}); it is as it was.`)
  }
}

async function writeAndSync(path: string, text: string, mode: number | undefined): Promise<void> {
  const file = await open(path, 'wx', mode)
  try {
    if (mode !== undefined) await file.chmod(mode)
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}
