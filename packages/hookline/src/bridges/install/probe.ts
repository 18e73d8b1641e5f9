import { isObject } from '../../text/json.ts'
import { VERSION } from '../../text/version.ts'

/** The one key of a probe: no agent sends such a payload, and it names no call that could be made. */
const PROBE_KEY = 'hookline_probe'

/** Payload that asks whether Hookline answers, without any hook. */
export function writeProbe(nonce: string): string {
  return JSON.stringify({ [PROBE_KEY]: nonce })
}

/** Nonce of a probe; null for the payload of an event. */
export function readProbe(text: string | null): string | null {
  if (!text?.startsWith(`{"${PROBE_KEY}":"`)) return null // payloads of events are not parsed here
  try {
    const payload: unknown = JSON.parse(text)
    const nonce = isObject(payload) && Object.keys(payload).length === 1 ? payload[PROBE_KEY] : null
    return typeof nonce === 'string' ? nonce : null
  } catch {
    return null // then it is a payload that cannot be read
  }
}

/** Words by which an answer to a probe is known. */
export const answerProbe = (nonce: string): string => `hookline ${VERSION} answers the probe ${nonce}`

/** Version of the Hookline that answered a probe, as its output shows; null where none did. */
export function findProbeAnswer(output: string, nonce: string): string | null {
  const [before, after] = output.split(` answers the probe ${nonce}`, 2)
  return after === undefined ? null : (/hookline (\S+)$/.exec(before ?? '')?.[1] ?? null)
}
