import { HooklineError } from '../files/error.ts'
import { type ChildProcess, type StdioOptions, signalGroup, spawnGroup } from './spawn-group.ts'

/** A program that is talked to while it runs, and ends with all that it started. */
export interface ProcessGroup {
  readonly child: ChildProcess
  /** Rejects with what the system says when it was not started. */
  readonly started: Promise<void>
  /**
   * Signals all of it; whether a process was there to get it. With 0 it only looks. On Windows, where no signal asks first,
   * SIGTERM and SIGKILL both end it.
   */
  signal(signal: NodeJS.Signals | 0): boolean
}

/** Starts a program in a group of its own. Rejects with a sentence where it is known not to start. */
export async function startGroup(
  program: {
    readonly file: string
    readonly args: readonly string[]
    readonly cwd: string
    readonly env: NodeJS.ProcessEnv
  },
  { stdio }: { stdio: StdioOptions },
): Promise<ProcessGroup> {
  if (process.platform === 'win32') return startOnWindows(program, stdio)
  const { file, args, cwd, env } = program
  const child = startSoundly(file, () => spawnGroup(file, args, { cwd, env, stdio }))
  return {
    child,
    started: waitForStart(child),
    signal: (signal) => child.pid !== undefined && signalGroup(child.pid, signal),
  }
}

async function startOnWindows(program: Parameters<typeof startGroup>[0], stdio: StdioOptions): Promise<ProcessGroup> {
  const { startTree } = await import('./windows/tree.ts')
  const { child, end } = startSoundly(program.file, () => startTree(program, { stdio }))
  return {
    child,
    started: waitForStart(child),
    signal: (signal) => {
      const isThere = child.pid !== undefined && child.exitCode === null && child.signalCode === null
      if (isThere && (signal === 'SIGTERM' || signal === 'SIGKILL')) void end()
      return isThere
    },
  }
}

function startSoundly<Started>(file: string, start: () => Started): Started {
  try {
    return start()
  } catch (error) {
    throw new HooklineError(`${file} cannot be started: ${error instanceof Error ? error.message : error}`)
  }
}

/** Listens at once: the child tells of its start before a caller that waits could listen. */
function waitForStart(child: ChildProcess): Promise<void> {
  const started = new Promise<void>((resolve, reject) => {
    child.on('spawn', resolve)
    child.on('error', reject)
  })
  started.catch(() => {}) // the caller is told as well
  return started
}
