import { EDIT_USAGE, SCOPE_USAGE } from '../../edit/apply-edit.ts'
import { RESIDENT_USAGE } from '../../edit/edit-wrappers.ts'
import { install, uninstall } from './install.ts'
import { run as runInHook } from './run.ts'

export const isVerdict = true

export const usage = `hookline tap <install|uninstall> [flags]
hookline tap [flags] -- COMMAND

Records what hooks do in Claude Code itself. "install" adds a silent hook for
every event, which records it and prints nothing; with --wrap it also puts a
recorder around your own hooks. Then "hookline log", "stats", "why", "test" and
"replay" work on real sessions of that client.

  hookline tap install                    shows the difference, then writes it
  hookline tap install --wrap all         records what your own hooks say, too
  hookline tap install --wrap 4c91d0aa    only this one of them
  hookline tap uninstall                  takes all of it out again
  hookline tap -- ./guard.sh              what a wrapped hook calls

No answer, exit code or byte of a hook changes, and without hookline on the PATH
hooks run as before. The log is ~/.hookline/tap/hooks.jsonl: readable by you
alone, with secrets removed, and rotated. Of prompts it keeps only the length
and a digest.

  --wrap HOOK              also record what this hook says: its key or id, or
                           all of the file (repeatable)
  --event EVENT            only this event (repeatable); default: every event on
                           which a silent hook changes nothing
  --prompts                keep prompts, those that a hook blocks as well
  --as ID                  what the record calls a wrapped hook
  --matcher M              the matcher that a wrapped hook had
${SCOPE_USAGE}                           default: user
${EDIT_USAGE}${RESIDENT_USAGE}  --project DIR            the project; default: here
  --home DIR               where user settings are; default: your home
  --plugin DIR             an enabled plugin (repeatable)
  --settings FILE          a settings file for this run alone
  --trust                  trust the project for this run
  --json                   print JSON
  --no-color               plain text; NO_COLOR does the same

Exit codes: that of COMMAND. install, uninstall: 0 written, shown, or nothing to
do; 1 a mistake in the call, or refused.
`

/** Runs `hookline tap`. */
export async function run(args: string[]): Promise<number> {
  const [name, ...rest] = args
  if (name === 'install') return install(rest)
  if (name === 'uninstall') return uninstall(rest)
  return runInHook(args)
}
