import type { OwnPlaces } from '../effects/places.ts'
import type { Change, Program } from '../effects/program.ts'
import { findProgram } from '../effects/programs/table.ts'
import type { Place } from '../effects/view.ts'
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
  /** Sentences about what was left out. */
  readonly problems: readonly string[]
  /** True for a file of which nothing counts. */
  readonly isRejected?: boolean
}

const NO_SETTINGS: GuardSettings = { guards: {}, allow: [], places: {}, programs: {}, problems: [] }

/** Places that make a guard stricter when a project names them. */
const STRICT_PLACES: readonly Place[] = ['secret', 'startup', 'agent', 'system']

/** Reads a file of settings; what is wrong in it is left out and told. Never throws. */
export function parseGuardSettings(text: string | null, file: string): GuardSettings {
  if (text === null) return NO_SETTINGS
  const found = parseObject(text)
  if (!found) return rejectGuardSettings(file, 'is not a JSON object')
  const problems: string[] = []
  const level = LEVELS.find((each) => each === found.level)
  if (found.level !== undefined && !level) problems.push(`${file}: "level" is not one of ${LEVELS.join(', ')}.`)
  const guards = Object.fromEntries(
    Object.entries(toRecord(found.guards)).flatMap(([name, value]) => {
      const guard = GUARD_NAMES.find((each) => each === name)
      const setting = GUARD_ANSWERS.find((each) => each === value)
      if (guard && setting) return [[guard, setting]]
      problems.push(
        `${file}: "${name}": ${JSON.stringify(value)} is not a guard and an answer (${GUARD_ANSWERS.join(', ')}).`,
      )
      return []
    }),
  )
  const allow = (Array.isArray(found.allow) ? found.allow : []).flatMap((each: unknown) => {
    const exception = toException(toRecord(each))
    if (!exception) problems.push(`${file}: an exception needs "guard", "path" and "reason".`)
    return exception ? [exception] : []
  })
  const places = Object.fromEntries(
    Object.entries(toRecord(found.places)).map(([place, list]) => [place, toTexts(list)]),
  )
  const programs = Object.fromEntries(
    Object.entries(toRecord(found.programs)).map(([name, row]) => [name, toProgram(toRecord(row))]),
  )
  return { ...(level ? { level } : {}), guards, allow, places, programs, problems }
}

/** Settings of a file of which nothing counts: the guards are as strict as without it. */
export function rejectGuardSettings(file: string, reason: string): GuardSettings {
  const problem = `${file} does not count (${reason}): no exception and no setting of it holds. Fix it, or remove it.`
  return { ...NO_SETTINGS, problems: [problem], isRejected: true }
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
    ...(SYSTEMS.test(does) ? { does: does as Change } : {}),
    ...(typeof operands === 'string' ? { operands } : {}),
    ...(typeof valued === 'string' ? { valued } : {}),
    ...(typeof dry === 'string' ? { dry } : {}),
    ...(Object.keys(roles).length > 0 ? { options: roles } : {}),
  }
}

/** The rules in force: the user's own, and of the project's what makes them stricter. */
export function mergeGuardSettings(
  own: GuardSettings,
  project: GuardSettings,
  { now, home }: { readonly now: number; readonly home: string },
): GuardRules & { readonly problems: readonly string[] } {
  const levels = [own.level ?? 'normal', project.level ?? 'calm']
  const level = LEVELS.findLast((each) => levels.includes(each)) ?? 'normal'
  const stricter = Object.entries(project.guards).filter(([, setting]) => setting === 'deny')
  const loosening = Object.keys(project.guards).length - stricter.length + project.allow.length
  const places: Record<string, readonly string[]> = { ...own.places }
  for (const place of STRICT_PLACES)
    if (project.places[place]) places[place] = [...(places[place] ?? []), ...(project.places[place] ?? [])]
  const programs = Object.fromEntries(
    Object.entries(project.programs).filter(([name]) => findProgram(name) === undefined),
  )
  const ignored =
    loosening > 0 ? ["The project's guards.json can only make guards stricter: what loosens them does not count."] : []
  return {
    level,
    guards: { ...own.guards, ...Object.fromEntries(stricter) },
    allow: own.allow.filter((each) => isInForce(each, now)).map((each) => toRule(each, home)),
    places,
    programs: { ...programs, ...own.programs },
    problems: [...own.problems, ...project.problems, ...ignored],
  }
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
