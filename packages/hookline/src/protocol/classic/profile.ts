import type { GeneratedProfile } from '../profile.ts'
import { rows, shared } from './generated/rows.ts'
import { answers, commonAnswer, commonInput, inputs } from './generated/shapes.ts'
import { classicHookTypes } from './hook-types.ts'
import { classicRules } from './rules.ts'

/** The profile `classic`. */
export const classicProfile: GeneratedProfile = {
  name: 'classic',
  rules: classicRules,
  hookTypes: classicHookTypes,
  rows,
  shared,
  shapes: { commonInput, commonAnswer, inputs, answers }, // a namespace would have a getter for each
}
