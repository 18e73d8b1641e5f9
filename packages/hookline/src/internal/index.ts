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
export { putInPlace, replaceFile } from '../files/replace.ts'
export { makeTempFolder, type TempFolder } from '../files/temp-folder.ts'
export { listFilesBelow, listNames } from '../files/walk.ts'
export { type ChainLine, hashEpoch, hashLine, parseChainLine } from '../fleet/chain.ts'
export { readProviderError, removeKeys } from '../models/provider-error.ts'
export { readRuns } from '../protocol/record/hook-line.ts'
export { collectSecrets, makeRedactor } from '../record/redact.ts'
export { toOneLine, toPrintable, toPrintableInColour } from '../text/clean.ts'
export { isDeeperThan, parseJsonOrNull, stringifyJson } from '../text/json.ts'
export { toReadableLines, toSafeJson, toVisible, toVisibleLines } from '../text/visible.ts'
export { measureWidth } from '../text/width.ts'
