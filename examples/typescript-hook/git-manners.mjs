#!/usr/bin/env node
// PreToolUse on Bash: refuses a forced push, and asks about any other. Stop: wants the work committed.
// The manners are next door, so that a test can import them: this file runs as soon as it is loaded.

import { defineHook } from 'hookline/hook'
import { manners } from './manners.mjs'

defineHook(manners)
