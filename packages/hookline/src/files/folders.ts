import { type MakeDirectoryOptions, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { readErrorCode, statOrUndefined } from './read.ts'

/**
 * Makes a folder and those above it that are missing. Node's own `recursive` never ends where a folder is there and nothing can
 * be made in it, as in `/proc`; this throws.
 */
export function makeFolders(path: string, options: Pick<MakeDirectoryOptions, 'mode'> = {}): void {
  try {
    mkdirSync(path, options)
  } catch (error) {
    if (statOrUndefined(path)?.isDirectory()) return
    if (readErrorCode(error) !== 'ENOENT' || dirname(path) === path) throw error
    makeFolders(dirname(path), options)
    try {
      mkdirSync(path, options)
    } catch (second) {
      if (readErrorCode(second) !== 'EEXIST') throw second // else another process was quicker
    }
  }
}
