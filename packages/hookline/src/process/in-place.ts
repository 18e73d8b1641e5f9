import { constants } from 'node:os'
import { type ChildProcess, type ProgramLine, spawnBeside } from './spawn-group.ts'

/** What is started in place of this process. */
export interface Replacement {
  readonly file: string
  readonly args: readonly string[]
  /** What was read of stdin already, and whether that is all; null: nothing, and the program gets stdin itself. */
  readonly input: { readonly bytes: Buffer; readonly isAll: boolean } | null
}

/** What runs words of a command line: one is shell text, as in a settings file; several are a program and its arguments. */
export function programOf([first, ...rest]: readonly [string, ...string[]]): { file: string; args: readonly string[] } {
  if (rest.length > 0) return { file: first, args: rest }
  return { file: '/bin/sh', args: ['-c', first] }
}

/** Signals that the host may send to this process alone. */
const FORWARDED = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const

/** The exit codes of shells for a program that is not there, and for one that cannot be started. */
const NOT_FOUND = 127
const NOT_STARTED = 126

/**
 * Runs a program as if it were this process: with its input, outputs, folder, environment and process group. Signals go to
 * it, and its end is ours: resolves with its exit code, or ends this process by the signal that ended it.
 */
export async function runInPlace({
  file,
  args,
  input,
}: Replacement): Promise<{ readonly code: number; readonly fault?: string }> {
  const early: NodeJS.Signals[] = []
  let give = (signal: NodeJS.Signals): unknown => early.push(signal)
  for (const signal of FORWARDED) process.on(signal, () => give(signal)) // before there is a program that would stay behind
  const stdin = input === null ? 'inherit' : 'pipe'
  const line = process.platform === 'win32' ? await lineOnWindows(file, args) : { file, args }
  if ('fault' in line) return { code: NOT_STARTED, fault: line.fault }
  const child = spawnBeside(line, { stdin })
  give = (signal) => child.kill(signal)
  for (const signal of early) give(signal)
  if (input !== null) feed(child, input)
  return new Promise((resolve) => {
    child.on('error', (error: NodeJS.ErrnoException) => {
      resolve({ code: error.code === 'ENOENT' ? NOT_FOUND : NOT_STARTED, fault: `${file}: ${error.message}` })
    })
    child.on('exit', (code, signal) => {
      if (signal !== null) endBy(signal)
      if (input?.isAll === false) process.stdin.destroy() // the host may keep its end open
      resolve({ code: code ?? 128 + (signal === null ? 0 : constants.signals[signal]) })
    })
  })
}

async function lineOnWindows(file: string, args: readonly string[]): Promise<ProgramLine | { readonly fault: string }> {
  const { windowsLine } = await import('./windows/command-line.ts')
  try {
    return windowsLine({ file, args, cwd: process.cwd(), env: process.env })
  } catch (error) {
    return { fault: `${file}: ${error instanceof Error ? error.message : error}` } // a sentence
  }
}

function feed({ stdin }: ChildProcess, { bytes, isAll }: NonNullable<Replacement['input']>): void {
  stdin?.on('error', () => {}) // a program may end without reading its input
  if (isAll) stdin?.end(bytes)
  else stdin?.write(bytes)
  if (stdin && !isAll) process.stdin.pipe(stdin)
}

/** Ends this process as another one was ended; returns where a signal cannot do that, such as one that Node ignores. */
function endBy(signal: NodeJS.Signals): void {
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
}
