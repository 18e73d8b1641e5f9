import { stat } from 'node:fs/promises'
import { readErrorCode } from '../files/read.ts'

/** Finds what is at a path: `unknown` when a folder on the way cannot be entered. Never throws. */
export async function findPathKind(path: string): Promise<'file' | 'folder' | 'missing' | 'unknown'> {
  try {
    return (await stat(path)).isDirectory() ? 'folder' : 'file'
  } catch (error) {
    return ['ENOENT', 'ENOTDIR'].includes(readErrorCode(error)) ? 'missing' : 'unknown'
  }
}
