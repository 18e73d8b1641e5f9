import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

const KEY_BYTES = 24

/** Makes a secret that nobody can guess, of digits and letters alone: with a hyphen in front, commands would take it for a flag. */
export function makeKey(): string {
  return randomBytes(KEY_BYTES).toString('hex')
}

/** The form in which secrets are kept: a store that is stolen gives none away. */
export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

/** True for one secret by two names, in a time that tells nothing. */
export function isSameKey(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(hashKey(one)), Buffer.from(hashKey(other)))
}
