import { Socket } from 'node:net'
import { constants } from 'node:os'
import { HookPipes, MADE_AS } from '../hook-pipes.ts'
import type { Exit } from '../launched.ts'
import { type ChildProcess, signalGroup, spawnGroup } from '../spawn-group.ts'

/** Line that ends what follows a line for its command to read. */
const END = 'hookline-end'
/** Redirection by which a command reads what follows the line: some give it a pipe, others a file. */
export const FROM_DOCUMENT = `<<'${END}'`

/** Gets the answer of a shell: exactly one of the two is called, once. */
export interface ShellListener {
  /** The shell has done it; `said` is what it remarked about it, `status` what came of it. */
  answered(status: number, said: string): void
  /** The shell has ended before it could say what came of it; perhaps even before it heard of it. */
  lost(exit: Exit, hasHeard: boolean): void
}

/** As a shell writes that into a pipe without a process of its own. */
const MAX_DOCUMENT_BYTES = 4000
/** Reads what it has to do from a pipe of its own: Node forgets how that of stdin broke. The name is for process lists. */
const BEGIN = 'exec /bin/sh -s hookline-shell <&3 3<&-'
/** A hook may send any signal to its whole group, where its shell must outlive it to tell how it ended. */
const NOT_OUTLIVED: ReadonlySet<string> = new Set(['SIGKILL', 'SIGSTOP', 'SIGCHLD', 'SIGCONT'])
/** Of the C library's own choice on Linux. */
const REAL_TIME = { first: 34, last: 64 }
const OUTLIVED = listOutlivedSignals().join(' ')
const START_LIMIT_MS = 5000
const EXIT_LIMIT_MS = 500
const CLOSE_LIMIT_MS = 100

/**
 * A shell that waits in a session and group of its own to start hooks, one at a time: it is small, so that this costs
 * it little. It ends by itself when this process does.
 */
export class ResidentShell {
  readonly pid: number
  /** Settles when it has ended. */
  readonly gone: Promise<void>

  readonly #child: ChildProcess
  readonly #control: Socket
  readonly #stdout: Socket
  #pipes: HookPipes | undefined
  #givesPipes = false
  #heard = ''
  #question = 0
  #listener: ShellListener | undefined
  #isDeaf = false
  #hasExited = false

  /** Use `startShell`. */
  constructor(child: ChildProcess, streams: { pid: number; control: Socket; stdout: Socket }) {
    this.#child = child
    this.pid = streams.pid
    this.#control = streams.control
    this.#stdout = streams.stdout
    this.#control.resume().on('error', () => {
      this.#isDeaf = true // the shell has ended; that is told by its exit
    })
    this.#stdout.on('error', () => {})
    this.#stdout.on('data', (chunk: Buffer) => this.#hear(chunk.toString('latin1')))
    this.gone = new Promise((resolve) => {
      child.on('exit', (code, signal) => {
        this.#hasExited = true
        const exit = code === null ? { code, signal: signal ?? 'unknown' } : { code, signal: null }
        this.#lose(exit)
        resolve()
      })
    })
    child.unref()
    this.#control.unref()
    this.#stdout.unref()
  }

  get hasExited(): boolean {
    return this.#hasExited
  }

  /** The pipes of the hook that it runs. */
  get pipes(): HookPipes {
    if (!this.#pipes) throw new TypeError('this shell has not been made ready')
    return this.#pipes
  }

  /** Has it execute a line, perhaps with a document that a command of it reads; this process lives until it answers. */
  ask(line: string, listener: ShellListener, document?: string): void {
    this.#listener = listener
    this.#question++
    this.#stdout.ref()
    const asked = `${line}; echo =${this.#question}=$?\n`
    this.#control.write(document === undefined ? asked : `${asked}${document}${END}\n`)
    signalGroup(this.pid, 'SIGCONT') // a shell that was stopped while it waited would never answer
  }

  /** True if this process lives until it answers. */
  set isAwaited(isAwaited: boolean) {
    if (isAwaited) this.#stdout.ref()
    else this.#stdout.unref()
  }

  /** True if it can pass this on to a command by itself: one line of JSON that its own pipe has room for. */
  canForward(input: string | undefined): boolean {
    if (input === undefined || !this.#givesPipes || input.length > MAX_DOCUMENT_BYTES) return false
    const isLine = input.startsWith('{') && input.indexOf('\n') === input.length - 1 && !input.includes('\0')
    return isLine && Buffer.byteLength(input) <= MAX_DOCUMENT_BYTES
  }

  /** Has it make its pipes, unless it is given others, and tries them; whether that went well. */
  async makeReady(lentPipes: () => Promise<HookPipes | null>): Promise<boolean> {
    const outlives = (await this.#askShell(`exec 2>&1; trap : ${OUTLIVED}`)) === 0
    if (!outlives) return false
    this.#givesPipes = (await this.#askShell(`[ -p /dev/stdin ] ${FROM_DOCUMENT}`, '{}\n')) === 0
    const pipes = this.#givesPipes ? await this.#makePipes() : await lentPipes()
    if (pipes === null) return false
    this.#pipes = pipes
    let echoed = ''
    const tried = await this.#askShell(`echo fine ${pipes.fromInput} ${pipes.toOutputs}`)
    const isHeld = pipes.drain('stdout', (chunk) => {
      echoed += chunk.toString('latin1')
    })
    return tried === 0 && echoed === 'fine\n' && !isHeld && pipes.reset() && !this.#hasExited
  }

  /** Tells it that nothing more will come; it ends as soon as its hook has. */
  endInput(): void {
    this.#control.end()
  }

  /** Ends it, with its pipes. What a hook left behind in its group stays. */
  async retire(): Promise<void> {
    this.endInput()
    this.#pipes?.close()
    this.#pipes = undefined
    if (!this.#hasExited) {
      this.#child.ref()
      const tooLate = setTimeout(() => this.#child.kill('SIGKILL'), EXIT_LIMIT_MS)
      await this.gone
      clearTimeout(tooLate)
    }
    this.#control.destroy()
    this.#stdout.destroy()
  }

  /** A here-document is a pipe; the shell keeps it open until it has been found. Throws what the system says. */
  async #makePipes(): Promise<HookPipes | null> {
    const documents = MADE_AS.map((descriptor) => `${descriptor}${FROM_DOCUMENT}`).join(' ')
    const made = await this.#askShell(`exec ${documents}`, `{}\n${END}\n{}\n${END}\n{}\n`)
    if (made !== 0) return null
    const pipes = new HookPipes(this.pid)
    const closed = await this.#askShell(`exec ${MADE_AS.map((descriptor) => `${descriptor}<&-`).join(' ')}`)
    if (closed === 0) return pipes
    pipes.close()
    return null
  }

  #askShell(line: string, document?: string): Promise<number | null> {
    return new Promise((resolve) => {
      const tooLate = setTimeout(() => signalGroup(this.pid, 'SIGKILL'), START_LIMIT_MS)
      const settle = (status: number | null): void => {
        clearTimeout(tooLate)
        resolve(status)
      }
      this.ask(line, { answered: (status) => settle(status), lost: () => settle(null) }, document)
    })
  }

  #hear(text: string): void {
    this.#heard += text
    const mark = `=${this.#question}=`
    const at = this.#heard.lastIndexOf(mark)
    if (at < 0 || !this.#heard.endsWith('\n')) return
    const said = this.#heard.slice(0, at)
    const status = Number(this.#heard.slice(at + mark.length))
    this.#takeListener()?.answered(status, said)
  }

  /** Gives up: the last request is known to be unheard when the pipe breaks with something still in it. */
  #lose(exit: Exit): void {
    const listener = this.#takeListener()
    if (!listener) return
    const tell = (): void => {
      clearTimeout(tooLate)
      this.#control.off('close', tell)
      listener.lost(exit, !this.#isDeaf)
    }
    const tooLate = setTimeout(tell, this.#control.closed ? 0 : CLOSE_LIMIT_MS)
    this.#control.once('close', tell)
  }

  #takeListener(): ShellListener | undefined {
    const listener = this.#listener
    this.#listener = undefined
    this.#heard = ''
    this.#stdout.unref()
    return listener
  }
}

/** Starts a shell with an environment; null when the system does not let us, or does not work as we need it. */
export async function startShell(
  env: NodeJS.ProcessEnv,
  lentPipes: () => Promise<HookPipes | null>,
): Promise<ResidentShell | null> {
  const shell = spawnShell(env)
  const isReady = await shell?.makeReady(lentPipes).catch(() => false) // no descriptor is left
  if (isReady) return shell
  await shell?.retire()
  return null
}

function spawnShell(env: NodeJS.ProcessEnv): ResidentShell | null {
  try {
    const child = spawnGroup('/bin/sh', ['-c', BEGIN], { cwd: '/', env, stdio: ['ignore', 'pipe', 'ignore', 'pipe'] })
    child.on('error', () => {}) // told by the missing process id
    const { pid, stdout, stdio } = child
    const control: unknown = stdio?.[3]
    if (pid === undefined) return null
    if (control instanceof Socket && stdout instanceof Socket) return new ResidentShell(child, { pid, control, stdout })
    child.kill('SIGKILL') // not Node, or the shell could not be talked to
    return null
  } catch {
    return null // no descriptor is left, or an environment that no program can be given
  }
}

function listOutlivedSignals(): number[] {
  const named = Object.entries(constants.signals).filter(([name]) => !NOT_OUTLIVED.has(name))
  const count = REAL_TIME.last - REAL_TIME.first + 1
  return [
    ...new Set(named.map(([, number]) => number)),
    ...Array.from({ length: count }, (_, at) => REAL_TIME.first + at),
  ]
}
