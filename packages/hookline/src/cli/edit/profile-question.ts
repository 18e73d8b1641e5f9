import { PROFILE_SETTING } from '../../config/profile-choice.ts'
import { changeMember } from '../../config/settings-text.ts'
import { editHooks } from '../../engine/edit-hooks.ts'
import type { EngineOptions } from '../../engine/options.ts'
import { findUndecidedProfile } from '../../engine/trust-review.ts'
import { PROFILE_NAMES } from '../../protocol/profiles.ts'
import type { TerminalUser } from '../input/terminal-user.ts'
import { findCallingAgent } from '../start/calling-agent.ts'
import { tell } from '../start/print.ts'

/**
 * Asks which profile is meant, where a project uses what only another one has and no one chose for it, and writes the answer
 * into its settings, so that it is asked once. Without a user it says so in one sentence. Whether something was written.
 */
export async function askForProfile(options: EngineOptions, user: TerminalUser | null): Promise<boolean> {
  const sentence = await findUndecidedProfile(options)
  if (sentence === null) return false
  tell(`${sentence}\n`)
  const name = await user?.choose('Which profile is meant?', PROFILE_NAMES)
  if (name === undefined || name === null) return false
  const { file } = await editHooks('project', options, {
    change: (text) => changeMember(text, PROFILE_SETTING, { value: name }),
    by: findCallingAgent(process.env) === null ? 'user' : 'agent',
  })
  tell(`Wrote ${file}: its hooks are read under ${name}.\n`)
  return true
}
