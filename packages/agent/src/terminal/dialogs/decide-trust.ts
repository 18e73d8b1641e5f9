import { type EngineOptions, openEngine } from 'hookline'
import type { TrustQuestion } from '../state/dialog.ts'

/**
 * Shows what of a folder would run, where that has not been accepted as it is; an acceptance is stored. Nothing of it has
 * run when it resolves: the session that opens afterwards looks for the stored answer.
 */
export async function decideTrust(
  places: Pick<EngineOptions, 'project' | 'home' | 'managed' | 'plugins' | 'profile' | 'env'>,
  agrees: (question: TrustQuestion) => Promise<boolean>,
): Promise<void> {
  const engine = await openEngine({ ...places, trust: 'stored' })
  try {
    const { accepted, request } = engine.trust
    if (accepted) return
    if (await agrees({ request })) await engine.acceptTrust()
  } finally {
    await engine.close()
  }
}
