import { setImmediate as nextTurn } from 'node:timers/promises'
import { render } from 'ink'
import { App } from './app.tsx'
import type { TerminalHost } from './host.ts'
import { DrawnScreen } from './screen.ts'
import { formatResumeHint } from './state/resume-text.ts'
import type { Look } from './text/look.ts'

const PASTES_MARKED = '\u001b[?2004h'
const PASTES_UNMARKED = '\u001b[?2004l'
const CURSOR_SHOWN = '\u001b[?25h'
const CURSOR_HIDDEN = '\u001b[?25l'

/** Draws the terminal until the session is over. */
export async function showTerminal(host: TerminalHost, look: Look): Promise<void> {
  const { stdout } = process
  const screen = new DrawnScreen(stdout, look)
  stdout.write(PASTES_MARKED)
  host.onSequence = (sequence) => stdout.write(sequence)
  host.screen = {
    get rows() {
      return screen.rows
    },
    clear: (how) => screen.clear(() => ink.clear(), how),
    suspend: () => suspend(host, () => screen.leave(() => ink.clear())),
    onResize: (listener) => {
      stdout.on('resize', listener)
      return () => void stdout.off('resize', listener)
    },
  }
  const ink = render(<App host={host} look={look} />, {
    stdout: screen.stream,
    exitOnCtrlC: false,
    patchConsole: false,
  })
  try {
    await Promise.all([host.open(), host.ended])
  } finally {
    host.store.set((state) => ({ ...state, over: true }))
    await nextTurn() // the frame is drawn
    ink.unmount()
    await ink.waitUntilExit()
    stdout.write(`${PASTES_UNMARKED}${formatResumeHint(host.store.get())}`)
  }
}

/** Milliseconds after which a process that still runs was not stopped by the system, since nothing is there that could let it go on. */
const NOT_STOPPED_MS = 500

/** Stops the process as Ctrl+Z does elsewhere, until the user lets it go on. */
function suspend({ store }: TerminalHost, leave: () => void): void {
  const { stdin, stdout } = process
  leave()
  stdin.setRawMode(false)
  stdout.write(`${PASTES_UNMARKED}${CURSOR_SHOWN}`)
  const resumeDrawing = (): void => {
    process.removeListener('SIGCONT', resumeDrawing)
    clearTimeout(timer)
    stdin.setRawMode(true)
    stdout.write(`${PASTES_MARKED}${CURSOR_HIDDEN}`)
    store.set((state) => ({ ...state, hint: 'The session goes on.' })) // the next frame differs from the last one
  }
  process.on('SIGCONT', resumeDrawing)
  const timer = setTimeout(resumeDrawing, NOT_STOPPED_MS)
  process.kill(0, 'SIGTSTP') // the whole group, as the terminal would
}
