import { switchKey } from '../config/standing.ts'
import type { Session } from '../dispatch/session.ts'
import { listHooks } from './listing.ts'

/** Switches a hook off for the session, or on again; policy's hooks stay on. Whether there was something to switch. */
export function switchHook(session: Session, id: string, off: boolean): boolean {
  const listed = listHooks(session).find(({ hook }) => hook.id === id)
  if (!listed || listed.hook.scope === 'managed') return false
  const key = switchKey(listed.hook)
  if (off) session.switchedOff.add(key)
  else session.switchedOff.delete(key)
  session.listeners.clear()
  return true
}
