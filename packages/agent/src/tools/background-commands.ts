import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { makeTempFolder, type TempFolder } from 'hookline/internal'
import { Launcher, type ProcessRun, RunningProcess } from 'hookline/process'

/** Status of a command in the background. */
export type BackgroundStatus =
  | { readonly status: 'running' }
  | { readonly status: 'exited'; readonly code: number }
  | { readonly status: 'ended'; readonly reason: string }

/** A command that the agent does not wait for. */
export interface BackgroundCommand {
  readonly id: string
  readonly command: string
  /** Both of its outputs, in the order they were written. */
  readonly outputFile: string
  readonly state: BackgroundStatus
}

/** Output of a command since it was last asked. */
export interface NewOutput {
  readonly text: string
  /** Bytes that were written and are too many to be shown; they stay in the file. */
  readonly skipped: number
  readonly state: BackgroundStatus
}

interface CommandEntry {
  readonly command: string
  readonly outputFile: string
  readonly running: RunningProcess
  state: BackgroundStatus
  wroteTooMuch: boolean
  /** Bytes of the file that were handed out. */
  readTo: number
  /** Keeps half a character until its rest is there. */
  readonly decoder: StringDecoder
}

/** A command that wrote more than this is ended: it would fill the disk. */
const MAX_OUTPUT_FILE_BYTES = 256 * 1024 * 1024
const LOOK_EVERY_MS = 250
/** Bytes handed out at once. */
const MAX_READ_BYTES = 64 * 1024

/** The commands of a session that go on in the background; close it to end them. */
export class BackgroundCommands {
  /** Starts the commands of the session: none outlives this process, even when it is killed. */
  readonly launcher = new Launcher('direct')

  readonly #largestOutput: number
  readonly #entries = new Map<string, CommandEntry>()
  #folder: Promise<TempFolder> | undefined
  #watch: NodeJS.Timeout | undefined
  #closed = false

  constructor({ largestOutput = MAX_OUTPUT_FILE_BYTES } = {}) {
    this.#largestOutput = largestOutput
  }

  /** Starts a command; rejects when the session is over, or there is no place for its output. */
  async start(spec: {
    readonly command: string
    readonly cwd: string
    readonly env: NodeJS.ProcessEnv
  }): Promise<BackgroundCommand> {
    this.#mustBeOpen()
    const { path: folder } = await this.#openOutputFolder()
    this.#mustBeOpen() // the store may have been closed meanwhile
    const id = `bash_${this.#entries.size + 1}`
    const outputFile = join(folder, `${id}.txt`)
    const running = new RunningProcess(
      {
        file: 'sh', // bash would read BASH_ENV, which is for the command
        // The shell becomes the command's own, with both outputs in the file.
        args: ['-c', 'exec bash -c -- "$1" >"$2" 2>&1', 'sh', spec.command, outputFile],
        cwd: spec.cwd,
        env: spec.env,
        input: Buffer.alloc(0),
        timeoutMs: null,
        outputLimit: MAX_READ_BYTES,
      },
      this.launcher.keepingSessions,
    )
    const entry: CommandEntry = {
      command: spec.command,
      outputFile,
      running,
      state: { status: 'running' },
      wroteTooMuch: false,
      readTo: 0,
      decoder: new StringDecoder('utf8'),
    }
    this.#entries.set(id, entry)
    void running.ended.then((run) => {
      entry.state = readStateAfter(run, entry)
    })
    this.#watch ??= setInterval(() => void this.#endThoseThatWriteTooMuch(), LOOK_EVERY_MS).unref()
    return { id, command: spec.command, outputFile, state: entry.state }
  }

  /** Every command that was started, the oldest first. */
  list(): BackgroundCommand[] {
    return [...this.#entries].map(([id, { command, outputFile, state }]) => ({ id, command, outputFile, state }))
  }

  /** Takes what a command wrote since the last call; null when there is no such command. */
  async takeOutput(id: string): Promise<NewOutput | null> {
    const entry = this.#entries.get(id)
    if (entry === undefined) return null
    const { state } = entry // asked first: what it wrote before it ended is then in the file
    const { bytes, skipped, readTo } = await readTail(entry.outputFile, entry.readTo)
    entry.readTo = readTo
    return { text: entry.decoder.write(bytes), skipped, state }
  }

  /** Ends a command and its group; resolves when it is gone, with null when there is no such command. */
  async end(id: string): Promise<BackgroundStatus | null> {
    const entry = this.#entries.get(id)
    if (entry === undefined) return null
    entry.running.abort()
    await entry.running.ended
    return entry.state
  }

  /** Ends everything, also what commands left behind that have exited, and removes the output. Safe to call twice. */
  async close(): Promise<void> {
    this.#closed = true
    clearInterval(this.#watch)
    for (const { running } of this.#entries.values()) running.abort()
    await Promise.all([...this.#entries.values()].map(({ running }) => running.ended))
    await this.launcher.close()
    const folder = await this.#folder?.catch(() => undefined) // one that was never made
    await folder?.remove()
  }

  #mustBeOpen(): void {
    if (this.#closed) throw new Error('The session has ended: nothing can be started any more.')
  }

  #openOutputFolder(): Promise<TempFolder> {
    this.#folder ??= makeTempFolder('background').catch((error: unknown) => {
      this.#folder = undefined // there may be room the next time
      throw error
    })
    return this.#folder
  }

  async #endThoseThatWriteTooMuch(): Promise<void> {
    for (const entry of this.#entries.values()) {
      if (entry.state.status !== 'running') continue
      const size = await stat(entry.outputFile).then(
        (stats) => stats.size,
        () => 0, // the command has not written yet
      )
      if (size <= this.#largestOutput) continue
      entry.wroteTooMuch = true
      entry.running.abort()
    }
  }
}

function readStateAfter(run: ProcessRun, { wroteTooMuch }: CommandEntry): BackgroundStatus {
  switch (run.ended) {
    case 'exited':
      return { status: 'exited', code: run.code }
    case 'signalled':
      return { status: 'ended', reason: `ended by ${run.signal}` }
    case 'not-started':
      return { status: 'ended', reason: `could not be started: ${run.reason}` }
    default:
      return { status: 'ended', reason: wroteTooMuch ? 'ended: it wrote too much' : 'ended on request' }
  }
}

/** The newest bytes of a file behind a place. */
async function readTail(path: string, from: number): Promise<{ bytes: Buffer; skipped: number; readTo: number }> {
  let handle: Awaited<ReturnType<typeof open>>
  try {
    handle = await open(path)
  } catch {
    return { bytes: Buffer.alloc(0), skipped: 0, readTo: from } // the command has not written yet
  }
  try {
    const { size } = await handle.stat()
    const start = Math.max(from, size - MAX_READ_BYTES)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.max(0, size - start)), 0, null, start)
    return { bytes: buffer.subarray(0, bytesRead), skipped: start - from, readTo: start + bytesRead }
  } finally {
    await handle.close()
  }
}
