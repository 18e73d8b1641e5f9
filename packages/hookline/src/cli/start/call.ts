import { findLoosening } from '../../effects/loosening.ts'
import { FOLDER_GONE, isCurrentFolderGone, isOutOfFiles, OUT_OF_FILES } from '../../files/read.ts'
import { openTerminal } from '../view/terminal.ts'
import { FAULT, MISTAKE } from './exit.ts'
import { outliveReader, print, tell } from './print.ts'

/** Exports of a command's file. */
export interface Callable {
  readonly usage: string
  readonly run: (args: string[]) => Promise<number>
  /** True for a command whose exit code says how something stands, and does not depend on who reads what it prints. */
  readonly isVerdict?: true
}

/** Purposes of users, with the commands for it in the order in which they are shown. */
export const GROUPS = {
  Look: ['why', 'list', 'explain', 'validate', 'doctor'],
  Try: ['fire', 'test', 'replay'],
  Change: ['add', 'remove', 'trust'],
  Watch: ['tap', 'log', 'stats', 'inspect'],
  Elsewhere: ['bridge', 'mcp'],
} as const

/** A row of the table of commands: what `--help` says of it, and how it is loaded when it is called. */
export interface Command {
  readonly summary: string
  /** Occasion to use it, for its page. */
  readonly when: string
  readonly load: () => Promise<Callable>
}

/** Calls a command, or prints how it is called. Resolves with the exit code; what goes wrong is told. */
export function call(name: string, args: string[], load: () => Promise<Callable>): Promise<number> {
  return runExplained(name, async () => {
    const { run, usage, isVerdict } = await load()
    if (isVerdict) outliveReader()
    if (!isAskingForHelp(args)) {
      const loosening = findLoosening([name, ...args])
      if (loosening === null) return run(args)
      const { refuseInAgent, refuseUnasked } = await import('./calling-agent.ts') // most calls loosen nothing
      refuseInAgent(loosening.what, process.env, process.ppid)
      refuseUnasked(loosening, args)
      return run(args)
    }
    const { formatUsage } = await import('../view/usage-view.ts') // a call without --help does without
    print(formatUsage(usage, openTerminal(process.stdout, process.env).width))
    if (usage.includes(' --profile ')) {
      const { printProfileFor } = await import('./profile-line.ts') // a call without --help does without
      await printProfileFor(args.filter((word) => word !== '--help' && word !== '-h'))
    }
    return 0
  })
}

/** True if help is asked for; what stands behind `--` is for another program. */
function isAskingForHelp(args: readonly string[]): boolean {
  const own = args.includes('--') ? args.slice(0, args.indexOf('--')) : args
  return own.includes('--help') || own.includes('-h')
}

/** Does something for a command. Resolves with the exit code; what goes wrong is told. */
export async function runExplained(command: string, act: () => Promise<number>): Promise<number> {
  try {
    return await act()
  } catch (error) {
    return explain(error, command)
  }
}

/** Says what a failure was: of the caller, in one sentence; of ours, with all there is to find it. Gives its exit code. */
export function explain(error: unknown, command: string): number {
  // By name: a call for an event does without the flags of all commands.
  if (error instanceof Error && error.name === 'UsageError') {
    tell(`hookline ${command}: ${error.message}\nSee hookline ${command} --help.\n`)
    return MISTAKE
  }
  if (error instanceof Error && error.name === 'HooklineError') {
    tell(`hookline ${command}: ${error.message}\n`)
    return MISTAKE
  }
  if (isCurrentFolderGone(error)) {
    tell(`${`hookline ${command}`.trimEnd()}: ${FOLDER_GONE}\n`)
    return MISTAKE
  }
  if (isOutOfFiles(error)) {
    tell(`${`hookline ${command}`.trimEnd()}: ${OUT_OF_FILES}\n`)
    return MISTAKE
  }
  const details = error instanceof Error ? (error.stack ?? error.message) : String(error)
  tell(`hookline ${command}: a fault in Hookline itself, not in your configuration. Please report it:\n${details}\n`)
  return FAULT
}

/** Does something that an interrupt asks to end early; says whether one came. */
export async function runInterruptible<Result>(
  act: (signal: AbortSignal) => Promise<Result>,
): Promise<{ readonly result: Result; readonly interrupted: boolean }> {
  const stop = new AbortController()
  const interrupt = (): void => stop.abort()
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
  try {
    return { result: await act(stop.signal), interrupted: stop.signal.aborted }
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
  }
}
