import { join } from 'node:path'
import { HooklineError } from '../../files/error.ts'
import { withLock } from '../../files/lock.ts'
import { PRIVATE, readOwn } from '../../files/own.ts'
import { replaceFile } from '../../files/replace.ts'
import { isObject } from '../../text/json.ts'
import { readOwnValue } from './parts.ts'

/** Words by agent, in a file of the user's own. */
type WordsByAgent = Readonly<Record<string, readonly string[]>>

/** Names of the files, in `~/.hookline`. */
const FILES = { allowed: 'allowed-fields.json', unlisted: 'unlisted-tools.json' } as const

type FileName = keyof typeof FILES

/** Unlisted tools that are kept for an agent. */
const MAX_UNLISTED = 100

/**
 * Fields that the user lets pass in an agent, as `tool.field`. Rejects with a HooklineError for a file that others may have
 * written: then no field passes.
 */
export async function readAllowedFields(agent: string, home: string): Promise<ReadonlySet<string>> {
  return new Set(readOwnValue(await readWords(home, 'allowed'), agent) ?? [])
}

/** Lets a field pass, or no longer. Resolves with whether that changed anything. */
export function changeAllowedField(
  { agent, field, isAllowed }: { readonly agent: string; readonly field: string; readonly isAllowed: boolean },
  home: string,
): Promise<boolean> {
  return changeWords(home, 'allowed', agent, (words) => {
    const others = words.filter((word) => word !== field)
    return isAllowed ? [...others, field].sort() : others
  })
}

/** Tools of an agent that it called and that its table does not have. */
export async function listUnlistedTools(agent: string, home: string): Promise<readonly string[]> {
  return readOwnValue(await readWords(home, 'unlisted').catch(() => ({})), agent) ?? [] // nothing depends on it
}

/** Keeps the name of a tool that an agent called and that its table does not have. Never rejects. */
export async function keepUnlistedTool(agent: string, tool: string, home: string): Promise<void> {
  const add = (words: readonly string[]): string[] => [...new Set([...words, tool])].sort().slice(0, MAX_UNLISTED)
  await changeWords(home, 'unlisted', agent, add).catch(() => {}) // a home that cannot be written: the user was told
}

async function readWords(home: string, name: FileName): Promise<WordsByAgent> {
  const path = findWordsFile(home, name)
  const content = await readOwn(path)
  if (content.read === 'missing') return {}
  if (content.read === 'unreadable') throw new HooklineError(`${path} ${content.reason}, so it is not used`)
  try {
    const value: unknown = JSON.parse(content.text)
    if (isObject(value) && Object.values(value).every(isWords)) return value as WordsByAgent // looked at
  } catch {
    // told below
  }
  throw new HooklineError(`${path} is not valid, so it is not used. Fix it, or remove it`)
}

async function changeWords(
  home: string,
  name: FileName,
  agent: string,
  change: (words: readonly string[]) => readonly string[],
): Promise<boolean> {
  const path = findWordsFile(home, name)
  return withLock(
    path,
    async () => {
      const all = await readWords(home, name)
      const before = readOwnValue(all, agent) ?? []
      const after = change(before)
      if (JSON.stringify(before) === JSON.stringify(after)) return false
      const text = `${JSON.stringify({ ...all, [agent]: after }, null, 2)}\n`
      await replaceFile(path, text, PRIVATE)
      return true
    },
    PRIVATE,
  )
}

const findWordsFile = (home: string, name: FileName): string => join(home, '.hookline', FILES[name])

const isWords = (value: unknown): boolean => Array.isArray(value) && value.every((word) => typeof word === 'string')
