import { isPermissionMode, type PermissionMode } from '../../permission/modes.ts'
import type { TerminalHost } from '../host.ts'
import type { Press } from '../keys/press.ts'

/** Modes that a key changes between; the one without questions is chosen when the session starts. */
const MODES: readonly PermissionMode[] = ['default', 'acceptEdits', 'plan']

/** Does what a key means wherever it is pressed; whether it means something. */
export function takeGlobalPress(host: TerminalHost, press: Press): boolean {
  if (press.key === 'back-tab') return switchMode(host)
  if (press.key !== 'ctrl') return false
  switch (press.letter) {
    case 'c':
      host.cancel()
      return true
    case 'o':
      host.switchView()
      return true
    case 'l':
      host.redraw()
      return true
    case 'z':
      host.screen.suspend()
      return true
    case 'd':
      return leaveIfEmpty(host)
    default:
      return false
  }
}

/** Ctrl+D leaves where nothing is typed; elsewhere it deletes, as in a shell. */
function leaveIfEmpty(host: TerminalHost): boolean {
  const { editor, dialogs } = host.store.get()
  if (editor.text !== '' && dialogs.length === 0) return false
  void host.leave('prompt_input_exit')
  return true
}

function switchMode(host: TerminalHost): boolean {
  const { agent, store } = host
  const { session, dialogs } = store.get()
  if (agent === null || session === null || dialogs.length > 0) return false
  const next = MODES[(isPermissionMode(session.mode) ? MODES.indexOf(session.mode) + 1 : 0) % MODES.length] ?? 'default'
  const fault = agent.permissions.setMode(next)
  if (fault !== null) host.print({ kind: 'note', text: fault, tone: 'bad' })
  else store.set((state) => ({ ...state, session: { ...session, mode: next } }))
  host.refreshStatus()
  return true
}
