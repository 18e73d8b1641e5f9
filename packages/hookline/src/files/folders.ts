import { type MakeDirectoryOptions, mkdirSync, statSync } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { readErrorCode } from './read.ts'

type Options = Pick<MakeDirectoryOptions, 'mode'>

/**
 * Makes a folder and those above it that are missing. Node's own `recursive` never ends where a folder is there and nothing can
 * be made in it, as in `/proc`; this rejects.
 */
export async function makeFolders(path: string, options: Options = {}): Promise<void> {
  try {
    await mkdir(path, options)
  } catch (error) {
    if (await isFolder(path)) return
    if (readErrorCode(error) !== 'ENOENT' || dirname(path) === path) throw error
    await makeFolders(dirname(path), options)
    await mkdir(path, options).catch((second: unknown) => {
      if (readErrorCode(second) !== 'EEXIST') throw second // else another process was quicker
    })
  }
}

/** The same at once. */
export function makeFoldersSync(path: string, options: Options = {}): void {
  try {
    mkdirSync(path, options)
  } catch (error) {
    if (isFolderSync(path)) return
    if (readErrorCode(error) !== 'ENOENT' || dirname(path) === path) throw error
    makeFoldersSync(dirname(path), options)
    try {
      mkdirSync(path, options)
    } catch (second) {
      if (readErrorCode(second) !== 'EEXIST') throw second
    }
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory()
  } catch {
    return false
  }
}

function isFolderSync(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
