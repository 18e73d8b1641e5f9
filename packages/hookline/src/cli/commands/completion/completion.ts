import { toProgramText } from '../../../text/program-text.ts'
import type { Command } from '../../start/call.ts'
import { makeUnknownWordError, readArguments, refusePositionals, UsageError } from '../../start/flags.ts'
import { printForProgram, printJson } from '../../start/print.ts'
import { findCandidates } from './candidates.ts'
import { SHELLS } from './completion-script.ts'

export const usage = `hookline completion bash|zsh|fish|powershell [flags]
hookline completion --complete [--next] -- WORD …

Prints a script that completes commands, flags, events, the fields of an event,
keys of hooks, rules and agents in your shell, and the flags of hookline-agent.
The script asks "hookline completion --complete" for what fits a place. Those
for bash, zsh and fish were tried in these shells. The one for PowerShell has
not been run yet: it was only checked against the grammar of PowerShell.

  source <(hookline completion bash)                  # in ~/.bashrc
  source <(hookline completion zsh)                   # in ~/.zshrc
  hookline completion fish | source                   # in config.fish
  hookline completion powershell | Out-String | Invoke-Expression  # in $PROFILE

  --complete               print what may stand in the place of the last WORD,
                           a line each; nothing where files may
  --next                   the word behind the last WORD, still empty
  --project DIR            the project; default: here
  --home DIR               where user settings and trust are; default: your home
  --json                   print JSON

Exit codes: 0; 1 a mistake in the call.
`

const FLAGS = {
  complete: { type: 'boolean' },
  next: { type: 'boolean' },
  json: { type: 'boolean' },
  project: { type: 'string' },
  home: { type: 'string' },
} as const

/** Runs `hookline completion` for a table of commands. */
export async function runWith(commands: Readonly<Record<string, Command>>, args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, FLAGS)
  if (values.complete) {
    const { project, home } = values
    const words = values.next ? [...positionals, ''] : positionals
    const [before, current] = [words.slice(0, -1), words.at(-1) ?? '']
    const found = await findCandidates({ commands, before, current, places: { project, home } })
    if (values.json) printJson(found)
    else printForProgram(toProgramText(found.map((word) => `${word}\n`).join('')))
    return 0
  }
  const [name, ...rest] = positionals
  refusePositionals(rest)
  const write = name !== undefined && Object.hasOwn(SHELLS, name) ? SHELLS[name] : undefined
  const shells = Object.keys(SHELLS)
  if (!write)
    throw name === undefined
      ? new UsageError(`for which shell? ${shells.join(', ')}.`)
      : makeUnknownWordError(name, shells)
  const script = write({ node: process.execPath, script: process.argv[1] ?? 'hookline' })
  if (values.json) printJson({ shell: name, script })
  else printForProgram(toProgramText(script))
  return 0
}
