/** Folders with programs that are the user's or the system's, or that a project's tools were installed in. */
const USUAL_FOLDERS = [
  /^\/(?!tmp\/|var\/tmp\/|dev\/|proc\/).*s?bin$/,
  /^(?:~|\$\{?(?!PWD|OLDPWD|TMP|TEMP)\w+\}?)\/(?:.*\/)?s?bin$/,
  /^\$\((?!pwd)[^)]*\)\/(?:.*\/)?bin$/,
  /(?:^|\/)(?:node_modules\/\.bin|\.?venv\/bin|vendor\/bin)$/,
]

/**
 * True if a PATH puts folders alone before the present ones in which programs are installed: what others hold in place of a
 * program is not seen.
 */
export function isUsualPath(text: string): boolean {
  if (/^:|::/.test(text)) return false // the folder of the moment
  const [before = ''] = text.split(/(?:^|:)\$\{?PATH\}?(?:$|:)/, 1)
  const entries = before === '' ? [] : before.replace(/\/+(?=:|$)/g, '').split(':')
  return entries.every((entry) => USUAL_FOLDERS.some((pattern) => pattern.test(entry)))
}
