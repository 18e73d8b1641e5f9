export { type GuardHookAnswer, type GuardHookOptions, makeGuardHook as guards } from './function-hook.ts'
export { type Finding, GUARD_NAMES, type GuardAnswer, type GuardName } from './guard.ts'
export { type Exception, type GuardRules, type GuardSetting, judge, type Level, type Verdict } from './judge.ts'
export { writeReason } from './messages.ts'
