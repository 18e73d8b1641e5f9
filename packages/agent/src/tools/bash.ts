import { readFile } from 'node:fs/promises'
import { constants } from 'node:os'
import { join } from 'node:path'
import { makeTempFolder, type TempFolder } from 'hookline/internal'
import * as z from 'zod'
import { clip } from './clip.ts'
import { defineTool } from './define-tool.ts'
import { type FinishedProcess, runToFinish, toOutputText } from './finished-process.ts'
import { type Tool, type ToolContext, ToolError, type ToolOutcome } from './tool.ts'

const DEFAULT_TIMEOUT_MS = 120_000
const MAX_TIMEOUT_MS = 600_000
/** Characters of output that the model gets. */
const MAX_BASH_OUTPUT_CHARS = 30_000

const input = z.strictObject({
  command: z.string().min(1).describe('The command, run by bash'),
  description: z.string().optional().describe('What the command does, in five to ten words'),
  timeout: z
    .number()
    .int()
    .positive()
    .max(MAX_TIMEOUT_MS)
    .optional()
    .describe(`Milliseconds until the command is ended; ${DEFAULT_TIMEOUT_MS} unless given`),
  run_in_background: z
    .boolean()
    .optional()
    .describe('Go on without waiting; BashOutput reads the output, KillShell ends the command'),
})

/** The fields of every response: what ended otherwise has failed, output is text, and any command may print something. */
const RESPONSE = { stdout: '', stderr: '', interrupted: false, isImage: false, noOutputExpected: false } as const

/** Description for the model where a `cd` lasts. */
const LASTING = 'It starts in the current folder, and a `cd` lasts until the next call.'
const NOT_LASTING = 'It starts in the current folder each time: a `cd` does not last until the next call.'

/** The same tool for a session in which a `cd` lasts. */
export const withLastingFolder = (tool: Tool): Tool => ({
  ...tool,
  description: tool.description.replace(NOT_LASTING, LASTING),
})

/** Runs shell commands. */
export const bashTool = defineTool({
  name: 'Bash',
  description: [
    `Runs a command with bash and returns its output. ${NOT_LASTING}`,
    'Nobody can type into it. An exit code other than 0 is reported as a failure, with the output.',
    'Use Read, Write, Edit, Glob and Grep rather than cat, sed, find and grep.',
  ].join('\n'),
  input,
  readOnly: false,
  edits: false,
  shown: readBashText,
  run: (call, context) => (call.run_in_background ? startInBackground(call, context) : runToEnd(call, context)),
})

async function runToEnd({ command, timeout }: z.output<typeof input>, context: ToolContext): Promise<ToolOutcome> {
  const timeoutMs = timeout ?? DEFAULT_TIMEOUT_MS
  const note = context.moveTo === null ? null : await makeTempFolder('cwd').catch(() => null) // on a full disk a folder does not last
  const text = note === null ? command : `trap 'pwd -P >|${quoteInner(noteFile(note))}' EXIT\n${command}`
  const run = await runToFinish(
    // `--` lets a command begin with a dash
    { file: 'bash', args: ['-c', '--', text], cwd: context.cwd, env: await context.environment(), timeoutMs },
    { signal: context.signal, launches: context.background.launcher, onOutput: context.onOutput },
  )
  const moved = note === null ? null : await readEndFolder(note)
  const reset = moved === null ? null : (context.moveTo?.(moved) ?? null)
  const stdout = toOutputText(run.stdout).trimEnd()
  const stderr = toOutputText(run.stderr).trimEnd()
  const failure = describeBashFailure(run, timeoutMs)
  if (failure !== null)
    throw new ToolError(`${failure}\n${joinOutputs([stderr, stdout, reset ?? ''], '\n\n')}`.trimEnd())
  const left = run.leftChild
    ? 'A process it started still runs and holds its output. Use run_in_background for those.'
    : ''
  return {
    content: joinOutputs([stdout, stderr, left, reset ?? ''], '\n') || '(no output)',
    response: {
      ...RESPONSE,
      stdout: clip(stdout, MAX_BASH_OUTPUT_CHARS),
      stderr: clip(stderr, MAX_BASH_OUTPUT_CHARS),
    },
  }
}

/** The folder that a command ended in; null: it was killed, or had a trap of its own. */
async function readEndFolder(note: TempFolder): Promise<string | null> {
  const text = await readFile(noteFile(note), 'utf8').catch(() => '') // the command did not come to that
  await note.remove()
  return text.trimEnd() === '' ? null : text.replace(/\n$/, '')
}

/** The file in which a command notes where it ended: in a temp folder, which the next start removes where this one is killed. */
const noteFile = ({ path }: TempFolder): string => join(path, 'cwd')

/** A path inside of a word in single quotes. */
const quoteInner = (path: string): string => `"${path.replace(/["$`\\]/g, '\\$&').replaceAll("'", `'\\''`)}"`

const response = z.looseObject({ stdout: z.string(), stderr: z.string() })

/** Reads a response in the shape that the tool gives, for the model. */
function readBashText(given: unknown): string | null {
  const { data } = response.safeParse(given)
  return data === undefined ? null : joinOutputs([data.stdout, data.stderr], '\n') || '(no output)'
}

function describeBashFailure(run: FinishedProcess, timeoutMs: number): string | null {
  switch (run.ended) {
    case 'exited':
      return run.code === 0 ? null : `Exit code ${run.code}`
    case 'signalled':
      return `Exit code ${128 + findSignalNumber(run.signal)}\nEnded by ${run.signal}.`
    case 'timed-out':
      return `The command was ended after ${timeoutMs} ms, its timeout. Give it a longer one, or run it in the background.`
    case 'aborted':
      return 'The command was interrupted.'
  }
}

function findSignalNumber(name: string): number {
  return Object.entries(constants.signals).find(([signal]) => signal === name)?.[1] ?? 0
}

function joinOutputs(texts: readonly string[], between: string): string {
  return clip(texts.filter((text) => text !== '').join(between), MAX_BASH_OUTPUT_CHARS)
}

async function startInBackground({ command }: z.output<typeof input>, context: ToolContext): Promise<ToolOutcome> {
  if (context.signal.aborted) throw new ToolError('Interrupted before it began.')
  const env = await context.environment()
  const { id, outputFile } = await context.background
    .start({ command, cwd: context.cwd, env })
    .catch((error: Error) => Promise.reject(new ToolError(error.message))) // the session is over, or the disk full
  return {
    content: `The command runs in the background with the id ${id}. Read its output with BashOutput, end it with KillShell.`,
    response: { ...RESPONSE, backgroundTaskId: id, outputFile },
  }
}
