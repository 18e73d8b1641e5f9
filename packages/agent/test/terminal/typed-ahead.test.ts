import { describe, expect, it } from 'vitest'
import type { Dialog } from '../../src/terminal/state/dialog.ts'
import { TypedAhead } from '../../src/terminal/state/typed-ahead.ts'

const PAUSE = 500
const answer = (): void => {}
const plan = (): Dialog => ({ kind: 'plan', answer })

/** For each key, whether it is for the prompt; a dialog appears at 1000. */
function forPrompt(dialog: Dialog, keysAt: readonly number[]): boolean[] {
  const ahead = new TypedAhead(PAUSE)
  return keysAt.map((at) => {
    if (at >= 1000) ahead.noteDialog(dialog, 1000)
    return ahead.isForPrompt(dialog, at)
  })
}

describe('keys at a dialog that appears by itself', () => {
  it('are for the prompt when they were pressed before it was drawn', () => {
    expect(forPrompt(plan(), [990])).toEqual([true])
    expect(new TypedAhead(0).isForPrompt(plan(), 990)).toBe(true)
  })

  it('are for the prompt until the user pauses', () => {
    expect(forPrompt(plan(), [900, 1100, 1400, 1800, 2299, 2799])).toEqual([true, true, true, true, true, false])
  })

  it('answer it as soon as the user could have read it', () => {
    expect(forPrompt(plan(), [1500, 1501, 1502])).toEqual([false, false, false])
  })

  it('are for the prompt right after one that meant nothing to it', () => {
    const [ahead, dialog] = [new TypedAhead(PAUSE), plan()]
    ahead.noteDialog(dialog, 0)
    expect(ahead.isForPrompt(dialog, 2000)).toBe(false)
    ahead.noteTyped(2000)
    expect([ahead.isForPrompt(dialog, 2200), ahead.isForPrompt(dialog, 2700)]).toEqual([true, false])
  })

  it('are for the prompt again when another dialog takes its place', () => {
    const [ahead, first, second] = [new TypedAhead(PAUSE), plan(), plan()]
    ahead.noteDialog(first, 0)
    expect(ahead.isForPrompt(first, 600)).toBe(false)
    ahead.noteDialog(second, 610)
    expect([ahead.isForPrompt(second, 620), ahead.isForPrompt(second, 1200)]).toEqual([true, false])
  })
})

it.each(['hooks', 'permissions', 'sessions', 'rewind'] as const)(
  'keys at the dialog %s, which the user opened, are for it at once',
  (kind) => {
    const dialog = { kind, sessions: [], points: [], answer } as Dialog // as far as it matters here
    expect(forPrompt(dialog, [990, 1000, 1001])).toEqual([false, false, false])
  },
)
