import { join } from 'node:path'
import { HooklineError } from '../files/error.ts'
import { withLock } from '../files/lock.ts'
import { PRIVATE, readOwn } from '../files/own.ts'
import { replaceFile } from '../files/replace.ts'
import { redactDefinition } from '../protocol/hook-fields.ts'
import { toCanonicalJson } from '../text/digest.ts'
import { digestValue } from '../text/fingerprint.ts'
import type { TrustRequest } from './folder-request.ts'
import { readWorktreeClaim, type WorktreeClaim } from './trusted-worktree.ts'

/** Source of the engine's knowledge whether a project is trusted. */
export type TrustAnswer =
  /** Answer that the user gave earlier. */
  | 'stored'
  /** Trust for this run. */
  | 'accepted'
  /** Nothing of the project runs. */
  | 'refused'
  | ((request: TrustRequest) => boolean | Promise<boolean>)

/** True if the user has trusted exactly this. A folder that defines nothing needs no trust. */
export async function isAccepted(
  request: TrustRequest,
  { answer, home }: { answer: TrustAnswer; home: string },
): Promise<boolean> {
  if (answer === 'accepted' || Object.keys(request.files).length === 0) return true
  if (answer === 'refused') return false
  if (typeof answer === 'function') return answer(request)
  const named = readTrustedDigest()
  if (named !== null && named === request.digest) return true
  if (isSame(await readAcceptance(request.folder, home), request)) return true
  const worktree = await findTrustedRepository(request, home)
  return worktree !== null && worktree.fault === null
}

/**
 * The trusted repository that a folder says it is a git worktree of, and why its trust does not hold for the folder; null: there
 * is none. It holds where the repository lists the folder back and the folder asks for the very same.
 */
export async function findTrustedRepository(request: TrustRequest, home: string): Promise<WorktreeClaim | null> {
  const claim = await readWorktreeClaim(request.folder)
  const earlier = claim === null ? null : await readAcceptance(claim.repository, home)
  if (claim === null || earlier === null) return null
  return claim.fault === null && !isSame(earlier, request) ? { ...claim, fault: 'it asks for something else' } : claim
}

/** True if what the user trusted at some time is what is asked for now. */
function isSame(earlier: Acceptance | null, request: TrustRequest): boolean {
  return earlier !== null && (isKeptWhole(earlier, request) || earlier.digest === request.digest)
}

/**
 * True if what was trusted was kept whole and is the same now. Then no digest is needed, and what computes one takes longer to
 * load than a hook takes to start. What was kept without its secrets has digests in their place, and is not whole.
 */
function isKeptWhole({ definitions }: Acceptance, { files }: TrustRequest): boolean {
  if (definitions === undefined) return false
  const maskValue = toCanonicalJson(definitions)
  return !maskValue.includes(DIGEST_MARK) && maskValue === toCanonicalJson(files)
}

/** Beginning of a digest that stands for something that is not kept. */
const DIGEST_MARK = 'sha256:'

/** Reads HOOKLINE_TRUST, where no user can be asked. It counts only from the environment of this process, which no settings file can change. */
function readTrustedDigest(): string | null {
  return process.env.HOOKLINE_TRUST?.trim().toLowerCase() || null
}

/** Reason why HOOKLINE_TRUST does not count for a project that is not trusted; null when it is not set. */
export function explainWrongDigest(): string | null {
  if (readTrustedDigest() === null) return null
  return 'HOOKLINE_TRUST is not the digest of what this project has now ("hookline trust" shows it), so it trusts nothing.'
}

/** Stores that the user trusted this, with what it was: the next change is shown against it. */
export async function storeAcceptance({ folder, digest, files }: TrustRequest, home: string): Promise<void> {
  const entry: Acceptance = { digest, at: new Date().toISOString(), definitions: maskSecrets(files) }
  await changeStore(home, (folders) => ({ ...folders, [folder]: entry }))
}

/** Objects whose values are often secrets. */
const SECRETIVE: ReadonlySet<string> = new Set(['env', 'headers'])

/** Definitions to be kept: of variables and headers a digest is enough to see whether they change, and addresses lose their credentials. */
export function maskSecrets<Value>(value: Value): Value {
  const maskValue = (inner: unknown, isSecret: boolean): unknown => {
    if (Array.isArray(inner)) return inner.map((one) => maskValue(one, isSecret))
    if (typeof inner !== 'object' || inner === null)
      return isSecret ? `${DIGEST_MARK}${digestValue(inner).slice(0, 16)}` : inner
    return Object.fromEntries(
      Object.entries(inner).map(([name, one]) => {
        const isText = typeof one === 'string' && !isSecret
        return [name, isText ? maskText(one, name) : maskValue(one, isSecret || SECRETIVE.has(name))]
      }),
    )
  }
  return maskValue(value, false) as Value // objects stay objects, lists lists
}

/** A text to be kept; a digest stands for what is left out of an address. */
function maskText(text: string, name: string): unknown {
  const shown = redactDefinition(text, name)
  return shown === text ? text : `${shown} ${DIGEST_MARK}${digestValue(text).slice(0, 16)}`
}

/** Forgets what the user trusted about a folder. */
export async function revokeAcceptance({ folder }: TrustRequest, home: string): Promise<void> {
  await changeStore(home, (folders) => Object.fromEntries(Object.entries(folders).filter(([path]) => path !== folder)))
}

/** Reads what the user trusted about a folder at some time; null when nothing. */
export async function readAcceptance(folder: string, home: string): Promise<Acceptance | null> {
  const { folders } = await readStore(home, 'as-empty')
  return (Object.hasOwn(folders, folder) && folders[folder]) || null
}

/** The state of the store itself. */
export async function readTrustStoreState(home: string): Promise<TrustStoreState> {
  const path = findTrustFile(home)
  const content = await readOwn(path)
  if (content.read === 'missing') return { path, state: 'missing' }
  if (content.read === 'unreadable') return { path, state: 'doubtful', reason: content.reason }
  const folders = parseFolders(content.text)
  return folders ? { path, state: 'sound', folders: Object.keys(folders).length } : { path, state: 'broken' }
}

/** Reason why nothing that the store says counts, and what to do; null when it can be believed, or there is none. */
export async function findStoreDoubt(home: string): Promise<string | null> {
  const store = await readTrustStoreState(home)
  return store.state === 'doubtful' ? formatDoubt(store) : null
}

/** The same in words. */
export function formatDoubt({ path, reason }: { readonly path: string; readonly reason: string }): string {
  return `${path} ${reason}, so nothing in it counts as trusted. Make it yours alone (chmod 600), or delete it and trust again.`
}

/** An entry of the store. */
export interface Acceptance {
  readonly digest: string
  readonly at?: string
  /** Definitions that were accepted, by file and without secrets; older entries have only its digest. */
  readonly definitions?: Readonly<Record<string, unknown>>
}

/** The store as a file: missing, not a store, writable by others, or sound. */
export type TrustStoreState =
  | { readonly path: string; readonly state: 'missing' | 'broken' }
  | { readonly path: string; readonly state: 'doubtful'; readonly reason: string }
  | { readonly path: string; readonly state: 'sound'; readonly folders: number }

interface Store {
  readonly folders: Readonly<Record<string, Acceptance>>
}

async function changeStore(home: string, change: (folders: Store['folders']) => Store['folders']): Promise<void> {
  const path = findTrustFile(home)
  const write = async (): Promise<void> => {
    const { folders } = await readStore(home, 'as-error')
    const store = { version: 1, folders: change(folders) }
    await replaceFile(path, `${JSON.stringify(store, null, 2)}\n`, PRIVATE)
  }
  await withLock(path, write, PRIVATE)
}

/** A store that cannot be read, or that others may have written, trusts nothing; before writing it is an error, so that nothing in it gets lost. */
async function readStore(home: string, unreadable: 'as-empty' | 'as-error'): Promise<Store> {
  const path = findTrustFile(home)
  const content = await readOwn(path)
  if (content.read === 'missing') return { folders: {} }
  const folders = content.read === 'text' ? parseFolders(content.text) : null
  if (folders) return { folders }
  if (unreadable === 'as-empty') return { folders: {} }
  if (content.read === 'unreadable')
    throw new HooklineError(`${formatDoubt({ path, reason: content.reason })} Nothing was written.`)
  throw new HooklineError(`${path} cannot be read as a trust store. Fix it, or delete it and trust folders again.`)
}

function parseFolders(text: string): Store['folders'] | null {
  try {
    const { folders } = JSON.parse(text)
    return typeof folders === 'object' && folders !== null ? folders : null
  } catch {
    return null // not JSON, or no object
  }
}

/** The file that lists the trusted folders of a user. */
export const findTrustFile = (home: string): string => join(home, '.hookline', 'trust.json')
