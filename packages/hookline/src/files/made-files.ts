import { lstatSync } from 'node:fs'
import { rm, rmdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { PRIVATE, readOwn } from './own.ts'
import { isBelow } from './paths.ts'
import { readErrorCode } from './read.ts'
import { replaceFile } from './replace.ts'

/** A file that is not there yet and the folders that are missing for it, the innermost first, each with a slash at its end; none when it is there. */
export function listMissing(file: string): string[] {
  if (isPathThere(file)) return []
  const missing = [file]
  for (let folder = dirname(file); !isPathThere(folder); folder = dirname(folder)) missing.push(`${folder}/`)
  return missing
}

/** True if something has this name, if only a link to nothing. */
function isPathThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

/** The files and folders of a list of those that were made; only those are removed again. */
export async function readMadeFiles(list: string): Promise<string[]> {
  const content = await readOwn(list)
  try {
    return content.read === 'text' ? JSON.parse(content.text) : []
  } catch {
    return [] // cut off by a full disk: then a file stays that is empty
  }
}

/** Notes what was made for a file. */
export async function noteMade(list: string, made: readonly string[]): Promise<void> {
  if (made.length === 0) return
  const known = (await readMadeFiles(list)).filter((one) => !made.includes(one))
  await writeList(list, [...known, ...made])
}

/** Notes that a file is gone, and removes those of the folders made for it that are empty. */
export async function forgetMade(list: string, file: string): Promise<void> {
  const left = []
  for (const one of (await readMadeFiles(list)).filter((path) => path !== file)) {
    const holdsFile = one.endsWith('/') && isBelow(file, one.slice(0, -1))
    if (!holdsFile || !(await isRemoved(one))) left.push(one)
  }
  await writeList(list, left)
}

async function isRemoved(folder: string): Promise<boolean> {
  try {
    await rmdir(folder)
    return true
  } catch (error) {
    return readErrorCode(error) === 'ENOENT' // otherwise there is something in it by now, and it stays
  }
}

async function writeList(list: string, made: readonly string[]): Promise<void> {
  if (made.length === 0) await rm(list, { force: true })
  else await replaceFile(list, `${JSON.stringify(made)}\n`, PRIVATE)
}
