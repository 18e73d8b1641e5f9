import { ToolError } from './tool.ts'

/** Meanings of the system's codes for a file. */
const MEANINGS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'cannot exist: a part of its path is a file, not a folder',
  EEXIST: 'cannot be made: a part of its path is a file, not a folder',
  EISDIR: 'is a folder',
  ELOOP: 'is a symbolic link that leads around in a circle',
  EACCES: 'may not be accessed: permission denied',
  EPERM: 'may not be changed: the system does not permit it',
  EROFS: 'cannot be written: the file system is read-only',
  ENOSPC: 'cannot be written: no space is left on the disk',
  EDQUOT: 'cannot be written: the disk quota is used up',
  EFBIG: 'cannot be written: it is larger than the system allows',
  ENAMETOOLONG: 'has a name that is too long for the system',
  EMFILE: 'cannot be opened: this process has too many files open',
  ENFILE: 'cannot be opened: the system has too many files open',
  EIO: 'cannot be read or written: the disk reports an error',
}

/** An error of the file system as the model reads it. */
export function toFileError(path: string, error: unknown): ToolError {
  const code = readCode(error)
  if (Object.hasOwn(MEANINGS, code)) return new ToolError(`${path} ${MEANINGS[code]} (${code}).`)
  return new ToolError(`${path}: ${error instanceof Error ? error.message : String(error)}`)
}

/** The system's code of an error, '' when it has none. */
export function readCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
