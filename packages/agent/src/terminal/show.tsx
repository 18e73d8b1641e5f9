import { render } from 'ink'
import type { TerminalHost } from './host.ts'
import type { Look } from './look.ts'
import { App } from './views/app.tsx'

const CLEAR = '\u001b[2J\u001b[3J\u001b[H'
const PASTES_MARKED = '\u001b[?2004h'
const PASTES_UNMARKED = '\u001b[?2004l'

/** Draws the terminal until the session is over. */
export async function show(host: TerminalHost, look: Look): Promise<void> {
  const { stdout } = process
  stdout.write(PASTES_MARKED)
  host.onRedraw = () => stdout.write(CLEAR)
  host.onSequence = (sequence) => stdout.write(sequence)
  const { unmount, waitUntilExit } = render(<App host={host} look={look} />, {
    exitOnCtrlC: false,
    patchConsole: false,
  })
  try {
    await Promise.all([host.open(), host.ended])
  } finally {
    unmount()
    await waitUntilExit()
    stdout.write(PASTES_UNMARKED)
  }
}
