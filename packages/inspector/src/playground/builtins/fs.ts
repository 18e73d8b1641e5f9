import { FileError, findBytes, listNames, makeEntry, statPath } from './memory-files.ts'

export const constants = { O_RDONLY: 0, O_NONBLOCK: 0, O_NOFOLLOW: 0, X_OK: 1, R_OK: 4, W_OK: 2, F_OK: 0 }

/** Open files: their paths, and how far each was read. */
const open: ({ readonly path: string; at: number } | null)[] = []

function findOpen(descriptor: number): { readonly path: string; at: number } {
  const file = open[descriptor]
  if (file === undefined || file === null) throw new FileError('EBADF', String(descriptor))
  return file
}

const refuse =
  (name: string) =>
  (path: unknown): never => {
    throw new FileError('EROFS', `${name} ${String(path)}`)
  }

const silence = <Value>(throwIfNoEntry: boolean | undefined, read: () => Value): Value | undefined => {
  if (throwIfNoEntry !== false) return read()
  try {
    return read()
  } catch {
    return undefined // nothing is there
  }
}

export const statSync = (path: string, options?: { throwIfNoEntry?: boolean }) =>
  silence(options?.throwIfNoEntry, () => statPath(path))
export const lstatSync = (path: string, options?: { throwIfNoEntry?: boolean }) => statSync(path, options)
export const fstatSync = (descriptor: number) => statPath(findOpen(descriptor).path)
export const existsSync = (path: string): boolean => silence(false, () => statPath(path)) !== undefined
export const accessSync = (path: string): void => void statPath(path)
const resolvePath = (path: string): string => {
  statPath(path)
  return path
}
export const realpathSync = Object.assign(resolvePath, { native: resolvePath })
export const readlinkSync = (path: string): never => {
  statPath(path)
  throw new FileError('EINVAL', path)
}
export const readdirSync = (path: string, options?: { withFileTypes?: boolean }): unknown[] => {
  const names = listNames(path)
  return options?.withFileTypes ? names.map((name) => makeEntry(path, name)) : names
}
export const readFileSync = (path: string): string => {
  const bytes = findBytes(path)
  if (bytes === null) throw new FileError('EISDIR', path)
  return new TextDecoder().decode(bytes)
}
export const openSync = (path: string): number => {
  if (findBytes(path) === null) throw new FileError('EISDIR', path)
  return open.push({ path, at: 0 }) - 1
}
export const readSync = (
  descriptor: number,
  buffer: Uint8Array,
  offset: number,
  length: number,
  position: number | null,
): number => {
  const file = findOpen(descriptor)
  const from = position ?? file.at
  const part = (findBytes(file.path) ?? new Uint8Array()).subarray(from, from + length)
  buffer.set(part, offset)
  if (position === null) file.at += part.length
  return part.length
}
export const closeSync = (descriptor: number): void => {
  open[descriptor] = null
}
export const mkdirSync = refuse('mkdir')
export const writeSync = refuse('write')
export const writeFileSync = refuse('write')
export const mkdtempSync = refuse('mkdtemp')
export const rmSync = refuse('rm')
export const fchmodSync = refuse('chmod')
export const fdatasync = refuse('sync')
export const ftruncateSync = refuse('truncate')
export const renameSync = refuse('rename')
export const unlinkSync = refuse('unlink')
