import { isObject } from '../text/json.ts'
import { isSecretName } from './secret-names.ts'
import { redactShapes } from './secret-shapes.ts'

/** Texts that are remembered as free of secrets: names, ids and commands come again with each record. */
const MAX_KNOWN_TEXTS = 20_000
const MAX_KNOWN_CHARS = 200

/** A time has the form of no secret, and comes once. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/**
 * Makes a check that tells cheaply that a redactor without an environment takes nothing out of a value. False says only that the redactor
 * has to look: at lists of texts, which may be arguments, and at texts that are as well names of secrets, it always has to.
 */
export function makeSecretFreeCheck(): (value: unknown) => boolean {
  const known = new Set<string>()
  const isFreeText = (text: string): boolean => {
    if (known.has(text) || TIME.test(text)) return true
    if (isSecretName(text) || redactShapes(text) !== text) return false
    if (text.length > MAX_KNOWN_CHARS) return true
    if (known.size >= MAX_KNOWN_TEXTS) known.clear()
    known.add(text)
    return true
  }
  const isFree = (value: unknown): boolean => {
    if (typeof value === 'string') return isFreeText(value)
    if (Array.isArray(value)) return value.every((member) => typeof member !== 'string' && isFree(member))
    if (!isObject(value)) return true
    return Object.entries(value).every(([key, member]) => isFreeText(key) && isFree(member))
  }
  return (value) => {
    try {
      return isFree(value)
    } catch (error) {
      if (error instanceof RangeError) return false // deeper than the stack
      throw error
    }
  }
}
