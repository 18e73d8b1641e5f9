/** A real terminal, driven through tmux: keys go in, what stands on the screen comes out. */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Longer than anything takes on a busy machine. */
const SCREEN_TIMEOUT_MS = 30_000
/** Between two looks; each is a process, so what takes long is looked at more rarely. */
const LOOK_AGAIN_MS = 30
const MAX_PAUSE_MS = 200

/**
 * @typedef {object} Opening
 * @property {readonly string[]} command the program and its arguments
 * @property {string} cwd
 * @property {NodeJS.ProcessEnv} env all of it
 * @property {number} [columns]
 * @property {number} [rows]
 */

/**
 * Opens a terminal in which a program runs, on a tmux server of its own; close it.
 * @param {Opening} opening
 */
export async function openTerminal({ command, cwd, env, columns = 80, rows = 30 }) {
  const socket = `hookline-${randomUUID()}`
  // The shell says how the program ended, and `cat` keeps what it left on the screen.
  const words = ['sh', '-c', `"$@"; echo "[exit code $?]"; exec cat`, 'sh', ...command]
  const line = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')
  const size = ['-x', String(columns), '-y', String(rows)]
  const history = ['set-option', '-g', 'history-limit', '20000', ';']
  const start = ['new-session', '-d', ...size, '-c', cwd, `exec ${line}`]
  await run('tmux', ['-L', socket, '-f', '/dev/null', ...history, ...start], { env })
  return new TmuxTerminal(socket, env)
}

/** A program in a terminal. */
export class TmuxTerminal {
  /** @type {string} */ #socket
  /** @type {NodeJS.ProcessEnv} */ #env

  /**
   * Use `openTerminal`.
   * @param {string} socket
   * @param {NodeJS.ProcessEnv} env
   */
  constructor(socket, env) {
    this.#socket = socket
    this.#env = env
  }

  /**
   * Types a text, letter by letter.
   * @param {string} text
   */
  async type(text) {
    await this.#tmux('send-keys', '-l', '--', text)
  }

  /**
   * Presses keys by the names that tmux gives them: Enter, Escape, C-c, M-Enter, BTab.
   * @param {string[]} keys
   */
  async press(...keys) {
    await this.#tmux('send-keys', ...keys)
  }

  /**
   * Types a text and Enter.
   * @param {string} text
   */
  async enter(text) {
    await this.type(text)
    await this.press('Enter')
  }

  /**
   * Pastes a text as a terminal does that marks pastes.
   * @param {string} text
   */
  async paste(text) {
    await this.#tmux('set-buffer', '--', text)
    await this.#tmux('paste-buffer', '-p')
  }

  /**
   * @param {number} columns
   * @param {number} rows
   */
  async resize(columns, rows) {
    await this.#tmux('resize-window', '-x', String(columns), '-y', String(rows))
  }

  /**
   * What stands on the screen; `styled`: with colours as escape sequences.
   * @param {{ styled?: boolean }} [how]
   */
  async screen({ styled = false } = {}) {
    return this.#tmux('capture-pane', '-p', ...(styled ? ['-e'] : []))
  }

  /** What the program calls the window. */
  async title() {
    return this.#tmux('display-message', '-p', '#{pane_title}')
  }

  /** The screen and what has scrolled away; lines that were wrapped are whole again. */
  async everything() {
    return this.#tmux('capture-pane', '-p', '-J', '-S', '-')
  }

  /**
   * Waits until something stands on the screen, or has stood there and scrolled away; resolves with all of it.
   * @param {string | RegExp} what
   */
  async see(what) {
    return this.#until(
      (text) => holds(text, what),
      `to see ${what}`,
      () => this.everything(),
    )
  }

  /**
   * Waits until something stands on the screen now, whatever has scrolled away.
   * @param {string | RegExp} what
   */
  async seeNow(what) {
    return this.#until(
      (text) => holds(text, what),
      `to see ${what} on the screen`,
      () => this.screen(),
    )
  }

  /**
   * Waits until something no longer stands on the screen.
   * @param {string | RegExp} what
   */
  async seeGone(what) {
    return this.#until(
      (text) => !holds(text, what),
      `to see ${what} go`,
      () => this.screen(),
    )
  }

  /** Waits until the program has ended; resolves with its exit code. */
  async ended() {
    const text = await this.see(/\[exit code \d+\]/)
    return Number(/\[exit code (\d+)\]/.exec(text)?.[1])
  }

  /** The process of the program. Linux only. */
  async pid() {
    const shell = (await this.#tmux('display-message', '-p', '#{pane_pid}')).trim()
    return Number(readFileSync(`/proc/${shell}/task/${shell}/children`, 'utf8').split(' ')[0])
  }

  /** Hangs up, and waits until the program has ended in its own way. */
  async close() {
    const pid = await this.pid().catch(() => 0) // there is no terminal, or no program in it, any more
    await this.#tmux('kill-server').catch(() => {}) // it is gone already
    for (const end = performance.now() + SCREEN_TIMEOUT_MS; isAlive(pid) && performance.now() < end; )
      await pause(LOOK_AGAIN_MS)
  }

  /**
   * @param {(text: string) => boolean} fits
   * @param {string} what
   * @param {() => Promise<string>} look
   */
  async #until(fits, what, look) {
    const end = performance.now() + SCREEN_TIMEOUT_MS
    for (let wait = LOOK_AGAIN_MS; ; wait = Math.min(wait * 1.3, MAX_PAUSE_MS)) {
      const text = await look()
      if (fits(text)) return text
      await pause(wait)
      if (performance.now() > end) throw new Error(`waited ${SCREEN_TIMEOUT_MS / 1000} s ${what}; there was:\n${text}`)
    }
  }

  /** @param {string[]} args */
  async #tmux(...args) {
    const { stdout } = await run('tmux', ['-L', this.#socket, ...args], { env: this.#env, maxBuffer: 2 ** 26 })
    return stdout
  }
}

/**
 * @param {string} text
 * @param {string | RegExp} what
 */
function holds(text, what) {
  return typeof what === 'string' ? text.includes(what) : what.test(text)
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    return pid > 0 && !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false // gone
  }
}
