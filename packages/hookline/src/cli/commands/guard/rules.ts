import { GUARD_NAMES, type GuardName } from '../../../guards/guard.ts'
import { GUARDS } from '../../../guards/guards.ts'
import type { WrittenException } from '../../../guards/settings.ts'
import { openSurroundings, readExceptions, writeExceptions, writeTrusted } from '../../../guards/surroundings.ts'
import { formatSuggestion } from '../../../text/nearest.ts'
import { readLog } from '../../input/guard-log.ts'
import { findGuardPlaces, type GuardPlace } from '../../input/guard-places.ts'
import { withUser } from '../../input/terminal-user.ts'
import { LOOKING_FLAGS, readArguments, refusePositionals, toEngineOptions, UsageError } from '../../start/flags.ts'
import { openCommandTerminal } from '../../start/opening.ts'
import { print, printJson, tell } from '../../start/print.ts'
import { formatColumns } from '../../view/layout.ts'

/** Time that an exception for one call waits for it. */
const ONCE_TIMEOUT_MS = 10 * 60 * 1000

/** Runs `hookline guard list`. */
export async function list(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, LOOKING_FLAGS)
  refusePositionals(positionals)
  const { home, project } = toEngineOptions(values)
  const { rules } = await openSurroundings({ home, folder: project, now: Date.now() })
  const exceptions = await readExceptions(home)
  const places = await findGuardPlaces({ home, project, env: process.env })
  const guards = GUARDS.map(({ name, looksFor }) => ({ name, looksFor, setting: rules.guards?.[name] ?? 'on' }))
  if (values.json) {
    printJson({ level: rules.level, guards, exceptions, places, problems: rules.problems })
    return 0
  }
  const { width } = openCommandTerminal(values)
  print(
    `level: ${rules.level}\n\n${formatColumns(
      guards.map(({ name, setting, looksFor }) => [`  ${name}`, setting, looksFor]),
      width,
    ).join('\n')}\n`,
  )
  const rows = exceptions.map((each) => [`  ${each.guard}`, each.path, describeEnd(each), each.reason])
  print(rows.length > 0 ? `\nexceptions\n${formatColumns(rows, width).join('\n')}\n` : '\nno exceptions\n')
  print(`\n${formatPlaces(places, width).join('\n')}\n`)
  for (const problem of rules.problems) tell(`${problem}\n`)
  return 0
}

/** Says in which settings the guard is, and what keeps it from running there. */
function formatPlaces(places: readonly GuardPlace[], width: number): string[] {
  if (places.length === 0)
    return ['No settings that were looked at call the guard: hookline guard add writes it into them.']
  const rows = places.map(({ agent, scope, state, file }) => [`  ${agent}`, scope, state, file])
  return [
    'called by',
    ...formatColumns(rows, width),
    ...places.flatMap(({ notes }) => notes.map((note) => `  ${note}`)),
  ]
}

function describeEnd({ until, once }: WrittenException): string {
  if (once !== undefined) return `once, until ${new Date(once).toISOString().slice(11, 16)} UTC`
  return until === undefined ? 'always' : `until ${until}`
}

const ALLOW_FLAGS = {
  ...LOOKING_FLAGS,
  reason: { type: 'string' },
  until: { type: 'string' },
  once: { type: 'boolean' },
} as const

/** Runs `hookline guard allow`: a user at a terminal lets an effect pass. */
export async function allow(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, ALLOW_FLAGS)
  const { guard, path } = readSubject(positionals)
  const { home } = toEngineOptions(values)
  if (values.reason === undefined) throw new UsageError('An exception has a reason: --reason TEXT')
  if (values.until !== undefined && Number.isNaN(Date.parse(values.until)))
    throw new UsageError(`--until must be a day as 2027-01-01, not "${values.until}".`)
  const exception: WrittenException = {
    guard,
    path,
    reason: values.reason,
    ...(values.until === undefined ? {} : { until: values.until }),
    ...(values.once ? { once: Date.now() + ONCE_TIMEOUT_MS } : {}),
  }
  return withUser({}, async (user) => {
    if (user === null)
      throw new UsageError('An exception is made by a user: run it in a terminal, where you can be asked.')
    if (!(await user.confirm(`Let ${guard} pass for ${path} (${describeEnd(exception)})?`))) {
      tell('Nothing was changed.\n')
      return 1
    }
    const file = await writeExceptions(home, [...(await readExceptions(home)), exception])
    print(`Wrote ${file}. "hookline guard disallow ${guard} '${path}'" takes it back.\n`)
    return 0
  })
}

/** Runs `hookline guard disallow`: it needs no question, since it only makes guards stricter. */
export async function disallow(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, LOOKING_FLAGS)
  const { guard, path } = readSubject(positionals)
  const { home } = toEngineOptions(values)
  const before = await readExceptions(home)
  const after = before.filter((each) => each.guard !== guard || each.path !== path)
  if (after.length < before.length) await writeExceptions(home, after)
  print(
    after.length < before.length
      ? `No longer allowed: ${guard} ${path}\n`
      : `There is no exception ${guard} ${path}.\n`,
  )
  return 0
}

function readSubject([name, path, ...more]: readonly string[]): { readonly guard: GuardName; readonly path: string } {
  refusePositionals([...more])
  const guard = GUARD_NAMES.find((each) => each === name)
  if (!guard)
    throw new UsageError(
      `"${name ?? ''}" is not a guard.${formatSuggestion(name ?? '', [...GUARD_NAMES])} As in: hookline guard allow delete '~/scratch/**' --reason experiments`,
    )
  if (path === undefined) throw new UsageError('It takes a guard and a pattern of what may pass.')
  return { guard, path }
}

/** Runs `hookline guard trust`: a user at a terminal lets the settings of a project count as a whole, as they are now. */
export async function trust(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, { ...LOOKING_FLAGS, revoke: { type: 'boolean' } } as const)
  refusePositionals(positionals)
  const { home, project: folder } = toEngineOptions(values)
  const { world, project } = await openSurroundings({ home, folder, now: Date.now() })
  if (values.revoke) {
    await writeTrusted(home, world.project, null)
    print(`The settings of guards in ${world.project} only make guards stricter again.\n`)
    return 0
  }
  if (!project) throw new UsageError(`${world.project} has no .hookline/guards.json.`)
  if (project.isTrusted) {
    print('It is trusted as it is.\n')
    return 0
  }
  return withUser({}, async (user) => {
    if (user === null) throw new UsageError('A user trusts it: run it in a terminal, where you can be asked.')
    const text = world.readFile(`${world.project}/.hookline/guards.json`) ?? ''
    tell(`${text.trim()}\n`)
    if (!(await user.confirm(`Let all of this count in ${world.project}, also what loosens guards?`))) {
      tell('Nothing was changed.\n')
      return 1
    }
    const file = await writeTrusted(home, world.project, project.digest)
    print(`Wrote ${file}. A change of the project's file has to be trusted anew.\n`)
    return 0
  })
}

/** Runs `hookline guard log`. */
export async function log(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, LOOKING_FLAGS)
  refusePositionals(positionals)
  const { home } = toEngineOptions(values)
  const lines = readLog(home)
  if (values.json) {
    printJson(lines)
    return 0
  }
  const { width } = openCommandTerminal(values)
  if (lines.length === 0) print('Nothing was refused or asked about yet.\n')
  else
    print(
      `${formatColumns(
        lines
          .slice(-200)
          .map(({ at, answer, tool, findings }) => [
            at.slice(0, 19),
            answer,
            tool,
            findings.map(({ guard, says }) => `${guard}: ${says}`).join('; '),
          ]),
        width,
      ).join('\n')}\n`,
    )
  return 0
}
