#!/bin/sh
# SessionEnd: can decide nothing; a good place to tidy up or to write a log.
date -u '+%Y-%m-%dT%H:%M:%SZ session ended' >>"$CLAUDE_PROJECT_DIR/sessions.log"
