import type { Loop } from '../turn/loop-state.ts'

/**
 * Whether somebody has something to say to an agent that is about to end its turn. The lead waits for it as long as
 * teammates work, within its time: a turn of the lead is over when everybody is idle.
 */
export async function hearsOfTeam({ agent, inbox, session }: Loop): Promise<boolean> {
  if (agent !== null) return inbox.length > 0
  const { emit, limits, society } = session
  const still = await society.team.listen(limits.teamWaitMs)
  if (still.length > 0) {
    const text = `The turn does not wait any longer for ${still.join(', ')}: no word for ${limits.teamWaitMs / 1000} s.`
    emit({ type: 'told', to: 'user', text })
  }
  return inbox.length > 0
}
