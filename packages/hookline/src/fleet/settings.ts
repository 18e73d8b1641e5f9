import type { SettingsFile } from '../config/settings-file.ts'
import { formatMisfit } from '../protocol/check.ts'
import { makeCheck, type Shape } from '../protocol/checker.ts'
import { LEVELS, type Level } from './levels.ts'
import { findServerFault } from './server-address.ts'

/** Settings of a fleet: `"hookline": {"fleet": {…}}` of a policy, or of the user where no policy says it. */
export interface FleetSettings {
  /** Address of the server. */
  readonly url: string
  /** Part of a record that leaves the machine. */
  readonly level: Level
  /** `strict`: calls are refused where their record cannot be kept. */
  readonly mode: 'best-effort' | 'strict'
  /** Bytes of the spool. */
  readonly maxBytes: number
}

/** Settings as they are in force, and where they stand. */
export interface FoundFleet {
  readonly settings: FleetSettings
  readonly scope: 'managed' | 'user'
  readonly file: string
}

/** A setting that cannot be used: it is told, and nothing is kept or sent by it. */
export interface FleetFault {
  readonly fault: string
  readonly file: string
}

const MAX_SPOOL_BYTES = 256 * 1024 * 1024
const MIN_SPOOL_BYTES = 64 * 1024

/** Shape of the setting. */
const FLEET_SHAPE = {
  fields: {
    url: 'text',
    level: { values: LEVELS },
    mode: { values: ['best-effort', 'strict'] },
    maxBytes: { above: 0 },
  },
  required: ['url'],
  closed: true,
} as const satisfies Shape

/** Finds the fleet that is configured; null: none. A project has no say, and nothing of a policy is mixed with the user's. */
export function findFleet(files: readonly SettingsFile[]): FoundFleet | FleetFault | null {
  for (const scope of ['managed', 'user'] as const) {
    for (const { root, file, scope: own, needsTrust } of files) {
      const node = root?.fields?.get('hookline')?.node.fields?.get('fleet')?.node
      if (own !== scope || needsTrust || node === undefined) continue
      const place = `${file}:${node.line}`
      const [misfit] = makeCheck(FLEET_SHAPE)(node.value)
      if (misfit) return { fault: `"fleet" is not valid: ${formatMisfit(misfit)}`, file: place }
      // Checked by its shape.
      const { url, level = 'facts', mode = 'best-effort', maxBytes = MAX_SPOOL_BYTES } = node.value as FleetSettings
      const fault = findServerFault(url)
      if (fault !== null) return { fault, file: place }
      return { settings: { url, level, mode, maxBytes: Math.max(maxBytes, MIN_SPOOL_BYTES) }, scope, file: place }
    }
  }
  return null
}
