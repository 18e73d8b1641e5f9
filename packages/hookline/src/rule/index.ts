export {
  BEHAVIORS,
  type Behavior,
  decideByRules,
  findPermission,
  findRestriction,
  type RuleDecision,
  type RuleSet,
} from './decide.ts'
export { findHiddenFiles, type HiddenFiles } from './hidden-files.ts'
export { matchRule, type RuleCall } from './match.ts'
export type { Folders } from './path-pattern.ts'
export { type Certainty, formatRule, parseRule, type Rule, type RuleFault, type RuleParts } from './rule.ts'
export { readSubject, type Subject } from './subject.ts'
export { suggestRules } from './suggestions.ts'
export { isReachingOut } from './tool-families.ts'
