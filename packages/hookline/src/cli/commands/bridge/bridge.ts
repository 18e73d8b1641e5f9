import { AGENTS, UNVERIFIED_AGENTS } from '../../../bridges/list.ts'
import { RESIDENT_USAGE } from '../../edit/edit-wrappers.ts'
import { makeUnknownWordError, UsageError } from '../../start/flags.ts'
import { allow, disallow } from './allow.ts'
import { install, uninstall } from './install.ts'
import { report } from './report.ts'
import { run as runForHost } from './run.ts'
import { runBridgeStatus } from './status.ts'
import { runBridgeTable } from './table.ts'
import { probe } from './trial.ts'

export const isVerdict = true

export const usage = `hookline bridge <install|uninstall|status|report|probe|allow|disallow|table|run>
                [agent] [flags]

Runs the hooks that were written for Claude Code, as they are, in other coding
agents. An agent calls Hookline for its own events; hooks get them as Claude
Code would send them, and the agent gets what they decide in its own form,
never milder than in Claude Code.

  hookline bridge report codex            which of your hooks work there
  hookline bridge install codex           shows the difference, then writes it
  hookline bridge install gemini --scope project --if-missing refuse
  hookline bridge install copilot --for cloud
  hookline bridge status                  what is installed, and whether it runs
  hookline bridge status codex --probe    tries it: starts codex, offline
  hookline bridge uninstall codex         the file is as it was before
  hookline bridge allow gemini run_shell_command.foo
                                          lets an unknown field pass; asks you
  hookline bridge table gemini            its table, to start one of your own
  hookline bridge run codex PreToolUse    what the agent calls

In a terminal, install then offers to wrap hooks that the agent would run a
second time by itself (hookline wrap), and to trust the project.

Agents: ${AGENTS.filter((agent) => !UNVERIFIED_AGENTS.includes(agent)).join(', ')};
unverified: ${UNVERIFIED_AGENTS.join(', ')};
and those with a table in ~/.hookline/agents.

  --scope SCOPE            user (default) or project: which file of the agent
  --for READER             cli (default), vscode or cloud: who reads the files
                           of copilot
  --if-missing CHOICE      refuse or pass: what becomes of guarded calls for
                           those who have no hookline; for --scope project,
                           and asked in a terminal. Entries of your own refuse
  --attended               a user sits in front of the agent: hooks may ask
  --native-transcript      hooks get the agent's own transcript (run)
  --late                   runs async hooks after an answer; run calls it itself
  --proof                  ends with 86 in place of 0, and 87 in place of 2: by
                           that an entry knows an answer of Hookline from the
                           silence of another program (run)
  --limit SECONDS          hooks end by then; default: before the agent gives
                           up (run)
  --probe                  starts the agent's program in a scratch home, without
                           your keys and any network, with a scripted model and
                           one guard, and says whether it asked (status, Linux)
  --client PATH            its program, where that is not on the PATH (status)
  --strict                 exit 1 when a guard would be weaker (report)
  --markdown               a table in Markdown (report)
  --dry-run                only show the difference
${RESIDENT_USAGE}  --yes                    write without being asked; uninstall needs it where
                           nobody can be asked
  --project DIR            the project; default: here
  --home DIR               where user settings and trust are; default: your home
  --plugin DIR             an enabled plugin (repeatable)
  --settings FILE          a settings file for this run alone
  --trust                  trust the project for this run: its hooks run
  --json                   print JSON
  --no-color               plain text; NO_COLOR does the same

Exit codes: 0 done; 1 a mistake in the call, a weaker guard with --strict, or
a client that --probe saw make the call.
From run: 2 where that is how an agent is told a refusal, and for any mistake.
`

/** Actions, by name. */
const ACTIONS: Readonly<Record<string, (args: string[]) => Promise<number>>> = {
  install,
  uninstall,
  status: runBridgeStatus,
  report,
  probe,
  allow,
  disallow,
  table: runBridgeTable,
  run: runForHost,
}

/** Runs `hookline bridge`. */
export async function run([name, ...args]: string[]): Promise<number> {
  const names = Object.keys(ACTIONS)
  if (name === undefined) throw new UsageError(`It takes one of ${names.join(', ')}.`)
  const act = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined
  if (act === undefined) throw makeUnknownWordError(name, names)
  return act(args)
}
