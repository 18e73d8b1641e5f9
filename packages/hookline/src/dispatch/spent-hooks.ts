import { PRIVATE, readOwn } from '../files/own.ts'
import { replaceFile } from '../files/replace.ts'
import type { OnceRules } from '../protocol/rules.ts'
import type { Result } from '../read/result.ts'
import type { Run } from '../run/run.ts'

/** Record of the `once` hooks of a session that have run, kept for a session that is resumed. */
export interface SpentHooks {
  readonly keys: Set<string>
  /** Writes them down. Never rejects. */
  readonly keep: () => Promise<void>
}

/** Tests for a run that uses up the one run of a `once` hook: that it starts, or how it ended. */
export const SPENT_BY: Readonly<
  Record<OnceRules['spent'], { readonly starting: boolean; readonly ending: (run: Run, result: Result) => boolean }>
> = {
  'when-started': { starting: true, ending: () => false },
  'when-succeeded': {
    starting: false,
    ending: (run, result) => hasSucceeded(run) && !hasObjected(result),
  },
}

/** True if a run is what exit code 0 is to a command. */
function hasSucceeded(run: Run): boolean {
  if (run.ended === 'exited') return run.code === 0
  if (run.ended === 'replied') return run.status >= 200 && run.status < 300
  if (run.ended === 'called') return !run.isError
  return run.ended === 'returned' || run.ended === 'judged'
}

/** True for a result that refuses, asks, defers or halts: a guard that spoke is needed again. */
function hasObjected({ opinion: { blocks, halt, permission } }: Result): boolean {
  return blocks || halt || permission === 'ask' || permission === 'defer'
}

/**
 * Reads what an earlier run of the session left. Only the user's own file counts, for it keeps hooks from running; without
 * it they run again.
 */
export async function openSpentHooks(
  path: string | undefined,
  { warn }: { readonly warn: (sentence: string) => void },
): Promise<SpentHooks> {
  if (path === undefined) return { keys: new Set(), keep: async () => {} }
  const keys = new Set(await readKeys(path, warn))
  let writing: Promise<void> = Promise.resolve()
  let isTold = false
  const write = async (): Promise<void> => {
    try {
      await replaceFile(path, `${JSON.stringify({ spent: [...keys] })}\n`, PRIVATE)
    } catch (error) {
      if (!isTold) warn(`Hooks with "once" run again when the session is resumed: ${String(error)}`)
      isTold = true // once is enough: the session goes on
    }
  }
  const keep = (): Promise<void> => {
    writing = writing.then(write)
    return writing
  }
  return { keys, keep }
}

async function readKeys(path: string, warn: (sentence: string) => void): Promise<string[]> {
  const content = await readOwn(path)
  if (content.read === 'missing') return []
  const keys = content.read === 'text' ? parseKeys(content.text) : null
  if (keys !== null) return keys
  const why = content.read === 'unreadable' ? content.reason : 'is not what was written there'
  warn(`Hooks with "once" that have run in this session run again: ${path} ${why}.`)
  return []
}

function parseKeys(text: string): string[] | null {
  try {
    const { spent } = JSON.parse(text) as { spent?: unknown } // null throws as well
    return Array.isArray(spent) && spent.every((key) => typeof key === 'string') ? spent : null
  } catch {
    return null // not JSON
  }
}
