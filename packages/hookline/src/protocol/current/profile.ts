import type { GeneratedProfile } from '../profile.ts'
import { rows } from './generated/rows.ts'
import * as shapes from './generated/shapes.ts'
import { currentHookTypes } from './hook-types.ts'
import { currentRules } from './rules.ts'

// Nothing runs hooks of these types yet.
const { http: _http, mcp_tool: _tool, ...hookTypes } = currentHookTypes

/** The profile `current`. */
export const currentProfile: GeneratedProfile = {
  name: 'current',
  rules: currentRules,
  hookTypes,
  rows,
  shapes,
}
