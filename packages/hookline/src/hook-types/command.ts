import type { Handler } from '../config/hook.ts'
import { firstObjectEnd } from '../process/first-object.ts'
import { programHint, shellHint } from '../process/launch-hint.ts'
import { abortedRun, RunningProcess } from '../process/process.ts'
import { hookEnvironment } from '../run/environment.ts'
import type { RunRequest } from '../run/request.ts'
import type { BackgroundRun, Run } from '../run/run.ts'
import { commandLine } from './command-line.ts'

/** How long a hook that sent itself to the background may take, unless it says so. */
const DEFAULT_ASYNC_TIMEOUT_MS = 15_000

/** Runs a command hook (PROTOCOL.md, sections 6 and 9). */
export async function runCommand(
  { command, async }: Extract<Handler, { type: 'command' }>,
  request: RunRequest,
): Promise<Run | BackgroundRun> {
  if (request.stop.isStopped) return abortedRun()
  const running = startCommand(command, request)
  if (async) return inBackground(running, request)

  const stopListening = request.stop.listen(() => running.abort())
  const first = await running.firstObjectOrEnd()
  const asyncTimeout = asyncTimeoutIn(typeof first === 'string' ? first : firstObjectOf(first))
  if (asyncTimeout === null) {
    const run = typeof first === 'string' ? await running.ended : first
    stopListening()
    return run.ended === 'exited' && run.code === 0 ? run : withHint(run, command, request)
  }
  stopListening()
  running.setDeadline(asyncTimeout)
  const { rest } = inBackground(running, request)
  return { ended: 'backgrounded', rest: rest.then(withoutFirstObject) }
}

/** Looks why a program did not start. */
async function withHint(run: Run, command: string, { cwd, env, options }: RunRequest): Promise<Run> {
  const seen = { cwd, env }
  if (run.ended === 'exited') {
    const hint = await shellHint(run.code, run.stderr.kept.toString('utf8'), seen)
    return hint === null ? run : { ...run, hint }
  }
  if (run.ended !== 'not-started' || options.shell || !run.missing) return run
  const hint = await programHint(commandLine(command, { shell: false, pluginRoot: null, env }).file, seen)
  return hint === null ? run : { ...run, reason: hint }
}

function startCommand(command: string, request: RunRequest): RunningProcess {
  const { payload, cwd, pluginRoot, timeoutMs, options } = request
  const env = hookEnvironment(request.env, request)
  const line = commandLine(command, { shell: options.shell, pluginRoot, env })
  const spec = {
    ...line,
    cwd,
    env,
    get input() {
      return payload.bytes // when the process is on its way, or not at all
    },
    inputText: payload.line,
    timeoutMs,
    outputLimit: options.outputLimit,
  }
  return new RunningProcess(spec, options.launcher)
}

function inBackground(running: RunningProcess, { closing }: RunRequest): BackgroundRun {
  const stopListening = closing.listen(() => running.abort())
  return { ended: 'backgrounded', rest: running.ended.finally(stopListening) }
}

/** The object that the output of a process begins with; empty when it begins otherwise. */
function firstObjectOf(run: Run): string {
  if (!('stdout' in run) || run.stdout.bytes === 0) return ''
  return run.stdout.kept.toString('utf8', 0, firstObjectEnd(run.stdout.kept) ?? 0)
}

/** The milliseconds that an object `{"async": true, …}` asks for; null for any other text. */
function asyncTimeoutIn(text: string): number | null {
  if (!text.includes('"async"')) return null
  try {
    const { async, asyncTimeout } = JSON.parse(text)
    if (async !== true) return null
    return typeof asyncTimeout === 'number' && asyncTimeout > 0 ? asyncTimeout : DEFAULT_ASYNC_TIMEOUT_MS
  } catch {
    return null // no JSON
  }
}

/** What comes after that object, and after the rest of its line when that is empty. */
function withoutFirstObject(run: Run): Run {
  if (!('stdout' in run)) return run
  const { kept, bytes } = run.stdout
  const object = firstObjectEnd(kept) ?? 0
  const [restOfLine = ''] = /^[ \t\r]*\n?/.exec(kept.toString('latin1', object)) ?? []
  const length = object + restOfLine.length
  return { ...run, stdout: { kept: kept.subarray(length), bytes: bytes - length } }
}
