import { quoteForShell } from '../../../text/quote.ts'

/** Starts this program where `hookline` is not on the PATH of the shell that completes. */
export interface ProgramPaths {
  readonly node: string
  readonly script: string
}

/**
 * The scripts, by shell. Each asks `hookline completion --complete -- WORD …` for what the place needs, one candidate per line;
 * where there is none, the shell completes files. The flags of `hookline-agent` come from its own help.
 */
export const SHELLS: Readonly<Record<string, (paths: ProgramPaths) => string>> = {
  bash: writeBash,
  zsh: writeZsh,
  fish: writeFish,
  powershell: writePowershell,
}

const AGENT_FLAGS = "hookline-agent --help 2>/dev/null | grep -oE -- '--[a-z][a-z-]+' | sort -u"

function writePosixProgram({ node, script }: ProgramPaths): string {
  return `_hookline_ask() {
  if command -v hookline >/dev/null 2>&1; then hookline completion --complete -- "$@" 2>/dev/null
  else ${quoteForShell(node)} ${quoteForShell(script)} completion --complete -- "$@" 2>/dev/null
  fi
}`
}

function writeBash(paths: ProgramPaths): string {
  return `# hookline completion for bash
${writePosixProgram(paths)}
_hookline() {
  local IFS=$'\\n' current=\${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=($(compgen -W "$(_hookline_ask "\${COMP_WORDS[@]:1:COMP_CWORD}")" -- "$current"))
  [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == *[=.] ]] && type compopt >/dev/null 2>&1 && compopt -o nospace 2>/dev/null
  return 0
}
_hookline_agent() {
  COMPREPLY=()
  case \${COMP_WORDS[COMP_CWORD]} in
    -*) COMPREPLY=($(compgen -W "$(${AGENT_FLAGS})" -- "\${COMP_WORDS[COMP_CWORD]}")) ;;
  esac
}
complete -o bashdefault -o default -F _hookline hookline
complete -o bashdefault -o default -F _hookline_agent hookline-agent
`
}

function writeZsh(paths: ProgramPaths): string {
  return `#compdef hookline hookline-agent
# hookline completion for zsh
${writePosixProgram(paths)}
_hookline() {
  local -a found
  found=("\${(@f)$(_hookline_ask "\${(@)words[2,CURRENT]}")}")
  found=(\${found:#})
  if (( $#found )); then
    compadd -S '' -- \${(M)found:#*[=.]}
    compadd -- \${found:#*[=.]}
  else _files
  fi
}
_hookline_agent() {
  if [[ $PREFIX == -* ]]; then compadd -- \${(f)"$(${AGENT_FLAGS})"}
  else _files
  fi
}
compdef _hookline hookline
compdef _hookline_agent hookline-agent
`
}

function writeFish({ node, script }: ProgramPaths): string {
  return `# hookline completion for fish
function __hookline_ask
  set -l words (commandline -opc) (commandline -ct)
  if type -q hookline
    hookline completion --complete -- $words[2..-1] 2>/dev/null
  else
    ${quoteForShell(node)} ${quoteForShell(script)} completion --complete -- $words[2..-1] 2>/dev/null
  end
end
complete -c hookline -a '(__hookline_ask)'
complete -c hookline-agent -a "(${AGENT_FLAGS.replaceAll('"', '\\"')})"
`
}

/**
 * Windows PowerShell hands no empty argument to a program, so `--next` says that the word is still to be begun; a bare `--` would
 * be taken by the script that npm makes of a command on Windows.
 */
function writePowershell({ node, script }: ProgramPaths): string {
  const quoteForPowershell = (text: string): string => `'${text.replaceAll("'", "''")}'`
  return `# hookline completion for PowerShell
Register-ArgumentCompleter -Native -CommandName hookline -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.StartOffset -lt $cursorPosition } | ForEach-Object { $_.Extent.Text })
  $place = @('completion', '--complete')
  if ($wordToComplete -eq '') { $place += '--next' }
  $place += '--'
  if (Get-Command hookline -ErrorAction SilentlyContinue) {
    $found = & hookline @place @words 2>$null
  } else {
    $found = & ${quoteForPowershell(node)} ${quoteForPowershell(script)} @place @words 2>$null
  }
  $found | Where-Object { $_ } |
    ForEach-Object { [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_) }
}
Register-ArgumentCompleter -Native -CommandName hookline-agent -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  & hookline-agent --help 2>$null | Select-String -AllMatches -Pattern '--[a-z][a-z-]+' |
    ForEach-Object { $_.Matches.Value } | Sort-Object -Unique | Where-Object { $_.StartsWith($wordToComplete) } |
    ForEach-Object { [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterName', $_) }
}
`
}
