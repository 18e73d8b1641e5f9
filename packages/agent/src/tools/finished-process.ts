import { StringDecoder } from 'node:string_decoder'
import { type CapturedStream, type Launches, type ProcessRun, type ProcessSpec, RunningProcess } from 'hookline/process'
import { ToolError } from './tool.ts'

/** A process that ran, and what it said. */
export type FinishedProcess = Extract<ProcessRun, { readonly stdout: CapturedStream }>

/** Followers of a process while it runs. */
interface ProcessFollower {
  readonly signal: AbortSignal
  readonly launches?: Launches
  /** Hears what it prints, several times a second at most. */
  readonly onOutput?: ((text: string) => void) | undefined
}

/** Bytes kept of each stream. */
const OUTPUT_LIMIT = 8 * 1024 * 1024

/** Runs a process to its end, or until the signal aborts; a ToolError when it cannot be started. */
export async function runToFinish(
  spec: Omit<ProcessSpec, 'input' | 'outputLimit'>,
  { signal, launches, onOutput }: ProcessFollower,
): Promise<FinishedProcess> {
  if (signal.aborted) throw new ToolError('Interrupted before it began.')
  const wrapLaunch = launches === undefined || onOutput === undefined ? null : tapLaunches(launches, onOutput)
  const running = new RunningProcess(
    { ...spec, input: Buffer.alloc(0), outputLimit: OUTPUT_LIMIT },
    wrapLaunch?.launches ?? launches,
  )
  const abort = (): void => running.abort()
  signal.addEventListener('abort', abort, { once: true })
  const run = await running.ended
  wrapLaunch?.close()
  signal.removeEventListener('abort', abort)
  if ('stdout' in run) return run
  throw new ToolError(`${spec.file} cannot be started: ${run.reason}`)
}

const TELL_EVERY_MS = 100
/** Characters that are told at once: more than a screen has, and the result says all. */
const MAX_TOLD_CHARS = 4000

/** Starts processes as others do, and tells what they print. */
function tapLaunches(launches: Launches, tell: (text: string) => void): { launches: Launches; close: () => void } {
  const decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') }
  let text = ''
  let timer: NodeJS.Timeout | undefined
  const flush = (): void => {
    timer = undefined
    tell(text)
    text = ''
  }
  const wrapLaunch =
    (launch: Launches['launch']): Launches['launch'] =>
    (spec, listener) =>
      launch(spec, {
        ...listener,
        wrote: (output, chunk) => {
          text = `${text}${decoders[output].write(chunk)}`.slice(-MAX_TOLD_CHARS)
          timer ??= setTimeout(flush, TELL_EVERY_MS)
          listener.wrote(output, chunk)
        },
      })
  return {
    launches: { launch: wrapLaunch(launches.launch), launchDirectly: wrapLaunch(launches.launchDirectly) },
    close: () => clearTimeout(timer),
  }
}

/** Reads what a stream carried, as text; says so when it carried more than was kept. */
export function toOutputText({ kept, bytes }: CapturedStream): string {
  const text = kept.toString('utf8')
  return bytes > kept.length ? `${text}\n[… ${bytes - kept.length} more bytes were not kept]` : text
}
