import { AGENTS } from '../../../bridges/list.ts'
import { UsageError } from '../../start/flags.ts'
import { run as runForHost } from './run.ts'

export const isVerdict = true

export const usage = `hookline bridge run <agent> <event> [flags]

Runs the hooks that were written for Claude Code in another coding agent. The
agent calls this for its own events, with its payload on stdin; hooks get the
event as Claude Code would send it, and the agent gets their decision in its
own form, never milder than in Claude Code.

  echo '{"tool_name":"Bash", …}' | hookline bridge run codex PreToolUse

Agents: ${AGENTS.join(', ')}.

  --attended               a person sits in front of the agent: hooks may ask
  --native-transcript      hooks get the agent's own transcript, as it is
  --project DIR            the project; default: the one of the event
  --home DIR               where user settings and trust are; default: your home
  --managed FILE           the policy file; default: the system's
  --plugin DIR             an enabled plugin (repeatable)
  --settings FILE          a settings file for this run alone
  --trust                  trust the project for this run: its hooks run

Exit codes: 0, or 2 where that is how the agent is told a refusal; 1 a mistake
in the call.
`

/** What can be done, by name. */
const ACTIONS: Readonly<Record<string, (args: string[]) => Promise<number>>> = { run: runForHost }

/** Runs `hookline bridge`. */
export async function run([name = '', ...args]: string[]): Promise<number> {
  const act = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined
  if (act === undefined) throw new UsageError(`"${name}" is not one of ${Object.keys(ACTIONS).join(', ')}.`)
  return act(args)
}
