import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ToolCall } from '../../../effects/tool-calls.ts'
import { openWorld, type World } from '../../../effects/world.ts'
import { HooklineError } from '../../../files/error.ts'
import { findHome } from '../../../files/home.ts'
import { PRIVATE, readOwn } from '../../../files/own.ts'
import { nameRotatedFile } from '../../../files/rotate.ts'
import { type GuardRules, judge, type Verdict } from '../../../guards/judge.ts'
import {
  type GuardSettings,
  mergeGuardSettings,
  parseGuardSettings,
  rejectGuardSettings,
  type WrittenException,
} from '../../../guards/settings.ts'

/** A log that would grow longer is moved aside; one older file is kept. */
const MAX_LOG_BYTES = 4 * 1024 * 1024
const OLDER_LOGS = 1

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
export async function openSurroundings({
  home = findHome(),
  folder,
  now,
}: {
  home?: string
  folder: string
  now: number
}): Promise<Surroundings> {
  const world = openWorld({ folder, home })
  const { settings: own } = await readOwnSettings(home)
  const path = join(world.project, '.hookline', SETTINGS)
  const project = world.project === home ? null : readOrNull(path)
  const rules = mergeGuardSettings(own, parseGuardSettings(project, `.hookline/${SETTINGS}`), { now, home })
  return { home, world, rules }
}

/** Judges a call by the rules in force. */
export function judgeHere({ world, rules }: Surroundings, call: ToolCall, more: GuardRules = {}): Verdict {
  return judge(call, world, { ...rules, ...more })
}

/** Reads the settings of the user; a file that others may have written, or that cannot be read, loosens nothing and is told. */
async function readOwnSettings(
  home: string,
): Promise<{ readonly text: string | null; readonly settings: GuardSettings }> {
  const content = await readOwn(join(home, '.hookline', SETTINGS))
  const name = `~/.hookline/${SETTINGS}`
  if (content.read === 'unreadable') return { text: null, settings: rejectGuardSettings(name, content.reason) }
  const text = content.read === 'text' ? content.text : null
  return { text, settings: parseGuardSettings(text, name) }
}

/** The exceptions of the user, as they are written. */
export async function readExceptions(home: string): Promise<readonly WrittenException[]> {
  return (await readOwnSettings(home)).settings.allow
}

/** Writes the exceptions of the user. */
export async function writeExceptions(home: string, allow: readonly WrittenException[]): Promise<string> {
  const path = join(home, '.hookline', SETTINGS)
  const { text, settings } = await readOwnSettings(home)
  // A file that cannot be read is not written over: the user's own settings may be in it.
  if (settings.isRejected) throw new HooklineError(settings.problems.join(' '))
  const { replaceFile } = await import('../../../files/replace.ts') // most calls write nothing
  await replaceFile(path, `${JSON.stringify({ ...parseOrEmpty(text), allow }, null, 2)}\n`, PRIVATE)
  return path
}

function parseOrEmpty(text: string | null): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {} // not reached: a file that is not JSON was rejected
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
export async function addToLog(home: string, line: LogLine): Promise<void> {
  const log = { file: join(home, '.hookline', LOG), maxBytes: MAX_LOG_BYTES, keep: OLDER_LOGS }
  try {
    const { appendAtOnce } = await import('../../../record/log-file.ts') // most calls pass, and are not logged
    const full = appendAtOnce(log, JSON.stringify(line))
    if (full === null) return
    const { rotate } = await import('../../../files/rotate.ts')
    await rotate(log, full)
    appendAtOnce(log, JSON.stringify(line))
  } catch {
    // no room, or something else in its place: the verdict stands without a line
  }
}

/** The lines of the log, the oldest first. */
export function readLog(home: string): readonly LogLine[] {
  const file = join(home, '.hookline', LOG)
  const text = [nameRotatedFile(file, OLDER_LOGS), file].map((each) => readOrNull(each) ?? '').join('\n')
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
