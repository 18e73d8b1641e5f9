import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { findUserFolder } from '../../../config/scopes.ts'
import { HooklineError } from '../../../files/error.ts'
import { resolveLinks } from '../../../files/paths.ts'
import { makeTempFolder } from '../../../files/temp-folder.ts'
import { openFileStore } from '../../../log/file-store.ts'
import { toPlannedLogEntry } from '../../../replay/as-entries.ts'
import { makeLeftovers } from '../../../replay/past-event.ts'
import { planReplay } from '../../../replay/replay.ts'
import { findSessions } from '../../../replay/sessions.ts'
import type { MadeLog } from '../../input/serve-inspector.ts'
import { type EngineFlags, toEngineOptions } from '../../start/flags.ts'
import { withEngine } from '../../start/opening.ts'
import { openReadingBar } from '../../view/progress-bar.ts'

const NOTE = "From transcripts: outcomes are those of then, hooks are what today's settings would run. Nothing was run."

/**
 * Makes a log of transcripts in a temporary folder: each event with its outcome of then, and the plan of today's hooks. Runs nothing.
 * Throws a HooklineError where no transcript tells of an event.
 */
export async function planTranscripts(named: readonly string[], flags: EngineFlags): Promise<MadeLog> {
  const paths = named.length > 0 ? named : [findOwnTranscripts(flags)]
  const sessions = await findSessions(paths)
  const scratch = await makeTempFolder('transcripts')
  const file = join(scratch.path, 'hooks.jsonl')
  const store = openFileStore(file, { maxBytes: Number.MAX_SAFE_INTEGER })
  let events = 0
  const bar = openReadingBar(sessions, () => `${events} events`)
  try {
    await withEngine(flags, async (engine) => {
      const reading = { engine, leftovers: makeLeftovers(), onBytes: bar.onBytes }
      for await (const planned of planReplay(sessions, reading))
        await store.append(planned.map((one) => toPlannedLogEntry(one, events++)))
      return 0
    })
    if (events === 0) throw new HooklineError(`No transcript in ${paths.join(', ')} tells of an event.`)
  } catch (error) {
    await scratch.remove()
    throw error
  } finally {
    bar.clear()
  }
  return { file, note: NOTE, remove: () => scratch.remove() }
}

/** The folder in which Claude Code keeps the transcripts of a project. Throws a HooklineError where there is none. */
function findOwnTranscripts(flags: EngineFlags): string {
  const { project, home } = toEngineOptions(flags)
  const folders = [project, resolveLinks(project)].map((path) =>
    join(findUserFolder({ project, home }), 'projects', resolve(path).replaceAll(/[^A-Za-z0-9]/g, '-')),
  )
  const found = folders.find((folder) => statSync(folder, { throwIfNoEntry: false })?.isDirectory())
  if (found !== undefined) return found
  throw new HooklineError(
    `There are no transcripts of ${project} in ${folders[0]}. Name a transcript or a folder of them: hookline inspect --transcripts FOLDER`,
  )
}
