import type { Configuration } from '../config/configuration.ts'
import { snapshotOf } from '../config/snapshot.ts'
import { storeAcceptance, type TrustAnswer } from '../config/trust.ts'
import { type Session, unreadFiles } from '../dispatch/session.ts'

/**
 * Makes a configuration count from the next event on. A project whose owner accepted it stays accepted, and that is
 * stored: whoever brings a configuration here has seen it. A host that answers for itself is asked again.
 */
export async function adopt(session: Session, configuration: Configuration, trust?: TrustAnswer): Promise<void> {
  const { options, snapshot } = session
  const remembered = options.trust === 'stored' && snapshot.trust.accepted
  const answer = trust ?? (remembered ? 'accepted' : options.trust)
  const next = await snapshotOf(configuration, options.places, { profile: options.profile, trust: answer })
  if (remembered && Object.keys(next.trust.request.files).length > 0) {
    await storeAcceptance(next.trust.request, options.places.home)
  }
  session.snapshot = next
  session.notices.push(...unreadFiles(next))
  session.listeners.clear()
  session.watch.follow(next)
}
