export { type Answer, type Finding, GUARD_NAMES, type GuardName } from './guard.ts'
export { type Exception, type GuardRules, judge, type Level, type Verdict } from './judge.ts'
