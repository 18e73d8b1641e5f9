export {
  BEHAVIORS,
  type Behavior,
  decideByRules,
  permissionBy,
  type RuleDecision,
  type RuleSet,
  restrictionBy,
} from './decide.ts'
export { type HiddenFiles, hiddenFiles } from './hidden-files.ts'
export { appliesTo, type Call } from './match.ts'
export type { Folders } from './path-pattern.ts'
export { type Certainty, parseRule, type Rule, type RuleFault, type RuleParts, ruleText } from './rule.ts'
export { type Subject, subjectOf } from './subject.ts'
export { suggestRules } from './suggestions.ts'
export { reachesOut } from './tool-families.ts'
