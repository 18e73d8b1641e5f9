import type { OwnPlaces } from '../effects/places.ts'
import { PLACES, type Place } from '../effects/view.ts'
import type { Program, SystemChange } from '../programs/program.ts'
import { findProgramRow } from '../programs/table.ts'
import { formatSuggestion } from '../text/nearest.ts'
import { GUARD_NAMES, type GuardName } from './guard.ts'
import { type Exception, GUARD_ANSWERS, type GuardRules, type GuardSetting, LEVELS, type Level } from './judge.ts'

/** An exception as a file writes it. */
export interface WrittenException {
  readonly guard: GuardName
  /** Pattern of a path, a host or a change. */
  readonly path: string
  readonly reason: string
  /** Last day of it, as 2027-01-01. */
  readonly until?: string
  /** Time after which an exception for one call is gone, in milliseconds. */
  readonly once?: number
}

/** A file of settings, as far as it could be read. */
export interface GuardSettings {
  readonly level?: Level
  readonly guards: Readonly<Partial<Record<GuardName, GuardSetting>>>
  readonly allow: readonly WrittenException[]
  readonly places: OwnPlaces
  readonly programs: Readonly<Record<string, Program>>
  /** Digests of the settings of projects that the user trusts, by folder. */
  readonly trusted: Readonly<Record<string, string>>
  /** Sentences about what was left out. */
  readonly problems: readonly string[]
  /** True for a file of which nothing counts. */
  readonly isRejected?: boolean
  /** True where a part that may have made guards stricter could not be read: they are at their strictest level. */
  readonly isDoubtful?: boolean
}

const NO_SETTINGS: GuardSettings = { guards: {}, allow: [], places: {}, programs: {}, trusted: {}, problems: [] }

/** Places that make a guard stricter when a project names them. */
const STRICT_PLACES: ReadonlySet<string> = new Set<Place>(['secret', 'startup', 'agent', 'system'])

/** Settings of a file that cannot be read: whatever the file said was not stricter than this. */
const EVERY_GUARD_DENIES = Object.fromEntries(GUARD_NAMES.map((name) => [name, 'deny' as const]))

/** Reads a file of settings; what is wrong in it is told, and makes the guards stricter, never looser. Never throws. */
export function parseGuardSettings(text: string | null, file: string): GuardSettings {
  if (text === null) return NO_SETTINGS
  const found = parseObject(text)
  if (!found) return rejectGuardSettings(file, 'it is not a JSON object')
  const problems: string[] = []
  const doubts: string[] = []
  const level = LEVELS.find((each) => each === found.level)
  if (found.level !== undefined && !level) doubts.push(`${file}: "level" is not one of ${LEVELS.join(', ')}.`)
  const guards = parseGuards(found.guards, file, doubts)
  const allow = toList(found.allow).flatMap((each) => {
    const exception = toException(toRecord(each))
    if (!exception) problems.push(`${file}: an exception needs "guard", "path" and "reason".`)
    return exception ? [exception] : []
  })
  const places = parsePlaces(found.places, file, doubts)
  const programs = parsePrograms(found.programs, file, doubts)
  const isDoubtful = doubts.length > 0
  const told = isDoubtful ? [...doubts, `${file}: until that is fixed, the guards are at the level strict.`] : []
  return {
    ...(level ? { level } : {}),
    guards,
    allow,
    places,
    programs,
    trusted: Object.fromEntries(
      Object.entries(toRecord(found.trusted)).flatMap(([project, digest]) =>
        typeof digest === 'string' ? [[project, digest]] : [],
      ),
    ),
    problems: [...problems, ...told],
    ...(isDoubtful ? { isDoubtful } : {}),
  }
}

function parseGuards(written: unknown, file: string, doubts: string[]): GuardSettings['guards'] {
  if (!isRecordOrAbsent(written)) doubts.push(`${file}: "guards" is not an object.`)
  const pairs = Object.entries(toRecord(written)).flatMap(([name, value]): [GuardName, GuardSetting][] => {
    const guard = GUARD_NAMES.find((each) => each === name)
    const setting = GUARD_ANSWERS.find((each) => each === value)
    if (guard && setting) return [[guard, setting]]
    doubts.push(
      guard
        ? `${file}: "${name}": ${JSON.stringify(value)} is not one of ${GUARD_ANSWERS.join(', ')}. The guard denies until then.`
        : `${file}: "${name}" is not a guard.${formatSuggestion(name, [...GUARD_NAMES])}`,
    )
    return guard ? [[guard, 'deny']] : []
  })
  return Object.fromEntries(pairs)
}

function parsePlaces(written: unknown, file: string, doubts: string[]): OwnPlaces {
  if (!isRecordOrAbsent(written)) doubts.push(`${file}: "places" is not an object.`)
  const pairs = Object.entries(toRecord(written)).flatMap(([name, list]): [Place, readonly string[]][] => {
    const place = PLACES.find((each) => each === name)
    if (!place) doubts.push(`${file}: "${name}" is not a place.${formatSuggestion(name, [...PLACES])}`)
    else if (!Array.isArray(list) || list.some((each) => typeof each !== 'string'))
      doubts.push(`${file}: places "${name}" is not a list of patterns.`)
    return place ? [[place, toTexts(list)]] : []
  })
  return Object.fromEntries(pairs)
}

function parsePrograms(written: unknown, file: string, doubts: string[]): GuardSettings['programs'] {
  if (!isRecordOrAbsent(written)) doubts.push(`${file}: "programs" is not an object.`)
  const pairs = Object.entries(toRecord(written)).map(([name, row]): [string, Program] => {
    const { change, operands, options } = toRecord(row)
    const program = toProgram(toRecord(row))
    const isRead =
      (change === undefined || program.does !== undefined) &&
      (operands === undefined || program.operands !== undefined) &&
      (options === undefined || program.options !== undefined)
    if (!isRead || typeof row !== 'object')
      doubts.push(`${file}: program "${name}" has a "change", "operands" or "options" that cannot be read.`)
    return [name, program]
  })
  return Object.fromEntries(pairs)
}

/** Settings of a file of which nothing counts: the guards are as strict as they can be, since the file may have said so. */
export function rejectGuardSettings(file: string, reason: string): GuardSettings {
  const problem = `${file} cannot be read (${reason}): until it is fixed or removed, no exception holds and every guard denies.`
  return { ...NO_SETTINGS, guards: EVERY_GUARD_DENIES, problems: [problem], isRejected: true, isDoubtful: true }
}

function isRecordOrAbsent(value: unknown): boolean {
  return value === undefined || (typeof value === 'object' && value !== null && !Array.isArray(value))
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? toRecord(value) : null
  } catch {
    return null // not JSON
  }
}

function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

function toTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}

function toException({
  guard,
  path,
  host,
  change,
  reason,
  until,
  once,
}: Readonly<Record<string, unknown>>): WrittenException | null {
  const name = GUARD_NAMES.find((each) => each === guard)
  const subject = [path, host, change].find((each) => typeof each === 'string')
  if (!name || typeof subject !== 'string' || typeof reason !== 'string') return null
  return {
    guard: name,
    path: subject,
    reason,
    ...(typeof until === 'string' ? { until } : {}),
    ...(typeof once === 'number' ? { once } : {}),
  }
}

const SYSTEMS = /^(?:git|registry|database|cloud|cluster|containers|machine|service|agent) \S+$/

/** A row of a team's own program. */
function toProgram({ change, operands, options, valued, dry }: Readonly<Record<string, unknown>>): Program {
  const { system, operation } = toRecord(change)
  const does = `${String(system)} ${String(operation)}`
  const roles = Object.fromEntries(Object.entries(toRecord(options)).filter(([, names]) => typeof names === 'string'))
  return {
    // The shape was compared with the systems that there are.
    ...(SYSTEMS.test(does) ? { does: does as SystemChange } : {}),
    ...(typeof operands === 'string' ? { operands } : {}),
    ...(typeof valued === 'string' ? { valued } : {}),
    ...(typeof dry === 'string' ? { dry } : {}),
    ...(Object.keys(roles).length > 0 ? { options: roles } : {}),
  }
}

/** Options of `mergeGuardSettings`. */
interface MergeOptions {
  readonly now: number
  readonly home: string
  /** True where the user trusts the project's file as it is. */
  readonly isTrusted?: boolean
  /** Settings of the organisation, which the user's may not loosen. */
  readonly managed?: GuardSettings
}

/** The rules in force: the organisation's, the user's own, and of the project's what makes them stricter, or all where it is trusted. */
export function mergeGuardSettings(
  own: GuardSettings,
  project: GuardSettings,
  { now, home, isTrusted = false, managed = NO_SETTINGS }: MergeOptions,
): GuardRules & { readonly problems: readonly string[] } {
  const below = isTrusted ? project : keepStricter(project)
  const level = own.level ?? below.level ?? managed.level ?? 'normal'
  const isDoubtful = [own, project, managed].some((each) => each.isDoubtful === true)
  const floors = [managed.level, isTrusted ? undefined : project.level, isDoubtful ? ('strict' as const) : undefined]
  const places: Record<string, readonly string[]> = {}
  for (const settings of [managed, own, below])
    for (const [place, list] of Object.entries(settings.places)) places[place] = [...(places[place] ?? []), ...list]
  const allow = [...managed.allow, ...own.allow, ...below.allow]
  const isLoosening = below !== project && isLooser(project)
  const ignored = isLoosening
    ? [
        "The project's guards.json can only make guards stricter until you trust it (hookline guard trust): what loosens them does not count.",
      ]
    : []
  return {
    level: chooseStrictest([level, ...floors]),
    guards: mergeGuards([below.guards, own.guards], [managed.guards, isTrusted ? {} : below.guards]),
    allow: allow.filter((each) => isInForce(each, now)).map((each) => toRule(each, home)),
    places,
    programs: { ...below.programs, ...own.programs, ...managed.programs },
    problems: [...managed.problems, ...own.problems, ...project.problems, ...ignored],
  }
}

function chooseStrictest(levels: readonly (Level | undefined)[]): Level {
  return LEVELS.findLast((each) => levels.includes(each)) ?? 'normal'
}

/** Settings of a project that it may make without being trusted: those that make guards stricter. */
function keepStricter(project: GuardSettings): GuardSettings {
  const guards = Object.fromEntries(Object.entries(project.guards).filter(([, setting]) => setting === 'deny'))
  const places = Object.fromEntries(Object.entries(project.places).filter(([place]) => STRICT_PLACES.has(place)))
  const programs = Object.fromEntries(
    Object.entries(project.programs).filter(([name]) => findProgramRow(name) === undefined),
  )
  const { level: _, ...rest } = project
  return { ...rest, guards, places, programs, allow: [] }
}

function isLooser({ guards, allow, level }: GuardSettings): boolean {
  return allow.length > 0 || level === 'calm' || Object.values(guards).some((setting) => setting !== 'deny')
}

const STRENGTH: Readonly<Record<GuardSetting, number>> = { off: 0, on: 1, ask: 2, deny: 3 }

/** Settings of single guards: the later of `chosen` counts, but none is milder than a floor. */
function mergeGuards(
  chosen: readonly GuardSettings['guards'][],
  floors: readonly GuardSettings['guards'][],
): GuardSettings['guards'] {
  const pairs = GUARD_NAMES.flatMap((name): [GuardName, GuardSetting][] => {
    const setting = chosen.map((guards) => guards[name]).findLast((each) => each !== undefined)
    const floor = floors
      .flatMap((guards) => guards[name] ?? [])
      .reduce<GuardSetting | undefined>(
        (one, other) => (one && STRENGTH[one] > STRENGTH[other] ? one : other),
        undefined,
      )
    if (floor === undefined) return setting ? [[name, setting]] : []
    if (setting === undefined) return [[name, floor]]
    return [[name, STRENGTH[setting] < STRENGTH[floor] ? floor : setting]]
  })
  return Object.fromEntries(pairs)
}

function isInForce({ until, once }: WrittenException, now: number): boolean {
  if (once !== undefined) return now < once
  return until === undefined || now < Date.parse(`${until}T23:59:59Z`)
}

function toRule(written: WrittenException, home: string): Exception {
  const shape = compilePlaces(written.path, home)
  return { guard: written.guard, reason: written.reason, matches: (subject) => shape.test(subject) }
}

/** A pattern of `*` and `**` as an expression over whole subjects. */
export function compilePlaces(pattern: string, home: string): RegExp {
  const full = pattern.replace(/^~(?=\/|$)/, home)
  const body = full.replaceAll(/\/\*\*$|\*\*|\*|[.+?^${}()|\\[\]]/g, (sign) => {
    if (sign === '/**') return '(?:/.*)?'
    if (sign === '**') return '.*'
    return sign === '*' ? '[^/]*' : `\\${sign}`
  })
  return new RegExp(`^${body}$`)
}
