export { type ProcessSpec, RunningProcess } from './process.ts'
export type { Captured, Run } from './run.ts'
