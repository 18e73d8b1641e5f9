import { readFileSync } from 'node:fs'
import { FOLDER_GONE, isCurrentFolderGone } from 'hookline/internal'
import { ModelError } from '../models/model.ts'
import { AgentError } from '../output/agent-error.ts'
import { readArguments, USAGE } from './arguments.ts'
import { tell } from './output.ts'
import { runInitHooks, runPrint } from './run-print.ts'

/** Exit codes of what fails before there is a result. */
const MISTAKE = 1
const FAULT = 3

/** Does what the arguments of the command ask for; resolves with its exit code. */
export async function call(args: readonly string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) return print(USAGE)
  if (args.includes('--version')) return print(`${readVersion()}\n`)
  try {
    const given = readArguments(args)
    if (given.initOnly) return await runInitHooks(given)
    if (!given.print && isTerminal()) return await (await import('./run-terminal.ts')).runTerminal(given, readVersion())
    return (await runPrint(given)) ?? print(USAGE)
  } catch (error) {
    return explainFailure(error)
  }
}

/** True if a user can type and read here. */
function isTerminal(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true
}

function print(text: string): number {
  process.stdout.write(text)
  return 0
}

/** Explains a failure: of the caller, in one sentence; of ours, with all there is to find it. */
function explainFailure(error: unknown): number {
  const known = error instanceof AgentError || error instanceof ModelError || (error as Error)?.name === 'HooklineError'
  if (known && error instanceof Error) {
    tell(`hookline-agent: ${error.message}`)
    return MISTAKE
  }
  if (isCurrentFolderGone(error)) {
    tell(`hookline-agent: ${FOLDER_GONE}`)
    return MISTAKE
  }
  const details = error instanceof Error ? (error.stack ?? error.message) : String(error)
  tell(`hookline-agent: a fault in the agent itself, not in what you asked. Please report it:\n${details}`)
  return FAULT
}

function readVersion(): string {
  const { version: number } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  return String(number)
}
