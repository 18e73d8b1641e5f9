import { isAwaited } from '../../../bridges/answer/answer.ts'
import type { JsonObject } from '../../../bridges/bridge.ts'
import { type Caller, findCaller } from '../../../bridges/call/caller.ts'
import { isFirstMet } from '../../../bridges/memory.ts'
import { runWrapped, type WrappedCall } from '../../../bridges/wrap.ts'
import { findHome } from '../../../files/home.ts'
import { type Replacement, runInPlace, toProgram } from '../../../process/in-place.ts'
import { toProgramText } from '../../../text/program-text.ts'
import { hasPayloadOnStdin, MAX_PAYLOAD_BYTES, readPayload, readRest } from '../../input/hook-payload.ts'
import { findNamedCaller, makeProgramAlone, type Program, splitWrapWords } from '../../input/wrapper-call.ts'
import { refuseOnFailure } from '../../start/exit.ts'
import { UsageError } from '../../start/flags.ts'
import { startHandOver } from '../../start/hand-over.ts'
import { answerHost, parseSeconds, runExplainedInHook } from '../../start/host-call.ts'
import { deliver, tell } from '../../start/print.ts'

/** Runs `hookline wrap -- COMMAND`: inside of a hook, for whichever agent has called it. */
export function run(args: string[]): Promise<number> {
  return runExplainedInHook('wrap', runFor, args)
}

async function runFor(args: string[]): Promise<number> {
  const { flags, words } = splitWrapWords(args)
  if (words === null) {
    const { formatSuggestion } = await import('../../../text/nearest.ts') // no hook needs this
    const near = formatSuggestion(args[0] ?? '', ['install', 'uninstall'])
    throw new UsageError(`It takes install, uninstall, or a command: hookline wrap -- COMMAND.${near}`)
  }
  refuseOnFailure(flags.event === undefined || isAwaited(flags.event))
  const program = flags.exec ? makeProgramAlone(words) : toProgram(words)
  if (!hasPayloadOnStdin() && findCaller(null, process.env).is !== 'agent') return runCommandInPlace(program, null)
  const given = await readPayload()
  const caller = flags.agent === undefined ? findCaller(given.payload, process.env) : await findNamedCaller(flags.agent)
  if (caller.is !== 'agent') {
    if (caller.is === 'unknown') tellOnce(given.payload)
    return runCommandInPlace(program, { bytes: given.bytes, isAll: given.ended })
  }
  const bytes = given.ended ? given.bytes : await readRest(given.bytes)
  const call: WrappedCall = {
    event: flags.event ?? null,
    matcher: flags.matcher ?? null,
    condition: flags.if ?? null,
    words,
    isProgram: flags.exec === true || words.length > 1,
    seconds: parseSeconds(flags.timeout),
    decidesNothing: flags.late === true,
    text: bytes.length > MAX_PAYLOAD_BYTES ? null : bytes.toString('utf8'),
    env: process.env,
    home: findHome(),
  }
  if (flags.async && !flags.late) return runLater(args, bytes, caller)
  return answerHost(await runWrapped(call, caller.bridge))
}

/** Runs the command as if it stood alone. */
async function runCommandInPlace(program: Program, input: Replacement['input']): Promise<number> {
  const { code, fault } = await runInPlace({ ...program, input })
  if (fault !== undefined) tell(`hookline wrap: ${fault}\n`)
  return code
}

/** An `async` hook: the agent goes on at once, and what the hook says comes with a later event. */
async function runLater(args: readonly string[], bytes: Buffer, caller: Caller): Promise<number> {
  await startHandOver(['wrap', '--late', ...args], bytes)
  if (caller.is === 'agent') await deliver(toProgramText(caller.bridge.capabilities.noOpinion))
  return 0
}

/** Says once in a session that nothing is translated: the command may not know what it gets. */
function tellOnce(payload: JsonObject | null): void {
  if (isFirstMet(findHome(), String(payload?.session_id ?? payload?.sessionId ?? 'none')))
    tell('hookline: an agent that hookline wrap does not know calls this hook, which gets what that agent sends.\n')
}
