import { lstatSync, type Stats } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { makeTempFolder, type TempFolder } from '../files/temp-folder.ts'
import { listNames } from '../files/walk.ts'
import { copyAgain, copyProject } from './copy-project.ts'

/** A copy of a project in a folder that has room beside it. */
export interface ProjectCopy {
  readonly folder: string
  readonly project: string
}

interface PooledCopy extends ProjectCopy {
  readonly scratch: TempFolder
  /** Beginning, in milliseconds since 1970. */
  readonly madeAt: number
  /** Stamps of what was in the folder when it was new, by path. */
  readonly stamps: Map<string, string>
}

/** A copy that took longer is not made twice: who needs one waits. */
const DEAR_MS = 500

/** Copies of a project: after each use what was changed in them is put back, so that one copy serves many. */
export class ProjectPool {
  readonly #project: string
  readonly #dearMs: number
  readonly #idle: PooledCopy[] = []
  readonly #waiting: (() => void)[] = []
  #inUse = 0
  #isDear = false
  /** Settles when the first copy was made: by then it is known whether another one is dear. */
  #tried: Promise<unknown> | undefined

  constructor(project: string, { dearMs = DEAR_MS } = {}) {
    this.#project = project
    this.#dearMs = dearMs
  }

  /** Does something in a copy that is as good as new. */
  async use<Result>(act: (copy: ProjectCopy) => Promise<Result>): Promise<Result> {
    if (this.#tried !== undefined) await this.#tried
    while (this.#inUse > 0 && this.#idle.length === 0 && this.#isDear) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
    this.#inUse++
    try {
      const copy = this.#idle.pop() ?? (await this.#make())
      try {
        return await act(copy)
      } finally {
        if (await restoreCopy(copy, this.#project)) this.#idle.push(copy)
        else await copy.scratch.remove()
      }
    } finally {
      this.#inUse--
      this.#waiting.shift()?.()
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map(({ scratch }) => scratch.remove()))
  }

  async #make(): Promise<PooledCopy> {
    const started = performance.now()
    const making = makeCopy(this.#project)
    this.#tried ??= making.catch(() => {}) // the failure is told to the caller that asked for it
    const copy = await making
    this.#isDear ||= performance.now() - started > this.#dearMs
    return copy
  }
}

async function makeCopy(from: string): Promise<PooledCopy> {
  const scratch = await makeTempFolder('scratch')
  const project = join(scratch.path, 'project')
  const madeAt = Date.now()
  try {
    await copyProject(from, project)
    return { scratch, folder: scratch.path, project, madeAt, stamps: stampBelow(scratch.path) }
  } catch (error) {
    await scratch.remove()
    throw error
  }
}

/**
 * Puts back what was changed in a copy. False where that cannot be done for certain: a file was edited in the project
 * itself meanwhile, or the copy cannot be written any more.
 */
async function restoreCopy(copy: PooledCopy, from: string): Promise<boolean> {
  const { folder, project, stamps, madeAt } = copy
  try {
    const now = stampBelow(folder)
    const changed = new Set<string>()
    for (const [path, stamp] of now) if (stamps.get(path) !== stamp) changed.add(findUnit(path, project))
    for (const path of stamps.keys()) if (!now.has(path)) changed.add(findUnit(path, project))
    if (changed.size === 0) return true
    const tops = new Set([...changed].filter((path) => !isBelowAny(path, changed)))
    for (const path of tops) {
      await rm(path, { recursive: true, force: true })
      if (!stamps.has(path)) continue
      const source = join(from, relative(project, path))
      if (isNewer(source, madeAt)) return false
      await copyAgain(source, path, { project: from, copy: project })
    }
    for (const path of [...stamps.keys()]) if (tops.has(path) || isBelowAny(path, tops)) stamps.delete(path)
    for (const path of tops) addStamps(path, stamps)
    return true
  } catch {
    return false // a new copy says what is wrong
  }
}

/** Finds what is put back as a whole: a repository, since its files belong together, else the file or folder itself. */
function findUnit(path: string, project: string): string {
  const parts = relative(project, path).split(sep)
  const at = parts.indexOf('.git')
  return at < 0 ? path : join(project, ...parts.slice(0, at + 1))
}

function isBelowAny(path: string, others: ReadonlySet<string>): boolean {
  for (let above = dirname(path), last = path; above !== last; last = above, above = dirname(above)) {
    if (others.has(above)) return true
  }
  return false
}

/** True if something was changed since a moment, or is gone. */
function isNewer(path: string, moment: number): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  return stats === undefined || stats.ctimeMs >= moment
}

/** Stamps everything below a folder, by path: changes when it is written, made, removed or renamed; links are not followed. */
function stampBelow(folder: string): Map<string, string> {
  const stamps = new Map<string, string>()
  for (const name of listNames(folder)) addStamps(join(folder, name), stamps)
  return stamps
}

function addStamps(path: string, stamps: Map<string, string>): void {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (!stats) return // gone meanwhile
  stamps.set(path, stampStats(stats))
  if (stats.isDirectory()) for (const name of listNames(path)) addStamps(join(path, name), stamps)
}

/** A folder changes with what is in it, which has stamps of its own. */
function stampStats(stats: Stats): string {
  const { ino, mode, size, mtimeMs, ctimeMs } = stats
  return stats.isDirectory() ? `folder ${ino} ${mode}` : `${ino} ${mode} ${size} ${mtimeMs} ${ctimeMs}`
}
