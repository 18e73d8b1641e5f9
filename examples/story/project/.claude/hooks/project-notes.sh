#!/bin/sh
# SessionStart: what it prints becomes context for the model.
cat "$CLAUDE_PROJECT_DIR/NOTES.md"
