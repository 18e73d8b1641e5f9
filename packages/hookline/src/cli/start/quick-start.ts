/**
 * Shortcuts so that a call for an event starts sooner: each function here stands for a part of Node, or of ours,
 * that it is quicker not to load. The rest of it: `bin/hookline.js` runs `fire` and `explain` from one script, which
 * `bin/link.js` makes of `cli/quick.ts` and its imports, and from what V8 kept of that.
 */
import { writeSync } from 'node:fs'
import type { EngineOptions } from '../../engine/options.ts'
import { readErrorCode } from '../../files/read.ts'
import type { ModelOptions } from '../../models/options.ts'

/** The flags that a command takes. */
export type FlagTypes = Record<string, { type: 'string' | 'boolean'; multiple?: boolean }>

/**
 * Reads what most calls are made of: words, `--flag` and `--flag value`. Null for anything else, and for mistakes: Node's
 * own reader knows them all, but takes as long to load as a file of hooks takes to read.
 */
export function readPlainly(
  args: readonly string[],
  options: FlagTypes,
): { values: object; positionals: string[] } | null {
  const values: Record<string, boolean | string | string[]> = Object.create(null)
  const positionals: string[] = []
  const words = args.values()
  for (const word of words) {
    if (!word.startsWith('-')) {
      positionals.push(word)
      continue
    }
    const name = word.slice('--'.length)
    const option = word.startsWith('--') && Object.hasOwn(options, name) ? options[name] : undefined
    const value = option?.type === 'boolean' || words.next().value
    if (!option || value === undefined || (value !== true && value.startsWith('-'))) return null
    values[name] = option.multiple ? [values[name] ?? [], value].flat().map(String) : value
  }
  return { values, positionals }
}

const STDOUT = 1

/**
 * Writes to stdout without Node's stream, which takes as long to make as a whole event takes. Stops at a pipe that is full
 * and does not wait for its reader: what is left then, or why nothing can be written any more.
 */
export function writeDirectly(bytes: Uint8Array): { readonly left: Uint8Array; readonly error?: unknown } {
  let left = bytes
  try {
    while (left.length > 0) left = left.subarray(writeSync(STDOUT, left))
  } catch (error) {
    return readErrorCode(error) === 'EAGAIN' ? { left } : { left: new Uint8Array(), error }
  }
  return { left }
}

/** Models for hooks; what asks them is loaded with the first question. */
export function openModelsLate(options: ModelOptions): NonNullable<EngineOptions['models']> {
  let opened: Promise<ReturnType<typeof import('../../models/open-models.ts').openModels>> | undefined
  const open = () => {
    opened ??= import('../../models/open-models.ts').then(({ openModels }) => openModels(options))
    return opened
  }
  return {
    askModel: async (question) => (await open()).askModel(question),
    runAgent: async (task) => (await open()).runAgent(task),
  }
}

/** An id for a new session, as a random UUID. It has to be unique, not secret: what makes secrets takes a tenth of a start to load. */
export function makeSessionId(): string {
  return 'xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx'.replace(/[xy]/g, (place) => {
    const digit = place === 'x' ? Math.random() * 16 : 8 + Math.random() * 4
    return Math.floor(digit).toString(16)
  })
}
