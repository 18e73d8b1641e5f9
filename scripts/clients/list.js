import { claude } from './agents/claude.js'
import { codex } from './agents/codex.js'
import { copilot } from './agents/copilot.js'
import { droid } from './agents/droid.js'
import { gemini } from './agents/gemini.js'
import { kilo } from './agents/kilo.js'
import { kimi } from './agents/kimi.js'
import { opencode } from './agents/opencode.js'
import { pi } from './agents/pi.js'
import { qwen } from './agents/qwen.js'
import { wrapped } from './agents/wrapped.js'

/** The clients that are run, the reference first. */
export const CLIENTS = [claude, codex, copilot, opencode, kilo, gemini, qwen, droid, kimi, pi, ...wrapped]
