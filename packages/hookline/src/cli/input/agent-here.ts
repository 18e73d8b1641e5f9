import { existsSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import type { Bridge } from '../../bridges/bridge.ts'
import { findHostFile } from '../../bridges/install/installed.ts'
import type { HostSurroundings } from '../../bridges/install/standing.ts'
import { listPrograms } from '../../bridges/list.ts'

/** True if the program of an agent or its folder is on this machine. */
export function isAgentHere(bridge: Bridge, surroundings: HostSurroundings): boolean {
  const file = findHostFile({ ...surroundings, bridge, scope: 'user' })
  const hasFolder = bridge.install.through === undefined && file !== null && existsSync(dirname(file))
  return listPrograms(bridge.name).some(isOnPath) || hasFolder
}

/** True if a folder of the PATH has a program. */
export function isOnPath(program: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => folder !== '' && existsSync(join(folder, program)))
}
