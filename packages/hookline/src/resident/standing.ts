import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { findOwnDoubt, isStopped } from './caller.ts'
import { findMeetingDoubt, findMeetingPlace, type MeetingPlace } from './place.ts'
import { findServing, type ResidentFigures, readFigures, readLastFigures } from './serve.ts'

/** State of the resident of a user, in a word, and the reason for it. */
export interface ResidentStanding {
  readonly state: 'serving' | 'stopped' | 'not running' | 'off'
  readonly text: string
}

/** Says whether the resident is in use and, if not, why; also why single calls were not answered by it. */
export function describeResident(home: string, env: NodeJS.ProcessEnv): ResidentStanding {
  const place = findMeetingPlace(home)
  const obstacle = findServiceObstacle(home, place, env)
  if (obstacle !== null) return { state: 'off', text: `${obstacle}: every event starts Node` }
  const pid = findServing(place)
  if (pid === null) return { state: 'not running', text: describeNext(place) }
  const said = [
    `process ${pid} has answered ${readFigures(place)?.served ?? 0} of the calls`,
    ...listOtherWays(readFigures(place)),
  ].join('; ')
  if (isStopped(pid))
    return { state: 'stopped', text: `a signal holds process ${pid}: every event starts Node; ${said}` }
  return { state: 'serving', text: said }
}

/** Lists the calls that the resident did not answer, with the reasons. */
export function listOtherWays(figures: ResidentFigures | null): string[] {
  const { alone = 0, withdrawn = 0, declined = {} } = figures ?? {}
  return [
    ...(alone > 0
      ? [`${formatCalls(alone, 'wrapped hook')} ran alone: nothing could be gained, or nothing was ready yet`]
      : []),
    ...(withdrawn > 0 ? [`${formatCalls(withdrawn, 'call')} took the cold way: the process was busy or stopped`] : []),
    ...Object.entries(declined).map(([why, calls]) => `${formatCalls(calls, 'call')} took the cold way: ${why}`),
  ]
}

/** Finds why no call can be answered; null: nothing speaks against it. */
function findServiceObstacle(home: string, place: MeetingPlace, env: NodeJS.ProcessEnv): string | null {
  if (process.platform !== 'linux') return 'there is one on Linux only'
  if (/^(?:off|0|no|false)$/.test(env.HOOKLINE_RESIDENT ?? '')) return 'HOOKLINE_RESIDENT says so'
  if (existsSync(place.off)) return 'settings say so'
  if (findServing(place) !== null) return null
  const missing = NEEDED_PROGRAMS.find((name) => !isOnPath(name, env))
  return missing === undefined
    ? (findMeetingDoubt(home, place) ?? findOwnDoubt())
    : `there is no ${missing} on the PATH`
}

/** Programs that start the resident, and make the pipes of its clients. */
const NEEDED_PROGRAMS = ['setsid', 'mkfifo']

function isOnPath(name: string, env: NodeJS.ProcessEnv): boolean {
  return (env.PATH ?? '').split(delimiter).some((folder) => folder !== '' && canExecute(join(folder, name)))
}

function canExecute(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false // there is no such program
  }
}

/** Tells what will start it, and why the last one ended. */
function describeNext(place: MeetingPlace): string {
  const last = readLastFigures(place)
  const next = 'the next call of an agent starts it'
  if (last === null) return next
  const end = last.ended === undefined ? 'was killed' : `ended at ${last.ended.at}: ${last.ended.why}`
  return [next, `the last one, process ${last.pid}, ${end}`, ...listOtherWays(last)].join('; ')
}

const formatCalls = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`
