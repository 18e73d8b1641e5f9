import type { GeneratedProfile } from '../profile.ts'
import { rows, shared } from './generated/rows.ts'
import * as shapes from './generated/shapes.ts'
import { classicHookTypes } from './hook-types.ts'
import { classicRules } from './rules.ts'

/** The profile `classic`. */
export const classicProfile: GeneratedProfile = {
  name: 'classic',
  rules: classicRules,
  hookTypes: classicHookTypes,
  rows,
  shared,
  shapes,
}
