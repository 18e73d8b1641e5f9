import { stripVTControlCharacters } from 'node:util'
import { measureWidth } from 'hookline/internal'

/** Actions of the host on the screen itself. */
export interface Screen {
  readonly rows: number
  /** Empties what the session has drawn, as far as it can be seen; what has scrolled away, and what stood there before, stays. */
  readonly clear: (how?: { readonly whole?: boolean }) => void
  /** Gives the terminal back to the shell until the user wants to go on. */
  readonly suspend: () => void
  /** Calls back when the terminal has another size; the answer ends that. */
  readonly onResize: (listener: () => void) => () => void
}

/** A terminal that goes line by line: it has no screen. */
export const NO_SCREEN: Screen = { rows: 0, clear: () => {}, suspend: () => {}, onResize: () => () => {} }

const LINE_UP = '\u001b[1A'
const LINE_DOWN = '\u001b[1B'
const LINE_ERASED = '\u001b[2K'
/** Beginning of a frame of ink that is higher than the terminal: it would erase what has scrolled away, too. */
const EVERYTHING_ERASED = '\u001b[2J\u001b[3J\u001b[H'
/** The size of a terminal that does not say it, as those of containers and of programs that press keys. */
const DEFAULT_SIZE = { columns: 80, rows: 24 }
/** Lines that are remembered: more than a terminal has rows. */
const MAX_SCREEN_LINES = 500

/**
 * A stream for ink, which remembers what was drawn. When everything is drawn anew, just that is erased and written again:
 * ink by itself would erase the whole terminal.
 */
export class DrawnScreen {
  /** For ink. It does not hear of another size through it: the host draws everything anew then. */
  readonly stream: NodeJS.WriteStream
  readonly #stdout: NodeJS.WriteStream
  readonly #unicode: boolean
  /** Lines that were drawn; the cursor is in the last. */
  #lines: string[] = ['']
  /** Rows that the next text may take up: what is drawn anew and does not fit has scrolled away already. */
  #room: number | null = null

  constructor(stdout: NodeJS.WriteStream, { unicode }: { readonly unicode: boolean }) {
    this.#stdout = stdout
    this.#unicode = unicode
    const own: Readonly<Record<PropertyKey, unknown>> = {
      write: (text: unknown, ...rest: never[]) => stdout.write(this.#toDrawable(text) as string, ...rest), // as ink calls it
      on: (name: string, listener: () => void) => (name === 'resize' ? stdout : stdout.on(name, listener)),
    }
    this.stream = new Proxy(stdout, {
      get: (stream, name) => {
        if (name === 'rows' || name === 'columns') return this[name]
        if (Object.hasOwn(own, name)) return own[name]
        const value: unknown = Reflect.get(stream, name)
        return typeof value === 'function' ? value.bind(stream) : value
      },
    })
  }

  get rows(): number {
    return this.#stdout.rows || DEFAULT_SIZE.rows
  }

  get columns(): number {
    return this.#stdout.columns || DEFAULT_SIZE.columns
  }

  /** Erases what was drawn; `clearFrame` lets ink forget its last frame. `whole`: what is drawn next may be longer than the screen. */
  clear(clearFrame: () => void, { whole = false }: { readonly whole?: boolean } = {}): void {
    const { columns, rows } = this
    const taken = this.#lines.reduce(
      (sum, line) => sum + Math.max(1, Math.ceil(measureWidth(stripStyle(line)) / columns)),
      -1,
    )
    const before = this.#lines.length
    clearFrame()
    const frame = before - this.#lines.length
    const up = Math.min(taken - frame, rows - 1)
    // Line by line: terminals let a screen that is erased as a whole scroll away, frames and all.
    const below = Math.min(taken, rows - 1)
    const erased = `${`${LINE_ERASED}${LINE_DOWN}`.repeat(below)}${LINE_ERASED}${LINE_UP.repeat(below)}`
    this.#stdout.write(`\u001b[G${LINE_UP.repeat(Math.max(0, up))}${erased}`)
    this.#lines = ['']
    this.#room = whole ? null : Math.max(1, rows - frame - 1)
  }

  /** Leaves what was drawn to the terminal: something else is written below it. */
  leave(clearFrame: () => void): void {
    clearFrame()
    this.#lines = ['']
  }

  /** Replaces what was left out by ink or by a view with a sign of the same width, where there is no Unicode. */
  #toDrawable(text: unknown): unknown {
    if (typeof text !== 'string') return text
    const fitting = text.startsWith(EVERYTHING_ERASED) ? this.#cutToScreen(text) : this.#cut(this.#limitErasing(text))
    this.#remember(fitting)
    return this.#unicode ? fitting : fitting.replaceAll(/[…⏎]/g, '~')
  }

  /** ink erases its last frame also when that is gone: never what stands above. */
  #limitErasing(text: string): string {
    const beyond = text.split(LINE_UP).length - this.#lines.length
    return beyond > 0 ? text.replace(`${LINE_ERASED}${LINE_UP}`.repeat(beyond), '') : text
  }

  /** A frame that is too high shows its end. */
  #cutToScreen(text: string): string {
    const lines = text.slice(EVERYTHING_ERASED.length).split('\n')
    const { rows } = this
    this.#lines = ['']
    return `\u001b[H${`${LINE_ERASED}${LINE_DOWN}`.repeat(rows - 1)}${LINE_ERASED}\u001b[H${lines.slice(-rows).join('\n')}`
  }

  #cut(text: string): string {
    if (this.#room === null || !text.includes('\n')) return text
    const lines = text.split('\n')
    const cut = lines.slice(-this.#room - 1).join('\n')
    this.#room = null
    return cut
  }

  #remember(text: string): void {
    const erased = text.lastIndexOf(LINE_ERASED)
    const up = text.split(LINE_UP).length - 1
    if (erased !== -1) this.#lines.splice(this.#lines.length - 1 - up, up + 1, '')
    const [first = '', ...more] = text.slice(erased === -1 ? 0 : erased + LINE_ERASED.length).split('\n')
    this.#lines[this.#lines.length - 1] += first
    this.#lines.push(...more)
    if (this.#lines.length > 2 * MAX_SCREEN_LINES) this.#lines.splice(0, this.#lines.length - MAX_SCREEN_LINES)
  }
}

const stripStyle = (line: string): string => stripVTControlCharacters(line)
