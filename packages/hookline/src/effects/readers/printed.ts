import { type Context, note } from '../context.ts'
import { type Content, carry, showValue, UNKNOWN_CONTENT, type Value } from '../value.ts'

/** Notes that a program shows a secret of its own; what it prints carries it on. */
export function showSecret(context: Context, what: string): Content {
  if (!context.isForLogin)
    note(context, { does: 'read', path: { text: what, place: 'secret', exists: true }, what: 'content' })
  return { ...UNKNOWN_CONTENT, carries: carry('secret') }
}

/** Words of a call as they are shown to people. */
export function showAll(words: readonly Value[]): string {
  return words.map(showValue).join(' ')
}

/** Content after a program that changes its text in a way that is not followed. */
export function forgetText(content: Content): Content {
  return { ...UNKNOWN_CONTENT, carries: content.carries, lists: content.lists }
}
