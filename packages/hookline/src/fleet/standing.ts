import type { SettingsFile } from '../config/settings-file.ts'
import { readEnrolment } from './enrolment.ts'
import type { Level } from './levels.ts'
import { findSpool, listSegments } from './segments.ts'
import { findFleet } from './settings.ts'

/** Standing of this machine in a fleet. */
export interface FleetStanding {
  readonly url: string
  readonly level: Level
  readonly mode: string
  readonly scope: 'managed' | 'user'
  readonly isEnrolled: boolean
  /** Bytes that were not shipped yet. */
  readonly waitingBytes: number
}

/** A setting or an enrolment that cannot be used. */
export interface FleetTrouble {
  readonly fault: string
}

/** Looks at the fleet that the settings name; null: none. */
export async function examineFleet(
  files: readonly SettingsFile[],
  home: string,
): Promise<FleetStanding | FleetTrouble | null> {
  const found = findFleet(files)
  if (found === null) return null
  if ('fault' in found) return { fault: `${found.file}  ${found.fault}. Records are not kept for the fleet.` }
  const { settings, scope } = found
  try {
    const isEnrolled = (await readEnrolment(home)) !== null
    const segments = await listSegments(findSpool(home))
    const waitingBytes = segments.reduce((sum, { bytes }) => sum + bytes, 0)
    const { url, level, mode } = settings
    return { url, level, mode, scope, isEnrolled, waitingBytes }
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) }
  }
}

/** Describes a fleet in one line: what leaves this machine, and where to. */
export function describeFleet(fleet: FleetStanding | FleetTrouble): string {
  if ('fault' in fleet) return fleet.fault
  const { url, level, mode, scope, isEnrolled, waitingBytes } = fleet
  const by = scope === 'managed' ? 'by policy' : 'by your settings'
  const waits = waitingBytes === 0 ? '' : `, ${Math.ceil(waitingBytes / 1024)} KiB wait`
  return `${level} go to ${url} ${by}${mode === 'strict' ? ', strict' : ''}${isEnrolled ? '' : ', not enrolled'}${waits}`
}
