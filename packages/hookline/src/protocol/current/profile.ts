import type { GeneratedProfile } from '../profile.ts'
import { rows, shared } from './generated/rows.ts'
import { answers, commonAnswer, commonInput, inputs } from './generated/shapes.ts'
import { currentHookTypes } from './hook-types.ts'
import { currentRules } from './rules.ts'

/** The profile `current`. */
export const currentProfile: GeneratedProfile = {
  name: 'current',
  rules: currentRules,
  hookTypes: currentHookTypes,
  rows,
  shared,
  shapes: { commonInput, commonAnswer, inputs, answers }, // a namespace would have a getter for each
}
