import { type Caller, findCaller } from '../../../bridges/call/caller.ts'
import { findBridge } from '../../../bridges/list.ts'
import { HooklineError } from '../../../files/error.ts'
import { findHome } from '../../../files/home.ts'
import { GUARD_NAMES, type GuardName } from '../../../guards/guard.ts'
import { formatSuggestion } from '../../../text/nearest.ts'
import { endLine, toJsonText } from '../../../text/program-text.ts'
import {
  answerGuardCall,
  answerUnreadable,
  type GuardAnswerText,
  makeGuardsOnly,
  readGuardNames,
} from '../../input/guard-call.ts'
import { hasPayloadOnStdin, readPayload } from '../../input/hook-payload.ts'
import { explain } from '../../start/call.ts'
import { chooseFailureCode, refuseOnFailure } from '../../start/exit.ts'
import { deliver, tell } from '../../start/print.ts'

/** Runs `hookline guard` as a hook: the event of a call on stdin, the answer for the agent that called. */
export function runHook(args: string[]): Promise<number> {
  return answerCall(args).catch((error: unknown) => {
    explain(error, 'guard')
    return chooseFailureCode()
  })
}

async function answerCall(args: readonly string[]): Promise<number> {
  const { names, agent, home = findHome() } = readNames(args)
  refuseOnFailure(true)
  // Node makes a stream to tell a terminal, which takes as long as the judgement: most calls are given a pipe.
  if (!hasPayloadOnStdin() && process.stdin.isTTY)
    throw new HooklineError("It reads an event on stdin. To look at a command: hookline guard try 'COMMAND'")
  const { payload, bytes } = await readPayload()
  const caller: Caller =
    agent === 'claude-code' ? { is: 'claude-code' } : (findNamed(agent) ?? findCaller(payload, process.env))
  if (caller.is === 'agent') {
    const { runWrapped } = await import('../../../bridges/wrap.ts') // Claude Code needs no translation
    const { answerHost } = await import('../../start/host-call.ts')
    const { isCutShort: _, ...hook } = makeGuardsOnly(home, process.env, names)
    const call = { ...hook, text: bytes.toString('utf8'), env: process.env, home: findHome() }
    return answerHost(await runWrapped(call, caller.bridge))
  }
  const call = { home, env: process.env, folder: process.cwd(), names, tell: tellProblem }
  const answer = payload === null ? answerUnreadable(bytes.toString('utf8')) : await answerGuardCall(payload, call)
  return answer === null ? 0 : giveAnswer(answer)
}

/** Writes the answer; resolves with the exit code, a refusal where nobody can read what was written. */
async function giveAnswer(answer: GuardAnswerText): Promise<number> {
  const fault = await deliver(endLine(toJsonText(answer)))
  if (fault === null) return 0
  tell(`hookline guard: This call is refused: ${fault}.\n`)
  return chooseFailureCode()
}

const tellProblem = (problem: string): void => tell(`hookline guard: ${problem}\n`)

function findNamed(agent: string | undefined): Caller | null {
  const bridge = agent === undefined ? null : findBridge(agent)
  return bridge && { is: 'agent', bridge }
}

/** Words behind `guard` that are no guards. */
const ACTS = ['try', 'list', 'allow', 'disallow', 'trust', 'log', 'backtest', 'sandbox', 'add', 'remove']

/** Names of guards and the agent that calls; unknown flags are passed over, since a mistake would open what is guarded. */
function readNames(args: readonly string[]): {
  readonly names: readonly GuardName[]
  readonly agent: string | undefined
  readonly home: string | undefined
} {
  const words: string[] = []
  let agent: string | undefined
  let home: string | undefined
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? ''
    if (word === '--agent') agent = args[++at]
    else if (word === '--home') home = args[++at]
    else if (word === '--project') at++
    else if (!word.startsWith('-')) words.push(word)
  }
  const { names, fault } = readGuardNames(words)
  if (fault === null) return { names, agent, home }
  throw new HooklineError(
    `"${fault}" is not a guard or a command of hookline guard.${formatSuggestion(fault, [...GUARD_NAMES, ...ACTS])} The guards: ${GUARD_NAMES.join(', ')}`,
  )
}
