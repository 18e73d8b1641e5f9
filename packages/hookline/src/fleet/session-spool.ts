import type { SettingsFile } from '../config/settings-file.ts'
import type { SessionSpool } from '../dispatch/pipe.ts'
import { isGuardingCalls } from '../protocol/event-row.ts'
import type { DispatchRecord } from '../protocol/record/record.ts'
import { findSpool } from './segments.ts'
import { findFleet } from './settings.ts'
import { Spool, type SpoolingSession } from './spool.ts'

/** Opens the spool of a session; null where no fleet is configured. A setting that cannot be used is told. */
export function openSessionSpool(
  files: readonly SettingsFile[],
  { home, ...session }: SpoolingSession & { readonly home: string },
): SessionSpool | null {
  const found = findFleet(files)
  if (found === null) return null
  if ('fault' in found) {
    session.warn(`${found.file}  ${found.fault}. Records are not kept for the fleet.`)
    return null
  }
  const { settings } = found
  const spool = new Spool(findSpool(home), settings, session)
  return {
    keep: (event, row) => {
      const { record } = event
      const fault = spool.keep(event)
      return fault !== null && settings.mode === 'strict' && isGuardingCalls(row) ? refuseUnkept(record, fault) : record
    },
    close: () => spool.close(),
  }
}

/** The record of a call that must not be made, since what was decided about it could not be kept. */
function refuseUnkept(record: DispatchRecord, fault: string): DispatchRecord {
  const reason = `Your organisation wants a record of every call, and this one cannot be kept (${fault}): free space in ~/.hookline, or ask for the fleet's "mode" to be best-effort.`
  const { decision } = record
  return { ...record, decision: { ...decision, blocked: true, permission: 'deny', reason, updatedInput: null } }
}
