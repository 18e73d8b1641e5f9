import { tellUntrusted } from './host-listeners.ts'
import type { Stage } from './pipe.ts'
import { formatUntrustedNotice, isUntrusted } from './session.ts'

/** Stands among the ids of hooks that were told, which all have a colon. */
const UNTRUSTED = 'untrusted'

/** Says once that the project's own hooks wait for trust. */
export const untrustedNotice: Stage = {
  plan: (session, _event, planned) => {
    const { told, notices, snapshot } = session
    if (told.has(UNTRUSTED) || !isUntrusted(session)) return planned
    told.add(UNTRUSTED)
    notices.push(formatUntrustedNotice(snapshot))
    if (snapshot.trust.wrongDigest !== null) notices.push(snapshot.trust.wrongDigest)
    tellUntrusted(session)
    return planned
  },
}
