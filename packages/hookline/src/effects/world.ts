import { closeSync, lstatSync, openSync, readdirSync, readlinkSync, readSync, statSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { findHome } from '../files/home.ts'
import { resolveLinks } from '../files/paths.ts'

/** A look at the disk that calls speak of. Nothing of it runs or changes anything. */
export interface World {
  readonly home: string
  readonly user: string
  /** The folder that the call starts in. */
  readonly folder: string
  /** The folder of the repository that the call starts in, or that folder itself. */
  readonly project: string
  readonly temp: readonly string[]
  findKind(path: string): 'file' | 'folder' | 'link' | null
  readLink(path: string): string | null
  /** The first 64 KiB of a file; null where there is none that can be read. */
  readFile(path: string): string | null
  /** Names in a folder, at most a few hundred. */
  list(path: string): readonly string[] | null
}

/** A file is read no further. */
const MAX_FILE_BYTES = 64 * 1024

/** A folder is read no further. */
const MAX_NAMES = 400

/** The disk of this machine, each path looked at once. Its own folders are without links, as the paths that calls are found to reach. */
export function openWorld(places: { readonly folder: string; readonly home?: string }): World {
  const folder = resolveLinks(places.folder)
  const kinds = new Map<string, 'file' | 'folder' | 'link' | null>()
  const findKind = (path: string) => {
    const seen = kinds.get(path)
    if (seen !== undefined) return seen
    const kind = lookUp(path)
    kinds.set(path, kind)
    return kind
  }
  return {
    home: resolveLinks(places.home ?? findHome()),
    user: readUser(),
    folder,
    project: findProject(folder, findKind),
    temp: [...new Set(['/tmp', '/var/tmp', '/private/tmp', '/dev/shm', tmpdir(), resolveLinks(tmpdir())])],
    findKind,
    readLink: (path) => tryLook(() => readlinkSync(path)),
    readFile: (path) => tryLook(() => readStart(path)),
    list: (path) => tryLook(() => readdirSync(path).slice(0, MAX_NAMES)),
  }
}

/** The folder of the repository around a folder; the folder itself where there is none. */
function findProject(folder: string, findKind: World['findKind']): string {
  for (let at = folder; at !== dirname(at); at = dirname(at)) if (findKind(join(at, '.git')) !== null) return at
  return folder
}

function lookUp(path: string): 'file' | 'folder' | 'link' | null {
  return tryLook(() => {
    const found = lstatSync(path)
    if (found.isSymbolicLink()) return 'link'
    return found.isDirectory() ? 'folder' : 'file'
  })
}

function readStart(path: string): string | null {
  if (!statSync(path).isFile()) return null // a pipe would never end
  const descriptor = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(MAX_FILE_BYTES)
    return bytes.subarray(0, readSync(descriptor, bytes)).toString('utf8')
  } finally {
    closeSync(descriptor)
  }
}

function readUser(): string {
  return tryLook(() => userInfo().username) ?? ''
}

function tryLook<T>(look: () => T): T | null {
  try {
    return look()
  } catch {
    return null // no such file, or one that cannot be looked at
  }
}
