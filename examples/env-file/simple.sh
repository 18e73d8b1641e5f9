#!/bin/sh
# SessionStart: sets one variable for every Bash command of the session.
# CLAUDE_ENV_FILE is set for SessionStart hooks only.

[ -n "${CLAUDE_ENV_FILE:-}" ] || exit 0
echo 'export NODE_ENV=development' >>"$CLAUDE_ENV_FILE"
