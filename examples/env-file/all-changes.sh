#!/usr/bin/env bash
# SessionStart: sources the project's .envrc and keeps every change it made to the environment for the Bash commands
# of the session. Compares the exported variables before and after, so it does not matter how .envrc sets them.

set -u
[ -n "${CLAUDE_ENV_FILE:-}" ] || exit 0
cd "${CLAUDE_PROJECT_DIR:-.}" || exit 1 # .envrc may name files beside it
[ -f .envrc ] || exit 0

names_before=$(compgen -e)
before=$(export -p)

# Whatever .envrc prints goes to stderr: on stdout it would become context for the model. It must not read the event
# either, and its variables may be unset.
set +u
# shellcheck source=/dev/null
source ./.envrc </dev/null >&2
set -u

# Comparing whole definitions, not lines, keeps values that span several lines in one piece.
contains_line() { [[ $'\n'$1$'\n' == *$'\n'"$2"$'\n'* ]]; }

while IFS= read -r name; do
  case $name in PWD | OLDPWD | SHLVL | CLAUDE_*) continue ;; esac
  definition=$(declare -p "$name")
  contains_line "$before" "$definition" || printf '%s\n' "$definition"
done < <(compgen -e) >>"$CLAUDE_ENV_FILE"

names_after=$(compgen -e)
while IFS= read -r name; do
  contains_line "$names_after" "$name" || printf 'unset %s\n' "$name"
done <<<"$names_before" >>"$CLAUDE_ENV_FILE"
