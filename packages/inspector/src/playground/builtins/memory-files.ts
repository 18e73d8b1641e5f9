/** Files that exist: their texts by absolute path. Nothing else is there, and no disk is looked at. */
const files = new Map<string, Uint8Array>()

/** Puts a text in a file; null takes the file away. */
export function setFile(path: string, text: string | null): void {
  if (text === null) files.delete(path)
  else files.set(path, new TextEncoder().encode(text))
}

/** An error of a file system. */
export class FileError extends Error {
  readonly code: string

  constructor(code: string, path: string) {
    super(`${code}: ${path}`)
    this.code = code
  }
}

/** The bytes of a file; null for a folder. Throws a FileError where nothing is there. */
export function findBytes(path: string): Uint8Array | null {
  const bytes = files.get(path)
  if (bytes !== undefined) return bytes
  if (path === '/' || [...files.keys()].some((file) => file.startsWith(`${path}/`))) return null
  throw new FileError('ENOENT', path)
}

/** The names in a folder. */
export function listNames(path: string): string[] {
  if (findBytes(path) !== null) throw new FileError('ENOTDIR', path)
  const start = path === '/' ? '/' : `${path}/`
  const below = [...files.keys()].filter((file) => file.startsWith(start)).map((file) => file.slice(start.length))
  return [...new Set(below.map((file) => file.split('/', 1)[0] ?? ''))]
}

/** Facts about a file or folder. */
export function statPath(path: string) {
  const bytes = findBytes(path)
  return {
    isFile: () => bytes !== null,
    isDirectory: () => bytes === null,
    isSymbolicLink: () => false,
    isFIFO: () => false,
    size: bytes?.length ?? 0,
    mode: bytes === null ? 0o40755 : 0o100644,
    uid: 0,
    gid: 0,
    dev: 1,
    ino: 1,
    nlink: 1,
    mtimeMs: 0,
    ctimeMs: 0,
    mtime: new Date(0),
  }
}

/** An entry of a folder, as listings with types have it. */
export function makeEntry(folder: string, name: string) {
  const { isFile, isDirectory, isSymbolicLink } = statPath(`${folder}/${name}`)
  return { name, parentPath: folder, isFile, isDirectory, isSymbolicLink }
}
