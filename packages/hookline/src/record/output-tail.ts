import type { EventInput } from '../protocol/event-input.ts'
import { collectSecrets, makeRedactor } from './redact.ts'

/** The end of what a hook wrote about an event, as text and without secrets. */
export type OutputTail = (kept: Buffer, input: EventInput) => string

/** Text before the end that is looked at too: a secret may begin there. */
const LEAD_BYTES = 64 * 1024

/** Gives so many characters of the end of an output, without the secrets of an environment and of the event. */
export function makeOutputTail(characters: number, env: NodeJS.ProcessEnv): OutputTail {
  const redacted = makeRedactor(env)
  return (kept, input) => {
    if (kept.length === 0) return ''
    const text = kept.toString('utf8').slice(-characters - LEAD_BYTES)
    const end = String(JSON.parse(redacted(text, collectSecrets(input)))).slice(-characters)
    return end.replace(/^[\uDC00-\uDFFF]/, '') // half of a character
  }
}
