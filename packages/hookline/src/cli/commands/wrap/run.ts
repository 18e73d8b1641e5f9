import { isAwaited } from '../../../bridges/answer.ts'
import type { JsonObject } from '../../../bridges/bridge.ts'
import { type Caller, findCaller } from '../../../bridges/caller.ts'
import { findBridge, readOwnBridge } from '../../../bridges/list.ts'
import { isFirstMet } from '../../../bridges/memory.ts'
import { runWrapped, type WrappedCall } from '../../../bridges/wrap.ts'
import { findHome } from '../../../files/home.ts'
import { type Replacement, runInPlace, toProgram } from '../../../process/in-place.ts'
import { withProject } from '../../../protocol/wrapped-command.ts'
import { toProgramText } from '../../../text/program-text.ts'
import { isGiven, MAX_PAYLOAD_BYTES, readPayload, readRest } from '../../input/hook-payload.ts'
import { refuseOnFailure } from '../../start/exit.ts'
import { UsageError } from '../../start/flags.ts'
import { startHandOver } from '../../start/hand-over.ts'
import { answerHost, parseSeconds, runExplainedInHook } from '../../start/host-call.ts'
import { deliver, tell } from '../../start/print.ts'

/** Runs `hookline wrap -- COMMAND`: inside of a hook, for whichever agent has called it. */
export function run(args: string[]): Promise<number> {
  return runExplainedInHook('wrap', () => runFor(args))
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
  if (!isGiven() && findCaller(null, process.env).is !== 'agent') return runCommandInPlace(program, null)
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

/** Flags before the command. */
interface WrapFlags {
  agent?: string
  event?: string
  matcher?: string
  if?: string
  timeout?: string
  exec?: boolean
  async?: boolean
  late?: boolean
}

const WITH_VALUE = ['agent', 'event', 'matcher', 'if', 'timeout'] as const
const ALONE = ['exec', 'async', 'late'] as const

/**
 * The flags and the command, null when there is none. Flags of later versions are passed over: a mistake in the call would fail the hook, and open
 * what it guards.
 */
function splitWrapWords(args: readonly string[]): {
  readonly flags: WrapFlags
  readonly words: WrappedCall['words'] | null
} {
  const flags: WrapFlags = {}
  let at = 0
  for (; at < args.length; at++) {
    const word = args[at] ?? ''
    if (word === '--' || !word.startsWith('--')) break
    const name = word.slice('--'.length)
    const valued = WITH_VALUE.find((one) => one === name)
    const alone = ALONE.find((one) => one === name)
    if (alone !== undefined) flags[alone] = true
    else if (valued !== undefined) flags[valued] = args[++at] ?? ''
    else if (args.includes('--', at) && !(args[at + 1] ?? '--').startsWith('--')) at++
  }
  const [first, ...rest] = args[at] === '--' ? args.slice(at + 1) : []
  return { flags, words: first === undefined || first === '' ? null : [first, ...rest] }
}

type Program = Pick<Replacement, 'file' | 'args'>

/** Makes what an entry with `args` runs, as Claude Code would start it. */
function makeProgramAlone(words: WrappedCall['words']): Program {
  const [file, ...args] = withProject(words, process.env.CLAUDE_PROJECT_DIR)
  return { file, args }
}

/** Runs the command as if it stood alone. */
async function runCommandInPlace(program: Program, input: Replacement['input']): Promise<number> {
  const { code, fault } = await runInPlace({ ...program, input })
  if (fault !== undefined) tell(`hookline wrap: ${fault}\n`)
  return code
}

async function findNamedCaller(agent: string): Promise<Caller> {
  if (agent === 'claude-code') return { is: 'claude-code' }
  const bridge = findBridge(agent) ?? (await readOwnBridge(agent, findHome()).catch(() => null)) // of its mistakes bridge status tells
  return bridge === null ? { is: 'unknown' } : { is: 'agent', bridge }
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
