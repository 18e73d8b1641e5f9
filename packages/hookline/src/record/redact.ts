import { cutBelowDepth, isObject } from '../text/json.ts'
import { isSecretDocument } from './secret-documents.ts'
import { REDACTED } from './secret-flags.ts'
import { isAmountOfTokens, isOpenValue, isSecretName } from './secret-names.ts'
import { redactShapes } from './secret-shapes.ts'

/** Writes a value as JSON without secrets: its own, or those that were found in more than the value. */
export type Redactor = (value: unknown, secrets?: FoundSecrets) => string

/** Secrets of a value that hooks may quote elsewhere. */
export interface FoundSecrets {
  /** Texts under keys whose name says secret. */
  readonly named: readonly string[]
  /** Parts of texts whose form says so: they are looked for where no form says it any more. */
  readonly shaped: readonly string[]
}

/** Shorter values are ordinary words, which texts hold anyway. */
const MIN_VALUE_CHARS = 8
const MAX_VALUES = 100
/** Longer lists are data. */
const MAX_REDACTED_ARGUMENTS = 64

/** A list of arguments up to this length is read as one command; of a longer one, the words that stand near each other. */
const MAX_LINE_LENGTH = 2048

const DATA_NAME = /^(?:string)?data$/i

/** Words, names of hosts and files, and more than one word: found by their form alone, they may be no secret at all. */
const ORDINARY = /\s|^[a-z_-]*$|^[\w-]+(?:\.[\w-]+)+$|^\.{0,2}\/|^https?:/

/** Longer texts are not searched for secrets that are quoted elsewhere. */
const MAX_SEARCHED_LENGTH = 16_384

/** Depth below which values are left out: it could not be written. */
const MAX_REDACTED_DEPTH = 500

/**
 * Makes what writes values as JSON without secrets: those under keys whose name says so, those that look like one, and,
 * wherever they are quoted, those of variables of this environment whose name says so.
 */
export function makeRedactor(env: NodeJS.ProcessEnv): Redactor {
  const known = Object.entries(env).flatMap(([name, value = '']) =>
    findVariableSecrets(name, value.trim()).flatMap(listQuotations),
  )
  const redactValue = (value: unknown, { named, shaped }: FoundSecrets): string => {
    const values = sortLongestFirst([...known, ...named])
    const quoted = sortLongestFirst(shaped)
    const clean = (text: string): string => removeValues(redactShapes(removeValues(text, values)), quoted)
    return JSON.stringify(value, (key, member: unknown) => redactObjectMember(key, member, clean))
  }
  return (value, secrets = collectSecrets(value)) => {
    try {
      return redactValue(value, secrets)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error // a value that JSON cannot write at all
      return redactValue(cutBelowDepth(value, MAX_REDACTED_DEPTH), secrets)
    }
  }
}

/** Finds the secrets of a value that hooks may quote elsewhere. Never throws. */
export function collectSecrets(value: unknown): FoundSecrets {
  try {
    return findSecrets(value)
  } catch (error) {
    return error instanceof RangeError
      ? findSecrets(cutBelowDepth(value, MAX_REDACTED_DEPTH))
      : { named: [], shaped: [] } // JSON cannot write it
  }
}

/** Finds what is secret in a variable: all of it when its name says so, else the password of an address. */
function findVariableSecrets(name: string, value: string): string[] {
  if (isSecretName(name) && !isAmountOfTokens(name) && !isOpenValue(name, value)) return [value, ...findPassword(value)]
  return findPassword(value)
}

function findPassword(address: string): string[] {
  const password = /^[\w+.-]{1,32}:\/\/[^\s/@:]{0,256}:([^\s/@]{1,512})@/.exec(address)?.[1]
  return password === undefined ? [] : [password]
}

function findSecrets(value: unknown): FoundSecrets {
  const named: string[] = []
  const shaped: string[] = []
  const gather = (key: string, member: unknown): void => {
    JSON.stringify(member, (_key, inner: unknown) => {
      if (typeof inner === 'string' && !isOpenValue(key, inner)) named.push(...listQuotations(inner))
      return inner
    })
  }
  JSON.stringify(value, (key, member: unknown) => {
    if (named.length + shaped.length >= MAX_VALUES) return member
    if (typeof member === 'string' && !isSecretName(key)) shaped.push(...findShaped(member).flatMap(listQuotations))
    if (isObject(member) && isSecretDocument(member)) gather('data', pickData(member))
    if (!isSecretName(key)) return member
    gather(key, member)
    return undefined
  })
  return { named, shaped }
}

/** The members of a Secret of Kubernetes that hold its values. */
function pickData(document: object): unknown[] {
  return Object.entries(document).flatMap(([key, value]) => (DATA_NAME.test(key) ? [value] : []))
}

/** Secrets that the form of a text tells, without those that may be ordinary words. */
function findShaped(text: string): string[] {
  return listShaped(text).filter((secret) => !ORDINARY.test(secret))
}

/** Lists the secrets that the form of a text tells, ordinary words among them: what stood where the text without them has a gap. */
export function listShaped(text: string): string[] {
  if (text.length > MAX_SEARCHED_LENGTH || text.includes(REDACTED)) return []
  const [first = '', ...rest] = redactShapes(text).split(REDACTED)
  let from = first.length
  return rest.map((kept) => {
    const to = kept === '' ? text.length : text.indexOf(kept, from)
    const secret = to < 0 ? '' : text.slice(from, to)
    from = to < 0 ? text.length : to + kept.length
    return secret.replace(/^["']|["']$/g, '')
  })
}

/** The ways in which a value may be quoted, when it is long enough to be known again: as it is, and in JSON. */
function listQuotations(value: string): string[] {
  return value.length < MIN_VALUE_CHARS ? [] : [...new Set([value, JSON.stringify(value).slice(1, -1)])]
}

/** One may contain another. */
function sortLongestFirst(values: readonly string[]): string[] {
  return [...new Set(values)].sort((a, b) => b.length - a.length)
}

function removeValues(text: string, values: readonly string[]): string {
  return values.reduce((left, value) => (left.includes(value) ? left.replaceAll(value, REDACTED) : left), text)
}

/** A member of the JSON as it may be written down. */
function redactObjectMember(key: string, member: unknown, clean: (text: string) => string): unknown {
  if (isSecretName(key) && isHidden(key, member)) return REDACTED
  if (typeof member === 'string') return clean(member)
  if (Array.isArray(member)) return redactArguments(member, [], clean)
  return isObject(member) ? withCleanKeys(redactNamedPair(member, clean), clean) : member
}

/** True if what stands under a secret's name is hidden: nothing, yes and no tell nothing. */
function isHidden(key: string, member: unknown): boolean {
  if (member === null || member === undefined || typeof member === 'boolean' || member === '') return false
  if (typeof member === 'string') return !isOpenValue(key, member)
  return !isAmountOfTokens(key) || !isTokenCount(member)
}

function isTokenCount(member: unknown): boolean {
  return typeof member === 'number' || (isObject(member) && Object.values(member).every(isTokenCount))
}

/** Objects that hold a name and a value, `{ name: 'DB_PASSWORD', value }`, or a program and its arguments. */
function redactNamedPair(member: object, clean: (text: string) => string): object {
  if (isSecretDocument(member)) return redactData(member)
  const { name, key, value, command, args } = member as Partial<Record<string, unknown>>
  const called = name ?? key
  if (typeof called === 'string' && isSecretName(called) && isHidden(called, value))
    return { ...member, value: REDACTED }
  if (typeof command !== 'string' || !Array.isArray(args)) return member
  return { ...member, args: redactArguments(args, [command], clean) }
}

/** A Secret of Kubernetes without its values. */
function redactData(member: object): object {
  return Object.fromEntries(
    Object.entries(member).map(([key, value]) => [key, DATA_NAME.test(key) && isObject(value) ? REDACTED : value]),
  )
}

/** A list of arguments without the value of a flag that says secret; each is seen behind its program and the flag. */
function redactArguments(list: unknown[], program: string[], clean: (text: string) => string): unknown[] {
  if (list.length > MAX_REDACTED_ARGUMENTS || !list.every((one) => typeof one === 'string')) return list
  const words: string[] = [...program, ...list]
  const isShort = words.reduce((length, word) => length + word.length, 0) <= MAX_LINE_LENGTH
  return words.slice(program.length).map((one, at) => {
    const index = program.length + at
    const near = [...words.slice(0, Math.min(2, index)), ...words.slice(Math.max(2, index - 1), index)]
    const before = (isShort ? words.slice(0, index) : near).join(' ')
    const word = /\s/.test(one) ? `'${one}'` : one
    const seen = clean(`${before} ${word}`)
    return !seen.endsWith(word) && seen.endsWith(REDACTED) && clean(word) === word ? REDACTED : one
  })
}

/** Secrets can be keys, too: a map from tokens to their owners. */
function withCleanKeys(member: object, clean: (text: string) => string): object {
  if (Object.keys(member).every((key) => key.length < MIN_VALUE_CHARS || clean(key) === key)) return member
  return Object.fromEntries(Object.entries(member).map(([key, value]) => [clean(key), value]))
}
