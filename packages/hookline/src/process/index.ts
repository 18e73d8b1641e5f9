export type { Captured, Run } from '../run/run.ts'
export type { Launches, ProcessSpec } from './launched.ts'
export { Launcher } from './launcher.ts'
export { RunningProcess } from './process.ts'
