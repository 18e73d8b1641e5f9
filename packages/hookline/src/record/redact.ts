import { isAmountOfTokens, isSecretName } from './secret-names.ts'
import { REDACTED, withoutSecretShapes } from './secret-shapes.ts'

/** Writes a value as JSON without its secrets. */
export type Redactor = (value: unknown) => string

/** Shorter values are words that stand in texts for other reasons. */
const SHORTEST_VALUE = 8
const MOST_VALUES = 100

/**
 * Makes what writes values as JSON without secrets: those under keys whose name says so, those that look like one, and,
 * wherever they are quoted, those of variables of this environment whose name says so.
 */
export function redactorFor(env: NodeJS.ProcessEnv): Redactor {
  const variables = Object.entries(env).filter(([name]) => isSecretName(name) && !isAmountOfTokens(name))
  const known = variables.flatMap(([, value = '']) => quotable(value.trim()))
  return (value) => {
    const values = longestFirst([...known, ...valuesUnderSecretNames(value)])
    const clean = (text: string): string => withoutSecretShapes(withoutValues(text, values))
    return JSON.stringify(value, (key, member: unknown) => withoutSecret(key, member, clean))
  }
}

/** Texts under keys whose name says secret: a hook may quote them elsewhere. */
function valuesUnderSecretNames(value: unknown): string[] {
  const found: string[] = []
  JSON.stringify(value, (key, member: unknown) => {
    if (found.length >= MOST_VALUES || !isSecretName(key)) return member
    JSON.stringify(member, (_key, inner: unknown) => {
      if (typeof inner === 'string') found.push(...quotable(inner))
      return inner
    })
    return undefined
  })
  return found
}

/** The ways in which a value may be quoted, when it is long enough to be known again: as it is, and in JSON. */
function quotable(value: string): string[] {
  return value.length < SHORTEST_VALUE ? [] : [...new Set([value, JSON.stringify(value).slice(1, -1)])]
}

/** One may contain another. */
function longestFirst(values: readonly string[]): string[] {
  return [...new Set(values)].sort((a, b) => b.length - a.length)
}

function withoutValues(text: string, values: readonly string[]): string {
  return values.reduce((left, value) => (left.includes(value) ? left.replaceAll(value, REDACTED) : left), text)
}

/** A member of the JSON as it may be written down. */
function withoutSecret(key: string, member: unknown, clean: (text: string) => string): unknown {
  if (isSecretName(key) && isHidden(key, member)) return REDACTED
  if (typeof member === 'string') return clean(member)
  return isPlainObject(member) ? withCleanKeys(member, clean) : member
}

/** Whether what stands under a secret's name is hidden: nothing, yes and no tell nothing. */
function isHidden(key: string, member: unknown): boolean {
  if (member === null || member === undefined || typeof member === 'boolean' || member === '') return false
  return typeof member !== 'number' || !isAmountOfTokens(key)
}

/** Secrets can be keys, too: a map from tokens to their owners. */
function withCleanKeys(member: object, clean: (text: string) => string): object {
  if (Object.keys(member).every((key) => key.length < SHORTEST_VALUE || clean(key) === key)) return member
  return Object.fromEntries(Object.entries(member).map(([key, value]) => [clean(key), value]))
}

function isPlainObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
