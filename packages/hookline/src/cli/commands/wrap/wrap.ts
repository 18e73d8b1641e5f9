import { EDIT_USAGE, SCOPE_USAGE } from '../../edit/apply-edit.ts'
import { RESIDENT_USAGE } from '../../edit/edit-wrappers.ts'
import { install, uninstall } from './install.ts'
import { run as runForAgent } from './run.ts'

export const isVerdict = true

export const usage = `hookline wrap [flags] -- COMMAND
hookline wrap <install|uninstall> [flags]

Runs one hook for whichever agent calls it. Some agents load
.claude/settings.json by themselves, and call its hooks with payloads of their
own. A wrapped hook gets what Claude Code would send, and the agent gets the
answer in its own form. Under Claude Code, and in agents that are not known,
COMMAND runs as if it stood alone.

  hookline wrap install                   shows the difference, then writes it
  hookline wrap install --event PreToolUse --scope local
  hookline wrap uninstall                 the file is as it was before
  hookline wrap -- ./guard.sh             what a wrapped hook calls

COMMAND is shell text where it is one word, else a program and its arguments.

  --agent NAME             who calls, where it cannot be recognised: claude-code,
                           or an agent that hookline bridge --help lists
  --event EVENT            its event; install: only hooks of this event
  --matcher M              checked again, for agents that read it differently
  --if RULE                checked again, for agents that do not know it
  --timeout N              seconds that it may take
  --exec                   COMMAND is a program also where it is one word, and
                           gets \${CLAUDE_PROJECT_DIR} filled in: an entry with args
  --async                  the agent goes on; what it says comes later
  --late                   runs an async hook; wrap calls it itself
${SCOPE_USAGE}                           default: project
${EDIT_USAGE}${RESIDENT_USAGE}  --project DIR            the project; default: here
  --home DIR               where user settings and trust are; default: your home
  --plugin DIR             an enabled plugin (repeatable)
  --settings FILE          a settings file for this run alone
  --trust                  trust the project for this run
  --json                   print JSON
  --no-color               plain text; NO_COLOR does the same

Exit codes: that of COMMAND under Claude Code; 0, or 2 for a refusal, where an
agent is told so; 2 without a COMMAND. install, uninstall: 0 written or shown;
1 a mistake, or refused.
`

/** Runs `hookline wrap`. */
export async function run(args: string[]): Promise<number> {
  const [name, ...rest] = args
  if (name === 'install') return install(rest)
  if (name === 'uninstall') return uninstall(rest)
  return runForAgent(args)
}
