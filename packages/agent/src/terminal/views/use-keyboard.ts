import { useStdin } from 'ink'
import { useCallback, useLayoutEffect, useRef } from 'react'
import type { TerminalHost } from '../host.ts'
import { makePressReader, type Press } from '../keys/press.ts'
import { findShownDialog } from '../state/state.ts'
import { takeGlobalPress } from './global-press.ts'
import { pressInPrompt } from './prompt-input.tsx'

/** Reads the keyboard; each press goes to the view that asked last, or to the prompt where a dialog has only just appeared. */
export function useKeyboard(host: TerminalHost): (listener: (press: Press) => void) => () => void {
  const ink = useStdin()
  const listeners = useRef<((press: Press) => void)[]>([])
  useLayoutEffect(() => {
    const read = makePressReader()
    const deliver = makeQueue(({ press, at }: { readonly press: Press; readonly at: number }) => {
      host.noteKeyPress()
      if (takeGlobalPress(host, press)) return
      const { store, typedAhead } = host
      if (typedAhead.isForPrompt(findShownDialog(store.get()), at)) pressInPrompt(host, press)
      else listeners.current.at(-1)?.(press)
    })
    const hear = (sequence: string): void => {
      const at = performance.now()
      for (const press of read(sequence)) deliver({ press, at })
    }
    ink.setRawMode(true)
    const stop = subscribeToKeys(ink, hear)
    return () => {
      stop()
      ink.setRawMode(false)
    }
  }, [host, ink])
  return useCallback((listener) => {
    listeners.current.push(listener)
    return () => {
      listeners.current = listeners.current.filter((each) => each !== listener)
    }
  }, [])
}

/** As much of a stream or emitter as keys are heard through. */
interface Source {
  readonly on: (event: string, listener: (sequence: unknown) => void) => unknown
  readonly off: (event: string, listener: (sequence: unknown) => void) => unknown
}

/**
 * Hears every sequence that a key sends; the answer ends it. ink tells only its own emitter of whole sequences, and its
 * `useInput` drops some that we need (pastes, Alt with Enter, Shift with Tab). That emitter is not part of its interface: when
 * a version of ink has none, the keyboard itself is heard, which gives a sequence in the pieces in which it arrives.
 */
export function subscribeToKeys(
  ink: { readonly internal_eventEmitter?: unknown; readonly stdin: Source },
  hear: (sequence: string) => void,
): () => void {
  const own = ink.internal_eventEmitter
  const [source, event] = isSource(own) ? ([own, 'input'] as const) : ([ink.stdin, 'data'] as const)
  const onSequence = (sequence: unknown): void => hear(String(sequence))
  source.on(event, onSequence)
  return () => void source.off(event, onSequence)
}

function isSource(value: unknown): value is Source {
  const { on, off }: Readonly<Record<string, unknown>> = Object(value)
  return typeof on === 'function' && typeof off === 'function'
}

/**
 * Takes things one after the other, each after what the one before it changed has been drawn: several keys may come at
 * once, and each means what it means on the screen that the last one left.
 */
function makeQueue<Thing>(take: (thing: Thing) => void): (thing: Thing) => void {
  const waiting: Thing[] = []
  const takeNext = (): void => {
    const thing = waiting[0]
    if (thing === undefined) return
    take(thing)
    setImmediate(() => {
      waiting.shift()
      takeNext()
    })
  }
  return (thing) => {
    waiting.push(thing)
    if (waiting.length === 1) takeNext()
  }
}
