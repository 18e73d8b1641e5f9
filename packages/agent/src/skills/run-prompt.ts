import { parseRule } from 'hookline/rules'
import type { TurnEnd } from '../output/result.ts'
import { runTurn } from '../turn/loop.ts'
import type { Loop, Session } from '../turn/loop-state.ts'
import type { Component } from './component.ts'
import { fillArguments } from './fill-arguments.ts'

/** A prompt that a server gives: its text for what was typed behind its name. */
interface ServedPrompt {
  readonly server: string
  readonly expand: (typed: string, signal: AbortSignal) => Promise<string>
}

/** Commands that a user can call, by name, and what interrupts them. */
interface Callable {
  readonly commands: ReadonlyMap<string, Component>
  readonly prompts: ReadonlyMap<string, ServedPrompt>
  readonly signal: AbortSignal
}

/** Runs a turn of the user. A slash command stands for its text, under the command's hooks and rules; a server's prompt, too. */
export function runPrompt(loop: Loop, typed: string, { commands, prompts, signal }: Callable): Promise<TurnEnd> {
  const [name = ''] = typed.trim().split(/\s/, 1)
  const called = name.startsWith('/') ? name.slice(1) : ''
  const command = commands.get(called)
  const prompted = prompts.get(called)
  const command_args = typed.trim().slice(name.length).trim()
  if (command === undefined && prompted !== undefined) {
    const common = { expansion_type: 'mcp_prompt', command_name: called, command_args } as const
    const expansion = { typed, fields: { ...common, command_source: prompted.server } }
    return runTurn(loop, () => prompted.expand(command_args, signal), { signal, expansion })
  }
  if (command === undefined) return runTurn(loop, typed, { signal })
  const prompt = fillArguments(command.body, command_args)
  const { name: command_name, source: command_source } = command
  const fields = { expansion_type: 'slash_command', command_name, command_args, command_source } as const
  return runDuring(loop.session, command, () => runTurn(loop, prompt, { signal, expansion: { typed, fields } }))
}

type CommandSession = Pick<Session, 'engine' | 'permissions' | 'emit' | 'trusted'>

/** While the turn lasts, the command's tools are allowed and its hooks active; in some protocols these stay. */
async function runDuring(session: CommandSession, command: Component, turn: () => Promise<TurnEnd>): Promise<TurnEnd> {
  const { engine, permissions, emit } = session
  const tell = (text: string): void => emit({ type: 'told', to: 'user', text: `/${command.name}: ${text}` })
  try {
    await engine.activate(command.path, { openedBy: 'user' })
  } catch (error) {
    tell(error instanceof Error ? error.message : String(error)) // the file is gone; its text was read before
  }
  const rules = listNewRules(session, command, tell)
  const change = { rules, behavior: 'allow', destination: 'session' }
  try {
    if (rules.length > 0) await permissions.update([{ type: 'addRules', ...change }])
    return await turn()
  } finally {
    if (engine.profile.rules.commandHooks === 'until-turn-ends') engine.deactivate(command.path)
    if (rules.length > 0) await permissions.update([{ type: 'removeRules', ...change }])
  }
}

/** The active command's allow rules, without those that hold anyway: none of a project that is not trusted, or without its guard. */
function listNewRules(
  { trusted, engine, permissions }: CommandSession,
  command: Component,
  tell: (text: string) => void,
) {
  const guard = engine.absentGuards.find(({ path }) => path === command.path)
  const why = command.ofProject && !trusted ? 'the folder is not trusted' : guard?.because
  if (why !== undefined) {
    if (command.allowedTools.length > 0) tell(`its allowed-tools do not count, for ${why}.`)
    return []
  }
  const held = permissions.rules.allow.filter(({ source }) => source === 'session').map(({ text }) => text)
  return command.allowedTools.flatMap((text) => {
    const rule = parseRule(text)
    if ('fault' in rule) tell(`${rule.fault} It does not count.`)
    if ('fault' in rule || held.includes(rule.text)) return []
    const [, toolName = rule.text, ruleContent] = /^([^(]+)\((.*)\)$/s.exec(rule.text) ?? []
    return [{ toolName, ...(ruleContent === undefined ? {} : { ruleContent }) }]
  })
}
