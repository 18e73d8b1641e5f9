import { GUARD_NAMES } from '../../../guards/guard.ts'

export const isVerdict = true

export const usage = `hookline guard [NAME…]
hookline guard <try|list|backtest|sandbox|allow|disallow|trust|log|add|remove>
               [flags]

Guards against mistakes of agents: it reads what a call would do (files,
secrets, git, network, the machine), and refuses it, asks, or has nothing to
say. It never allows anything, and runs nothing. It reads text: it is not a
sandbox.

  hookline guard add                       adds the guard to the settings of the
                                           agents found here, after showing the
                                           difference
  hookline guard add --agent gemini --scope user
  hookline guard try 'cd .. && rm -rf *'   what would happen, and what is said
  hookline guard try --tool Write --input '{"file_path":"~/.bashrc"}'
  hookline guard list                      the guards and exceptions in force
  hookline guard allow delete '~/scratch/**' --reason experiments
  hookline guard allow delete '~/old' --reason tidy --once
  hookline guard disallow delete '~/old'   takes an exception back
  hookline guard trust                     lets the project's guards.json loosen
                                           guards too; --revoke takes it back
  hookline guard log                       what was refused and asked about
  hookline guard backtest                  what it would have said in your past
                                           sessions; or name files and folders
  hookline guard sandbox --for claude      settings of a sandbox that say the
                                           same: claude, srt or codex

As a hook it reads the event of a call on stdin, and answers as the agent that
called wants it: { "type": "command", "command": "hookline guard" } with the
matcher "*". NAME: only these guards: ${GUARD_NAMES.slice(0, 5).join(', ')},
${GUARD_NAMES.slice(5).join(', ')}.

Settings are in ~/.hookline/guards.json; a project's .hookline/guards.json can
only make them stricter until you trust it; an organisation's are in
/etc/hookline/guards.json, and yours cannot loosen them.

  --tool NAME              try: the tool of the call; default: Bash
  --input JSON             try: the input of the tool
  --level LEVEL            calm, normal or strict; default: what the settings say
  --reason TEXT            allow: why; it is shown wherever the exception counts
  --until DAY              allow: the last day of it, as 2027-01-01
  --once                   allow: for one call in the next ten minutes
  --revoke                 trust: takes it back
  --for NAME               sandbox: claude, srt or codex
  --open                   backtest: show these calls in the inspector, which
                           Ctrl+C ends
  --no-open                backtest: the same; print the address and open no
                           browser
  --agent NAME             add, remove: only this agent (repeatable): claude-code,
                           or one that hookline bridge --help lists. As a hook:
                           who calls, where it cannot be recognised
  --scope SCOPE            add, remove: project, local (Claude Code alone) or
                           user (your home); default: project
  --if-missing WHAT        add: what becomes of calls where hookline is missing,
                           in files of a project: refuse or pass
  --no-resident            add: entries that start Node for every call
  --dry-run                add, remove: only show the difference
  --yes                    add: write without being asked, also in a terminal
  --project DIR            the project; default: here
  --home DIR               where user settings are; default: your home
  --json                   print JSON
  --no-color               plain text; NO_COLOR does the same

Exit codes: 0; 1 a mistake in the call, or refused. try: 0 passes, 1 asks,
2 refused. As a hook: what the agent that called wants.
`

/** Commands below `hookline guard`, each loaded when it is called: the hook itself has to start soon. */
const ACTIONS: Readonly<Record<string, () => Promise<(args: string[]) => Promise<number>>>> = {
  try: async () => (await import('./try.ts')).tryCall,
  list: async () => (await import('./rules.ts')).list,
  allow: async () => (await import('./rules.ts')).allow,
  trust: async () => (await import('./rules.ts')).trust,
  backtest: async () => (await import('./backtest.ts')).runBacktest,
  sandbox: async () => (await import('./sandbox.ts')).printSandbox,
  disallow: async () => (await import('./rules.ts')).disallow,
  log: async () => (await import('./rules.ts')).log,
  add: async () => (await import('./install.ts')).add,
  remove: async () => (await import('./install.ts')).remove,
}

/** Runs `hookline guard`. */
export async function run(args: string[]): Promise<number> {
  const [name = '', ...rest] = args
  const load = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined
  if (load) return (await load())(rest)
  const { runHook } = await import('./hook.ts')
  return runHook(args)
}
