import { isAbsolute, join, resolve } from 'node:path'
import { HooklineError } from '../../files/error.ts'
import { readText } from '../../files/read.ts'
import { readShippedBridge } from '../../files/shipped.ts'
import { parseJsonOrNull } from '../../text/json.ts'
import { quoteForShell, toShellWord } from '../../text/quote.ts'
import { isGuarding } from '../answer/answer.ts'
import type { Bridge, HostScope } from '../bridge.ts'
import {
  COLD_LAUNCHER,
  type EntryStyle,
  type InstalledEntry,
  isGuardsOnlyCommand,
  LAUNCHER,
  proveAnswer,
  readCommand,
} from './entry.ts'
import { nameInstaller, nameUninstaller } from './guard-entries.ts'

/** Place of an agent's own configuration. */
export interface HostPlace {
  readonly bridge: Bridge
  readonly scope: HostScope
  readonly project: string
  readonly home: string
  /** Variables as the agent sees them: some move its files. */
  readonly env: Readonly<Record<string, string | undefined>>
}

/** The file of a scope, or the folder of its files; null when the agent has none there. */
export function findHostFile(place: HostPlace): string | null {
  const path = place.bridge.install.files[place.scope]
  return path === undefined ? null : locateFile(place, path).file
}

/** A file of an agent, and the variable that moved it there. */
export interface LocatedFile {
  readonly file: string
  readonly movedBy: string | null
}

/** Finds a file of an agent by its path in the home, or in the project: the one place that knows what variables move. */
export function locateFile({ bridge, scope, project, home, env }: HostPlace, path: string): LocatedFile {
  if (scope === 'project') return { file: join(project, path), movedBy: null }
  for (const { variable, insteadOf } of bridge.install.homes ?? []) {
    const folder = env[variable]
    if (!folder || !(insteadOf === '' || `${path}/`.startsWith(`${insteadOf}/`))) continue
    return { file: resolve(folder, `./${path.slice(insteadOf.length)}`), movedBy: variable }
  }
  return { file: join(home, path), movedBy: null }
}

/** Explains where a variable has moved the agent's file: it is read only where that variable is set; null where none has. */
export function explainMove(place: HostPlace): string | null {
  const path = place.bridge.install.files[place.scope]
  const { file, movedBy } = path === undefined ? { file: '', movedBy: null } : locateFile(place, path)
  if (path === undefined || movedBy === null) return null
  const { file: usual } = locateFile({ ...place, env: {} }, path)
  const { title } = place.bridge
  const drifts = isAbsolute(place.env[movedBy] ?? '')
    ? ''
    : ` It is a relative path, which leads elsewhere from every other folder: make it absolute.`
  return `${movedBy} is set here, so the file is ${file}.${drifts} Where ${title} is started without it (from a desktop, by another shell), it reads ${usual} instead.`
}

/** Events that the agent's file calls us for. */
export async function listInstalledEvents(place: HostPlace): Promise<string[]> {
  const found = new Set((await readInstalledEntries(place)).map(({ event }) => event))
  return listMappedEvents(place.bridge).filter((event) => found.has(event))
}

/** Our entries in the agent's files, in the order of its events; none where a file cannot be read. */
export async function readInstalledEntries(place: HostPlace): Promise<InstalledEntry[]> {
  const { bridge } = place
  if (findHostFile(place) === null) return []
  const texts = await Promise.all(listEventFiles(place).map(({ file }) => readHostFile(file).catch(() => null))) // unreadable: then nothing is known
  const text = texts.join('\n')
  if (isPlugin(bridge)) return isOurPlugin(text, bridge) ? readPluginEntries(bridge, text) : []
  const found = isProgram(place)
    ? readProgramEntries(bridge, text)
    : listStrings(text).map((one) => readCommand(bridge, one))
  const entries = found.filter((entry) => entry !== null)
  return listMappedEvents(bridge).flatMap((event) => entries.filter((entry) => entry.event === event))
}

/** Strings of a JSON or TOML text that may be commands of ours: those have no escapes in either. */
const listStrings = (text: string): string[] => [...text.matchAll(/"([^"\\\n]*)"/g)].map(([, string = '']) => string)

/** Entries of programs that an agent starts without a shell; the program says itself what becomes of a call without an answer. */
function readProgramEntries(bridge: Bridge, text: string): (InstalledEntry | null)[] {
  return text.split('\n').map((line) => {
    const [, call = ''] = /^(?:exec |answer=\$\()(.*?)\)?$/.exec(line) ?? []
    const [, quoted, rest = ''] = /^'(.*)'( bridge run .*)$/.exec(call) ?? []
    if (quoted === undefined) return readProgramEntry(bridge, line, call)
    const program = quoted.replaceAll("'\\''", "'")
    const isLauncher = [LAUNCHER, COLD_LAUNCHER].some((name) => program.endsWith(`/${name}`))
    const entry = isLauncher ? readProgramEntry(bridge, line, `/${LAUNCHER}${rest}`) : null
    return entry && { ...entry, program, command: call }
  })
}

function readProgramEntry(bridge: Bridge, line: string, call: string): InstalledEntry | null {
  const entry = readCommand(bridge, call)
  return entry && { ...entry, ifMissing: line.startsWith('answer=') ? 'refuse' : 'pass' }
}

/** True if a command is one of ours for that event, however our program is named in it. */
export function isOurCommand(command: string, { name, runs }: Pick<Bridge, 'name' | 'runs'>, event: string): boolean {
  const isOfEvent = `${command} `.includes(` bridge run ${name} ${event} `)
  return isOfEvent && isGuardsOnlyCommand(command) === (runs === 'guards')
}

/** Events that the agent is to call us for. */
export function listMappedEvents({ events }: Bridge): string[] {
  return Object.keys(events).filter((event) => events[event]?.as !== null)
}

/** A file with our entries. */
export interface EventFile {
  readonly file: string
  /** The one event that it is for; null: it is for all. */
  readonly event: string | null
}

/** The files with our entries. Throws a HooklineError where the agent has none. */
export function listEventFiles(place: HostPlace): EventFile[] {
  const { bridge, scope } = place
  const path = findHostFile(place)
  if (path === null) throw new HooklineError(`${bridge.title} has no file for hooks in the scope "${scope}".`)
  if (bridge.install.shape !== 'file-per-event') return [{ file: path, event: null }]
  return listMappedEvents(bridge).map((event) => ({ file: join(path, event), event }))
}

/** True if the agent's files are programs that it runs. */
export const isProgram = ({ bridge }: HostPlace): boolean => bridge.install.shape === 'file-per-event'

/** True if no shell reads what the agent's files start. */
export const hasNoShell = (place: HostPlace): boolean => isProgram(place) || isPlugin(place.bridge)

/** The text of an agent's file; null where there is none. Throws a HooklineError for one that cannot be read. */
export async function readHostFile(file: string): Promise<string | null> {
  const content = await readText(file, { onlyUtf8: true })
  if (content.read === 'unreadable') throw new HooklineError(`${file} ${content.reason}. Nothing was written.`)
  return content.read === 'missing' ? null : content.text
}

/** True if the agent's file is code that it loads. */
export const isPlugin = ({ install: { shape } }: Bridge): boolean =>
  shape === 'opencode-plugin' || shape === 'pi-extension'

/** The plugin that makes an agent ask us: it carries payloads and answers, and decides nothing. */
export function writePlugin(bridge: Bridge, { program, ifMissing }: Pick<EntryStyle, 'program' | 'ifMissing'>): string {
  return readTemplate(bridge)
    .replace(PROGRAM, () => `const PROGRAM = ${JSON.stringify(program)}`)
    .replace(IF_MISSING, () => `const IF_MISSING = ${JSON.stringify(ifMissing ?? 'refuse')}`)
}

function readTemplate(bridge: Bridge): string {
  const { name, install, runs } = bridge
  const text = readShippedBridge(`${install.shape}.js`).replaceAll(/\bopencode\b/g, name) // descendants of opencode load the same
  if (runs !== 'guards') return text
  return text
    .replace(/^.*$/m, `// Made by "${nameInstaller(bridge)}"; "${nameUninstaller(bridge)}" takes it out again.`)
    .replace("'--proof']", "'--guards', '--proof']")
    .replace(TELL, 'const tell = async () => ({}) // guards look at calls alone')
}

const TELL = /^const tell = .*$/m
const PROGRAM = /^const PROGRAM = (.*)$/m
const IF_MISSING = /^const IF_MISSING = (.*)$/m

function readPluginEntries(bridge: Bridge, text: string): InstalledEntry[] {
  const named = parseJsonOrNull(PROGRAM.exec(text)?.[1] ?? '')
  const program = typeof named === 'string' ? named : 'hookline'
  const ifMissing = IF_MISSING.exec(text)?.[1]?.includes('pass') ? 'pass' : 'refuse'
  return listMappedEvents(bridge).map((event) => ({
    ...{ event, program, ifMissing },
    command: `${toShellWord(program)} bridge run ${bridge.name} ${event}${bridge.runs === 'guards' ? ' --guards' : ''}`,
  }))
}

/** True if a file is that plugin: its first line says so. */
export const isOurPlugin = (text: string, bridge: Bridge): boolean =>
  text.startsWith(readTemplate(bridge).split('\n', 1)[0] ?? '')

/**
 * The program that an agent runs for one event. Agents of this kind read no exit code: without an answer the program says
 * itself that the call is not made.
 */
export function writeProgram(bridge: Bridge, event: string, style: EntryStyle): string {
  const flags = `${bridge.runs === 'guards' ? ' --guards' : ''}${style.attended ? ' --attended' : ''}`
  const call = `${toShellWord(style.program)} bridge run ${bridge.name} ${event}${flags}`
  const isRefused = style.ifMissing === 'refuse' && isGuarding(bridge, event)
  const lines = isRefused
    ? [
        `answer=$(${call} --proof)`,
        `if [ $? != ${proveAnswer(0)} ]; then`,
        `  answer=${quoteForShell(REFUSAL)}`,
        'fi',
        `printf '%s\\n' "$answer"`,
      ]
    : [`exec ${call}`]
  return `${['#!/bin/sh', makeProgramMark(bridge), ...lines].join('\n')}\n`
}

const REFUSAL = JSON.stringify({
  cancel: true,
  errorMessage: 'hookline is missing or gave no answer, so no hook could be asked about this.',
})

/** Reason why the text of a plugin or program is not as we write it; null: it is, or it belongs to others. */
export function findStrayText(text: string, bridge: Bridge, event: string | null): string | null {
  if (text.trim() === '') return 'is empty'
  if (event === null) return isPlugin(bridge) ? findStrayPlugin(text, bridge) : null
  if (text.split('\n')[1] !== makeProgramMark(bridge)) return null
  const [entry] = readProgramEntries(bridge, text).filter((one) => one !== null)
  const written = entry && writeProgram(bridge, event, { ...entry, attended: / --attended\b/.test(entry.command) })
  return written === text ? null : CHANGED_ENTRY
}

/** A plugin has a name of ours, so that whatever stands there is in the place of ours. */
function findStrayPlugin(text: string, bridge: Bridge): string | null {
  if (!isOurPlugin(text, bridge)) return 'is not the plugin of hookline'
  const [entry] = readPluginEntries(bridge, text)
  return entry && writePlugin(bridge, entry) === text ? null : CHANGED_ENTRY
}

const CHANGED_ENTRY = 'is not as this version of hookline writes it (cut off, changed, or of another version)'

/** The line by which a program is known to be ours. */
export const makeProgramMark = (bridge: Bridge): string => `# hookline: "${nameUninstaller(bridge)}" removes this file`
