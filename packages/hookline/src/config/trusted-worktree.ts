import { lstatSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { resolveLinks } from '../files/paths.ts'
import { readText } from '../files/read.ts'
import { removeControls } from '../text/clean.ts'

/** Claim of a folder: a git worktree of a repository. */
export interface WorktreeClaim {
  /** The folder of the repository, with all links followed. */
  readonly repository: string
  /** Reason why the repository does not bear that out; null when it does. */
  readonly fault: string | null
}

/** Paths are short; a larger file is not one of git. */
const MAX_LINK_BYTES = 8192
const WRITABLE_BY_ALL = 0o002

/**
 * Reads what the `.git` file of a folder claims, and asks the repository whether it lists the folder back: by the same path, with
 * the same owner, and since the folder was made. null: the folder is not a worktree. Starts no process, and never throws.
 */
export async function readWorktreeClaim(folder: string): Promise<WorktreeClaim | null> {
  const link = join(folder, '.git')
  const written = await readLine(link)
  if (!written?.startsWith('gitdir: ')) return null
  const entry = resolve(folder, written.slice('gitdir: '.length))
  const common = dirname(dirname(entry))
  const isEntry = basename(common) === '.git' && basename(dirname(entry)) === 'worktrees'
  if (!isEntry) return null // a submodule, or the worktree of a bare repository
  return { repository: resolveLinks(dirname(common)), fault: await findFault({ folder, link, entry, common }) }
}

/** Says why the trust in a repository does not hold for a folder that claims to be its worktree. */
export function describeDoubt({ repository, fault }: WorktreeClaim): string {
  return `It says that it is a git worktree of ${removeControls(repository)}, which is trusted, but ${fault}.`
}

interface Worktree {
  readonly folder: string
  /** The `.git` file of the folder. */
  readonly link: string
  /** Entry that the repository keeps about the worktree. */
  readonly entry: string
  /** The `.git` folder of the repository. */
  readonly common: string
}

async function findFault({ folder, link, entry, common }: Worktree): Promise<string | null> {
  if (resolveLinks(entry) !== entry) return 'its .git file leads there over a link'
  const back = await readLine(join(entry, 'gitdir'))
  if (back === null) return 'the repository does not list it'
  const listed = resolve(entry, back)
  if (join(resolveLinks(dirname(listed)), basename(listed)) !== link) return 'the repository lists it in another place'
  const way = await readLine(join(entry, 'commondir'))
  if (way === null || resolve(entry, way) !== common) return 'its entry belongs to another repository'
  return findWorktreeFault({ folder, link, entry, common })
}

/** A folder of another user, or one that was put where a worktree had been, has the same words in its files. */
function findWorktreeFault({ folder, link, entry, common }: Worktree): string | null {
  const paths = [dirname(common), common, dirname(entry), entry, join(entry, 'gitdir'), join(entry, 'commondir')]
  try {
    const [made, ...kept] = [link, folder, ...paths].map((path) => lstatSync(path, { bigint: true }))
    const listing = kept.at(-1)
    if (made === undefined || listing === undefined) return 'it cannot be looked at'
    if (kept.some(({ uid }) => uid !== made.uid)) return 'it does not belong to the owner of the repository'
    if ([made, ...kept].some(({ mode }) => Number(mode) & WRITABLE_BY_ALL)) return 'every user may write to it'
    return made.ctimeNs > listing.ctimeNs ? 'its .git file was written after the repository listed it' : null
  } catch {
    return 'it cannot be looked at' // gone since, or not to be entered
  }
}

/** The one line of a regular file; null where it is anything else. */
async function readLine(path: string): Promise<string | null> {
  const content = await readText(path, { follow: false, largest: MAX_LINK_BYTES })
  const [, line] = (content.read === 'text' && /^([^\r\n\0]+)\n?$/.exec(content.text)) || []
  return line ?? null
}
