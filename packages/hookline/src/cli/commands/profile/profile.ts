import { PROFILE_SETTING } from '../../../config/profile-choice.ts'
import { changeMember } from '../../../config/settings-text.ts'
import type { Engine } from '../../../engine/engine-interface.ts'
import { parseProfileName } from '../../../engine/profiles.ts'
import { PROFILE_NAMES, type ProfileName } from '../../../protocol/profiles.ts'
import { applyEdit, EDIT_FLAGS, EDIT_USAGE, tellEdit } from '../../edit/apply-edit.ts'
import { withProjectMeant } from '../../edit/project-meant.ts'
import { withUser } from '../../input/terminal-user.ts'
import {
  ENGINE_FLAGS,
  ENGINE_USAGE,
  readArguments,
  refusePositionals,
  toEngineOptions,
  UsageError,
} from '../../start/flags.ts'
import { openCommandTerminal, withEngine } from '../../start/opening.ts'
import { print, printJson } from '../../start/print.ts'
import { printProfile } from '../../start/profile-line.ts'
import { formatReadings, readBothWays } from './both-readings.ts'

export const usage = `hookline profile [${PROFILE_NAMES.join('|')}] [flags]

Shows which profile, a version of the protocol, hooks are read under and who
chose it; with a name it chooses one. The choice stands in a settings file as
"hookline": {"profile": NAME}; comments, order and formatting of the rest stay.

  hookline profile
  hookline profile current
  hookline profile classic --scope user

Policy decides first, then --profile, then HOOKLINE_PROFILE. Without them a
project decides about its own hooks, once it is trusted, and you about all
others: no project changes what your hooks and those of policy mean.
Where no one chose, the profile is "auto": a hook runs where either profile would
run it, its answer is read both ways, and the stricter outcome counts. Then this
command shows what the profiles make of the hooks here, and how to choose.

  --scope SCOPE            project (.claude/settings.json), the default, or user
                           (your home)
${EDIT_USAGE}${ENGINE_USAGE}
Exit codes: 0 shown or chosen; 1 a mistake in the call, or refused.
`

const FLAGS = { ...ENGINE_FLAGS, ...EDIT_FLAGS, scope: { type: 'string' } } as const

type ProfileFlags = ReturnType<typeof readArguments<typeof FLAGS>>['values']

/** The scopes that choose for a project, and for a user. */
const CHOOSING_SCOPES = ['project', 'user'] as const

/** Runs `hookline profile`. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, FLAGS)
  const [name, ...rest] = positionals
  refusePositionals(rest)
  if (name !== undefined) return choose(parseProfileName(name), values)
  if (values.scope !== undefined) throw new UsageError(`which profile? ${PROFILE_NAMES.join(' or ')}.`)
  return withEngine(values, async (engine) => {
    const readings = isUnchosen(engine) ? await readBothWays(toEngineOptions(values), engine.profiles) : null
    if (values.json) printJson({ ...toProfileJson(engine), ...readings })
    else {
      printProfile(engine, values)
      if (readings !== null) print(`${formatReadings(readings, openCommandTerminal(values)).join('\n')}\n`)
    }
    return 0
  })
}

function isUnchosen({ profiles: { own, project } }: Engine): boolean {
  return own.readAs !== null || project.readAs !== null
}

async function choose(name: ProfileName, given: ProfileFlags): Promise<number> {
  const scope = CHOOSING_SCOPES.find((one) => one === (given.scope ?? 'project'))
  if (scope === undefined)
    throw new UsageError(`--scope must be ${CHOOSING_SCOPES.join(' or ')}, not "${given.scope}".`)
  const terminal = openCommandTerminal(given)
  const change = (text: string): string => changeMember(text, PROFILE_SETTING, { value: name })
  const { report, flags } = await withUser(given, async (user) => {
    const meant = await withProjectMeant(given, { scope, user: given.yes ? null : user })
    const edit = { scope, options: toEngineOptions(meant), change, terminal, user, flags: meant }
    return { report: await applyEdit(edit), flags: meant }
  })
  await withEngine(flags, async (engine) => {
    if (flags.json) printJson({ ...report, ...toProfileJson(engine) })
    else {
      if (report.written && report.diff === '') print(`${report.file} chooses ${name} already.\n`)
      else tellEdit(report, terminal)
      if (report.written) printProfile(engine, flags)
    }
    return 0
  })
  return report.written || flags['dry-run'] ? 0 : 1
}

function toProfileJson({ profiles, trust }: Engine): object {
  return { ...profiles, trusted: trust.accepted, profiles: PROFILE_NAMES }
}
