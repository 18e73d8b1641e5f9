import type { DefaultProfileName } from '../protocol/profile-events.ts'
import type { ProfileName } from '../protocol/profiles.ts'

/** End of a hook's process, and what it says. */
export interface Outcome {
  /** 0: read stdout; 1: it failed, which stops nothing; 2: stderr objects. */
  readonly exitCode: 0 | 1 | 2
  readonly stdout: string
  readonly stderr: string
}

/** Options of a hook besides its handlers. */
export interface HookOptions<Profile extends ProfileName = DefaultProfileName> {
  /** The version of the protocol whose events and replies the handlers use; the default one by default. */
  readonly profile?: Profile | undefined
  /** Meaning of a handler that throws: `report` tells the user and stops nothing, `block` objects. */
  readonly onError?: 'report' | 'block' | undefined
}

/** The outcome of a hook that has nothing to say. */
export const SILENT_OUTCOME: Outcome = { exitCode: 0, stdout: '', stderr: '' }

/** Way in which a hook fails: as its options say, and under the name of its file. */
export interface HookFailure extends HookOptions<ProfileName> {
  readonly file: string
}

/** The outcome of a hook that failed. An objection does not show the stack. */
export function makeFailureOutcome(error: unknown, { file, onError = 'report' }: HookFailure): Outcome {
  if (onError === 'block') return { exitCode: 2, stdout: '', stderr: `${file}: ${error}\n` }
  const details = error instanceof Error ? (error.stack ?? error.message) : error
  return { exitCode: 1, stdout: '', stderr: `${file}: ${details}\n` }
}
