import { constants, type Dirent } from 'node:fs'
import { copyFile, cp, lstat, mkdir, readlink, stat, symlink, writeFile } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { HooklineError } from '../files/error.ts'
import { makeFolders } from '../files/folders.ts'
import { readText } from '../files/read.ts'
import { LINKED, readFolderOrNone } from './project-folder.ts'

/** A folder with more files is a home or a disk, not a project. */
const MAX_COPIED_FILES = 200_000
const AT_A_TIME = 32

/**
 * Copies a project so that hooks may change what they like. `node_modules` and `.venv` are linked; `.git` is one of its own that
 * borrows the objects of the real one; sockets, devices and what cannot be read are left out. Throws a HooklineError for a folder that
 * is too large.
 */
export async function copyProject(project: string, copy: string): Promise<void> {
  await copyFolder(project, copy, { project, copy, left: MAX_COPIED_FILES })
}

/**
 * Copies one file, link or folder of a project into a copy again, as `copyProject` does. Rejects when it cannot be copied
 * whole.
 */
export async function copyAgain(
  from: string,
  to: string,
  { project, copy }: { readonly project: string; readonly copy: string },
): Promise<void> {
  const copying = { project, copy, left: MAX_COPIED_FILES }
  const stats = await lstat(from)
  const name = basename(from)
  if (name === '.git') await copyRepository(from, to)
  else if (stats.isSymbolicLink()) await symlink(redirectLink(await readlink(from), copying), to)
  else if (!stats.isDirectory()) await copyFile(from, to, constants.COPYFILE_FICLONE)
  else if (LINKED.has(name)) await symlink(from, to, 'junction')
  else await copyFolder(from, to, copying)
}

interface CopyContext {
  readonly project: string
  readonly copy: string
  /** So many files more may be copied. */
  left: number
}

async function copyFolder(from: string, to: string, copying: CopyContext): Promise<void> {
  makeFolders(to)
  const entries = await readFolderOrNone(from)
  copying.left -= entries.length
  if (copying.left < 0)
    throw new HooklineError(
      `${copying.project} holds more than ${MAX_COPIED_FILES} files, too many to copy. Name the project's own folder with --project.`,
    )
  const leaves = entries.filter((entry) => !entry.isDirectory())
  for (let start = 0; start < leaves.length; start += AT_A_TIME) {
    const some = leaves.slice(start, start + AT_A_TIME)
    await Promise.all(some.map((entry) => copyLeaf(entry, join(from, entry.name), join(to, entry.name), copying)))
  }
  for (const { name } of entries.filter((entry) => entry.isDirectory())) {
    if (LINKED.has(name)) await symlink(join(from, name), join(to, name), 'junction')
    else if (name === '.git') await copyRepository(join(from, name), join(to, name))
    else await copyFolder(join(from, name), join(to, name), copying)
  }
}

async function copyLeaf(entry: Dirent, from: string, to: string, copying: CopyContext): Promise<void> {
  try {
    if (entry.name === '.git') await copyRepository(from, to)
    else if (entry.isFile()) await copyFile(from, to, constants.COPYFILE_FICLONE)
    else if (entry.isSymbolicLink()) await symlink(redirectLink(await readlink(from), copying), to)
  } catch {
    // not to be read, or gone meanwhile
  }
}

/** Finds where a link leads in the copy: one into the project by its full path would lead out of the copy. */
function redirectLink(target: string, { project, copy }: CopyContext): string {
  const way = relative(project, target)
  return isAbsolute(target) && !way.startsWith('..') && !isAbsolute(way) ? join(copy, way) : target
}

/** Files that say where a working tree stands, and what all trees of a repository share; its own hooks and logs stay behind. */
const OF_THE_TREE = ['HEAD', 'index']
const SHARED_GIT_FILES = ['config', 'packed-refs', 'refs', 'info', 'shallow']

/**
 * Makes a `.git` that can be committed to without a trace in the real one, whose objects it borrows. The real one may be a file that
 * leads to it, as in further working trees. Rejects when it leads nowhere.
 */
async function copyRepository(from: string, to: string): Promise<void> {
  const tree = (await stat(from)).isDirectory() ? from : await readGitLink(from)
  const common = await readText(join(tree, 'commondir'))
  const shared = common.read === 'text' ? resolve(tree, common.text.trim()) : tree // the tree is the only one
  makeFolders(join(to, 'objects', 'info'))
  await mkdir(join(to, 'objects', 'pack'))
  await mkdir(join(to, 'refs'))
  await writeFile(join(to, 'objects', 'info', 'alternates'), `${join(shared, 'objects')}\n`)
  const kept = [
    ...OF_THE_TREE.map((name) => [tree, name] as const),
    ...SHARED_GIT_FILES.map((name) => [shared, name] as const),
  ]
  for (const [folder, name] of kept) {
    await cp(join(folder, name), join(to, name), { recursive: true }).catch(() => {}) // not every repository has each of them
  }
}

async function readGitLink(file: string): Promise<string> {
  const content = await readText(file)
  const [, path = ''] = (content.read === 'text' && /^gitdir: (.*)$/m.exec(content.text)) || []
  return resolve(dirname(file), path)
}
