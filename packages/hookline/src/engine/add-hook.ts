import { editSettings, NEW_FILE } from '../config/edit-settings.ts'
import { refuseUnsound } from '../config/refuse-unsound.ts'
import { SETTINGS_FILES } from '../config/scopes.ts'
import { parseSettings, type SettingsFile } from '../config/settings-file.ts'
import { type NewHook, withHook } from '../config/settings-text.ts'
import type { Session } from '../dispatch/session.ts'
import { adopt } from './adopt.ts'

/** The scopes whose files may be written. */
export type WritableScope = keyof typeof SETTINGS_FILES

/** Fits no file, so that the next event compares what runs with what is on disk. */
const NOT_ON_DISK = 'edited in memory'

/** Writes a hook into a settings file and makes it count at once. */
export async function addHook(session: Session, scope: WritableScope, hook: NewHook): Promise<void> {
  await refuseUnsound(hook, session.options.profile)
  await editRunning(session, scope, (text) => withHook(text, hook))
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
  const path = SETTINGS_FILES[scope](places)
  const current = configuration.files.find((file) => file.path === path)
  if (!current) throw new TypeError(`${scope} has no settings file in the snapshot`)
  await editSettings(current, places.project, change)
  const text = change(current.content.read === 'text' ? current.content.text : NEW_FILE)
  const edited = parseSettings(current, { read: 'text', text, stamp: NOT_ON_DISK }, places.project)
  const files = configuration.files.map((file): SettingsFile => (file === current ? edited : file))
  await adopt(session, { ...configuration, files })
}
