/** The command of the hook that a scenario has, in its project. */
export const HOOK = '"$CLAUDE_PROJECT_DIR"/.claude/hooks/hook.sh'

/** Where it lies. */
export const HOOK_FILE = 'project/.claude/hooks/hook.sh'

/** Keeps what it reads. */
export const WATCHING = `#!/bin/sh
cat >>"$CLAUDE_PROJECT_DIR"/seen.jsonl
echo >>"$CLAUDE_PROJECT_DIR"/seen.jsonl
`

/** Keeps what it reads first, and objects, but not to an agent that already goes on because of it. */
export const OBJECTING = `#!/bin/sh
input=$(cat)
test -e "$CLAUDE_PROJECT_DIR"/seen.jsonl || printf '%s\\n' "$input" >"$CLAUDE_PROJECT_DIR"/seen.jsonl
case $input in *'"stop_hook_active":true'*) exit 0 ;; esac
echo 'not today' >&2
exit 2
`
