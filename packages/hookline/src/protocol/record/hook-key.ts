import { digestText } from '../../text/digest.ts'
import { readRuns } from './hook-line.ts'
import type { HookLine } from './record.ts'

/** Digits of a key: enough to tell the hooks of one user apart. */
const LENGTH = 8

/**
 * A short name for a hook, by which commands find it: a digest of its scope, event, matcher and what it runs. It stays the
 * same when hooks are added before it or its file is written anew; copies of one hook in one scope have the same.
 */
export function makeHookKey(event: string, line: Pick<HookLine, 'scope' | 'matcher'> & Partial<HookLine>): string {
  return digestText(JSON.stringify([line.scope, event, line.matcher, line.type ?? null, readRuns(line)])).slice(
    0,
    LENGTH,
  )
}

/** True if a word is written as keys are. */
export function isHookKey(word: string): boolean {
  return /^[0-9a-f]{8}$/.test(word)
}
