import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isGuarding } from '../../../bridges/answer.ts'
import { dropShellWords, findHookSeconds, proveAnswer } from '../../../bridges/entry.ts'
import { findLauncherPath } from '../../../bridges/launcher.ts'
import { findBridge } from '../../../bridges/list.ts'
import { answerProbe, readProbe } from '../../../bridges/probe.ts'
import { runBridge } from '../../../bridges/run.ts'
import { findDefaultManagedFile, SETTINGS_FILES } from '../../../config/scopes.ts'
import { findHome } from '../../../files/home.ts'
import { readStamp } from '../../../files/read.ts'
import { Launcher } from '../../../process/launcher.ts'
import type { Caller } from '../../../resident/caller.ts'
import { findMeetingPlace } from '../../../resident/place.ts'
import { type ResidentAnswer, type ResidentCall, serveCalls } from '../../../resident/serve.ts'
import { isObject } from '../../../text/json.ts'
import { MAX_PAYLOAD_BYTES } from '../../input/hook-payload.ts'
import { REFUSED } from '../../start/exit.ts'
import { startHandOver } from '../../start/hand-over.ts'
import { writeAnswer } from '../../start/host-call.ts'
import { onScreen } from '../../start/print.ts'
import { readPlainly } from '../../start/quick-start.ts'

/** The resident ends when no call has come for so long. */
const IDLE_MS = 10 * 60_000

/** Flags of `bridge run` that the resident knows; a call with others goes the cold way. */
const FLAGS = {
  attended: { type: 'boolean' },
  'native-transcript': { type: 'boolean' },
  proof: { type: 'boolean' },
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
  const keeper = new Launcher('auto', { warm: 'auto' })
  const script = process.argv[1] ?? ''
  const program = readStamp(script)
  await serveCalls({
    home,
    launcher: findLauncherPath(home),
    program: [script],
    idleMs: IDLE_MS,
    findObstacle: ({ args }) => (readCall(args) === null ? 'the resident does not serve such calls' : null),
    findEnd: () => {
      if (readStamp(script) !== program) return 'its program has changed'
      if (!isSwitchedOff(home)) return null
      writeOff(place.off)
      return 'settings switch it off'
    },
    answer: (call) => answerCall(call, home, keeper),
  })
  await keeper.close()
  return 0
}

/** True if the user or policy has `"hookline": { "resident": false }`; a project has no say. */
function isSwitchedOff(home: string): boolean {
  return [SETTINGS_FILES.user({ project: home, home }), findDefaultManagedFile(process.platform)].some(isOffIn)
}

function isOffIn(path: string): boolean {
  try {
    const settings: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return isObject(settings) && isObject(settings.hookline) && settings.hookline.resident === false
  } catch {
    return false // there is no such file, or none that says anything
  }
}

function writeOff(path: string): void {
  try {
    writeFileSync(path, '', { mode: 0o600 })
  } catch {
    // a home that cannot be written has no meeting place either
  }
}

/** Reads the words of a call; null for one that the resident does not serve. */
function readCall(args: Caller['args']) {
  const [command, act, ...words] = args
  if (command !== 'bridge' || act !== 'run') return null
  const read = readPlainly(dropShellWords(words), FLAGS)
  const [agent, hostEvent, ...more] = read?.positionals ?? []
  const bridge = agent === undefined ? null : findBridge(agent)
  if (read === null || bridge === null || hostEvent === undefined || more.length > 0) return null
  return { bridge, hostEvent, flags: read.values as { readonly [Name in keyof typeof FLAGS]?: boolean } } // by their types above
}

/** Answers a call as a process of its own would. Never rejects. */
async function answerCall(
  { args, env, cwd, pid, stdin }: ResidentCall,
  home: string,
  keeper: Launcher,
): Promise<ResidentAnswer> {
  const call = readCall(args)
  if (call === null) return NOT_ANSWERED
  const { bridge, hostEvent, flags } = call
  const end = flags.proof ? proveAnswer : (code: number): number => code
  const text = stdin.length > MAX_PAYLOAD_BYTES ? null : stdin.toString('utf8')
  const nonce = readProbe(text)
  if (nonce !== null)
    return {
      code: end(isGuarding(bridge, hostEvent) ? REFUSED : 0),
      stdout: new Uint8Array(),
      stderr: Buffer.from(onScreen(`${answerProbe(nonce)}\n`)),
    }
  const answer = await runBridge({
    bridge,
    hostEvent,
    text,
    env,
    caller: { pid, cwd },
    attended: flags.attended === true,
    nativeTranscript: flags['native-transcript'] === true,
    limit: findHookSeconds(bridge, hostEvent),
    handOver: (work) => startHandOver([...args, '--late'], work, { env, cwd }),
    engine: { home, plugins: [], keeper },
  })
  const written = writeAnswer(answer)
  return { ...written, code: end(written.code) }
}

const NOT_ANSWERED: ResidentAnswer = { code: REFUSED, stdout: new Uint8Array(), stderr: new Uint8Array() }
