import { type Configuration, readConfiguration, withFiles } from '../config/configuration.ts'
import { applyChange, editSettings, NEW_FILE, type SettingsChange, type SettingsEdit } from '../config/edit-settings.ts'
import { chooseFileProfile } from '../config/profile-choice.ts'
import { refuseUnsound } from '../config/refuse-unsound.ts'
import type { WritableScope } from '../config/scopes.ts'
import { findSettingsPlace, parseSettings, readSettingsFile, type SettingsFile } from '../config/settings-file.ts'
import { addHookText, type NewHook } from '../config/settings-text.ts'
import { listUnreadFiles, makeSnapshot } from '../config/snapshot.ts'
import { storeAcceptance, type TrustAnswer } from '../config/trust.ts'
import type { Session } from '../dispatch/pipe.ts'
import type { SettledOptions } from '../dispatch/settled.ts'
import { withLock } from '../files/lock.ts'
import { refuseLeadingOut } from '../files/paths.ts'
import { replaceFile } from '../files/replace.ts'
import { type EngineOptions, settle } from './options.ts'

/** A stamp that no file has, so that the next event compares what runs with what is on disk. */
const NOT_ON_DISK = 'edited in memory'

/** Writes a hook into a settings file and makes it count at once. */
export async function addHook(session: Session, scope: WritableScope, hook: NewHook): Promise<void> {
  await refuseUnsound(
    hook,
    chooseFileProfile(session.snapshot.profiles, findSettingsPlace(scope, session.options.places)),
  )
  await editRunning(session, scope, (text) => addHookText(text, hook))
}

/**
 * Edits a settings file and makes the edit count at once. Other edits on disk stay unreviewed: the text the session runs on
 * and the text on disk are changed each for itself.
 */
export async function editRunning(
  session: Session,
  scope: WritableScope,
  change: (text: string) => string,
): Promise<void> {
  const { places } = session.options
  const { configuration } = session.snapshot
  const { path } = findSettingsPlace(scope, places)
  const current = configuration.files.find((file) => file.path === path)
  if (!current) throw new TypeError(`${scope} has no settings file in the snapshot`)
  await editSettings(current, places.project, change)
  const text = change(current.content.read === 'text' ? current.content.text : NEW_FILE)
  const edited = await parseSettings(current, { read: 'text', text, stamp: NOT_ON_DISK }, places.project)
  const files = configuration.files.map((file): SettingsFile => (file === current ? edited : file))
  await adopt(session, await withFiles(configuration, files, { places, source: session.options.profiles }))
}

/**
 * Makes a configuration count from the next event on. A project that the user trusted stays trusted, and that is
 * stored: the caller has shown this configuration to the user. A host that answers for itself is asked again.
 */
export async function adopt(session: Session, configuration: Configuration, trust?: TrustAnswer): Promise<void> {
  const { options, snapshot } = session
  const remembered = options.trust === 'stored' && snapshot.trust.accepted
  const answer = trust ?? (remembered ? 'accepted' : options.trust)
  const next = await makeSnapshot(configuration, options.places, { ...options, trust: answer })
  if (remembered && Object.keys(next.trust.request.files).length > 0) {
    await storeAcceptance(next.trust.request, options.places.home)
  }
  session.snapshot = next
  session.notices.push(...listUnreadFiles(next))
  session.listeners.clear()
  options.run.launcher.dropWaiting()
  session.watch?.follow(next)
}

/** An edit that was made. */
export interface HooksEdit extends SettingsEdit {
  /** True if the project's hooks are accepted after it. */
  readonly accepted: boolean
}

/** The settings file of a scope as it is now. */
export async function readScopeSettings(scope: WritableScope, options: EngineOptions): Promise<SettingsFile> {
  const { places } = await settle(options)
  return readSettingsFile(findSettingsPlace(scope, places), places.project)
}

/**
 * Edits a scope's hooks outside of any session; what others write at the same time is not lost. A user who trusted the project
 * as it was has trusted an edit of their own too; with `by: 'agent'` no trust is stored.
 */
export async function editHooks(
  scope: WritableScope,
  options: EngineOptions,
  { change, by }: { readonly change: SettingsChange; readonly by: 'user' | 'agent' },
): Promise<HooksEdit> {
  const settled = await settle(options)
  const { path, needsTrust } = findSettingsPlace(scope, settled.places)
  if (needsTrust) refuseLeadingOut(path, settled.places.project)
  return withLock(path, () => editLocked(scope, settled, { change, by }))
}

async function editLocked(
  scope: WritableScope,
  { places, profiles: source }: SettledOptions,
  { change, by }: Parameters<typeof editHooks>[2],
): Promise<HooksEdit> {
  const configuration = await readConfiguration(places, source)
  const { trust } = await makeSnapshot(configuration, places, { profiles: source, trust: 'stored' })
  const { path } = findSettingsPlace(scope, places)
  const current = configuration.files.find((file) => file.path === path)
  if (!current) throw new TypeError(`${scope} has no settings file in the configuration`)
  const edit = applyChange(change, current)
  if (edit.after === edit.before) return { ...edit, accepted: trust.accepted }

  await replaceFile(current.path, edit.after)
  const content = { read: 'text', text: edit.after, stamp: '' } as const
  const files = await Promise.all(
    configuration.files.map((file) =>
      file.path === current.path ? parseSettings(file, content, places.project) : file,
    ),
  )
  const edited = await withFiles(configuration, files, { places, source })
  const next = await makeSnapshot(edited, places, { profiles: source, trust: 'stored' })
  const asks = Object.keys(next.trust.request.files).length > 0
  if (by === 'agent') return { ...edit, accepted: next.trust.accepted }
  if (trust.accepted && asks) await storeAcceptance(next.trust.request, places.home)
  return { ...edit, accepted: trust.accepted }
}
