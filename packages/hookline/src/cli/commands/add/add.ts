import { refuseUnsound } from '../../../config/refuse-unsound.ts'
import type { NewHook } from '../../../config/settings-text.ts'
import type { EventRow } from '../../../protocol/event-row.ts'
import {
  findFieldElsewhere,
  findOtherProfileWithType,
  listFieldsInFiles,
  listTypesInFiles,
} from '../../../protocol/hook-fields.ts'
import { describeOwner } from '../../../protocol/other-profiles.ts'
import type { Profile } from '../../../protocol/profile.ts'
import {
  applyEdit,
  EDIT_FLAGS,
  EDIT_USAGE,
  makeAddition,
  parseWritableScope,
  SCOPE_USAGE,
  tellEdit,
} from '../../edit/apply-edit.ts'
import { GITIGNORE_FLAGS, GITIGNORE_USAGE, offerGitignore } from '../../edit/gitignore-offer.ts'
import { askForProfile } from '../../edit/profile-question.ts'
import { withProjectMeant } from '../../edit/project-meant.ts'
import { refuseFaulty } from '../../edit/refuse-faulty.ts'
import { findEventRow } from '../../input/event-argument.ts'
import { withUser } from '../../input/terminal-user.ts'
import {
  ENGINE_FLAGS,
  ENGINE_USAGE,
  readArguments,
  readProfilesInForce,
  refusePositionals,
  toEngineOptions,
  UsageError,
} from '../../start/flags.ts'
import { openCommandTerminal } from '../../start/opening.ts'
import { printJson, tell } from '../../start/print.ts'

export const usage = `hookline add <Event> --command TEXT [flags]

Adds a hook to a settings file and shows the difference. Comments, order and
formatting of the rest stay, and edits made at the same time are not lost. In a
terminal you are asked first.

  hookline add PostToolUse --matcher 'Edit|Write' --command 'npm run format'
  hookline add Stop --scope local --command ./check.sh --timeout 30
  hookline add PreToolUse --type prompt --prompt 'Is this safe? $ARGUMENTS'

  --command TEXT           the shell command it runs
  --matcher M              which tools or values it is for; default: all
${SCOPE_USAGE}                           default: project
  --type TYPE              command (default), prompt or agent; under the profile
                           current also http or mcp_tool
  --if RULE                only for calls that match a rule: Bash(git *)
                           (current)
  --url ADDRESS            where an http hook sends the event (current)
  --server NAME            the MCP server of an mcp_tool hook (current)
  --tool NAME              its tool (current)
  --prompt TEXT            what a prompt or agent hook asks
  --model NAME             the model of a prompt or agent hook
  --timeout N              seconds
  --async                  runs in the background and decides nothing
  --status-message TEXT    shown while it runs
  --force                  add it even if the file already has this hook, or a
                           rule says that it would not do what it should
${GITIGNORE_USAGE}${EDIT_USAGE}${ENGINE_USAGE}
Exit codes: 0 written or shown; 1 a mistake in the call, or refused.
`

const FLAGS = {
  ...ENGINE_FLAGS,
  ...EDIT_FLAGS,
  ...GITIGNORE_FLAGS,
  command: { type: 'string' },
  matcher: { type: 'string' },
  scope: { type: 'string' },
  type: { type: 'string' },
  if: { type: 'string' },
  url: { type: 'string' },
  server: { type: 'string' },
  tool: { type: 'string' },
  prompt: { type: 'string' },
  model: { type: 'string' },
  timeout: { type: 'string' },
  async: { type: 'boolean' },
  'status-message': { type: 'string' },
  force: { type: 'boolean' },
} as const

type AddFlags = ReturnType<typeof readArguments<typeof FLAGS>>['values']

/** Runs `hookline add`. */
export async function run(args: string[]): Promise<number> {
  const { values: given, positionals } = readArguments(args, FLAGS)
  const [event, ...rest] = positionals
  refusePositionals(rest)
  const scope = parseWritableScope(given.scope ?? 'project')
  const terminal = openCommandTerminal(given)
  return withUser(given, async (user) => {
    const values = await withProjectMeant(given, { scope, user: given.yes ? null : user })
    const options = toEngineOptions(values)
    if (scope !== 'user') await askForProfile(options, values.yes || values['dry-run'] ? null : user)
    const profile = (await readProfilesInForce(values))[scope === 'user' ? 'own' : 'project']
    const row = findEventRow(event, profile)
    const hook = makeNewHook(row, values, profile)
    const remarks = [...(await refuseUnsound(hook, profile)), ...warnOfUselessMatcher(row, hook)]
    const change = makeAddition(hook, { force: values.force === true })
    const asked = values.yes || values['dry-run'] ? null : user
    const isForced = values.force === true || values['dry-run'] === true
    remarks.push(...(await refuseFaulty({ scope, options, change, terminal }, { user: asked, force: isForced })))
    const report = await applyEdit({ scope, options, change, terminal, user, flags: values })
    if (report.written && scope === 'local') {
      await offerGitignore(options, { wanted: values.gitignore === true, user: values.yes ? null : user })
    }
    for (const remark of remarks) tell(`${remark}\n`)
    if (values.json) printJson({ ...report, ...hook, remarks })
    else tellEdit(report, terminal)
    return report.written || values['dry-run'] ? 0 : 1
  })
}

/** Flags whose field only some profiles, or some types, have. */
const FIELD_FLAGS = ['if', 'url', 'server', 'tool'] as const

function makeNewHook({ name, hookTypes: here }: EventRow, flags: AddFlags, profile: Profile): NewHook {
  const { hookTypes, name: profileName } = profile
  const { type = 'command', command, prompt, model, matcher, timeout } = flags
  const types = listTypesInFiles(hookTypes)
  if (!types.includes(type)) {
    const other = findOtherProfileWithType(type, profileName)
    throw new UsageError(
      other === null
        ? `--type must be ${types.join(', ')}, not "${type}".`
        : `${describeOwner(other, `"${type}" is a hook type`, { profile: profileName })}.`,
    )
  }
  if (here !== 'all' && !here.includes(type)) throw new UsageError(`${type} hooks do not run for ${name}.`)
  const isRequired = (one: string, field: string): boolean => hookTypes[one]?.required.includes(field) === true
  if (isRequired(type, 'command') && command === undefined)
    throw new UsageError('what should it run? Give a --command.')
  if (!isRequired(type, 'prompt') && prompt !== undefined) {
    const asking = types.filter((one) => isRequired(one, 'prompt'))
    throw new UsageError(`--prompt needs --type ${asking.join(' or ')}.`)
  }
  if (!isRequired(type, 'command') && command !== undefined) throw new UsageError(`a ${type} hook has no --command.`)
  for (const field of FIELD_FLAGS) {
    if (flags[field] === undefined || hookTypes[type]?.fields[field] !== undefined) continue
    const other = listFieldsInFiles(hookTypes).has(field) ? null : findFieldElsewhere(field, profileName)
    throw new UsageError(
      other === null
        ? `a ${type} hook has no --${field}.`
        : `${describeOwner(other.profile, `"${field}" is a field`, { profile: profileName })}.`,
    )
  }
  const hook = {
    type,
    if: flags.if,
    url: flags.url,
    server: flags.server,
    tool: flags.tool,
    command,
    prompt,
    model,
    timeout: timeout === undefined ? undefined : parseTimeout(timeout),
    async: flags.async,
    statusMessage: flags['status-message'],
  }
  const given = Object.fromEntries(Object.entries(hook).filter(([, value]) => value !== undefined))
  return { event: name, ...(matcher === undefined ? {} : { matcher }), hook: given }
}

function parseTimeout(text: string): number {
  const seconds = Number(text)
  if (text.trim() === '' || !(seconds > 0) || !Number.isFinite(seconds))
    throw new UsageError(`--timeout must be a positive number of seconds, not "${text}".`)
  return seconds
}

function warnOfUselessMatcher({ name, matchOn }: EventRow, { matcher }: NewHook): string[] {
  return matchOn === null && matcher !== undefined ? [`${name} takes no matcher; "${matcher}" is ignored.`] : []
}
