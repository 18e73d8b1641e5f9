import { createHash } from 'node:crypto'
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { makeTempFolder, type TempFolder } from '../files/temp-folder.ts'
import { copyProject } from './copy-project.ts'
import { entriesIn } from './project-folder.ts'

/** A copy of a project in a folder that has room beside it. */
export interface ProjectCopy {
  readonly folder: string
  readonly project: string
}

interface PooledCopy extends ProjectCopy {
  readonly scratch: TempFolder
  /** Stands for all that was in the folder when it was new. */
  readonly stamp: string
}

/** Copies of a project, to be used again as long as nothing in them was changed. */
export class ProjectPool {
  readonly #project: string
  readonly #idle: PooledCopy[] = []

  constructor(project: string) {
    this.#project = project
  }

  /** Does something in a copy that is as good as new. */
  async use<Result>(act: (copy: ProjectCopy) => Promise<Result>): Promise<Result> {
    const copy = this.#idle.pop() ?? (await makeCopy(this.#project))
    try {
      return await act(copy)
    } finally {
      if ((await stampOf(copy.folder)) === copy.stamp) this.#idle.push(copy)
      else await copy.scratch.remove()
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map(({ scratch }) => scratch.remove()))
  }
}

async function makeCopy(from: string): Promise<PooledCopy> {
  const scratch = await makeTempFolder('scratch')
  const project = join(scratch.path, 'project')
  try {
    await copyProject(from, project)
    return { scratch, folder: scratch.path, project, stamp: await stampOf(scratch.path) }
  } catch (error) {
    await scratch.remove()
    throw error
  }
}

/** Changes when anything below a folder is written, made, removed or renamed; links are not followed. */
async function stampOf(folder: string): Promise<string> {
  const hash = createHash('sha256')
  await addFolder(folder, (line) => hash.update(line))
  return hash.digest('hex')
}

async function addFolder(folder: string, add: (line: string) => void): Promise<void> {
  const entries = await entriesIn(folder)
  const paths = entries.map(({ name }) => join(folder, name)).sort()
  const stats = await Promise.all(paths.map((path) => lstat(path).catch(() => null))) // gone meanwhile
  for (const [at, path] of paths.entries()) {
    const { ino, size, mtimeMs, ctimeMs } = stats[at] ?? { ino: 0, size: 0, mtimeMs: 0, ctimeMs: 0 }
    add(`${path} ${ino} ${size} ${mtimeMs} ${ctimeMs}\n`)
    if (stats[at]?.isDirectory()) await addFolder(path, add)
  }
}
