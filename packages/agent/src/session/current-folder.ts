import { join, relative } from 'node:path'
import { isBelow, resolveLinks } from 'hookline/internal'
import { fire } from '../hooks/fire.ts'
import type { Loop } from '../turn/loop-state.ts'
import type { WatchedFiles } from './watched-files.ts'

/** Lets the session go on in another folder of the project, and tells CwdChanged hooks; a text is why it stays where it is. */
export function moveTo(loop: Loop, folder: string, watched: WatchedFiles): string | null {
  const { session, cwd } = loop
  if (resolveLinks(cwd) === folder) return null
  const roots = [session.project, ...session.permissions.rules.directories]
  const root = roots.find((each) => isBelow(folder, resolveLinks(each)))
  if (root === undefined) return `The current folder stays ${cwd}: ${folder} is outside of the project.`
  loop.cwd = join(root, relative(resolveLinks(root), folder))
  watched.noteMove()
  session.inBackground(tellOfFolder(loop, { old_cwd: cwd, new_cwd: loop.cwd }, watched))
  return null
}

async function tellOfFolder(
  loop: Loop,
  fields: Readonly<Record<string, string>>,
  watched: WatchedFiles,
): Promise<void> {
  const { decision } = await fire(loop, 'CwdChanged', fields, { signal: loop.session.closing })
  if (decision.watchPaths) watched.watch(decision.watchPaths)
}
