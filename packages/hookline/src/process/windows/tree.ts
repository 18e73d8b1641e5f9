import { type ChildProcess, type StdioOptions, spawnHidden } from '../spawn-group.ts'
import { makeWindowsLine, type ProgramRequest } from './command-line.ts'
import { type Job, loadJobMaker } from './job.ts'
import { findSystemProgram } from './programs.ts'

/** A process and what it starts. */
export interface Tree {
  readonly child: ChildProcess
  /** Ends all of it: there is no signal that asks first. Resolves when that has happened, or the system has not confirmed it. */
  end(): Promise<void>
  /** Lets go of it: what the process has left behind lives on. */
  leave(): void
}

/** Milliseconds that the system's tool may take to end a tree. */
const TASKKILL_MS = 2000
/** After everything was ended, the system may take so long to say so. */
const CONFIRMED_MS = 500

/**
 * Starts a program, without a window of its own. Throws what the system says, or a sentence, when it cannot. With jobs all
 * that it starts ends with it, also when this process is killed; without them the system's tool looks for its children while
 * it lives.
 */
export function startTree(asked: ProgramRequest, { stdio = 'pipe' }: { stdio?: StdioOptions } = {}): Tree {
  const { cwd } = asked
  const env = { ...asked.env, NoDefaultCurrentDirectoryInExePath: '1' } // or cmd starts what lies in the project first
  const line = makeWindowsLine(asked)
  const putIntoJob = loadJobMaker() // the functions are loaded now: the child must not have started anything before it is in a job
  const child = spawnHidden(line, { cwd, env, stdio })
  const { pid } = child
  const job = pid === undefined ? null : putIntoJob(pid)
  let isOver = false
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  return {
    child,
    end: async () => {
      if (pid === undefined || isOver) return
      await (job === null ? endByTool(child, pid) : endJob(job, exited))
    },
    leave: () => {
      if (!isOver) job?.leave()
      isOver = true
    },
  }
}

function endJob(job: Job, exited: Promise<void>): Promise<void> {
  job.end()
  return waitWithin(exited, CONFIRMED_MS)
}

/** `taskkill` finds the children of a process that lives; what an ended one has left behind it does not. */
async function endByTool(child: ChildProcess, pid: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  await waitWithin(runTaskkill(pid), TASKKILL_MS)
  child.kill('SIGKILL')
}

function runTaskkill(pid: number): Promise<void> {
  return new Promise((resolve) => {
    const line = { file: findSystemProgram('taskkill.exe'), args: ['/pid', String(pid), '/T', '/F'] }
    const tool = spawnHidden(line, { stdio: 'ignore', timeout: TASKKILL_MS })
    tool.once('error', () => resolve()) // the leader is ended all the same
    tool.once('exit', () => resolve())
  })
}

function waitWithin(done: Promise<void>, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const tooLate = setTimeout(resolve, milliseconds)
    void done.then(() => {
      clearTimeout(tooLate)
      resolve()
    })
  })
}
