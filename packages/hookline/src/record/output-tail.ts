import { redactorFor } from './redact.ts'

/** The end of what a hook wrote, as text and without secrets. */
export type OutputTail = (kept: Buffer) => string

/** Text before the end that is looked at too: a secret may begin there. */
const LEAD = 64 * 1024

/** Gives so many characters of the end of an output, without the secrets of an environment. */
export function outputTail(characters: number, env: NodeJS.ProcessEnv): OutputTail {
  const redacted = redactorFor(env)
  return (kept) => {
    if (kept.length === 0) return ''
    const text = kept.toString('utf8').slice(-characters - LEAD)
    const end = String(JSON.parse(redacted(text))).slice(-characters)
    return end.replace(/^[\uDC00-\uDFFF]/, '') // half of a character
  }
}
