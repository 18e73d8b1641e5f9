import { constants } from 'node:fs'
import { copyFile, stat, symlink } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { HooklineError } from '../files/error.ts'
import { makeFolders } from '../files/folders.ts'
import { RunningProcess } from '../process/process.ts'
import { EMPTY_STREAM } from '../process/process-run.ts'
import { copyProject } from './copy-project.ts'

const GIT_LIMITS = { timeoutMs: 120_000, outputLimit: 64 * 1024 }

/** File that no version of a project holds and its hooks may need. */
const UNVERSIONED = join('.claude', 'settings.local.json')

/** Version of a project that is meant: the folder as it is, or what git has under a name. */
export type ProjectVersion =
  | { readonly kind: 'folder'; readonly folder: string }
  | { readonly kind: 'ref'; readonly ref: string; readonly project: string }

/** Finds what the user means by a word: a folder if there is one, else a name that git knows in the project. */
export async function findVersion(word: string, project: string): Promise<ProjectVersion> {
  const folder = await stat(word).catch(() => null) // no such file
  return folder?.isDirectory() ? { kind: 'folder', folder: resolve(word) } : { kind: 'ref', ref: word, project }
}

/** Puts a version of a project into an empty folder. Throws a HooklineError when git does not know it. */
export async function copyVersion(version: ProjectVersion, to: string): Promise<void> {
  if (version.kind === 'folder') return copyProject(version.folder, to)
  const { ref, project } = version
  try {
    await checkOut(ref, project, to)
  } catch (error) {
    if (!(error instanceof HooklineError)) throw error
    throw new HooklineError(`"${ref}" is neither a folder nor a version that git has of ${project}: ${error.message}.`)
  }
  await symlink(join(project, 'node_modules'), join(to, 'node_modules'), 'junction').catch(() => {}) // the version has its own
  await keepUnversioned(project, to)
}

async function checkOut(ref: string, project: string, to: string): Promise<void> {
  const [top = '', below = ''] = (await runGit(project, ['rev-parse', '--show-toplevel', '--show-prefix'])).split('\n')
  const index = `${to}.index`
  const filters = await listFilterOverrides(top)
  if (ref.startsWith('-')) throw new HooklineError('a version does not begin with "-"')
  await runGit(top, [...filters, 'read-tree', `${ref}:${below.replace(/\/$/, '')}`], index)
  makeFolders(to)
  await runGit(top, [...filters, 'checkout-index', '--all', '--force', `--prefix=${to}/`], index)
}

async function keepUnversioned(project: string, to: string): Promise<void> {
  makeFolders(dirname(join(to, UNVERSIONED)))
  const copied = copyFile(join(project, UNVERSIONED), join(to, UNVERSIONED), constants.COPYFILE_EXCL)
  await copied.catch(() => {}) // there is none, or the version has its own
}

/** Arguments that take a repository's filters out of force: they are programs that git would run on every file. */
async function listFilterOverrides(folder: string): Promise<string[]> {
  const named = await runGit(folder, ['config', '--name-only', '--null', '--get-regexp', '^filter\\.']).catch(() => '') // there are none
  const drivers = new Set(named.split('\0').flatMap((name) => /^filter\.(.+)\.[^.]+$/s.exec(name)?.[1] ?? []))
  return [...drivers].flatMap((name) =>
    ['smudge=', 'process=', 'required=false'].flatMap((setting) => ['-c', `filter.${name}.${setting}`]),
  )
}

/** Options that keep git from starting what a repository's configuration names, or from reaching out. */
const HARMLESS = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '-c', 'core.untrackedCache=false']
const NO_NETWORK = { GIT_ALLOW_PROTOCOL: 'none', GIT_NO_LAZY_FETCH: '1', GIT_TERMINAL_PROMPT: '0' }

/** Runs git, and resolves with what it prints; `index`: works on this file instead of the repository's own index. */
async function runGit(folder: string, args: readonly string[], index?: string): Promise<string> {
  const env = { ...process.env, ...NO_NETWORK, ...(index === undefined ? {} : { GIT_INDEX_FILE: index }) }
  const spec = {
    file: 'git',
    args: ['-C', folder, ...HARMLESS, ...args],
    cwd: folder,
    env,
    input: EMPTY_STREAM.kept,
    ...GIT_LIMITS,
  }
  const run = await new RunningProcess(spec).ended
  if (run.ended === 'exited' && run.code === 0) return run.stdout.kept.toString('utf8')
  const said = 'stderr' in run ? run.stderr.kept.toString('utf8').trim() : ''
  throw new HooklineError(said.split('\n', 1)[0] || 'git cannot be run')
}
