import { isDeepStrictEqual } from 'node:util'
import { makeHookKey } from '../protocol/record/hook-key.ts'
import { readRuns } from '../protocol/record/hook-line.ts'
import type { DispatchRecord, HookLine } from '../protocol/record/record.ts'
import type { ExpectedRecord } from '../protocol/schemas/hook-test.ts'
import { isObject } from '../text/json.ts'

/** Part that is not as expected. */
export interface Mismatch {
  /** Path in `expect`. */
  readonly path: readonly (string | number)[]
  readonly expected: unknown
  /** undefined: there is nothing of the kind. */
  readonly seen: unknown
}

/** Lists what of a record is not as expected, in the order of what is expected. */
export function listMismatches(expected: ExpectedRecord, record: DispatchRecord): Mismatch[] {
  const { messages, context } = record.decision
  const readers = Object.entries(expected.texts ?? {}).flatMap(([reader, parts]) => {
    const texts = messages.filter(({ to }) => to === reader).map(({ text }) => text)
    return listMissingParts(parts, texts, ['texts', reader])
  })
  return [
    ...listDifferences(expected.decision ?? {}, record.decision, ['decision']),
    ...Object.entries(expected.hooks ?? {}).flatMap(([key, line]) => listHookMismatches(key, line, record)),
    ...readers,
    ...listMissingParts(expected.context, context, ['context']),
  ]
}

/** The hooks that a key of an expectation names: by their key or id, or by a part of what they run. */
function findHooksNamed(key: string, { event, hooks }: DispatchRecord): HookLine[] {
  return hooks.filter(
    (line) => line.id === key || makeHookKey(event, line) === key || (readRuns(line) ?? '').includes(key),
  )
}

function listHookMismatches(key: string, expected: string | object, record: DispatchRecord): Mismatch[] {
  const path = ['hooks', key]
  const named = findHooksNamed(key, record)
  if (named.length === 0) return [{ path, expected, seen: undefined }]
  if (typeof expected !== 'string') {
    const wrong = named.map((line) => listDifferences(expected, line, path))
    return wrong.find((differences) => differences.length > 0) ?? []
  }
  const other = named.find(({ verdict }) => verdict !== expected)
  return other ? [{ path, expected, seen: other.verdict }] : []
}

/** A list of parts: each stands in some text; an empty list: there is no text. */
function listMissingParts(parts: readonly string[] | undefined, texts: readonly string[], path: string[]): Mismatch[] {
  if (parts === undefined) return []
  const wrong = parts.length === 0 ? texts.length > 0 : parts.some((part) => !texts.some((text) => text.includes(part)))
  return wrong ? [{ path, expected: parts, seen: texts }] : []
}

/** Lists where a value differs from what is expected of it; keys that are not expected may be anything. */
function listDifferences(expected: unknown, seen: unknown, path: readonly (string | number)[]): Mismatch[] {
  if (isObject(expected) && isObject(seen))
    return Object.entries(expected).flatMap(([key, inner]) => listDifferences(inner, seen[key], [...path, key]))
  return isDeepStrictEqual(expected, seen) ? [] : [{ path, expected, seen }]
}
