import {
  accessSync,
  constants,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  type Stats,
  statfsSync,
  unlinkSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { MEETING_FOLDER } from '../bridges/install/resident-client.ts'
import { isAlive } from '../files/process-alive.ts'
import { readErrorCode } from '../files/read.ts'
import { listNames } from '../files/walk.ts'
import { spawnBeside } from '../process/spawn-group.ts'

/** Folder in which clients leave their calls: the user's own, below the home, never in a project. */
export interface MeetingPlace {
  readonly folder: string
  /** File that names the process that serves, and when it began. */
  readonly engine: string
  /** File whose presence says that settings switch the resident off. */
  readonly off: string
  /** Figures of the process that serves: a line of JSON, twice. What comes behind it is of longer ones. */
  readonly figures: string
  /** Named pipe by which clients say that they have left a call. */
  readonly bell: string
  /** File of which `fate` is another name in the slot of a call that was taken: whole at once, and without a byte more on the disk. */
  readonly taken: string
  /** One folder a call; a client claims one that is free. */
  readonly slots: string
}

/**
 * Files of a slot. A client makes `claim`, and `stdin` where the resident cannot read that by itself; `fate` is made once, by the
 * side that decides: taken or withdrawn. `pipe` waits to become `wire`, which is there once the resident holds it open.
 */
export interface Slot {
  readonly name: string
  readonly folder: string
  readonly claim: string
  readonly stdin: string
  readonly pipe: string
  readonly wire: string
  readonly fate: string
}

/** Name of the figures, which the process that serves writes at every call. */
export const FIGURES_NAME = 'figures.json'

/** Names the paths of the meeting place of a user. */
export function findMeetingPlace(home: string): MeetingPlace {
  const folder = join(home, MEETING_FOLDER)
  return {
    folder,
    engine: join(folder, 'engine'),
    off: join(folder, 'off'),
    figures: join(folder, FIGURES_NAME),
    bell: join(folder, 'bell'),
    taken: join(folder, 'taken'),
    slots: join(folder, 'slots'),
  }
}

/** Names the files of a slot. */
export function findSlot(place: MeetingPlace, name: string): Slot {
  const folder = join(place.slots, basename(name))
  return {
    ...{ name, folder, claim: join(folder, 'claim'), stdin: join(folder, 'stdin'), wire: join(folder, 'wire') },
    ...{ pipe: join(folder, 'pipe'), fate: join(folder, 'fate') },
  }
}

/** Makes the folders of a meeting place, or says in a sentence why nobody may meet there. */
export function makeMeetingPlace(home: string, { folder, slots }: MeetingPlace): string | null {
  try {
    for (const path of [join(home, '.hookline'), folder, slots]) {
      const doubt = makeOwnFolder(path)
      if (doubt !== null) return `${path} ${doubt}`
    }
    return null
  } catch (error) {
    return `${folder} cannot be made (${readErrorCode(error)})`
  }
}

function makeOwnFolder(path: string): string | null {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (readErrorCode(error) !== 'EEXIST') throw error
  }
  return findFolderDoubt(lstatSync(path))
}

/** Says in a sentence why nobody could meet there now, and looks alone; null: nothing speaks against it. */
export function findMeetingDoubt(home: string, { folder, slots }: MeetingPlace): string | null {
  let last = home
  for (const path of [join(home, '.hookline'), folder, slots]) {
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (stats === undefined) break
    const doubt = findFolderDoubt(stats)
    if (doubt !== null) return `${path} ${doubt}`
    last = path
  }
  try {
    accessSync(last, constants.W_OK)
    return statfsSync(last).bavail === 0 ? `no room is left on the disk of ${last}` : null
  } catch (error) {
    return `${last} cannot be written to (${readErrorCode(error)})`
  }
}

function findFolderDoubt(stats: Stats): string | null {
  if (!stats.isDirectory()) return 'is not a folder'
  if (stats.uid !== process.getuid?.()) return 'belongs to another user'
  return (stats.mode & 0o022) === 0 ? null : 'may be written by others'
}

/** Makes named pipes that only the user may open. Rejects where the system has none. */
export function makePipes(paths: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawnBeside({ file: 'mkfifo', args: ['-m', '600', '--', ...paths] }, 'ignore')
    child.on('error', reject)
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Error(`mkfifo ended with ${code}`))))
  })
}

/** Removes the slots that no living client has claimed, but for those that are kept. */
export function sweepSlots(place: MeetingPlace, keeps: (name: string) => boolean): void {
  for (const name of listNames(place.slots)) {
    if (keeps(name)) continue
    const claimant = readClaimant(findSlot(place, name))
    if (claimant === null || !isAlive(claimant)) removeSlot(findSlot(place, name))
  }
}

/**
 * Removes a slot: its wire first and its claim last, so that no client takes it for a free one meanwhile. The clock of its client may
 * put a file into it at that moment: the next sweep finds what is left.
 */
export function removeSlot({ folder, wire, claim }: Slot): void {
  try {
    const others = readdirSync(folder).filter((name) => join(folder, name) !== claim)
    for (const path of [wire, ...others.map((name) => join(folder, name)), claim]) rmSync(path, { force: true })
    rmdirSync(folder)
  } catch {
    // not empty any more, or gone already
  }
}

/** Makes a slot as it was before its client came, but for the claim: while that is there no other client comes. */
export function clearSlot({ folder, claim, wire, pipe }: Slot): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (path !== claim && path !== wire && path !== pipe) unlinkSync(path)
  }
}

/** The process that claims to have left a call; null: none has. */
export function readClaimant({ claim }: Slot): number | null {
  try {
    const pid = Number(readFileSync(claim, 'utf8')) // the encoding that Node reads in one step
    return Number.isInteger(pid) && pid > 1 ? pid : null
  } catch {
    return null // no client has claimed it yet
  }
}
