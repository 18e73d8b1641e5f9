#!/bin/sh
# SessionStart: tells the model which branch it is on and what is not committed yet.
# Plain text on stdout of a SessionStart hook becomes context. The event on stdin is not needed, so it is not read.

most=40

[ "$(git rev-parse --is-inside-work-tree 2>/dev/null)" = true ] || exit 0

branch=$(git symbolic-ref --short --quiet HEAD) ||
  branch="none (detached at $(git rev-parse --short HEAD))"
echo "Git branch: $branch"

# Without optional locks: a hook must not get in the way of a git command that runs at the same time.
changes=$(GIT_OPTIONAL_LOCKS=0 git status --short) || exit 1
if [ -z "$changes" ]; then
  echo 'No uncommitted changes.'
  exit 0
fi

count=$(printf '%s\n' "$changes" | wc -l | tr -d ' ')
echo "Uncommitted changes ($count):"
printf '%s\n' "$changes" | head -n "$most"
[ "$count" -le "$most" ] || echo "… and $((count - most)) more"
