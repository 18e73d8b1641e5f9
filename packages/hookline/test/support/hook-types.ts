import { DEFAULT_RUNNABLE } from '../../src/engine/profiles.ts'
import type { RunnableType } from '../../src/run/execute.ts'
import type { Run } from '../../src/run/run.ts'

const JUDGED: readonly string[] = ['judged', 'undecided', 'unanswered']

/** A hook type whose runs end in this way. */
export function typeThatRan({ ended }: Run): RunnableType {
  const { command, prompt, function: inProcess } = DEFAULT_RUNNABLE.hookTypes
  const inHost = ended === 'returned' || ended === 'threw' ? inProcess : command
  const type = JUDGED.includes(ended) ? prompt : inHost
  if (!type) throw new TypeError('the profile has these types')
  return type
}
