/** For `@hookline/agent` alone: not supported, and changed without notice. */
export { type Frontmatter, parseFrontmatter } from '../config/frontmatter.ts'
export { withLock } from '../files/lock.ts'
export { isInside, realPath, shownPath } from '../files/paths.ts'
export { type Enclosure, errorCode, type FileText, inPlugin, inProject, readText } from '../files/read.ts'
export { replaceFile } from '../files/replace.ts'
export { filesBelow } from '../files/walk.ts'
export { oneLine } from '../text/clean.ts'
export { visible } from '../text/visible.ts'
