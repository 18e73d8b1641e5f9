import { resolve } from 'node:path'
import type { ConfiguredHook } from '../config/hook.ts'
import { isBelow } from '../files/paths.ts'
import { type Enclosure, inPlugin, inProject } from '../files/read.ts'

/**
 * Where a script may lie that is opened because a hook names it. A hook that came with a project may name any file of
 * the user; only those of the project and of its plugin are looked into.
 */
export function scriptEnclosure(hook: ConfiguredHook, path: string, project: string): Enclosure | null {
  if (hook.trust === 'none') return null
  const root = hook.pluginRoot
  return root !== null && isBelow(resolve(project, path), root) ? inPlugin(root) : inProject(project)
}
