import { stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { clip } from './clip.ts'
import { toFileError } from './file-fault.ts'
import { refuseUnlessFile } from './file-on-disk.ts'
import { runToFinish, toOutputText } from './finished-process.ts'
import { type ToolContext, ToolError } from './tool.ts'

/** Place to search: ripgrep runs in `folder`, and names what it finds from there. */
export interface SearchPlace {
  readonly folder: string
  /** `./`, or a file of the folder. */
  readonly target: string
}

/** Findings of ripgrep. */
export interface Findings {
  readonly stdout: string
  /** Warnings about files that could not be read; '' when there is nothing to say. */
  readonly warnings: string
  /** True if it found more than is kept. */
  readonly cut: boolean
}

const SEARCH_TIMEOUT_MS = 60_000
/** Characters of what ripgrep has to say. */
const MAX_STDERR_CHARS = 1000
/** The user's own configuration has no say; hidden files count, what git ignores or keeps for itself does not. */
const ALWAYS = ['--no-config', '--color=never', '--hidden', '--no-require-git', '--glob=!.git']

/** The place of a path that must exist. */
export async function findSearchPlace(path: string): Promise<SearchPlace> {
  try {
    const stats = await stat(path)
    const isFolder = stats.isDirectory()
    if (!isFolder) refuseUnlessFile(path, stats) // ripgrep would wait for who writes into a pipe
    return isFolder ? { folder: path, target: './' } : { folder: dirname(path), target: `./${basename(path)}` }
  } catch (error) {
    throw error instanceof ToolError ? error : toFileError(path, error)
  }
}

/** Runs ripgrep; nothing found is nothing, and an error without any finding a ToolError. */
export async function runRipgrep(
  args: readonly string[],
  { folder, target }: SearchPlace,
  context: Pick<ToolContext, 'signal' | 'environment'>,
): Promise<Findings> {
  const run = await runToFinish(
    {
      file: await findRipgrep(),
      args: [...ALWAYS, ...args, '--', target],
      cwd: folder,
      env: await context.environment(),
      timeoutMs: SEARCH_TIMEOUT_MS,
    },
    { signal: context.signal },
  )
  const warnings = clip(toOutputText(run.stderr).trim(), MAX_STDERR_CHARS)
  const findings = {
    stdout: run.stdout.kept.toString('utf8'),
    warnings,
    cut: run.stdout.bytes > run.stdout.kept.length,
  }
  if (run.ended === 'exited') {
    if (run.code > 1 && findings.stdout === '') throw new ToolError(warnings || `ripgrep failed with code ${run.code}.`)
    return findings
  }
  if (run.ended === 'timed-out') {
    throw new ToolError(`The search was ended after ${SEARCH_TIMEOUT_MS / 1000} s. Search a smaller folder.`)
  }
  throw new ToolError(`The search was ${run.ended === 'signalled' ? `ended by ${run.signal}` : 'interrupted'}.`)
}

/** Finds the program, whose package throws while it is loaded where there is none for the platform. */
async function findRipgrep(): Promise<string> {
  try {
    return (await import('@vscode/ripgrep')).rgPath
  } catch (error) {
    throw new ToolError(
      `There is no ripgrep for this system: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}
