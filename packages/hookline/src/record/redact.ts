import { flattened, isObject } from '../text/json.ts'
import { REDACTED } from './secret-flags.ts'
import { isAmountOfTokens, isOpenValue, isSecretName } from './secret-names.ts'
import { withoutSecretShapes } from './secret-shapes.ts'

/** Writes a value as JSON without secrets: its own, or those that were found in more than the value. */
export type Redactor = (value: unknown, secrets?: readonly string[]) => string

/** Shorter values are ordinary words, which texts hold anyway. */
const SHORTEST_VALUE = 8
const MOST_VALUES = 100
/** Longer lists are data. */
const MOST_ARGUMENTS = 64

/** What is nested deeper is left out: it could not be written. */
const DEEPEST = 500

/**
 * Makes what writes values as JSON without secrets: those under keys whose name says so, those that look like one, and,
 * wherever they are quoted, those of variables of this environment whose name says so.
 */
export function redactorFor(env: NodeJS.ProcessEnv): Redactor {
  const known = Object.entries(env).flatMap(([name, value = '']) =>
    secretsOfVariable(name, value.trim()).flatMap(quotable),
  )
  const redacted = (value: unknown, secrets: readonly string[]): string => {
    const values = longestFirst([...known, ...secrets])
    const clean = (text: string): string => withoutSecretShapes(withoutValues(text, values))
    return JSON.stringify(value, (key, member: unknown) => withoutSecret(key, member, clean))
  }
  return (value, secrets = secretsIn(value)) => {
    try {
      return redacted(value, secrets)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error // what JSON cannot write at all
      return redacted(flattened(value, DEEPEST), secrets)
    }
  }
}

/** Texts of a value under keys whose name says secret: hooks may quote them elsewhere. Never throws. */
export function secretsIn(value: unknown): string[] {
  try {
    return valuesUnderSecretNames(value)
  } catch (error) {
    return error instanceof RangeError ? valuesUnderSecretNames(flattened(value, DEEPEST)) : [] // JSON cannot write it
  }
}

/** What is secret in a variable: all of it when its name says so, else the password of an address. */
function secretsOfVariable(name: string, value: string): string[] {
  if (isSecretName(name) && !isAmountOfTokens(name) && !isOpenValue(name, value)) return [value, ...passwordOf(value)]
  return passwordOf(value)
}

function passwordOf(address: string): string[] {
  const password = /^[\w+.-]{1,32}:\/\/[^\s/@:]{0,256}:([^\s/@]{1,512})@/.exec(address)?.[1]
  return password === undefined ? [] : [password]
}

function valuesUnderSecretNames(value: unknown): string[] {
  const found: string[] = []
  JSON.stringify(value, (key, member: unknown) => {
    if (found.length >= MOST_VALUES || !isSecretName(key)) return member
    JSON.stringify(member, (_key, inner: unknown) => {
      if (typeof inner === 'string' && !isOpenValue(key, inner)) found.push(...quotable(inner))
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
  if (Array.isArray(member)) return withoutSecretArguments(member, [], clean)
  return isObject(member) ? withCleanKeys(withoutNamedValue(member, clean), clean) : member
}

/** Whether what stands under a secret's name is hidden: nothing, yes and no tell nothing. */
function isHidden(key: string, member: unknown): boolean {
  if (member === null || member === undefined || typeof member === 'boolean' || member === '') return false
  if (typeof member === 'string') return !isOpenValue(key, member)
  return !isAmountOfTokens(key) || !isAmount(member)
}

function isAmount(member: unknown): boolean {
  return typeof member === 'number' || (isObject(member) && Object.values(member).every(isAmount))
}

/** Objects that hold a name and a value, `{ name: 'DB_PASSWORD', value }`, or a program and its arguments. */
function withoutNamedValue(member: object, clean: (text: string) => string): object {
  const { name, key, value, command, args } = member as Partial<Record<string, unknown>>
  const called = name ?? key
  if (typeof called === 'string' && isSecretName(called) && isHidden(called, value))
    return { ...member, value: REDACTED }
  if (typeof command !== 'string' || !Array.isArray(args)) return member
  return { ...member, args: withoutSecretArguments(args, [command], clean) }
}

/** A list of arguments without the value of a flag that says secret; each is seen behind its program and the flag. */
function withoutSecretArguments(list: unknown[], program: string[], clean: (text: string) => string): unknown[] {
  if (list.length > MOST_ARGUMENTS || !list.every((one) => typeof one === 'string')) return list
  const words: string[] = [...program, ...list]
  return words.slice(program.length).map((one, at) => {
    const index = program.length + at
    const before = [...words.slice(0, Math.min(2, index)), ...words.slice(Math.max(2, index - 1), index)].join(' ')
    const word = /\s/.test(one) ? `'${one}'` : one
    const seen = clean(`${before} ${word}`)
    return !seen.endsWith(word) && seen.endsWith(REDACTED) && clean(word) === word ? REDACTED : one
  })
}

/** Secrets can be keys, too: a map from tokens to their owners. */
function withCleanKeys(member: object, clean: (text: string) => string): object {
  if (Object.keys(member).every((key) => key.length < SHORTEST_VALUE || clean(key) === key)) return member
  return Object.fromEntries(Object.entries(member).map(([key, value]) => [clean(key), value]))
}
