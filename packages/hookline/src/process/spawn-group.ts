import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'

import { findDescriptorShortage } from './descriptors.ts'

export type { ChildProcess, StdioOptions }

/** Descriptors that a start takes for a moment beside the pipes: two of the system, and what the file threads may open meanwhile. */
const BESIDE_PIPES = 2 + 4

/** Bun and Deno give a child no further pipes than three, and tell nothing of pipes that they did not make themselves. */
export const IS_NODE = !('bun' in process.versions || 'deno' in process.versions)
/** Deno does not tell how much of a text a full pipe has taken: it has to make its pipes itself. */
export const IS_DENO = 'deno' in process.versions

/**
 * Starts a program in a session and process group of its own, with its input and outputs as pipes. A start that fails for
 * want of descriptors loses the pipes that were made for it: throws what the system says when there are too few.
 */
export function spawnGroup(
  file: string,
  args: readonly string[],
  { cwd, env, stdio = 'pipe' }: { cwd?: string; env: NodeJS.ProcessEnv; stdio?: StdioOptions },
): ChildProcess {
  let pipes = typeof stdio === 'string' ? 3 : 0
  if (typeof stdio !== 'string') for (const one of stdio) if (one === 'pipe') pipes++
  const shortage = pipes === 0 ? null : findDescriptorShortage(2 * pipes + BESIDE_PIPES)
  if (shortage !== null) throw shortage
  const where = cwd === undefined ? {} : { cwd }
  return spawn(file, args, { ...where, env, detached: true, windowsHide: true, stdio })
}

/** A program and its arguments. */
export interface ProgramLine {
  readonly file: string
  readonly args: readonly string[]
  /** On Windows: the arguments are the command line as it is. */
  readonly verbatim?: boolean
}

/** Starts a program on Windows: it gets no window, and no console of its own, which would cost what it starts theirs. */
export function spawnHidden(
  { file, args, verbatim = false }: ProgramLine,
  options: { cwd?: string; env?: NodeJS.ProcessEnv; stdio: StdioOptions; timeout?: number },
): ChildProcess {
  const exactly = verbatim ? { windowsVerbatimArguments: true, argv0: `"${file}"` } : {} // nothing quotes the first word either
  return spawn(file, args, { ...options, ...exactly, windowsHide: true })
}

/** Starts a program in the group of this process: whatever ends the group ends it as well. */
export function spawnBeside({ file, args, verbatim = false }: ProgramLine, stdio: StdioOptions): ChildProcess {
  return spawn(file, args, { stdio, windowsVerbatimArguments: verbatim })
}

/** Signals a group that was started here; whether there was a process to get it. With 0 it only looks. */
export function signalGroup(leader: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-leader, signal)
  } catch {
    return false // no process of the group is left, or the system has no groups
  }
}
