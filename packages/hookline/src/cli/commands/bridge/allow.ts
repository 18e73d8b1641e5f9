import type { Bridge } from '../../../bridges/bridge.ts'
import { listRowFields } from '../../../bridges/call/fields.ts'
import { changeAllowedField } from '../../../bridges/call/unknown.ts'
import { formatSuggestion } from '../../../text/nearest.ts'
import { loadBridge } from '../../input/load-bridge.ts'
import { withUser } from '../../input/terminal-user.ts'
import { readArguments, refusePositionals, toEngineOptions, UsageError } from '../../start/flags.ts'
import { print, tell } from '../../start/print.ts'
import { BRIDGE_FLAGS } from './bridged.ts'

/** Runs `hookline bridge allow`: lets a field pass that the table of an agent does not have. */
export async function allow(args: string[]): Promise<number> {
  const { bridge, field, home } = await readCall(args)
  const { host, name } = checkField(bridge, field)
  return withUser({}, async (user) => {
    if (user === null)
      throw new UsageError('A field is allowed by a user: run it in a terminal, where you can be asked.')
    tell(
      `${bridge.title} calls ${host} with a field "${name}" that Hookline does not know. Hooks will see it in the input;\nif it changes what is done, a guard that looks at other fields may miss that.\n`,
    )
    if (!(await user.confirm(`Let ${host}.${name} pass in ${bridge.title}?`))) {
      tell('Nothing was changed.\n')
      return 1
    }
    await changeAllowedField({ agent: bridge.name, field, isAllowed: true }, home)
    print(`Allowed in ${bridge.title}: ${field}. "hookline bridge disallow ${bridge.name} ${field}" takes it back.\n`)
    return 0
  })
}

/** Runs `hookline bridge disallow`: a field that was allowed refuses calls again. It needs no question, since it only makes guards stricter. */
export async function disallow(args: string[]): Promise<number> {
  const { bridge, field, home } = await readCall(args)
  const isChanged = await changeAllowedField({ agent: bridge.name, field, isAllowed: false }, home)
  print(
    isChanged ? `No longer allowed in ${bridge.title}: ${field}\n` : `${field} was not allowed in ${bridge.title}.\n`,
  )
  return 0
}

async function readCall(args: string[]): Promise<{ bridge: Bridge; field: string; home: string }> {
  const { values, positionals } = readArguments(args, BRIDGE_FLAGS)
  const [agent, field, ...more] = positionals
  refusePositionals(more)
  const { home } = toEngineOptions(values)
  const bridge = await loadBridge(agent, home)
  if (field === undefined)
    throw new UsageError('It takes an agent and a field: hookline bridge allow gemini run_shell_command.foo')
  return { bridge, field, home }
}

/** The tool and the field that a word names; refuses what would change nothing. */
function checkField({ title, tools }: Bridge, word: string): { host: string; name: string } {
  const rule = tools.find(({ host }) => word.startsWith(`${host}.`))
  if (rule === undefined) {
    const [tool = ''] = word.split('.')
    const hosts = tools.map(({ host }) => host)
    throw new UsageError(
      `"${word}" is not a tool and a field of ${title}, as in ${hosts[0]}.foo.${formatSuggestion(tool, hosts)}`,
    )
  }
  const name = word.slice(rule.host.length + 1)
  if (name.includes('*')) throw new UsageError(`A field is allowed by its name, not by a pattern: ${rule.host}.foo`)
  if (name === '' || listRowFields(rule).includes(name))
    throw new UsageError(
      `${rule.host} has ${name === '' ? 'no field without a name' : `"${name}" in its table already`}: there is nothing to allow.`,
    )
  return { host: rule.host, name }
}
