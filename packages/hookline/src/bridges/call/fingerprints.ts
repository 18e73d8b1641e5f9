import { readShippedBridge } from '../../files/shipped.ts'
import type { Fingerprint } from '../bridge.ts'

/** Makes the marks that tell the payloads of all agents apart, by agent: made from the tables. */
export const makeFingerprints = (): Readonly<Record<string, readonly Fingerprint[]>> =>
  JSON.parse(readShippedBridge('detect.json'))
