import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { HooklineError } from './error.ts'
import { withLock } from './lock-file.ts'
import { realPath } from './paths.ts'
import { readText } from './read-file.ts'
import { replaceFile } from './write-file.ts'

/** What a person is asked to accept: everything of a folder that would run or switch something. */
export interface TrustRequest {
  /** The folder with all links followed. */
  readonly folder: string
  /** Stands for exactly this content; any change gives another one. */
  readonly digest: string
  /** What each file defines, by its path relative to the folder. */
  readonly files: Readonly<Record<string, unknown>>
}

/** How the engine learns whether a project is trusted. */
export type TrustAnswer =
  /** What the person accepted earlier counts. */
  | 'stored'
  /** This run counts as accepted. */
  | 'accepted'
  /** Nothing of the project runs. */
  | 'refused'
  | ((request: TrustRequest) => boolean | Promise<boolean>)

/** The digest of one definition; the order of keys does not matter. */
export function definitionDigest(definition: unknown): string {
  return createHash('sha256').update(canonical(definition)).digest('hex')
}

/** What is to be accepted about a folder. */
export async function trustRequest(folder: string, files: Readonly<Record<string, unknown>>): Promise<TrustRequest> {
  return { folder: await realPath(folder), digest: definitionDigest(files), files }
}

/** Whether the person has accepted exactly this. A folder that defines nothing needs no acceptance. */
export async function isAccepted(
  request: TrustRequest,
  { answer, home }: { answer: TrustAnswer; home: string },
): Promise<boolean> {
  if (Object.keys(request.files).length === 0 || answer === 'accepted') return true
  if (answer === 'refused') return false
  if (typeof answer === 'function') return answer(request)
  const { folders } = await readStore(home, 'as-empty')
  return folders[request.folder]?.digest === request.digest
}

/** Stores that the person accepted this. */
export async function storeAcceptance({ folder, digest }: TrustRequest, home: string): Promise<void> {
  const path = storePath(home)
  const add = async (): Promise<void> => {
    const { folders } = await readStore(home, 'as-error')
    const store = { version: 1, folders: { ...folders, [folder]: { digest, at: new Date().toISOString() } } }
    await replaceFile(path, `${JSON.stringify(store, null, 2)}\n`, { mode: 0o600 })
  }
  await withLock(path, add, { folderMode: 0o700 })
}

interface Store {
  readonly folders: Readonly<Record<string, { readonly digest: string }>>
}

/** A store that cannot be read trusts nothing; before writing it is an error, so that nothing in it gets lost. */
async function readStore(home: string, unreadable: 'as-empty' | 'as-error'): Promise<Store> {
  const path = storePath(home)
  const content = await readText(path)
  if (content.read === 'missing') return { folders: {} }
  const folders = content.read === 'text' ? foldersIn(content.text) : null
  if (folders) return { folders }
  if (unreadable === 'as-empty') return { folders: {} }
  throw new HooklineError(`${path} cannot be read as a trust store. Mend it, or delete it to accept folders anew.`)
}

function foldersIn(text: string): Store['folders'] | null {
  try {
    const { folders } = JSON.parse(text)
    return typeof folders === 'object' && folders !== null ? folders : null
  } catch {
    return null // not JSON, or no object
  }
}

const storePath = (home: string): string => join(home, '.hookline', 'trust.json')

/** JSON with sorted keys. */
function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_key, inner: unknown) => {
      if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner
      return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
    }) ?? 'undefined'
  )
}
