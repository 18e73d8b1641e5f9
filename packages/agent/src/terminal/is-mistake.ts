import { ModelError } from '../models/model.ts'
import { AgentError } from '../session/options.ts'

/** Whether something was asked for that cannot be: its message says what is wrong. All else is a fault of ours. */
export function isMistake(error: unknown): error is Error {
  return (
    error instanceof AgentError ||
    error instanceof ModelError ||
    (error instanceof Error && error.name === 'HooklineError')
  )
}
