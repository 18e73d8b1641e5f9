export type { ProcessSpec } from './launched.ts'
export { RunningProcess } from './process.ts'
export type { Captured, Run } from './run.ts'
