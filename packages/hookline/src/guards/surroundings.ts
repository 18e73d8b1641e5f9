import { join } from 'node:path'
import type { ToolCall } from '../effects/tool-calls.ts'
import { openWorld, type World } from '../effects/world.ts'
import { HooklineError } from '../files/error.ts'
import { findHome } from '../files/home.ts'
import { PRIVATE, readOwn } from '../files/own.ts'
import { digestText } from '../text/digest.ts'
import type { GuardName } from './guard.ts'
import { type GuardRules, judge, type Verdict } from './judge.ts'
import {
  compilePlaces,
  type GuardSettings,
  mergeGuardSettings,
  parseGuardSettings,
  rejectGuardSettings,
  type WrittenException,
} from './settings.ts'

/** Name of the settings of guards, in `.hookline` of a home or a project. */
const SETTINGS = 'guards.json'

/** Settings of the organisation, which only an administrator may write. */
const MANAGED: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  linux: '/etc/hookline/guards.json',
  darwin: '/Library/Application Support/Hookline/guards.json',
  win32: 'C:\\ProgramData\\Hookline\\guards.json',
}

/** The disk and the rules that a call is judged by. */
export interface Surroundings {
  readonly home: string
  readonly world: World
  readonly rules: GuardRules & { readonly problems: readonly string[] }
  /** The project's own settings: absent, or their digest, and whether the user trusts it. */
  readonly project: { readonly digest: string; readonly isTrusted: boolean } | null
}

/** Options of `openSurroundings`. */
export interface SurroundingsOptions {
  readonly folder: string
  readonly home?: string
  /** Settings of the organisation; those of this machine by default. */
  readonly managed?: string
  readonly now: number
}

/** Reads the settings in force in a folder. Never throws: what cannot be read makes the guards stricter, and is told. */
export async function openSurroundings({
  folder,
  home: written = findHome(),
  managed = MANAGED[process.platform] ?? '',
  now,
}: SurroundingsOptions): Promise<Surroundings> {
  const world = openWorld({ folder, home: written })
  const { home } = world
  const [own, organisation] = [await readOwnSettings(home), await readSettings(managed, managed)]
  const path = join(world.project, '.hookline', SETTINGS)
  const text = world.project === home ? null : world.readFile(path)
  const digest = text === null ? '' : digestText(text)
  const isTrusted = text !== null && own.settings.trusted[world.project] === digest
  const rules = mergeGuardSettings(own.settings, parseGuardSettings(text, `.hookline/${SETTINGS}`), {
    now,
    home,
    isTrusted,
    managed: organisation.settings,
  })
  return { home, world, rules, project: text === null ? null : { digest, isTrusted } }
}

/** Judges a call by the rules in force. */
export function judgeHere({ world, rules }: Surroundings, call: ToolCall, more: GuardRules = {}): Verdict {
  return judge(call, world, { ...rules, ...more })
}

interface ReadSettings {
  readonly text: string | null
  readonly settings: GuardSettings
}

/** Reads the settings of the user; a file that others may have written, or that cannot be read, loosens nothing and is told. */
function readOwnSettings(home: string): Promise<ReadSettings> {
  return readSettings(join(home, '.hookline', SETTINGS), `~/.hookline/${SETTINGS}`)
}

async function readSettings(path: string, name: string): Promise<ReadSettings> {
  if (path === '') return { text: null, settings: parseGuardSettings(null, name) }
  const content = await readOwn(path)
  if (content.read === 'unreadable') return { text: null, settings: rejectGuardSettings(name, content.reason) }
  const text = content.read === 'text' ? content.text : null
  return { text, settings: parseGuardSettings(text, name) }
}

/** The exceptions of the user, as they are written. */
export async function readExceptions(home: string): Promise<readonly WrittenException[]> {
  return (await readOwnSettings(home)).settings.allow
}

/** Writes the exceptions of the user. */
export function writeExceptions(home: string, allow: readonly WrittenException[]): Promise<string> {
  return changeSettings(home, () => ({ allow }))
}

/** Writes that the user trusts the settings of a project as they are now, or no longer. */
export function writeTrusted(home: string, project: string, digest: string | null): Promise<string> {
  return changeSettings(home, ({ trusted }) => {
    const others = Object.fromEntries(Object.entries(trusted).filter(([folder]) => folder !== project))
    return { trusted: digest === null ? others : { ...others, [project]: digest } }
  })
}

async function changeSettings(home: string, change: (settings: GuardSettings) => object): Promise<string> {
  const path = join(home, '.hookline', SETTINGS)
  const { text, settings } = await readOwnSettings(home)
  // A file that cannot be read is not written over: the user's own settings may be in it.
  if (settings.isRejected) throw new HooklineError(settings.problems.join(' '))
  const { replaceFile } = await import('../files/replace.ts') // most calls write nothing
  await replaceFile(path, `${JSON.stringify({ ...parseOrEmpty(text), ...change(settings) }, null, 2)}\n`, PRIVATE)
  return path
}

/** Uses up an exception for one call. */
export async function spendException(home: string, guard: GuardName, subject: string, now: number): Promise<void> {
  const before = await readExceptions(home)
  const used = before.find(
    (each) =>
      each.once !== undefined &&
      each.once > now &&
      each.guard === guard &&
      compilePlaces(each.path, home).test(subject),
  )
  if (used)
    await writeExceptions(
      home,
      before.filter((each) => each !== used && (each.once === undefined || each.once > now)),
    )
}

function parseOrEmpty(text: string | null): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {} // not reached: a file that is not JSON was rejected
  }
}
