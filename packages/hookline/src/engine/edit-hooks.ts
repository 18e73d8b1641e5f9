import { readConfiguration } from '../config/configuration.ts'
import { changedBy, type SettingsChange, type SettingsEdit } from '../config/edit-settings.ts'
import { SETTINGS_FILES } from '../config/scopes.ts'
import { parseSettings, readSettingsFile, type SettingsFile } from '../config/settings-file.ts'
import { snapshotOf } from '../config/snapshot.ts'
import { storeAcceptance } from '../config/trust.ts'
import type { Settled } from '../dispatch/settled.ts'
import { withLock } from '../files/lock.ts'
import { refuseLeadingOut } from '../files/paths.ts'
import { replaceFile } from '../files/replace.ts'
import type { WritableScope } from './add-hook.ts'
import { type EngineOptions, settle } from './options.ts'

/** An edit that was made. */
export interface HooksEdit extends SettingsEdit {
  /** Whether the project's hooks are accepted after it. */
  readonly accepted: boolean
}

/** The settings file of a scope as it is now. */
export async function settingsOf(scope: WritableScope, options: EngineOptions): Promise<SettingsFile> {
  const { places } = settle(options)
  const place = { scope, path: SETTINGS_FILES[scope](places), plugin: null, needsTrust: scope !== 'user' }
  return readSettingsFile(place, places.project)
}

/**
 * Edits a scope's hooks outside of any session; what others write at the same time is not lost. Whoever accepted the
 * project as it was has accepted this edit of theirs too.
 */
export async function editHooks(
  scope: WritableScope,
  options: EngineOptions,
  change: SettingsChange,
): Promise<HooksEdit> {
  const settled = settle(options)
  const path = SETTINGS_FILES[scope](settled.places)
  if (scope !== 'user') refuseLeadingOut(path, settled.places.project)
  return withLock(path, () => editLocked(scope, settled, change))
}

async function editLocked(
  scope: WritableScope,
  { places, profile }: Settled,
  change: SettingsChange,
): Promise<HooksEdit> {
  const configuration = await readConfiguration(places, profile)
  const { trust } = await snapshotOf(configuration, places, { profile, trust: 'stored' })
  const current = configuration.files.find((file) => file.scope === scope)
  if (!current) throw new TypeError(`${scope} has no settings file in the configuration`)
  const edit = changedBy(change, current)
  if (edit.after === edit.before) return { ...edit, accepted: trust.accepted }

  await replaceFile(current.path, edit.after)
  const content = { read: 'text', text: edit.after, stamp: '' } as const
  const files = configuration.files.map((file) =>
    file.path === current.path ? parseSettings(file, content, places.project) : file,
  )
  const next = await snapshotOf({ ...configuration, files }, places, { profile, trust: 'stored' })
  const asks = Object.keys(next.trust.request.files).length > 0
  if (trust.accepted && asks) await storeAcceptance(next.trust.request, places.home)
  return { ...edit, accepted: trust.accepted }
}
