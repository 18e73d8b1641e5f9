import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type FiredEvent, fireIfKnown } from '../hooks/fire.ts'
import { formatObjection, isObjection } from '../hooks/words.ts'
import { runToFinish, toOutputText } from '../tools/finished-process.ts'
import { ToolError } from '../tools/tool.ts'
import type { Loop } from '../turn/loop-state.ts'

/** A copy of the project that an agent works in alone. */
export interface Worktree {
  readonly path: string
  /** The commit that it was made from; null: a hook made it. */
  readonly base: string | null
}

/** Git does what it is asked for, and starts nothing that the project configured. */
const ALONE = ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false']

/** Git is quick, or waits for something that does not come. */
const GIT_WITHIN_MS = 60_000

/** A name for the worktree of one subagent. */
export const makeWorktreeName = (): string => `agent-${randomUUID().slice(0, 8)}`

/** Makes a worktree: hooks do it, else git. Fails with a ToolError. */
export async function createWorktree(loop: Loop, name: string, signal: AbortSignal): Promise<Worktree> {
  if (!/^\w[\w.-]*$/.test(name)) throw new ToolError(`"${name}" is not a valid name for a worktree.`)
  const fired = await fireIfKnown(loop, 'WorktreeCreate', { name }, { signal, retold: isObjection })
  const worktree =
    fired !== null && hasRunHooks(fired) ? readHookWorktree(fired) : await addGitWorktree(loop, name, signal)
  await changeReach(loop, 'addDirectories', worktree)
  return worktree
}

function readHookWorktree({ record, decision: { blocked, worktreePath } }: FiredEvent): Worktree {
  if (blocked || !worktreePath)
    throw new ToolError(`Error creating worktree: WorktreeCreate hook failed: ${formatObjection(record)}`)
  if (!existsSync(worktreePath))
    throw new ToolError(`Error creating worktree: WorktreeCreate hook failed: ${worktreePath} does not exist`)
  return { path: worktreePath, base: null }
}

/** Beside the project, where no rule about its own files applies. */
async function addGitWorktree(loop: Loop, name: string, signal: AbortSignal): Promise<Worktree> {
  const { project, trusted } = loop.session
  if (!trusted)
    throw new ToolError('Error creating worktree: the folder is not trusted, and git would run what it says.')
  const path = join(dirname(project), `${basename(project)}-worktrees`, name)
  const runGitHere = (...args: string[]) => runGit(loop, project, args, signal)
  const head = await runGitHere('rev-parse', 'HEAD')
  if (head.failed) throw new ToolError(`Error creating worktree: ${head.text}`)
  const made = await runGitHere('worktree', 'add', '-b', nameBranch(path), path, head.text)
  if (made.failed) throw new ToolError(`Error creating worktree: ${made.text}`)
  return { path, base: head.text }
}

const nameBranch = (path: string): string => `worktree-${basename(path)}`

/**
 * Removes a worktree: hooks do it, else git does what git made. One that holds changes stays; resolves with why it is still
 * there, or null.
 */
export async function removeWorktree(loop: Loop, worktree: Worktree, signal: AbortSignal): Promise<string | null> {
  const { path } = worktree
  await changeReach(loop, 'removeDirectories', worktree)
  if (await hasChanges(loop, worktree, signal)) return `The worktree ${path} holds changes and stays.`
  const fired = await fireIfKnown(loop, 'WorktreeRemove', { worktree_path: path }, { signal, retold: isObjection })
  if (fired !== null && hasRunHooks(fired)) {
    if (!fired.decision.blocked || !existsSync(path)) return null
    return `The worktree ${path} stays: WorktreeRemove hook failed: ${formatObjection(fired.record)}`
  }
  if (worktree.base === null) return `The worktree ${path} stays: no hook removes it.`
  const removed = await runGit(loop, loop.session.project, ['worktree', 'remove', path], signal)
  if (removed.failed) return `The worktree ${path} stays: ${removed.text}`
  await runGit(loop, loop.session.project, ['branch', '-d', nameBranch(path)], signal)
  return null
}

const hasRunHooks = ({ record }: FiredEvent): boolean => record.hooks.some(({ verdict }) => verdict === 'ran')

/** True if work would be lost. What is not git's, only the hook that made it can tell. */
async function hasChanges(loop: Loop, { path, base }: Worktree, signal: AbortSignal): Promise<boolean> {
  const status = await runGit(loop, path, ['status', '--porcelain'], signal)
  if (status.failed) return base !== null && existsSync(path)
  if (status.text !== '') return true
  const head = await runGit(loop, path, ['rev-parse', 'HEAD'], signal)
  return base !== null && head.text !== base
}

/** Lets an agent do in its copy what it may do in the project. */
async function changeReach(
  { session: { permissions } }: Loop,
  type: 'addDirectories' | 'removeDirectories',
  { path }: Worktree,
): Promise<void> {
  await permissions.update([{ type, directories: [path], destination: 'session' }])
}

async function runGit(
  { session, agent }: Loop,
  cwd: string,
  args: readonly string[],
  signal: AbortSignal,
): Promise<{ readonly failed: boolean; readonly text: string }> {
  const env = await session.toolContext(agent, signal).environment()
  try {
    const spec = { file: 'git', args: [...ALONE, ...args], cwd, env, timeoutMs: GIT_WITHIN_MS }
    const run = await runToFinish(spec, { signal })
    const failed = run.ended !== 'exited' || run.code !== 0
    return { failed, text: toOutputText(failed ? run.stderr : run.stdout).trim() }
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    return { failed: true, text: error.message } // there is no git
  }
}
