import { shellQuoted } from '../../../text/quote.ts'

/** What can be completed. */
export interface CompletionTable {
  readonly commands: readonly {
    readonly name: string
    readonly summary: string
    readonly flags: readonly string[]
    /** What may stand behind a flag, by the flag. */
    readonly values: Readonly<Record<string, readonly string[]>>
    /** What may stand behind the command. */
    readonly words: readonly string[]
  }[]
  readonly events: readonly string[]
}

/** The scripts, by shell. None of their words needs quoting: they are names of ours. */
export const SHELLS: Readonly<Record<string, (table: CompletionTable) => string>> = { bash, zsh, fish }

/** Every flag of a command whose values are known. */
function valuesOf(commands: CompletionTable['commands']): { call: string; values: readonly string[] }[] {
  return commands.flatMap(({ name, values }) =>
    Object.entries(values).map(([flag, words]) => ({ call: `${name} ${flag}`, values: words })),
  )
}

function bash({ commands, events }: CompletionTable): string {
  const valued = valuesOf(commands)
  const cases = commands.map(
    ({ name, flags, words }) => `    ${name}) words="${words.join(' ')}"; flags="${flags.join(' ')}" ;;`,
  )
  return `# hookline completion for bash
_hookline() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} words= flags=
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')} help --help --version" -- "$current"))
    return
  fi
  case $previous in
    --event) COMPREPLY=($(compgen -W "${events.join(' ')}" -- "$current")); return ;;
    --project|--home|--plugin) COMPREPLY=($(compgen -d -- "$current")); return ;;
    --managed|--input|--settings) COMPREPLY=($(compgen -f -- "$current")); return ;;
  esac
  case "\${COMP_WORDS[1]} $previous" in
${valued.map(({ call, values }) => `    "${call}") COMPREPLY=($(compgen -W "${values.join(' ')}" -- "$current")); return ;;`).join('\n')}
  esac
  case \${COMP_WORDS[1]} in
${cases.join('\n')}
  esac
  case $current in
    -*) COMPREPLY=($(compgen -W "$flags" -- "$current")) ;;
    *) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
  esac
}
complete -o bashdefault -o default -F _hookline hookline
`
}

function zsh({ commands, events }: CompletionTable): string {
  const valued = valuesOf(commands)
  const named = commands.map(({ name, summary }) => `    ${shellQuoted(`${name}:${summary}`)}`)
  const cases = commands.map(
    ({ name, flags, words }) => `    ${name}) words_here=(${words.join(' ')}); flags=(${flags.join(' ')}) ;;`,
  )
  return `#compdef hookline
# hookline completion for zsh
_hookline() {
  local -a commands words_here flags
  commands=(
${named.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  case $words[CURRENT-1] in
    --event) compadd -- ${events.join(' ')}; return ;;
    --project|--home|--plugin) _files -/; return ;;
    --managed|--input|--settings) _files; return ;;
  esac
  case "$words[2] $words[CURRENT-1]" in
${valued.map(({ call, values }) => `    "${call}") compadd -- ${values.join(' ')}; return ;;`).join('\n')}
  esac
  case $words[2] in
${cases.join('\n')}
  esac
  if [[ $PREFIX == -* ]]; then compadd -- $flags
  elif (( $#words_here )); then compadd -- $words_here
  else _files
  fi
}
compdef _hookline hookline
`
}

function fish({ commands, events }: CompletionTable): string {
  const lines = commands.flatMap(({ name, summary, flags, values, words }) => [
    `complete -c hookline -f -n __fish_use_subcommand -a ${name} -d ${shellQuoted(summary)}`,
    ...(words.length > 0
      ? [`complete -c hookline -f -n '__fish_seen_subcommand_from ${name}' -a '${words.join(' ')}'`]
      : []),
    ...flags.map((flag) => {
      const known = flag === '--event' ? events : (values[flag] ?? [])
      const taken = known.length === 0 ? '' : ` -x -a '${known.join(' ')}'`
      return `complete -c hookline -n '__fish_seen_subcommand_from ${name}' -l ${flag.slice(2)}${taken}`
    }),
  ])
  return `# hookline completion for fish\n${lines.join('\n')}\n`
}
