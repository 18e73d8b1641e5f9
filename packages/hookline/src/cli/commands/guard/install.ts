import { listHookEntries } from '../../../config/hook-entries.ts'
import { removeHookText } from '../../../config/settings-text.ts'
import { HooklineError } from '../../../files/error.ts'
import { applyEdit, EDIT_FLAGS, makeAddition, parseWritableScope, tellEdit } from '../../edit/apply-edit.ts'
import { withUser } from '../../input/terminal-user.ts'
import { refuseInAgent } from '../../start/calling-agent.ts'
import { ENGINE_FLAGS, readArguments, refusePositionals, toEngineOptions, UsageError } from '../../start/flags.ts'
import { openCommandTerminal } from '../../start/opening.ts'
import { print, printJson } from '../../start/print.ts'

const COMMAND = 'hookline guard'
const FLAGS = { ...ENGINE_FLAGS, ...EDIT_FLAGS, scope: { type: 'string' } } as const

/** Runs `hookline guard add`: the hook in the settings of Claude Code, which bridges carry to other agents. */
export async function add(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, FLAGS)
  refusePositionals(positionals)
  const scope = parseWritableScope(values.scope ?? 'project')
  const terminal = openCommandTerminal(values)
  const change = makeAddition(
    { event: 'PreToolUse', matcher: '*', hook: { type: 'command', command: COMMAND } },
    { force: false },
  )
  return withUser(values, async (user) => {
    const report = await applyEdit({ scope, options: toEngineOptions(values), change, terminal, user, flags: values })
    if (values.json) printJson({ ...report })
    else {
      tellEdit(report, terminal)
      if (report.written)
        print(
          "Other agents: hookline bridge install AGENT runs the same guard there. Try it: hookline guard try 'rm -rf ~'\n",
        )
    }
    return report.written || values['dry-run'] ? 0 : 1
  })
}

/** Runs `hookline guard remove`: a user at a terminal takes the hook out again. */
export async function remove(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, FLAGS)
  refusePositionals(positionals)
  const scope = parseWritableScope(values.scope ?? 'project')
  const terminal = openCommandTerminal(values)
  if (!values['dry-run']) refuseInAgent('Whether calls are guarded', process.env, process.ppid)
  return withUser(values, async (user) => {
    if (user === null && !values['dry-run'])
      throw new UsageError('A guard is removed by a user: run it in a terminal, where you can be asked.')
    const report = await applyEdit({
      scope,
      options: toEngineOptions(values),
      change: (text, file) => {
        const entry = listHookEntries(file).find(({ runs }) => runs === COMMAND)
        if (!entry) throw new HooklineError(`The ${scope} settings have no "${COMMAND}". --scope names others.`)
        return removeHookText(text, entry)
      },
      terminal,
      user,
      flags: { ...values, yes: false },
    })
    if (values.json) printJson({ ...report })
    else tellEdit(report, terminal)
    return report.written || values['dry-run'] ? 0 : 1
  })
}
