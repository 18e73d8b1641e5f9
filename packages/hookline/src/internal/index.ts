/** For `@hookline/agent` and `@hookline/fleet` alone: not supported, and changed without notice. */
export { describeProjectAbove } from '../config/stray-files.ts'
export { type DebugLog, openDebugLog } from '../dispatch/debug-log.ts'
export { openOwnEngine } from '../engine/open-engine.ts'
export { makeFolders } from '../files/folders.ts'
export { findHome } from '../files/home.ts'
export { withLock } from '../files/lock.ts'
export { readOwn } from '../files/own.ts'
export { formatPath, isBelow, isInside, resolveLinks } from '../files/paths.ts'
export {
  type Enclosure,
  type FileText,
  FOLDER_GONE,
  isCurrentFolderGone,
  makePluginEnclosure,
  makeProjectEnclosure,
  readErrorCode,
  readText,
} from '../files/read.ts'

import { findShippedPage } from '../files/shipped.ts'

export { putInPlace, replaceFile } from '../files/replace.ts'
export { makeTempFolder, type TempFolder } from '../files/temp-folder.ts'
export { listFilesBelow, listNames } from '../files/walk.ts'
export { type ChainLine, hashEpoch, hashLine, parseChainLine } from '../fleet/chain.ts'
export type { AlarmRow, EventAnswer, MachineRow, StateAnswer } from '../inspect/api.ts'
export type { SessionsFilter } from '../inspect/list-views.ts'
export type { RecordSource } from '../inspect/source.ts'
export type { Cost } from '../log/cost.ts'
export type { LogEntry } from '../log/record-store.ts'
export type { SessionSummary } from '../log/sessions.ts'
export { readProviderError, removeKeys } from '../models/provider-error.ts'
export { readRuns } from '../protocol/record/hook-line.ts'
export { collectSecrets, makeRedactor } from '../record/redact.ts'
export { makeSecretFreeCheck } from '../record/secret-free.ts'
export { toOneLine, toPrintable, toPrintableInColour } from '../text/clean.ts'
export { isDeeperThan, parseJsonOrNull, stringifyJson } from '../text/json.ts'
export { toReadableLines, toSafeJson, toVisible, toVisibleLines } from '../text/visible.ts'
export { measureWidth } from '../text/width.ts'

/** Loads what the page of the inspector is made of, for a server with records of its own. */
export async function loadInspectorPage(base: string) {
  const [{ loadPage }, { makeRecordRoutes }, { summariseEvent }, { parseLogLine }] = await Promise.all([
    import('../inspect/page.ts'), // with everything that views are made of
    import('../inspect/views.ts'),
    import('../log/event-summary.ts'),
    import('../log/log-line.ts'),
  ])
  return { page: await loadPage(findShippedPage(), { base }), makeRecordRoutes, summariseEvent, parseLogLine }
}
