import { isSayingEverything } from '../../bridges/read-back.ts'
import type { BridgeAnswer } from '../../bridges/run.ts'
import { endLine, isEmpty } from '../../text/program-text.ts'
import { explain } from './call.ts'
import { chooseFailureCode, endAsFailure, refuseOnFailure } from './exit.ts'
import { deliver, tell, tellProgram } from './print.ts'

/** Does what an agent has called as a hook. Resolves with the exit code: what goes wrong is told, and refuses the call that waits. */
export async function runExplainedInHook(command: string, act: () => Promise<number>): Promise<number> {
  try {
    return await act()
  } catch (error) {
    explain(error, command)
    return chooseFailureCode()
  }
}

/**
 * Gives an agent its answer: stdout and the exit code are for the host, stderr for its model or its user. Resolves with the
 * exit code. An answer that does not say what hooks decided, or that cannot be delivered, refuses the call that waits for it.
 */
export async function answerHost(answer: BridgeAnswer): Promise<number> {
  const { stdout, stderr, code, notes, guards } = answer
  const fault = isSayingEverything(answer)
    ? await deliver(endLine(stdout))
    : 'the answer would not say what hooks decided'
  if (!isEmpty(stderr)) tellProgram(endLine(stderr))
  for (const note of notes) if (code === 0) tell(`hookline: ${note}\n`)
  if (fault === null || code !== 0) return code
  refuseOnFailure(guards)
  tell(`hookline: ${guards ? 'This call is refused' : 'What hooks said is lost'}: ${fault}.\n`)
  endAsFailure() // unread text may still wait to be written
  return chooseFailureCode()
}
