import { appendFileSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { ToolCall } from '../../../effects/tool-calls.ts'
import { openWorld, type World } from '../../../effects/world.ts'
import { findHome } from '../../../files/home.ts'
import { PRIVATE } from '../../../files/own.ts'

import { type GuardRules, judge, type Verdict } from '../../../guards/judge.ts'
import { mergeGuardSettings, parseGuardSettings, type WrittenException } from '../../../guards/settings.ts'

/** A longer log takes no more lines. */
const MAX_LOG_BYTES = 4 * 1024 * 1024

/** Names of the files of guards, in `.hookline` of a home or a project. */
const SETTINGS = 'guards.json'
const LOG = 'guards.log'

/** The disk and the rules that a call is judged by. */
export interface Surroundings {
  readonly home: string
  readonly world: World
  readonly rules: GuardRules & { readonly problems: readonly string[] }
}

/** Reads the settings in force in a folder. */
export function openSurroundings({
  home = findHome(),
  folder,
  now,
}: {
  home?: string
  folder: string
  now: number
}): Surroundings {
  const world = openWorld({ folder, home })
  const own = parseGuardSettings(readOrNull(join(home, '.hookline', SETTINGS)), `~/.hookline/${SETTINGS}`)
  const path = join(world.project, '.hookline', SETTINGS)
  const project = world.project === home ? null : readOrNull(path)
  const rules = mergeGuardSettings(own, parseGuardSettings(project, `.hookline/${SETTINGS}`), { now, home })
  return { home, world, rules }
}

/** Judges a call by the rules in force. */
export function judgeHere({ world, rules }: Surroundings, call: ToolCall, more: GuardRules = {}): Verdict {
  return judge(call, world, { ...rules, ...more })
}

/** The exceptions of the user, as they are written. */
export function readExceptions(home: string): {
  readonly text: Readonly<Record<string, unknown>>
  readonly allow: readonly WrittenException[]
} {
  const text = readOrNull(join(home, '.hookline', SETTINGS))
  const { allow } = parseGuardSettings(text, SETTINGS)
  return { text: parseOrEmpty(text), allow }
}

/** Writes the exceptions of the user. */
export async function writeExceptions(home: string, allow: readonly WrittenException[]): Promise<string> {
  const path = join(home, '.hookline', SETTINGS)
  const { text } = readExceptions(home)
  const { replaceFile } = await import('../../../files/replace.ts') // most calls write nothing
  await replaceFile(path, `${JSON.stringify({ ...text, allow }, null, 2)}\n`, PRIVATE)
  return path
}

function parseOrEmpty(text: string | null): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {} // not JSON: the file is written anew, after the user was shown what counts
  }
}

/** A line of the log. */
export interface LogLine {
  readonly at: string
  readonly project: string
  readonly tool: string
  readonly answer: string
  readonly findings: readonly { readonly guard: string; readonly says: string; readonly subject: string }[]
  readonly files: Readonly<Record<string, string>>
}

/** Adds what was decided to the log; a log that cannot be written changes no verdict. */
export function addToLog(home: string, line: LogLine): void {
  try {
    const path = join(home, '.hookline', LOG)
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MAX_LOG_BYTES) return
    appendFileSync(path, `${JSON.stringify(line)}\n`, { mode: 0o600 })
  } catch {
    // no folder for it yet, or no room: the verdict stands without a line
  }
}

/** The lines of the log, the oldest first. */
export function readLog(home: string): readonly LogLine[] {
  const text = readOrNull(join(home, '.hookline', LOG)) ?? ''
  return text.split('\n').flatMap((line) => {
    try {
      // Lines are written by addToLog; one that was cut off is passed over.
      return line === '' ? [] : [JSON.parse(line) as LogLine]
    } catch {
      return []
    }
  })
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null // there is none
  }
}
