import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { WritableScope } from '../../config/scopes.ts'
import { type EngineOptions, findProfilesInForce, type ProfilesInForce, SOURCES } from '../../engine/options.ts'
import { findHome } from '../../files/home.ts'
import { PROFILE_NAMES } from '../../protocol/profiles.ts'
import { findNearest, formatSuggestion } from '../../text/nearest.ts'
import { toShellWord } from '../../text/quote.ts'
import { tell } from './print.ts'
import { type FlagTypes, readPlainly } from './quick-start.ts'

/** A mistake in the words of a call. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Flags for where hooks are read from, and whether they are trusted. */
export const PLACE_FLAGS = {
  project: { type: 'string' },
  home: { type: 'string' },
  plugin: { type: 'string', multiple: true },
  settings: { type: 'string' },
  trust: { type: 'boolean' },
} as const

/** Flags of commands that look into a folder and open no engine. */
export const LOOKING_FLAGS = {
  project: { type: 'string' },
  home: { type: 'string' },
  json: { type: 'boolean' },
  'no-color': { type: 'boolean' },
} as const

/** The flags that every command takes which opens an engine. */
export const ENGINE_FLAGS = {
  ...PLACE_FLAGS,
  profile: { type: 'string' },
  json: { type: 'boolean' },
  debug: { type: 'string' },
  'no-color': { type: 'boolean' },
} as const

/** Explanation of those flags. */
export const ENGINE_USAGE = `  --project DIR            the project; default: here
  --home DIR               where user settings and trust are; default: your home
  --plugin DIR             an enabled plugin (repeatable)
  --settings FILE          a settings file for this run alone
  --trust                  trust the project for this run: its hooks run
  --profile NAME           version of the protocol: ${PROFILE_NAMES.join(' or ')};
                           default: what hookline profile shows
  --json                   print JSON
  --debug [CATEGORIES]     debug log to stderr; categories: hooks; default: all
  --no-color               plain text; NO_COLOR does the same
`

/** Flags of the commands that run hooks for a host: how they run, and under which policy. */
export const RUNNING_FLAGS = {
  managed: { type: 'string' },
  order: { type: 'string' },
  'default-timeout': { type: 'string' },
  'no-shell': { type: 'boolean' },
} as const

/** Explanation of those. */
export const RUNNING_USAGE = `  --managed FILE           the policy file; default: the system's
  --order ORDER            parallel (default) or sequential
  --default-timeout N      seconds for hooks without a timeout, or none
  --no-shell               split commands into arguments, run no shell
`

/** Flags of commands that provide a model to hooks. */
export const MODEL_FLAGS = { model: { type: 'string' } } as const

/** Explanation of that. */
export const MODEL_USAGE = `  --model NAME             judges prompt and agent hooks that name no model, as
                           provider/model; default: HOOKLINE_MODEL
`

/** Flags of commands whose hooks decide for a host. */
export const CLOSING_FLAGS = { 'fail-closed': { type: 'boolean' } } as const

/** Explanation of that. */
export const CLOSING_USAGE = `  --fail-closed            a hook that fails, or cannot run here, blocks where
                           the event can be blocked
`

/** Flags of commands that run hooks for a host, to leave some out. */
export const SOURCE_FLAGS = {
  'setting-sources': { type: 'string' },
  'safe-mode': { type: 'boolean' },
  bare: { type: 'boolean' },
} as const

/** Explanation of them. */
export const SOURCE_USAGE = `  --setting-sources LIST   which of user,project,local settings count
  --safe-mode              run managed hooks only
  --bare                   run no hooks
`

/** Reads a command's arguments. Throws a UsageError for what it does not know. */
export function readArguments<const Flags extends FlagTypes>(args: string[], options: Flags) {
  try {
    const words = 'debug' in options && args.includes('--debug') ? withCategories(args) : args
    const reading = { args: words, options, allowPositionals: true, strict: true } as const
    return (readPlainly(words, options) as ReturnType<typeof parseArgs<typeof reading>> | null) ?? parseArgs(reading) // the same shape
  } catch (error) {
    const [told = ''] = (error instanceof Error ? error.message : String(error)).split('. ', 1)
    const [, unknown] = /^Unknown option '(--[^'=]+)/.exec(told) ?? []
    if (unknown !== undefined && Object.hasOwn(RUNNING_FLAGS, unknown.slice(2)))
      throw new UsageError(`${told}. It is for hookline fire, session, test and replay.`)
    if (unknown !== undefined && Object.hasOwn(MEANT_FLAGS, unknown))
      throw new UsageError(`${told}. ${MEANT_FLAGS[unknown]}`)
    const near = unknown === undefined ? undefined : findNearest(unknown.slice(2), Object.keys(options))
    throw new UsageError(near === undefined ? told : `${told}. Did you mean "--${near}"?`)
  }
}

/** Sentences for flags that people expect and that are called otherwise. */
const MEANT_FLAGS: Readonly<Record<string, string>> = {
  '--log': 'HOOKLINE_LOG=FILE before the command records what happens.',
  '--verbose': '--debug tells more, --json has everything.',
}

const CATEGORIES = ['hooks']

/** `--debug` may stand alone: then everything is logged. */
function withCategories(args: readonly string[]): string[] {
  const isCategory = (word = ''): boolean => /^[a-z]+(?:,[a-z]+)*$/.test(word)
  return args.flatMap((word, at) =>
    word === '--debug' && !isCategory(args[at + 1]) ? [word, CATEGORIES.join(',')] : [word],
  )
}

function parseCategories(given: string): string[] {
  const asked = given.split(',').filter((category) => category !== '')
  const unknown = asked.find((category) => !CATEGORIES.includes(category))
  if (unknown !== undefined)
    throw new UsageError(`"${unknown}" is not a category of --debug. Categories: ${CATEGORIES.join(', ')}.`)
  return asked.length === 0 ? CATEGORIES : asked
}

/** The flags as parsed. */
export interface EngineFlags {
  readonly project?: string | undefined
  readonly home?: string | undefined
  readonly managed?: string | undefined
  readonly plugin?: string[] | undefined
  readonly settings?: string | undefined
  readonly trust?: boolean | undefined
  readonly profile?: string | undefined
  readonly order?: string | undefined
  readonly 'default-timeout'?: string | undefined
  readonly 'no-shell'?: boolean | undefined
  readonly debug?: string | undefined
  readonly 'no-color'?: boolean | undefined
  readonly model?: string | undefined
  readonly 'fail-closed'?: boolean | undefined
  readonly 'setting-sources'?: string | undefined
  readonly 'safe-mode'?: boolean | undefined
  readonly bare?: boolean | undefined
  readonly 'live-settings'?: boolean | undefined
}

/** A command that the reader can run as it stands: with the places that this call was given. */
function formatCommandHere(words: string, { project, home }: Pick<EngineFlags, 'project' | 'home'>): string {
  const places = Object.entries({ project, home }).flatMap(([name, folder]) =>
    folder === undefined ? [] : [`--${name}`, toShellWord(folder)],
  )
  return ['hookline', words, ...places].join(' ')
}

/** The commands that show the hooks of a project and trust them. */
export function trustCommands(flags: EngineFlags): { readonly show: string; readonly accept: string } {
  return { show: formatCommandHere('trust', flags), accept: formatCommandHere('trust accept', flags) }
}

/** Makes the error about a word that is none of those that a command takes. */
export function makeUnknownWordError(word: string, names: readonly string[]): UsageError {
  return new UsageError(`"${word}" is not one of ${names.join(', ')}.${formatSuggestion(word, names)}`)
}

/** Refuses words that a command has no use for. */
export function refusePositionals([word]: readonly string[]): void {
  if (word !== undefined) throw new UsageError(`"${word}" is not expected here.`)
}

/** The profiles in force where a command works, and why: for hooks of the project, and for all others. */
export function readProfilesInForce(flags: EngineFlags): Promise<ProfilesInForce> {
  return findProfilesInForce(toEngineOptions(flags))
}

/** Turns the flags into options of the engine. */
export function toEngineOptions(flags: EngineFlags): EngineOptions & { home: string; project: string } {
  const { managed, settings, plugin = [], debug, profile, order } = flags
  const timeout = flags['default-timeout']
  const sources = flags['setting-sources']
  return {
    project: requireFolder('--project', flags.project ?? '.'),
    home: flags.home === undefined ? findHome() : requireFolder('--home', flags.home),
    plugins: plugin.map((folder) => requireFolder('--plugin', folder)),
    shell: flags['no-shell'] !== true,
    trust: flags.trust === true ? 'accepted' : 'stored',
    failClosed: flags['fail-closed'] === true ? 'all' : [],
    managedOnly: flags['safe-mode'] === true,
    bare: flags.bare === true,
    liveSettings: flags['live-settings'] === true,
    ...(sources === undefined ? {} : { sources: parseSources(sources) }),
    ...(order === undefined ? {} : { order: requireChoice('--order', order, ['parallel', 'sequential']) }),
    ...(profile === undefined ? {} : { profile: requireChoice('--profile', profile, PROFILE_NAMES) }),
    ...(managed === undefined ? {} : { managed }),
    ...(settings === undefined ? {} : { settings: requireFile('--settings', settings) }),
    ...(timeout === undefined ? {} : { defaultTimeout: parseSeconds(timeout) }),
    ...(debug === undefined
      ? {}
      : { debug: { categories: parseCategories(debug), write: (line: string) => tell(`${line}\n`) } }),
  }
}

function requireFolder(flag: string, path: string): string {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`${flag}: there is no folder ${path}.`)
  return resolve(path)
}

function requireFile(flag: string, path: string): string {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) throw new UsageError(`${flag}: there is no file ${path}.`)
  return resolve(path)
}

function requireChoice<const Choice extends string>(flag: string, value: string, choices: readonly Choice[]): Choice {
  const chosen = choices.find((choice) => choice === value)
  if (chosen === undefined) throw new UsageError(`${flag} must be ${choices.join(' or ')}, not "${value}".`)
  return chosen
}

/** An empty list leaves all of them out. */
function parseSources(list: string): WritableScope[] {
  const names = list.split(',').map((name) => name.trim())
  return names.filter((name) => name !== '').map((name) => requireChoice('--setting-sources', name, SOURCES))
}

function parseSeconds(text: string): number | null {
  if (text === 'none') return null
  const seconds = Number(text)
  if (!(seconds > 0))
    throw new UsageError(`--default-timeout must be a positive number of seconds or none, not "${text}".`)
  return seconds
}
