import { join } from 'node:path'
import { SETTINGS_FILES, USER_FOLDER_VARIABLE } from '../config/scopes.ts'
import type { Engine } from '../engine/engine-interface.ts'
import type { EngineOptions } from '../engine/options.ts'
import { readText } from '../files/read.ts'
import { removeControls } from '../text/clean.ts'

/** Lists what the user is told at every start of a session. */
export async function listSessionNews(engine: Engine, options: EngineOptions): Promise<string[]> {
  const untrusted = engine.trust.accepted ? [] : await listUntrustedNotices(engine, options)
  return [...untrusted, ...(await describeMovedUser(engine, options))]
}

/** Hooks of a folder that was not accepted, and of plugins that it enables, do not run. */
async function listUntrustedNotices(engine: Engine, options: EngineOptions): Promise<string[]> {
  const held = engine.list().filter(({ standing }) => standing.verdict === 'untrusted').length
  const { listWaitingHooks } = await import('../engine/waiting-hooks.ts') // projects are trusted, as a rule
  const waiting = await listWaitingHooks(options).catch(() => []) // once they count, the call says why they cannot be read
  const ids = [...new Set(waiting.map(({ plugin }) => plugin))]
  if (held + ids.length === 0) return []
  const { wrongDigest } = engine.trust
  const remedy = 'look at them with "hookline trust", then "hookline trust accept".'
  return [
    ...(held === 0 ? [] : [`${held === 1 ? 'A hook' : `${held} hooks`} of this project did not run: ${remedy}`]),
    ...(ids.length === 0
      ? []
      : [`Hooks of plugins that this project enables did not run (${ids.map(removeControls).join(', ')}): ${remedy}`]),
    ...(wrongDigest === null ? [] : [wrongDigest]),
  ]
}

/** Hooks in the home are not read, since a variable says that the user's are elsewhere. */
async function describeMovedUser({ home }: Engine, { project = '' }: EngineOptions): Promise<string[]> {
  const [read, usual] = [SETTINGS_FILES.user({ project, home }), join(home, '.claude', 'settings.json')]
  if (read === usual) return []
  const content = await readText(usual)
  if (content.read !== 'text' || !content.text.includes('"hooks"')) return []
  return [`${USER_FOLDER_VARIABLE} is set, so your hooks are read from ${read}, and those in ${usual} do not run.`]
}
