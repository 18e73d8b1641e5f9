import { resolve } from 'node:path'
import { type Configuration, findDropInFolder, readConfiguration, withFiles } from '../config/configuration.ts'
import type { SettingsFile } from '../config/settings-file.ts'
import { listUnreadFiles, makeSnapshot, type Snapshot } from '../config/snapshot.ts'
import { HooklineError } from '../files/error.ts'
import { readStamp } from '../files/read.ts'
import { findRow } from './accept-event.ts'
import type { Dispatch } from './dispatch.ts'
import type { Session, Stage } from './pipe.ts'

/** Makes a session follow edits: a stage for its events, and a way to dispatch them that looks at the disk before. */
export function followEdits(
  snapshot: Snapshot,
  dispatch: Dispatch,
): { readonly stage: Stage; readonly dispatch: Dispatch } {
  const live = new LiveSettings(snapshot)
  const stage: Stage = {
    decision: ({ options }, { row, input }, decision) => {
      if (decision.blocked && row.announces !== null)
        live.refuse(resolve(options.places.project, String(input[row.announces])))
      return decision
    },
  }
  const dispatchEdited: Dispatch = async (session, given, following) => {
    // An event that announces an edit is fired before the edit counts.
    if (findRow(session.snapshot, readEventName(given))?.announces === null) await live.take(session)
    return dispatch(session, given, following)
  }
  return { stage, dispatch: dispatchEdited }
}

/** The name of what may be an event; empty where it is none, which `dispatch` refuses. */
function readEventName(given: unknown): string {
  return typeof given === 'object' && given !== null && 'hook_event_name' in given ? String(given.hook_event_name) : ''
}

/**
 * Makes edits of settings files count without a review. What the folder asks for stays as it was trusted, a file that cannot
 * be read any more stays as it was, and so does everything while the policy cannot be read.
 */
class LiveSettings {
  /** Stamps of the files outside of the project when they were read last. */
  #seen: ReadonlyMap<string, string>
  /** Stamps of files whose edits hooks refused. */
  readonly #refused = new Map<string, string>()

  constructor({ configuration, places }: Snapshot) {
    this.#seen = listStamps(configuration, places.managed)
  }

  /** Keeps an edit of a file from counting, as the file is now. */
  refuse(path: string): void {
    this.#refused.set(path, readStamp(path))
  }

  /** Looks whether files were edited; if so, the session runs on what they say now. */
  async take(session: Session): Promise<void> {
    if ([...this.#seen].every(([path, stamp]) => readStamp(path) === stamp)) return
    const { options, snapshot, notices, watch } = session
    try {
      const now = await readConfiguration(options.places, options.profiles)
      this.#seen = listStamps(now, options.places.managed)
      const { files, ...merged } = this.#mergeFiles(snapshot.configuration, now)
      const { places, profiles: source } = options
      const configuration = await withFiles({ ...merged, files }, files, { places, source })
      const trust = snapshot.trust.accepted ? 'accepted' : 'refused' // nothing of the folder is different
      const next = await makeSnapshot(configuration, options.places, { ...options, trust })
      if (next.trust.request.digest !== snapshot.trust.request.digest) return
      const known = listUnreadFiles(snapshot)
      notices.push(...listUnreadFiles(next).filter((sentence) => !known.includes(sentence)))
      session.snapshot = next
      session.listeners.clear()
      options.run.launcher.dropWaiting()
      watch?.follow(next, { tellAgain: false })
    } catch (error) {
      if (!(error instanceof HooklineError)) throw error
      notices.push(`${error.message} This session keeps what it has.`)
    }
  }

  /** Merges what is on disk now with what stays as it was. */
  #mergeFiles(before: Configuration, now: Configuration): Configuration {
    const earlier = new Map([...before.serverFiles, ...before.files].map((file) => [file.path, file]))
    const readCurrent = (file: SettingsFile): SettingsFile => {
      const old = earlier.get(file.path)
      return old !== undefined && this.#isKept(file) ? old : file
    }
    return { ...before, files: now.files.map(readCurrent), serverFiles: now.serverFiles.map(readCurrent) }
  }

  #isKept({ path, scope, needsTrust, root, content }: SettingsFile): boolean {
    const isBroken = root === null && content.read !== 'missing'
    return needsTrust || isBroken || (scope !== 'managed' && this.#refused.get(path) === content.stamp)
  }
}

/** The stamps of all files that may count without a review; parts of a policy may come and go. */
function listStamps({ files, serverFiles }: Configuration, managed: string): Map<string, string> {
  const outside = [...serverFiles, ...files].filter(({ needsTrust }) => !needsTrust)
  const folder = findDropInFolder(managed)
  return new Map([[folder, readStamp(folder)], ...outside.map(({ path, content }) => [path, content.stamp] as const)])
}
