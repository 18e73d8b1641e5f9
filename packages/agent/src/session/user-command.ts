import { clip } from '../tools/clip.ts'
import { runToFinish, toOutputText } from '../tools/finished-process.ts'
import { ToolError } from '../tools/tool.ts'
import { inject } from '../transcript/conversation.ts'
import type { Loop } from '../turn/loop-state.ts'

/** Result of a command of the user. */
export interface CommandResult {
  readonly text: string
  readonly failed: boolean
}

/** Followers of a command of the user. */
export interface CommandRun {
  readonly signal: AbortSignal
  readonly onOutput?: ((text: string) => void) | undefined
}

/** Characters of output that the model reads. */
const MAX_COMMAND_OUTPUT_CHARS = 30_000

/** Runs a command that the user typed, as in a shell; the model reads it with the next prompt, and what it printed. */
export async function runUserCommand(
  loop: Loop,
  command: string,
  { signal, onOutput }: CommandRun,
): Promise<CommandResult> {
  const result = await runInBash(loop, command, { signal, onOutput })
  inject(
    loop,
    `The user ran this command:\n${command}\n\nIt printed:\n${clip(result.text, MAX_COMMAND_OUTPUT_CHARS) || '(nothing)'}`,
  )
  return result
}

async function runInBash(loop: Loop, command: string, { signal, onOutput }: CommandRun): Promise<CommandResult> {
  const { cwd, environment, background } = loop.session.toolContext(null, signal)
  const spec = { file: 'bash', args: ['-c', '--', command], cwd, env: await environment(), timeoutMs: null }
  try {
    const run = await runToFinish(spec, { signal, launches: background.launcher, onOutput })
    const printed = [run.stdout, run.stderr]
      .map((stream) => toOutputText(stream).trimEnd())
      .filter((text) => text !== '')
    const code = run.ended === 'exited' ? run.code : run.ended
    const end = code === 0 ? [] : [run.ended === 'aborted' ? 'Interrupted' : `Exit code ${code}`]
    return { text: [...printed, ...end].join('\n'), failed: code !== 0 }
  } catch (error) {
    if (error instanceof ToolError) return { text: error.message, failed: true } // there is no bash
    throw error
  }
}
