import { createHash } from 'node:crypto'
import { toCanonicalJson } from './digest.ts'

/** Stands for exactly this value: a SHA-256 of its canonical JSON, which nobody can make another value for. */
export function digestValue(value: unknown): string {
  return createHash('sha256').update(toCanonicalJson(value)).digest('hex')
}
