import { type FailedResult, NO_FIGURES } from '../output/result.ts'
import type { Agent } from './agent.ts'
import type { EndReason } from './session.ts'

/** Result of a typed command. */
export interface CommandOutcome {
  /** For the user. */
  readonly text: string
  /** The session is over. */
  readonly ends: EndReason | null
  /** Failure; null: nothing. */
  readonly failed: FailedResult | null
}

type SlashCommand = (agent: Agent, rest: string, until: { readonly signal?: AbortSignal }) => Promise<CommandOutcome>

const makeTyped = (text: string, ends: EndReason | null = null): CommandOutcome => ({ text, ends, failed: null })

const COMMANDS: Readonly<Record<string, SlashCommand>> = {
  '/clear': async (agent, _rest, until) => {
    await agent.clear(until)
    return makeTyped('Conversation cleared.')
  },
  '/compact': async (agent, instructions, until) => {
    const failed = await agent.compact(instructions, until)
    return failed === null ? makeTyped('Conversation compacted.') : { text: failed.error, ends: null, failed }
  },
  '/exit': async () => makeTyped('Bye.', 'prompt_input_exit'),
  '/logout': async () => makeTyped('Signed out.', 'logout'),
}

/** Signal that interrupts a command, and the other commands of the host. */
interface CommandContext {
  readonly signal?: AbortSignal
  readonly also?: readonly string[]
}

/** Runs what was typed when it is a command of the agent itself, or an unknown one; null when it is a prompt. */
export async function runSlashCommand(
  agent: Agent,
  typed: string,
  { signal, also = [] }: CommandContext = {},
): Promise<CommandOutcome | null> {
  const text = typed.trim()
  const [name = ''] = text.split(/\s/, 1)
  if (!Object.hasOwn(COMMANDS, name)) return answerUnknown(agent, name, also)
  const until = signal === undefined ? {} : { signal }
  return (await COMMANDS[name]?.(agent, text.slice(name.length).trim(), until)) ?? null
}

/** An unknown command; null for a prompt, which may begin with a path, and for a command of the project, the user or a plugin. */
function answerUnknown(agent: Agent, name: string, also: readonly string[]): CommandOutcome | null {
  const others = [...agent.commands.keys(), ...agent.prompts.keys()]
  if (!/^\/[\w:.-]+$/.test(name) || others.includes(name.slice(1))) return null
  const known = [...new Set([...Object.keys(COMMANDS), ...also, ...others.map((each) => `/${each}`)])].sort()
  const text = `There is no command "${name}". Commands: ${known.join(', ')}.`
  const failed = { success: false, subtype: 'error_during_execution', error: text, text } as const
  return { text, ends: null, failed: { ...failed, ...NO_FIGURES, usage: agent.usage } }
}
