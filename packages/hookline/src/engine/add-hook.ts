import { HooklineError } from '../config/error.ts'
import { withLock } from '../config/lock-file.ts'
import { readText } from '../config/read-file.ts'
import { readHooks } from '../config/read-hooks.ts'
import { SETTINGS_FILES } from '../config/scopes.ts'
import { parseSettings, type SettingsFile } from '../config/settings-file.ts'
import { valueNode } from '../config/source.ts'
import { type NewHook, replaceFile, withHook } from '../config/write-file.ts'
import { adopt } from './adopt.ts'
import type { Session } from './session.ts'

/** The scopes whose files may be written. */
export type WritableScope = keyof typeof SETTINGS_FILES

const NEW_FILE = '{}\n'
/** Fits no file, so that the next event compares what runs with what is on disk. */
const NOT_ON_DISK = 'edited in memory'

/**
 * Writes a hook into a settings file and makes it count at once. Other edits on disk stay unreviewed: the same hook is
 * added to the text the session runs on and to the text on disk, each for itself.
 */
export async function addHook(session: Session, scope: WritableScope, hook: NewHook): Promise<void> {
  const { places } = session.options
  const { configuration } = session.snapshot
  await refuseUnsound(session, hook)
  const path = SETTINGS_FILES[scope](places)
  const current = configuration.files.find((file) => file.path === path)
  if (!current) throw new TypeError(`${scope} has no settings file in the snapshot`)
  await withLock(path, () => write(path, current, hook, places.project))
  const running = current.content.read === 'text' ? current.content.text : NEW_FILE
  const text = withHook(running, hook)
  const edited = parseSettings(current, { read: 'text', text, stamp: NOT_ON_DISK }, places.project)
  const files = configuration.files.map((file): SettingsFile => (file === current ? edited : file))
  await adopt(session, { ...configuration, files })
}

async function write(path: string, current: SettingsFile, hook: NewHook, project: string): Promise<void> {
  const onDisk = await readText(path)
  if (onDisk.read === 'unreadable') throw new HooklineError(`${path} ${onDisk.reason}; nothing was written.`)
  if (onDisk.read === 'text' && parseSettings(current, onDisk, project).root === null) {
    throw new HooklineError(`${path} is not a JSON object; mend it first. Nothing was written.`)
  }
  await replaceFile(path, withHook(onDisk.read === 'text' ? onDisk.text : NEW_FILE, hook))
}

async function refuseUnsound({ options }: Session, { event, matcher, hook }: NewHook): Promise<void> {
  const written = valueNode({ [event]: [{ ...(matcher === undefined ? {} : { matcher }), hooks: [hook] }] })
  const origin = { scope: 'session', name: null, file: null, pluginRoot: null, needsTrust: false } as const
  const { problems } = await readHooks(written, origin, options)
  const [problem] = problems.filter(({ severity }) => severity === 'error')
  if (problem) throw new HooklineError(`The hook is not sound, so nothing was written. ${problem.message}`)
}
