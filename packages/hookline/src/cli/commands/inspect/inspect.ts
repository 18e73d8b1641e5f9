import { serveInspector, showMadeLog } from '../../input/serve-inspector.ts'
import { PLACE_FLAGS, readArguments, refusePositionals, UsageError } from '../../start/flags.ts'
import { planTranscripts } from './transcripts.ts'

export const usage = `hookline inspect [flags]
hookline inspect --transcripts [FILE|DIR …] [flags]

Opens a page in your browser that shows what hooks did, what they would do, and
what they cost. It reads the log and the settings files, and changes neither. The
page is for this machine and this user alone; the printed link works once.

  hookline inspect
  hookline inspect --last
  hookline inspect --log hooks.jsonl --no-open --port 4747

With --transcripts it shows sessions of Claude Code that no log has: what
happened then, and what today's hooks would do. Nothing is run.

Without --log: the log of HOOKLINE_LOG, else all below ~/.hookline. What Claude
Code does is recorded after hookline tap install.

  --last                   open the page at the newest session
  --session ID             open it at this session; the beginning will do
  --log FILE               a log, or a folder with logs (repeatable)
  --transcripts            read transcripts, those of this project unless some
                           are named, and plan today's hooks for their events
  --port N                 the port; default: a free one
  --host ADDRESS           127.0.0.1 or ::1, the addresses that only this
                           machine reaches; default: 127.0.0.1
  --no-open                print the address and open no browser
  --project DIR            the project whose hooks are shown; default: here
  --home DIR               where user settings and logs are; default: your home
  --plugin DIR             an enabled plugin (repeatable)
  --settings FILE          a settings file for this run alone
  --trust                  show the project's hooks as if they were trusted
  --stdin                  end when stdin ends: for programs that start it
  --json                   print the address, the link and the token as JSON

Scripts ask the same with a header: curl -H "X-Hookline-Token: TOKEN"
ADDRESS/api/sessions. It ends with Ctrl+C, and after 30 minutes without a page.

Exit codes: 0 ended; 1 a mistake in the call, or a port that is taken.
`

const FLAGS = {
  ...PLACE_FLAGS,
  last: { type: 'boolean' },
  session: { type: 'string' },
  log: { type: 'string', multiple: true },
  transcripts: { type: 'boolean' },
  port: { type: 'string' },
  host: { type: 'string' },
  'no-open': { type: 'boolean' },
  stdin: { type: 'boolean' },
  json: { type: 'boolean' },
  'no-color': { type: 'boolean' },
} as const

/** Runs `hookline inspect`. */
export async function run(args: string[]): Promise<number> {
  const { values: flags, positionals } = readArguments(args, FLAGS)
  if (!flags.transcripts) refusePositionals(positionals)
  if (flags.transcripts && flags.log !== undefined) throw new UsageError('--transcripts and --log exclude each other.')
  if (flags.last && flags.session !== undefined) throw new UsageError('--last and --session exclude each other.')
  if (!flags.transcripts) return serveInspector(flags)
  return showMadeLog(await planTranscripts(positionals, flags), flags)
}
