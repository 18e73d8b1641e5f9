export type { PastRecord } from '../protocol/record/record.ts'
export type { LogOptions } from '../record/log-options.ts'
export type { TapLine, TappedHook, TappedText } from '../record/tap-line.ts'
export { openFileStore } from './file-store.ts'
export { followLog, type LogSource, readEntries, readLog } from './log.ts'
export { toFilter } from './query.ts'
export type {
  FollowOptions,
  LogEntry,
  LogPlace,
  ReadOptions,
  RecordQuery,
  RecordStore,
  SkippedLine,
} from './record-store.ts'
export {
  type GroupStatistics,
  type HookStatistics,
  readStatistics,
  type Statistics,
  type StatisticsGroup,
} from './statistics.ts'
