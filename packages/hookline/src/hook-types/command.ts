import { parseArgsStringToArgv } from 'string-argv'
import { findFirstObjectEnd } from '../process/capture.ts'
import { explainProgramFailure, explainShellFailure, findShellRefusal } from '../process/launch-hint.ts'
import type { HookLauncher } from '../process/launcher.ts'
import { makeAbortedRun, type RunningProcess } from '../process/process.ts'
import type { ProcessRun } from '../process/process-run.ts'
import { type HookTypeCode, VARYING_VARIABLES } from '../protocol/hook-type.ts'
import { unwrapEntry } from '../protocol/wrapped-command.ts'
import { readAsyncTimeoutMs } from '../run/deadline.ts'
import { makeHookEnvironment } from '../run/environment.ts'
import type { BackgroundRun, Run, RunRequest } from '../run/run.ts'
import { quoteForShell } from '../text/quote.ts'
import { quotePluginPlaces } from './plugin-places.ts'

/** Shell text, or a program and its arguments. */
export interface CommandHandler {
  readonly type: 'command'
  readonly command: string
  /** There, even if empty: `command` is a program, and no shell reads these. */
  readonly args?: readonly string[]
  /** Reads the text; `sh` does where it is left out, and for `bash`: on Windows alone these are two. */
  readonly shell?: 'bash' | 'powershell'
  /** True for a hook inside of `hookline wrap`, which is for other agents: here it is run as it is. */
  readonly wrapped?: true
}

const EMPTY = 'the command is empty'

/** A program that ended by itself, or never began. */
type CommandRun = Exclude<ProcessRun, { ended: 'timed-out' | 'aborted' }>

/** Hooks that start a program. */
export const command: HookTypeCode<CommandHandler, RunRequest, Run | BackgroundRun> = {
  runsIn: 'process',
  needs: null,
  endsItself: true,
  readEntry: ({ command: text, args, shell }) => {
    const makeCommandFault = (because: string) => ({ field: 'command', because })
    if (typeof text !== 'string') return makeCommandFault('a command hook needs a "command"')
    if (text.trim() === '') return makeCommandFault(EMPTY)
    if (text.includes('\0')) return makeCommandFault('the command has a NUL character in it')
    if (!Array.isArray(args)) {
      if (shell === 'powershell') return { type: 'command', command: text, shell }
      const inner = unwrapEntry({ command: text, args, shell })
      const reader = shell === 'bash' ? ({ shell } as const) : {}
      if (inner === null) return { type: 'command', command: text, ...reader }
      if (inner.command.trim() === '') return makeCommandFault(EMPTY)
      if (inner.args !== undefined) return { type: 'command', command: inner.command, args: inner.args, wrapped: true }
      return { type: 'command', command: inner.command, wrapped: true, ...reader }
    }
    if (args.some((one) => String(one).includes('\0')))
      return { field: 'args', because: 'an argument has a NUL character in it' }
    return { type: 'command', command: text, args: args as readonly string[] } // the fields fit their shape
  },
  shown: ({ command: text, args, shell, wrapped }) => {
    const whole = [...(wrapped ? ['(wrapped)'] : []), text, ...(args ?? [])].join(' ')
    if (args !== undefined) return { name: whole, text: whole, program: [text, ...args] }
    return { name: whole, text: whole, ...(shell === 'powershell' ? { program: [POWERSHELL] } : { shell: text }) }
  },
  identity: ({ command: text, args, shell }) => {
    if (args !== undefined) return [text, ...args]
    return shell === 'powershell' ? [text, { shell }] : text // another shell reads another program in it
  },
  run: runCommand,
  meaning: (facts) => {
    const run = facts as CommandRun // hooks of this type run nothing but programs
    if (run.ended === 'signalled')
      return { is: 'failed', how: `killed by ${run.signal}`, words: run.stderr, stdout: run.stdout }
    if (run.ended === 'not-started') return { is: 'failed', how: `could not be started: ${run.reason}`, words: '' }
    const { code, stdout, stderr, hint } = run
    return { is: 'exited', code, stdout, stderr, ...(hint === undefined ? {} : { hint }) }
  },
}

/** Program for the system to start. */
interface CommandLine {
  readonly file: string
  readonly args: readonly string[]
}

// biome-ignore lint/suspicious/noTemplateCurlyInString: this is how settings write it
const PLUGIN_ROOT = '${CLAUDE_PLUGIN_ROOT}'

const USER_CONFIG = '${user_config.'

/** Run that is refused, since what the user set must not become shell text. */
const NOT_IN_SHELL: Run = {
  ended: 'not-started',
  reason: `${USER_CONFIG}…} cannot be used in shell text; use the variable CLAUDE_PLUGIN_OPTION_…, or "args"`,
  missing: false,
  durationMs: 0,
}

/** A folder of any other name is left to the shell, which has it in its environment: it must not become shell text. */
const HARMLESS = /^[\w./ @%+=:,-]*$/

/** A folder whose name a shell takes for one word, also outside of quotes. */
const ONE_WORD = /^[\w./@%+=:,-]*$/

/** Runs a command to its end, or until it goes to the background. */
export async function runCommand(handler: CommandHandler, request: RunRequest): Promise<Run | BackgroundRun> {
  const { command, args } = handler
  if (request.stop.isStopped) return makeAbortedRun()
  if (args === undefined && request.plugin !== null && command.includes(USER_CONFIG)) return NOT_IN_SHELL
  const running = await startCommand(handler, request)
  if (!request.waits) return withLateHint(toBackgroundRun(running, request), handler, request)

  const stopListening = request.stop.listen(() => running.abort())
  const first = await running.waitForObjectOrEnd()
  const object = typeof first === 'string' ? first : readFirstObject(first)
  const asyncTimeout = object === '' ? null : readAsyncTimeoutMs(object)
  if (asyncTimeout === null) {
    const run = typeof first === 'string' ? await running.ended : first
    stopListening()
    return run.ended === 'exited' && run.code === 0 ? run : withHint(run, handler, request)
  }
  stopListening()
  running.setDeadline(asyncTimeout)
  const { rest } = toBackgroundRun(running, request)
  return { ended: 'backgrounded', rest: rest.then(removeFirstObject) }
}

/** Looks why a program did not start. */
async function withHint(run: Run, handler: CommandHandler, request: RunRequest): Promise<Run> {
  if (run.ended === 'exited' && run.code === 0) return run
  const { cwd, env, options } = request
  const seen = { cwd, env }
  const isShellText = options.shell && handler.args === undefined && handler.shell !== 'powershell'
  if (run.ended === 'exited') {
    const stderr = run.stderr.kept.toString('utf8')
    const hint = await explainShellFailure(run.code, stderr, seen)
    const refusal = isShellText ? findShellRefusal(handler.command, { code: run.code, stderr }) : null
    const notStarted = refusal === null ? undefined : (hint ?? refusal)
    return hint === null && notStarted === undefined ? run : { ...run, hint: hint ?? undefined, notStarted }
  }
  if (run.ended !== 'not-started' || isShellText || !run.missing) return run
  const hint = await explainProgramFailure(makeCommandLine(handler, request, env).file, seen)
  return hint === null ? run : { ...run, reason: hint }
}

/** The same of a command in the background, when it has ended. */
function withLateHint({ ended, rest }: BackgroundRun, handler: CommandHandler, request: RunRequest): BackgroundRun {
  return { ended, rest: rest.then((run) => withHint(run, handler, request)) }
}

function startCommand(handler: CommandHandler, request: RunRequest): RunningProcess | Promise<RunningProcess> {
  const { payload, cwd, timeoutMs, options } = request
  const env = makeHookEnvironment(request.env, request)
  const line = makeCommandLine(handler, request, env)
  const spec = {
    file: line.file,
    args: line.args,
    cwd,
    env,
    input: payload, // written when the process is on its way
    timeoutMs,
    outputLimit: options.outputLimit,
    recurring:
      request.recurs && request.waits ? { key: `${request.recurs} ${cwd}`, varies: VARYING_VARIABLES } : undefined,
  }
  const { launcher }: { launcher: HookLauncher } = options
  return launcher.start(spec)
}

/** Makes the program and arguments of a command: a shell reads its text, unless it has arguments, or the host says that no shell does. */
function makeCommandLine(handler: CommandHandler, request: RunRequest, env: NodeJS.ProcessEnv): CommandLine {
  const { command: text, args } = handler
  const { pluginRoot, options } = request
  if (args !== undefined) {
    const [file = '', ...rest] = [text, ...args].map((part) => withPlaces(part, request))
    return { file, args: rest }
  }
  const fillPluginRoot = (part: string): string =>
    pluginRoot === null ? part : part.replaceAll(PLUGIN_ROOT, () => pluginRoot)
  if (!options.shell) {
    const [file = '', ...rest] = parseArgsStringToArgv(text).map(fillPluginRoot)
    return { file, args: rest }
  }
  const isNamed = pluginRoot !== null && HARMLESS.test(pluginRoot) // on Windows it has backslashes
  const isOneWord = pluginRoot === null || ONE_WORD.test(pluginRoot) || handler.shell === 'powershell'
  const whole = isOneWord ? text : quotePluginPlaces(text)
  const named = isNamed ? fillPluginRoot(whole) : whole
  if (handler.shell === 'powershell')
    return { file: POWERSHELL, args: ['-NoProfile', '-NonInteractive', '-Command', named] }
  const prefix = env.CLAUDE_CODE_SHELL_PREFIX
  const command = prefix ? `${prefix} ${quoteForShell(named)}` : named
  return { file: IS_WINDOWS ? (handler.shell ?? '/bin/sh') : '/bin/sh', args: ['-c', command] }
}

const IS_WINDOWS = process.platform === 'win32'
const POWERSHELL = IS_WINDOWS ? 'powershell.exe' : 'pwsh'
const PLACEHOLDER = /\$\{(?:(CLAUDE_PROJECT_DIR|CLAUDE_PLUGIN_ROOT|CLAUDE_PLUGIN_DATA)|user_config\.([^{}]+))\}/g

/** An argument with the folders and options filled in that it names; whatever else looks like a variable stays as it is. */
function withPlaces(part: string, { options, pluginRoot, plugin }: RunRequest): string {
  const places: Readonly<Record<string, string | undefined>> = {
    CLAUDE_PROJECT_DIR: options.project,
    CLAUDE_PLUGIN_ROOT: pluginRoot ?? undefined,
    CLAUDE_PLUGIN_DATA: plugin?.data,
  }
  return part.replace(PLACEHOLDER, (whole, place?: string, option?: string) => {
    if (place !== undefined) return places[place] ?? whole
    const set = plugin?.options ?? {}
    return option !== undefined && Object.hasOwn(set, option) ? (set[option] ?? whole) : whole
  })
}

function toBackgroundRun(running: RunningProcess, { closing }: RunRequest): BackgroundRun {
  const stopListening = closing.listen(() => running.abort())
  return { ended: 'backgrounded', rest: running.ended.finally(stopListening) }
}

/** The object that the output of a process begins with; empty when it begins otherwise. */
function readFirstObject(run: Run): string {
  if (!('stdout' in run) || run.stdout.bytes === 0) return ''
  return run.stdout.kept.toString('utf8', 0, findFirstObjectEnd(run.stdout.kept) ?? 0)
}

/** Removes that object, and the rest of its line when that is empty. */
function removeFirstObject(run: Run): Run {
  if (!('stdout' in run)) return run
  const { kept, bytes } = run.stdout
  const object = findFirstObjectEnd(kept) ?? 0
  const [restOfLine = ''] = /^[ \t\r]*\n?/.exec(kept.toString('latin1', object)) ?? []
  const length = object + restOfLine.length
  return { ...run, stdout: { kept: kept.subarray(length), bytes: bytes - length } }
}
