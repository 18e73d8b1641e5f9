import { readSync } from 'node:fs'
import { isGuarding } from '../../../bridges/answer/answer.ts'
import { dropShellWords, findHookSeconds, proveAnswer } from '../../../bridges/install/entry.ts'
import { answerProbe, readProbe } from '../../../bridges/install/probe.ts'
import { findBridge } from '../../../bridges/list.ts'
import type { OnlyHook } from '../../../bridges/only-hook.ts'
import { runBridge } from '../../../bridges/run.ts'
import { readErrorCode } from '../../../files/read.ts'
import { loadBridge } from '../../input/load-bridge.ts'
import { REFUSED, refuseOnFailure } from '../../start/exit.ts'
import { PLACE_FLAGS, readArguments, toEngineOptions, UsageError } from '../../start/flags.ts'
import { startHandOver } from '../../start/hand-over.ts'
import { answerHost, parseSeconds, runExplainedInHook } from '../../start/host-call.ts'
import { tell } from '../../start/print.ts'

const FLAGS = {
  attended: { type: 'boolean' },
  'native-transcript': { type: 'boolean' },
  limit: { type: 'string' },
  late: { type: 'boolean' },
  proof: { type: 'boolean' },
  guards: { type: 'boolean' },
  ...PLACE_FLAGS,
} as const

/** No event of an agent is longer. */
const MAX_HOST_PAYLOAD_BYTES = 16 * 1024 * 1024
const READ_AT_ONCE = 64 * 1024

/** Runs `hookline bridge run`: the host reads stdout and the exit code, a person stderr. */
export function run(args: string[]): Promise<number> {
  refuseOnFailure(canBeAwaited(args))
  return runExplainedInHook('bridge run', runFor, args)
}

/** True if a call waits for this one, as far as the words tell that before they are read. */
function canBeAwaited(args: readonly string[]): boolean {
  const words: string[] = []
  for (const word of args) if (!word.startsWith('-')) words.push(word)
  const [agent = '', hostEvent = ''] = words
  const bridge = findBridge(agent)
  return bridge === null || isGuarding(bridge, hostEvent)
}

async function runFor(args: string[]): Promise<number> {
  const { values, positionals } = readArguments([...dropShellWords(args)], FLAGS)
  const [agent, hostEvent, ...more] = positionals
  if (values.late) return runLateWork()
  const { project, profile: _, ...engine } = toEngineOptions(values)
  const bridge = await loadBridge(agent, engine.home)
  if (hostEvent === undefined || more.length > 0)
    throw new UsageError('It takes the name of an agent and of one of its events.')
  refuseOnFailure(isGuarding(bridge, hostEvent))
  const text = await readInput()
  const nonce = readProbe(text)
  const prove = values.proof ? proveAnswer : null
  if (nonce !== null) return endProbe(nonce, isGuarding(bridge, hostEvent), prove)
  const answer = await runBridge({
    bridge,
    hostEvent,
    text,
    env: process.env,
    attended: values.attended === true,
    nativeTranscript: values['native-transcript'] === true,
    limit: parseSeconds(values.limit) ?? findHookSeconds(bridge, hostEvent),
    handOver: (work) => startHandOver(['bridge', 'run', ...args, '--late'], work),
    engine: values.project === undefined ? engine : { ...engine, project },
    ...(values.guards ? { only: await loadGuards(engine.home) } : {}),
  })
  const code = await answerHost(answer)
  return prove === null ? code : prove(code)
}

/** The guards as the only hook, loaded where an entry asks for them. */
async function loadGuards(home: string): Promise<OnlyHook> {
  const { makeGuardsOnly } = await import('../../input/guard-call.ts')
  return makeGuardsOnly(home, process.env)
}

/** Ends a probe: no hook runs, and a probe that comes in place of a call opens nothing. */
function endProbe(nonce: string, isGuarded: boolean, prove: typeof proveAnswer | null): number {
  tell(`${answerProbe(nonce)}\n`)
  const code = isGuarded ? REFUSED : 0
  return prove === null ? code : prove(code)
}

/** Does what is left of an event after its answer: its `async` hooks. */
async function runLateWork(): Promise<number> {
  const { runHandedOver } = await import('../../../bridges/answer/late.ts')
  await runHandedOver((await readInput()) ?? '')
  return 0
}

/** All of stdin, to its end: some hosts write it before they read anything. Null when it is too long. */
async function readInput(): Promise<string | null> {
  const chunks: Buffer[] = []
  let length = 0
  const take = (chunk: Buffer): void => {
    length += chunk.length
    if (length <= MAX_HOST_PAYLOAD_BYTES) chunks.push(Buffer.from(chunk))
  }
  if (!readAtOnce(take)) for await (const chunk of process.stdin) take(chunk)
  return length > MAX_HOST_PAYLOAD_BYTES ? null : Buffer.concat(chunks).toString('utf8')
}

/** Waits for all of stdin without loading what streams need; false where that is not possible for the rest of it. */
function readAtOnce(take: (chunk: Buffer) => void): boolean {
  const buffer = Buffer.allocUnsafe(READ_AT_ONCE)
  try {
    for (let length = readSync(0, buffer); length > 0; length = readSync(0, buffer)) take(buffer.subarray(0, length))
    return true
  } catch (error) {
    return readErrorCode(error) === 'EOF' // as some systems end a pipe
  }
}
