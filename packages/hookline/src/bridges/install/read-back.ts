import { isObject } from '../../text/json.ts'
import { encodeText, toJsonText, toWellFormed } from '../../text/program-text.ts'
import type { HostAnswer, Statement } from '../answer/answer.ts'

/** An answer as its host reads it. */
interface ReadAnswer {
  readonly stdout: string
  readonly stderr: string
  readonly code: 0 | 2
  /** The objects that stdout holds, a line each. */
  readonly objects: readonly Record<string, unknown>[]
}

/**
 * Reads an answer again from the bytes that are about to leave. True if a host finds everything there that was to be said:
 * else it would go on as if nothing had been decided.
 */
export function isSayingEverything({ stdout, stderr, code, says }: HostAnswer): boolean {
  if (says.length === 0) return true
  const [out, err] = [stdout, stderr].map((text) => encodeText(text).toString('utf8')) as [string, string] // of two
  const read = { stdout: out, stderr: err, code, objects: out.split('\n').flatMap(parseAnswerLine) }
  return says.every((statement) => matchesStatement(statement, read))
}

function matchesStatement({ json, lines, text, stderr, code }: Statement, read: ReadAnswer): boolean {
  const whole = Object.keys(json).length === 0 ? [] : [json]
  return (
    whole.every((object) => hasEveryField(read.objects.at(-1), object)) &&
    lines.every((line) => read.objects.some((object) => toWire(object) === toWire(line))) &&
    (text === '' || read.stdout === toWellFormed(text)) &&
    (stderr === '' || read.stderr === toWellFormed(stderr)) &&
    (code === 0 || read.code === code)
  )
}

/** True if an object has every field of another one; what several statements write into together may have more. */
function hasEveryField(
  object: Record<string, unknown> | undefined,
  wanted: Readonly<Record<string, unknown>>,
): boolean {
  if (object === undefined) return false
  return Object.entries(wanted).every(([name, value]) => {
    const found = Object.hasOwn(object, name) ? object[name] : undefined
    if (value === undefined || toWire(found) === toWire(value)) return true
    return name === SHARED_FIELD && isObject(found) && isObject(value) && hasEveryField(found, value)
  })
}

/** The field that several statements write into. */
const SHARED_FIELD = 'hookSpecificOutput'

/** A value as it stands in an answer, by which two are compared. */
const toWire = (value: unknown): string => encodeText(toJsonText(value ?? null)).toString('utf8')

function parseAnswerLine(line: string): Record<string, unknown>[] {
  try {
    const value: unknown = JSON.parse(line)
    return isObject(value) ? [value] : []
  } catch {
    return [] // plain text, or nothing that a host could read
  }
}
