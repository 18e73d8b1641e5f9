export type { Launches, ProcessSpec } from './launched.ts'
export { Launcher } from './launcher.ts'
export { RunningProcess } from './process.ts'
export type { Captured, ProcessRun } from './process-run.ts'
