import { openTrials, type Trials } from '../../bridges/install/try-entry.ts'
import type { SessionFiles } from '../../replay/sessions.ts'

/** Progress of a long command, for a user who waits; nothing is drawn where stderr is no terminal. */
interface ProgressBar {
  /** False where stderr is no terminal: nothing is drawn. */
  readonly isDrawn: boolean
  /** Draws again, at most ten times a second. */
  readonly show: (share: number, text: string) => void
  readonly clear: () => void
}

const WIDTH = 24
const PAUSE_MS = 100
const WIPE = '\r\x1b[2K'

/** A bar on stderr, if that is a terminal. */
export function openProgressBar(): ProgressBar {
  const stream = process.stderr
  if (stream.isTTY !== true) return { isDrawn: false, show: () => {}, clear: () => {} }
  let drawn = 0
  return {
    isDrawn: true,
    show: (share, text) => {
      const now = performance.now()
      if (now - drawn < PAUSE_MS) return
      drawn = now
      const full = Math.round(Math.min(1, Math.max(0, share)) * WIDTH)
      const line = `${'━'.repeat(full)}${'·'.repeat(WIDTH - full)}  ${Math.floor(share * 100)} %  ${text}`
      stream.write(`${WIPE}${line.slice(0, (stream.columns || 80) - 1)}`)
    },
    clear: () => {
      if (drawn > 0) stream.write(WIPE)
    },
  }
}

/** A bar for reading sessions: by the bytes that were read of all. */
export interface ReadingBar {
  readonly onBytes: (bytes: number) => void
  readonly show: () => void
  readonly clear: () => void
}

/** Shows how much of some sessions was read, and what else there is to say. */
export function openReadingBar(sessions: readonly SessionFiles[], text: () => string): ReadingBar {
  const all = sessions.reduce((sum, { bytes }) => sum + bytes, 0)
  const bar = openProgressBar()
  let read = 0
  const show = (): void => bar.show(all === 0 ? 1 : read / all, text())
  const onBytes = (bytes: number): void => {
    read += bytes
    show()
  }
  return { onBytes, show, clear: bar.clear }
}

/** Has entries tried, and shows on stderr how far that is, if that is a terminal. */
export async function withTrials<Result>(act: (trials: Trials) => Promise<Result>): Promise<Result> {
  const bar = openProgressBar()
  try {
    return await act(openTrials((done, all) => bar.show(done / all, `entries started as agents do: ${done} of ${all}`)))
  } finally {
    bar.clear()
  }
}
