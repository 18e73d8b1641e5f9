/** For `@hookline/agent` alone: not supported, and changed without notice. */
export { withLock } from '../files/lock.ts'
export { isInside, realPath, shownPath } from '../files/paths.ts'
export { errorCode, type FileText, readText } from '../files/read.ts'
export { replaceFile } from '../files/replace.ts'
export { oneLine } from '../text/clean.ts'
export { visible } from '../text/visible.ts'
