import { join, relative, sep } from 'node:path'
import { HooklineError } from '../files/error.ts'
import { findLineEnding } from '../files/json-edit.ts'
import { withLock } from '../files/lock.ts'
import { refuseLeadingOut } from '../files/paths.ts'
import { makeProjectEnclosure, readText } from '../files/read.ts'
import { replaceFile } from '../files/replace.ts'

/** True if a file's folder, name or ending stands in the project's `.gitignore`. Looks at no other ignore file. */
export async function isIgnored(path: string, project: string): Promise<boolean> {
  const content = await readText(join(project, '.gitignore'), { inside: makeProjectEnclosure(project) })
  if (content.read !== 'text') return false
  const lines = new Set(content.text.split(/\r?\n/).map((line) => line.trim()))
  return listIgnorePatterns(toSlashedPath(path, project)).some((pattern) => lines.has(pattern))
}

/** Adds a file to the project's `.gitignore`, unless it stands there already. */
export async function ignoreInGit(path: string, project: string): Promise<void> {
  const ignoreFile = join(project, '.gitignore')
  refuseLeadingOut(ignoreFile, project)
  await withLock(ignoreFile, async () => {
    if (await isIgnored(path, project)) return
    const content = await readText(ignoreFile, { inside: makeProjectEnclosure(project), onlyUtf8: true })
    if (content.read === 'unreadable') throw new HooklineError(`.gitignore ${content.reason}; it is as it was.`)
    const text = content.read === 'text' ? content.text : ''
    const end = findLineEnding(text)
    const gap = text === '' || text.endsWith('\n') ? '' : end
    await replaceFile(ignoreFile, `${text}${gap}${toSlashedPath(path, project)}${end}`)
  })
}

function toSlashedPath(path: string, project: string): string {
  return relative(project, path).split(sep).join('/')
}

/** The usual ways to write it. */
function listIgnorePatterns(path: string): string[] {
  const parts = path.split('/')
  const name = parts.at(-1) ?? ''
  const folders = parts.slice(0, -1).map((_part, at) => parts.slice(0, at + 1).join('/'))
  const inFolders = folders.flatMap((folder) => [folder, `${folder}/`, `${folder}/*`, `${folder}/**`])
  return [name, `**/${name}`, ...[path, ...inFolders].flatMap((one) => [one, `/${one}`, `**/${one}`])]
}
