import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'

export type { ChildProcess }

/** Bun gives a child no further pipes than three, and tells nothing of pipes that it did not make itself. */
export const IS_BUN = 'bun' in process.versions

/** Starts a program in a session and process group of its own, with its input and outputs as pipes. */
export function spawnGroup(
  file: string,
  args: readonly string[],
  { cwd, env, stdio = 'pipe' }: { cwd?: string; env: NodeJS.ProcessEnv; stdio?: StdioOptions },
): ChildProcess {
  const where = cwd === undefined ? {} : { cwd }
  return spawn(file, args, { ...where, env, detached: true, windowsHide: true, stdio })
}

/** Starts a program in the group of this process, with its outputs: whatever ends the group ends it as well. */
export function spawnBeside(
  file: string,
  args: readonly string[],
  { stdin }: { stdin: 'pipe' | 'inherit' },
): ChildProcess {
  return spawn(file, args, { stdio: [stdin, 'inherit', 'inherit'] })
}

/** Signals a group that was started here; whether there was a process to get it. With 0 it only looks. */
export function signalGroup(leader: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.platform === 'win32' ? endTree(leader, signal) : process.kill(-leader, signal)
  } catch {
    return false // no process of the group is left
  }
}

/** Windows has no process groups; its own tool ends a tree. */
function endTree(pid: number, signal: NodeJS.Signals | 0): boolean {
  if (signal !== 0) spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true })
  return process.kill(pid, 0)
}
