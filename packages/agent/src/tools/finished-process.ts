import { type Captured, type Launches, type ProcessRun, type ProcessSpec, RunningProcess } from 'hookline/process'
import { ToolError } from './tool.ts'

/** A process that ran, and what it said. */
export type FinishedProcess = Extract<ProcessRun, { readonly stdout: Captured }>

/** Bytes kept of each stream. */
const OUTPUT_LIMIT = 8 * 1024 * 1024

/** Runs a process to its end, or until the signal aborts; a ToolError when it cannot be started. */
export async function finishedProcess(
  spec: Omit<ProcessSpec, 'input' | 'outputLimit'>,
  { signal, launches }: { signal: AbortSignal; launches?: Launches },
): Promise<FinishedProcess> {
  if (signal.aborted) throw new ToolError('Interrupted before it began.')
  const running = new RunningProcess({ ...spec, input: Buffer.alloc(0), outputLimit: OUTPUT_LIMIT }, launches)
  const abort = (): void => running.abort()
  signal.addEventListener('abort', abort, { once: true })
  const run = await running.ended
  signal.removeEventListener('abort', abort)
  if ('stdout' in run) return run
  throw new ToolError(`${spec.file} cannot be started: ${run.reason}`)
}

/** What a stream carried, as text; says so when it carried more than was kept. */
export function streamText({ kept, bytes }: Captured): string {
  const text = kept.toString('utf8')
  return bytes > kept.length ? `${text}\n[… ${bytes - kept.length} more bytes were not kept]` : text
}
