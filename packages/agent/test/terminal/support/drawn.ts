import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import { render } from 'ink'
import { createElement } from 'react'
import { App } from '../../../src/terminal/app.tsx'
import { TerminalHost } from '../../../src/terminal/host.ts'
import type { State } from '../../../src/terminal/state/state.ts'

/** Rows of a screen on which everything fits: ink then never clears it. */
const ROWS = 400

/** A terminal's host that has opened nothing, in a state. */
export function hostIn(state: Partial<State>, { project = '/somewhere/project' } = {}): TerminalHost {
  const host = new TerminalHost({
    agent: {},
    model: null,
    trusted: true,
    project,
    home: '/somewhere/home',
    env: {},
    debug: [],
    prompt: '',
    version: '0.0.0',
    idleAfterMs: 1e9,
    answerAfterMs: 0,
  })
  host.store.set((initial) => ({ ...initial, work: null, ...state }))
  return host
}

/** Everything that is written to a terminal while it shows a state, without colours. */
export async function drawn(state: Partial<State>, { columns = 100, rows = ROWS } = {}): Promise<string> {
  process.setMaxListeners(100) // ink listens for the end of the process at every drawing
  const writes: string[] = []
  const stdout = Object.assign(new EventEmitter(), {
    columns,
    rows,
    isTTY: true,
    write: (text: string) => writes.push(text) > 0,
  })
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => {}, ref: () => {}, unref: () => {} })
  const app = createElement(App, { host: hostIn(state), look: { colours: false, unicode: true, theme: 'dark' } })
  const streams = { stdout, stdin, stderr: stdout } as unknown as NonNullable<Parameters<typeof render>[1]> // as far as ink uses them
  const { unmount, waitUntilExit } = render(app, { ...streams, exitOnCtrlC: false, patchConsole: false })
  unmount()
  await waitUntilExit()
  return writes.join('')
}
