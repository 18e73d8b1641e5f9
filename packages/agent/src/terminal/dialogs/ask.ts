import type { Dialog } from '../state/dialog.ts'
import type { PlayedModel, State } from '../state/state.ts'
import type { Store } from '../state/store.ts'

/** Shows a dialog until it is answered; rejects when the signal aborts. */
export function askDialog<Answer>(
  store: Store<State>,
  dialogOf: (answer: (value: Answer) => void) => Dialog,
  signal: AbortSignal,
): Promise<Answer> {
  return waitForAnswer(signal, (resolve) => {
    const dialog = dialogOf(resolve)
    store.set((state) => ({ ...state, dialogs: [...state.dialogs, dialog] }))
    return () => store.set((state) => ({ ...state, dialogs: state.dialogs.filter((each) => each !== dialog) }))
  })
}

/** Lets the user type a model's words; rejects when the signal aborts. */
export function askForWords(store: Store<State>, as: string, signal: AbortSignal): Promise<string> {
  return waitForAnswer<string>(signal, (resolve) => {
    const playing: PlayedModel = { as, answer: resolve }
    store.set((state) => ({ ...state, playing: [...state.playing, playing] }))
    return () => store.set((state) => ({ ...state, playing: state.playing.filter((each) => each !== playing) }))
  })
}

/** Shows something until it is answered or given up. */
function waitForAnswer<Answer>(
  signal: AbortSignal,
  show: (resolve: (answer: Answer) => void) => () => void,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const settle = (act: () => void): void => {
      hide()
      signal.removeEventListener('abort', giveUp)
      act()
    }
    const giveUp = (): void => settle(() => reject(signal.reason))
    const hide = show((answer) => settle(() => resolve(answer)))
    signal.addEventListener('abort', giveUp, { once: true })
  })
}
