import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

const KEY_BYTES = 24

/** A secret that nobody can guess. */
export function makeKey(): string {
  return randomBytes(KEY_BYTES).toString('base64url')
}

/** The form in which secrets are kept: a store that is stolen gives none away. */
export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

/** True for one secret by two names, in a time that tells nothing. */
export function isSameKey(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(hashKey(one)), Buffer.from(hashKey(other)))
}
