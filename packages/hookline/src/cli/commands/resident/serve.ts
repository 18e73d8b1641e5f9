import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isGuarding } from '../../../bridges/answer/answer.ts'
import type { Bridge } from '../../../bridges/bridge.ts'
import { findCaller } from '../../../bridges/call/caller.ts'
import { dropShellWords, findHookSeconds, proveAnswer } from '../../../bridges/install/entry.ts'
import { findLauncherPath } from '../../../bridges/install/launcher.ts'
import { answerProbe, readProbe } from '../../../bridges/install/probe.ts'
import { findBridge } from '../../../bridges/list.ts'
import { runBridge } from '../../../bridges/run.ts'
import { runWrapped, type WrappedCall } from '../../../bridges/wrap.ts'
import { findDefaultManagedFile, SETTINGS_FILES } from '../../../config/scopes.ts'
import { findHome } from '../../../files/home.ts'
import { keepReadFiles, readStamp } from '../../../files/read.ts'
import { toProgram } from '../../../process/in-place.ts'
import { Launcher } from '../../../process/launcher.ts'
import { VARYING_VARIABLES } from '../../../protocol/hook-type.ts'
import { unwrapOuter } from '../../../protocol/wrapped-command.ts'
import { MAX_TAPPED_OUTPUT_BYTES, recordTapped } from '../../../record/tap-line.ts'
import type { Caller } from '../../../resident/caller.ts'
import { findMeetingPlace } from '../../../resident/place.ts'
import {
  type ClientLine,
  type ResidentAnswer,
  type ResidentCall,
  type ResidentReply,
  serveCalls,
} from '../../../resident/serve.ts'
import { isObject } from '../../../text/json.ts'
import { encodeText, endLine, toJsonText } from '../../../text/program-text.ts'
import { answerGuardCall, type GuardCall, makeGuardsOnly, readGuardNames } from '../../input/guard-call.ts'
import { MAX_PAYLOAD_BYTES, parsePayload } from '../../input/hook-payload.ts'
import {
  findNamedCaller,
  makeProgramAlone,
  splitTapWords,
  splitWrapWords,
  type TapFlags,
} from '../../input/wrapper-call.ts'
import { REFUSED } from '../../start/exit.ts'
import { startHandOver } from '../../start/hand-over.ts'
import { parseSeconds, writeAnswer } from '../../start/host-call.ts'
import { toPrintableText } from '../../start/print.ts'
import { readPlainly } from '../../start/quick-start.ts'

/** The resident ends when no call has come for so long. */
const IDLE_MS = 10 * 60_000

/** Flags of `bridge run` that the resident knows; a call with others goes the cold way. */
const FLAGS = {
  attended: { type: 'boolean' },
  'native-transcript': { type: 'boolean' },
  proof: { type: 'boolean' },
  guards: { type: 'boolean' },
} as const

/** Runs `hookline resident serve`: the process that answers calls of agents. Resolves when it has ended. */
export async function serve(): Promise<number> {
  const home = findHome()
  const place = findMeetingPlace(home)
  if (isSwitchedOff(home)) {
    writeOff(place.off)
    return 0
  }
  rmSync(place.off, { force: true })
  setFlagsFromString('--always-sparkplug') // a session has some dozens of calls: too few for code to become quick by itself
  setFlagsFromString('--interrupt-budget=1000000') // and making it quicker still costs more than these calls
  setFlagsFromString('--no-parallel-scavenge') // other threads have to be woken for that, and there is little to do
  setFlagsFromString('--semi-space-growth-factor=1') // room for new objects stays as small as it is: it grew to 32 MiB, and stayed so
  keepReadFiles()
  const keeper = new Launcher('auto', { warm: 'auto' })
  const script = process.argv[1] ?? ''
  const program = readStamp(script)
  await serveCalls({
    home,
    launching: { launcher: findLauncherPath(home), readEntry: readWrappedWords },
    program: [script],
    idleMs: IDLE_MS,
    rest: makeMemoryRest(),
    findObstacle: (caller) => findObstacle(caller, home),
    findEnd: () => {
      if (readStamp(script) !== program) return 'its program has changed'
      if (!isSwitchedOff(home)) return null
      writeOff(place.off)
      return 'settings switch it off'
    },
    isWhole: (bytes) => parsePayload(bytes) !== null,
    answer: (call, line) => answerCall(call, line, { home, keeper }),
  })
  await keeper.close()
  return 0
}

/** Growth of the heap since the last collection that is worth another one, which takes some dozens of milliseconds. */
const WORTH_COLLECTING_BYTES = 4 * 1024 * 1024

/** Gives memory back that calls took: what they leave is collected when nobody waits, and not only when there is much of it. */
function makeMemoryRest(): () => void {
  let after = 0
  return () => {
    if (process.memoryUsage().heapTotal - after < WORTH_COLLECTING_BYTES) return
    setFlagsFromString('--expose-gc')
    const collect: () => void = runInNewContext('gc') // as Node has it with that flag
    collect()
    after = process.memoryUsage().heapTotal
  }
}

/** True if the user or policy has `"hookline": { "resident": false }`; a project has no say. */
function isSwitchedOff(home: string): boolean {
  return [SETTINGS_FILES.user({ project: home, home }), findDefaultManagedFile(process.platform)].some(isOffByFile)
}

const isOffByFile = (path: string): boolean => lookInSettings(path).isOff

function writeOff(path: string): void {
  try {
    writeFileSync(path, '', { mode: 0o600 })
  } catch {
    // a home that cannot be written has no meeting place either
  }
}

/** Reads the words that a wrapped hook has for the launcher; null for the text of another. */
function readWrappedWords(text: string): readonly string[] | null {
  for (const by of ['wrap', 'tap'] as const) {
    const wrapped = unwrapOuter({ command: text }, by)
    if (wrapped === null) continue
    const { command, args, flags } = wrapped
    return [by, ...flags, ...(args === undefined ? [] : ['--exec']), '--', command, ...(args ?? [])]
  }
  return null
}

/** Says why a call has to go the cold way; null: it can be served. */
function findObstacle(caller: Caller, home: string): string | null {
  const call = readCall(caller.args)
  if (call === null) return 'the resident does not serve such calls'
  if (!caller.isHeard && call.is !== 'record') return 'nobody reads its answer'
  if (call.is === 'bridge' || call.is === 'record' || call.is === 'guard') return null
  return caller.entry !== null && isInSettings(caller.entry, caller, home) ? null : 'no settings file has its hook'
}

/** True if a command stands, to the letter, in a settings file that the agent reads: nothing else is started for anybody. */
function isInSettings(command: string, { env, cwd }: Caller, home: string): boolean {
  const projects = [env.CLAUDE_PROJECT_DIR, cwd].filter((folder) => folder !== undefined)
  const files = projects.flatMap((project) => Object.values(SETTINGS_FILES).map((find) => find({ project, home })))
  return [...new Set([...files, findDefaultManagedFile(process.platform)])].some((file) =>
    lookInSettings(file).commands.has(command),
  )
}

/** Parts of a settings file that the resident looks for, and the stamp of the file when it was read. */
interface KeptSettings {
  readonly stamp: string
  readonly commands: ReadonlySet<string>
  /** True where it says `"hookline": { "resident": false }`. */
  readonly isOff: boolean
}

const settingsByFile = new Map<string, KeptSettings>()
const MAX_FILES_KEPT = 100

/** Reads a settings file, unless it is as it was when it was last read. */
function lookInSettings(file: string): KeptSettings {
  const stamp = readStamp(file)
  const known = settingsByFile.get(file)
  if (known?.stamp === stamp) return known
  const { hooks, hookline } = parseSettings(file)
  const commands = new Set<string>()
  collectCommands(hooks, commands)
  const read = { stamp, commands, isOff: isObject(hookline) && hookline.resident === false }
  if (settingsByFile.size >= MAX_FILES_KEPT) settingsByFile.clear()
  settingsByFile.set(file, read)
  return read
}

function parseSettings(file: string): Readonly<Record<string, unknown>> {
  try {
    const settings: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return isObject(settings) ? settings : {}
  } catch {
    return {} // there is no such file, or it cannot be read: the call goes the cold way
  }
}

function collectCommands(value: unknown, commands: Set<string>): void {
  if (Array.isArray(value)) for (const one of value) collectCommands(one, commands)
  else if (isObject(value)) {
    if (typeof value.command === 'string' && value.args === undefined) commands.add(value.command)
    else for (const one of Object.values(value)) collectCommands(one, commands)
  }
}

/** A call that the resident serves. */
type ServedCall =
  | {
      readonly is: 'bridge'
      readonly bridge: Bridge
      readonly hostEvent: string
      readonly flags: { readonly [Name in keyof typeof FLAGS]?: boolean }
    }
  | ({ readonly is: 'wrap' } & ReturnType<typeof splitWrapWords> & { readonly words: WrappedCall['words'] })
  | ({ readonly is: 'tap' } & ReturnType<typeof splitTapWords> & { readonly words: WrappedCall['words'] })
  | { readonly is: 'record'; readonly flags: TapFlags }
  | { readonly is: 'guard'; readonly names: GuardCall['names'] }

/** Reads the words of a call; null for one that the resident does not serve. */
function readCall(args: Caller['args']): ServedCall | null {
  const [command, ...rest] = args
  if (command === 'bridge') return readBridgeCall(rest)
  if (command === 'tap' && rest[0] === 'record') return { is: 'record', flags: splitTapWords(rest).flags }
  if (command === 'guard') return readGuardCall(rest)
  if (command !== 'wrap' && command !== 'tap') return null
  const { flags, words } = command === 'wrap' ? splitWrapWords(rest) : splitTapWords(rest)
  return words === null ? null : { is: command, flags, words }
}

function readGuardCall(words: readonly string[]): ServedCall | null {
  const { names, fault } = readGuardNames(words)
  return fault === null ? { is: 'guard', names } : null
}

function readBridgeCall([act, ...words]: readonly string[]): ServedCall | null {
  const read = act === 'run' ? readPlainly(dropShellWords(words), FLAGS) : null
  const [agent, hostEvent, ...more] = read?.positionals ?? []
  const bridge = agent === undefined ? null : findBridge(agent)
  if (read === null || bridge === null || hostEvent === undefined || more.length > 0) return null
  return { is: 'bridge', bridge, hostEvent, flags: read.values as { readonly [Name in keyof typeof FLAGS]?: boolean } } // by their types above
}

/** Things that outlive a call. */
interface Surroundings {
  readonly home: string
  readonly keeper: Launcher
}

/** Answers a call as a process of its own would. Never rejects. */
async function answerCall(call: ResidentCall, line: ClientLine, here: Surroundings): Promise<ResidentReply> {
  const asked = readCall(call.args)
  if (asked === null) return 'cold'
  if (asked.is === 'bridge') return answerBridgeCall(asked, call, line, here)
  const payload = parsePayload(call.stdin)
  if (asked.is === 'guard') return answerGuarded(asked.names, { ...call, payload }, line, here)
  if (asked.is === 'record') {
    await recordTapped(
      { at: new Date(), input: payload ?? {}, hook: null },
      {
        ...{ home: here.home, env: call.env, prompts: asked.flags.prompts === true },
      },
    )
    return SILENCE
  }
  if (payload === null) return 'cold' // the command is to get the bytes as they come
  if (asked.is === 'tap') return answerTapped(asked, { ...call, payload }, line, here)
  const agent = asked.flags.agent
  const caller = agent === undefined ? findCaller(payload, call.env) : await findNamedCaller(agent)
  if (caller.is === 'claude-code') {
    const program = asked.flags.exec ? makeProgramAlone(asked.words, call.env) : toProgram(asked.words)
    return (await runPlainly(program, call, line, here)) ?? 'alone'
  }
  if (caller.is !== 'agent' || asked.flags.async || asked.flags.late) return 'cold'
  const answer = await runWrapped(makeWrappedCall(asked, call, { ...here, signal: line.signal }), caller.bridge)
  return writeAnswer(answer)
}

const SILENCE: ResidentAnswer = { code: 0, stdout: new Uint8Array(), stderr: new Uint8Array() }

/** Asks the guards about a call; the cold way where they fail, so that a process of its own says so. */
async function answerGuarded(
  names: GuardCall['names'],
  { payload, stdin, env, cwd, pid }: ResidentCall & { readonly payload: Readonly<Record<string, unknown>> | null },
  { signal }: ClientLine,
  { home, keeper }: Surroundings,
): Promise<ResidentReply> {
  const caller = findCaller(payload, env)
  const text = stdin.toString('utf8')
  if (caller.is === 'agent') {
    const { isCutShort: _, ...hook } = makeGuardsOnly(home, env, names)
    const call = { ...hook, text, env, home, keeper, signal, caller: { pid, cwd } }
    return writeAnswer(await runWrapped(call, caller.bridge))
  }
  if (payload === null) return 'cold'
  const problems: string[] = []
  const tell = (problem: string): void => void problems.push(`hookline guard: ${problem}\n`)
  try {
    const answer = await answerGuardCall(payload, { home, env, folder: cwd, names, tell })
    return {
      code: 0,
      stdout: answer === null ? new Uint8Array() : encodeText(endLine(toJsonText(answer))),
      stderr: Buffer.from(toPrintableText(problems.join(''))),
    }
  } catch {
    return 'cold'
  }
}

async function answerBridgeCall(
  { bridge, hostEvent, flags }: ServedCall & { is: 'bridge' },
  { args, env, cwd, pid, stdin }: ResidentCall,
  { signal }: ClientLine,
  { home, keeper }: Surroundings,
): Promise<ResidentAnswer> {
  const end = flags.proof ? proveAnswer : (code: number): number => code
  const text = stdin.length > MAX_PAYLOAD_BYTES ? null : stdin.toString('utf8')
  const nonce = readProbe(text)
  if (nonce !== null)
    return {
      code: end(isGuarding(bridge, hostEvent) ? REFUSED : 0),
      stdout: new Uint8Array(),
      stderr: Buffer.from(toPrintableText(`${answerProbe(nonce)}\n`)),
    }
  const answer = await runBridge({
    bridge,
    hostEvent,
    text,
    env,
    signal,
    caller: { pid, cwd },
    attended: flags.attended === true,
    nativeTranscript: flags['native-transcript'] === true,
    limit: findHookSeconds(bridge, hostEvent),
    handOver: (work) => startHandOver([...args, '--late'], work, { env, cwd }),
    engine: { home, plugins: [], keeper },
    ...(flags.guards ? { only: makeGuardsOnly(home, env) } : {}),
  })
  const written = writeAnswer(answer)
  return { ...written, code: end(written.code) }
}

function makeWrappedCall(
  { flags, words }: ServedCall & { is: 'wrap' },
  { env, cwd, pid, stdin }: ResidentCall,
  { home, keeper, signal }: Surroundings & { readonly signal: AbortSignal },
): WrappedCall {
  return {
    event: flags.event ?? null,
    matcher: flags.matcher ?? null,
    condition: flags.if ?? null,
    words,
    isProgram: flags.exec === true || words.length > 1,
    seconds: parseSeconds(flags.timeout),
    decidesNothing: false,
    text: stdin.length > MAX_PAYLOAD_BYTES ? null : stdin.toString('utf8'),
    ...{ env, home, keeper, signal, caller: { pid, cwd } },
  }
}

/** Runs a tapped hook and records what it said; the cold way where no interpreter waits for it. */
async function answerTapped(
  { flags, words }: ServedCall & { is: 'tap' },
  call: ResidentCall & { readonly payload: Readonly<Record<string, unknown>> },
  line: ClientLine,
  here: Surroundings,
): Promise<ResidentReply> {
  const at = new Date()
  const started = performance.now()
  const answer = await runPlainly(toProgram(words), call, line, here)
  if (answer === null) return 'cold'
  const signal = answer.code < 0 ? (SIGNALS[-answer.code] ?? null) : null
  const hook = {
    ...{ id: flags.as ?? null, matcher: flags.matcher ?? null, command: words.join(' ') },
    ...{ exitCode: signal === null ? answer.code : null, signal, stopped: line.signal.aborted },
    durationMs: Math.round((performance.now() - started) * 10) / 10,
    ...{ stdout: toTapped(answer.stdout), stderr: toTapped(answer.stderr) },
  }
  await recordTapped(
    { at, input: call.payload, hook },
    { home: here.home, env: call.env, prompts: flags.prompts === true },
  )
  return answer
}

const SIGNALS: Readonly<Record<number, NodeJS.Signals>> = Object.fromEntries(
  Object.entries(constants.signals).map(([name, number]) => [number, name as NodeJS.Signals]), // the keys are these names
)

const toTapped = (bytes: Uint8Array): { readonly text: string; readonly bytes: number } => ({
  text: Buffer.from(bytes.subarray(0, MAX_TAPPED_OUTPUT_BYTES)).toString('utf8'),
  bytes: bytes.length,
})

/** Bytes of each output that are kept of a hook that runs as it is. */
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024

/**
 * Runs a command as the client would by itself, in an interpreter that waits for it; null where none does. What it says before it
 * goes to the background is handed on at once.
 */
async function runPlainly(
  { file, args }: { readonly file: string; readonly args: readonly string[] },
  { env, cwd, stdin, entry }: ResidentCall,
  { signal, send }: ClientLine,
  { keeper }: Surroundings,
): Promise<ResidentAnswer | null> {
  const running = await keeper.runWarm({
    ...{ file, args, cwd, env, input: stdin, timeoutMs: null, outputLimit: MAX_OUTPUT_BYTES },
    recurring: { key: `${entry} ${cwd} ${env.CLAUDE_PROJECT_DIR}`, varies: VARYING_VARIABLES },
  })
  if (running === null) return null
  signal.addEventListener('abort', () => running.abort())
  const first = await running.waitForObjectOrEnd()
  const early = typeof first === 'string' && isGoingToBackground(first) ? `${first}\n` : ''
  if (early !== '') send({ stdout: Buffer.from(early), stderr: new Uint8Array() })
  const run = await running.ended
  if (run.ended === 'not-started')
    return { code: NOT_STARTED_CODE, stdout: new Uint8Array(), stderr: Buffer.from(`${run.reason}\n`) }
  const { kept: stderr } = run.stderr
  const stdout = run.stdout.kept.subarray(early === '' ? 0 : findRest(run.stdout.kept, early))
  if (run.ended === 'exited') return { code: run.code, stdout, stderr }
  const name = run.ended === 'signalled' ? run.signal : 'SIGTERM'
  return {
    code: -(Object.entries(SIGNALS).find(([, one]) => one === name)?.[0] ?? constants.signals.SIGKILL),
    stdout,
    stderr,
  }
}

/** The exit code of a shell for a program that cannot be started. */
const NOT_STARTED_CODE = 126

function isGoingToBackground(object: string): boolean {
  try {
    const said: unknown = JSON.parse(object)
    return isObject(said) && said.async === true
  } catch {
    return false // only the beginning looks like one
  }
}

/** Place behind what was handed on already. */
function findRest(stdout: Buffer, early: string): number {
  const end = stdout.indexOf(early.trimEnd()) + early.length - 1
  return stdout[end] === 10 ? end + 1 : end
}
