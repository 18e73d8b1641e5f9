import type { BridgeAnswer } from '../../bridges/answer/answer.ts'
import { isSayingEverything } from '../../bridges/install/read-back.ts'
import { encodeText, endLine, isEmptyText } from '../../text/program-text.ts'
import { explain } from './call.ts'
import { chooseFailureCode, endAsFailure, REFUSED, refuseOnFailure } from './exit.ts'
import { deliver, tell, tellProgram, toPrintableText } from './print.ts'

/** Does what an agent has called as a hook. Resolves with the exit code: what goes wrong is told, and refuses the call that waits. */
export async function runExplainedInHook(
  command: string,
  act: (args: string[]) => Promise<number>,
  args: string[],
): Promise<number> {
  try {
    return await act(args)
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
  const fault = isSayingEverything(answer) ? await deliver(endLine(stdout), { isAwaited: guards }) : UNSAID
  if (!isEmptyText(stderr)) tellProgram(endLine(stderr))
  for (const note of notes) if (code === 0) tell(formatNote(note))
  if (fault === null || code !== 0) return code
  refuseOnFailure(guards)
  tell(formatLoss(guards, fault))
  endAsFailure() // unread text may still wait to be written
  return chooseFailureCode()
}

/** Bytes that another process writes for `answerHost`, and the exit code that it ends with. */
export interface WrittenAnswer {
  readonly code: number
  readonly stdout: Uint8Array
  readonly stderr: Uint8Array
}

/** Writes what `answerHost` would, for another process to deliver. */
export function writeAnswer(answer: BridgeAnswer): WrittenAnswer {
  const { stdout, stderr, code, notes, guards } = answer
  const isSaid = isSayingEverything(answer)
  const isLost = !isSaid && code === 0
  const words = [...(code === 0 ? notes.map(formatNote) : []), ...(isLost ? [formatLoss(guards, UNSAID)] : [])]
  return {
    code: isLost && guards ? REFUSED : code,
    stdout: isSaid ? encodeText(endLine(stdout)) : new Uint8Array(),
    stderr: Buffer.concat([encodeText(endLine(stderr)), Buffer.from(toPrintableText(words.join('')))]),
  }
}

const UNSAID = 'the answer would not say what hooks decided'

const formatNote = (note: string): string => `hookline: ${note}\n`

const formatLoss = (guards: boolean, fault: string): string =>
  `hookline: ${guards ? 'This call is refused' : 'What hooks said is lost'}: ${fault}.\n`

/** Parses the seconds that a host gives a hook; null where it says none. */
export function parseSeconds(text: string | undefined): number | null {
  const seconds = Number(text)
  return text !== undefined && seconds > 0 ? seconds : null
}
