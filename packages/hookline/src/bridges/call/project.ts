import { existsSync, lstatSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { isSameFolder, listHomes } from '../../files/home.ts'
import { isBelow, joinPath, resolveLinks } from '../../files/paths.ts'
import type { Bridge } from '../bridge.ts'
import type { SessionMemory } from '../memory.ts'

/** Place of an event of a session. */
export interface EventPlace {
  readonly cwd: string
  readonly home: string
  readonly env: NodeJS.ProcessEnv
  /** null: the event belongs to no session that could be remembered. */
  readonly memory: SessionMemory | null
}

/**
 * The project of a session: what the host says, else what the session's first event was in, which is kept. An agent that goes
 * elsewhere, or makes a `.claude` or a repository there, does not leave its guards behind.
 */
export async function findSessionProject({ project }: Bridge, { cwd, home, env, memory }: EventPlace): Promise<string> {
  const named = project === null ? undefined : env[project]
  if (named) return resolve(named)
  if (memory !== null && memory.kept.project !== null) return memory.kept.project
  const found = findProject(cwd, listHomes(home, env))
  return memory === null ? found : memory.keepProject(found)
}

/** Marks of a folder that is a project. */
const MARKS = ['.claude', '.git']

/**
 * The nearest folder with `.claude` or `.git`, from a folder upwards; the folder itself where there is none below every home. A
 * home, and what is above it, is nobody's project: guards would take the whole of it for theirs.
 */
export function findProject(from: string, homes: readonly string[]): string {
  const real = homes.map(resolveLinks)
  let folder = from
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder) // a missing folder has no marks
  const isStraight = resolveLinks(folder) === folder // then so is every folder above: a long path is followed once
  for (; ; folder = dirname(folder)) {
    const there = isStraight ? folder : resolveLinks(folder)
    for (const home of real) if (isBelow(home, there) || isSameFolder(home, there)) return from
    for (const mark of MARKS) if (isPathThere(joinPath(folder, mark))) return folder
    if (dirname(folder) === folder) return from
  }
}

/** True if something has this name, be it a link that leads nowhere. */
function isPathThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false // the folder cannot be entered, so nothing of it counts
  }
}
