// The transport of the SDK ends its own child and leaves what that one started; RunningProcess writes its input at once
// and ends it. A server's input stays open, and its whole group has to go.
import type { ChildProcess } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { type JSONRPCMessage, ReadBuffer, serializeMessage, type Transport } from '@modelcontextprotocol/client'
import { type ProcessGroup, startGroup } from 'hookline/process'

/** A process to talk to. */
export interface ServerProcess {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
}

/** A server whose input has ended may end by itself so long. */
const OWN_END_MS = 500
/** Between SIGTERM and SIGKILL, and after it until we stop waiting. */
const GRACE_MS = 300
const PROBE_MS = 10
/** Characters kept of what it complained about last. */
const LAST_WORDS = 2000

/** Messages over the standard input and output of a process in its own group; closed, nothing of the group stays alive. */
export class StdioTransport implements Transport {
  onclose?: Transport['onclose']
  onerror?: Transport['onerror']
  onmessage?: Transport['onmessage']

  readonly #spec: ServerProcess
  readonly #buffer = new ReadBuffer()
  #group: ProcessGroup | undefined
  #exit: string | null = null
  #fault: string | null = null
  #stderr = ''
  #ended: Promise<void> | null = null

  constructor(spec: ServerProcess) {
    this.#spec = spec
  }

  /** Reason why it ended, null while it lives, and what it wrote to its standard error at last. */
  get lastWords(): { readonly end: string | null; readonly stderr: string } {
    const exited = this.#exit === null ? null : `it ended (${this.#exit})`
    return { end: this.#fault ?? exited, stderr: this.#stderr.trim() }
  }

  get #child(): ChildProcess | undefined {
    return this.#group?.child
  }

  async start(): Promise<void> {
    const { command, ...program } = this.#spec
    this.#group = await startGroup({ file: command, ...program }, { stdio: 'pipe' })
    const { child, started } = this.#group
    for (const stream of child.stdio) stream?.on('error', () => {}) // the server may end without reading; its exit says so
    child.stdout?.on('data', (chunk: Buffer) => this.#read(chunk))
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = `${this.#stderr}${text}`.slice(-LAST_WORDS)
    })
    child.on('exit', (code, signal) => {
      this.#exit = signal === null ? `exit code ${code}` : signal
      void this.#endGroup()
    })
    await started
  }

  send(message: JSONRPCMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      const { stdin } = this.#child ?? {}
      if (!stdin?.writable) reject(new Error('the server has ended'))
      else stdin.write(serializeMessage(message), (error) => (error ? reject(error) : resolve()))
    })
  }

  async close(): Promise<void> {
    if (this.#child?.pid === undefined) return
    this.#child.stdin?.end()
    await this.#waitUntil(() => this.#exit !== null, OWN_END_MS)
    await this.#endGroup()
  }

  /** Ends the group without waiting for anything: for a host that exits now. */
  kill(): void {
    if (this.#ended === null) this.#signal('SIGKILL')
  }

  /** Hands on every message; lines that are not JSON are skipped. One that keeps no rule can answer nothing any more. */
  #read(chunk: Buffer): void {
    if (this.#fault !== null) return
    try {
      this.#buffer.append(chunk)
      for (let message = this.#buffer.readMessage(); message !== null; message = this.#buffer.readMessage())
        this.onmessage?.(message)
    } catch {
      this.#fault = 'it wrote what is not a message of the protocol, or a message without end'
      void this.#endGroup()
    }
  }

  #endGroup(): Promise<void> {
    this.#ended ??= this.#endAll()
    return this.#ended
  }

  async #endAll(): Promise<void> {
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      if (!this.#signal(signal)) break
      this.#signal('SIGCONT') // one that stopped itself could not act on it
      await this.#waitUntil(() => !this.#signal(0), GRACE_MS)
    }
    // the last output may still be on its way; a process that left the group may hold the pipes for ever.
    await this.#waitUntil(
      () => this.#child?.stdout?.closed !== false && this.#child?.stderr?.closed !== false,
      GRACE_MS,
    )
    for (const stream of this.#child?.stdio ?? []) stream?.destroy()
    this.onclose?.()
  }

  /** True if there was a process in the group to get the signal. */
  #signal(signal: NodeJS.Signals | 0): boolean {
    return this.#group?.signal(signal) ?? false
  }

  async #waitUntil(holds: () => boolean, withinMs: number): Promise<void> {
    const end = performance.now() + withinMs
    while (!holds() && performance.now() < end) await pause(PROBE_MS)
  }
}
