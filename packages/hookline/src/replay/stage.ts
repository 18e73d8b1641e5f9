import { statSync } from 'node:fs'
import { join } from 'node:path'
import { isAccepted } from '../config/trust.ts'
import { openEngine } from '../engine/engine.ts'
import type { Engine } from '../engine/engine-interface.ts'
import type { EngineOptions } from '../engine/options.ts'
import { HooklineError } from '../files/error.ts'
import { resolveLinks } from '../files/paths.ts'
import { makeTempFolder, type TempFolder } from '../files/temp-folder.ts'
import type { EventInput } from '../protocol/event-input.ts'
import type { DispatchRecord } from '../protocol/record/record.ts'
import { makePathMap, type PathMap } from '../scratch/path-map.ts'
import { findFolderInCopy } from '../scratch/project-folder.ts'
import { copyVersion, type ProjectVersion } from '../scratch/project-version.ts'

/** Options of an engine whose places are settled. */
export type PlacedOptions = EngineOptions & { readonly project: string; readonly home: string }

/** Outcome of an event on a stage: its record, or why it is not an event here. */
export type StagedOutcome =
  | { readonly staged: 'record'; readonly record: DispatchRecord }
  | { readonly staged: 'unfit'; readonly reason: string }

/** Sessions that take turns, as in a log, keep their engines up to this number. */
const MAX_ENGINES = 8

/** A copy of a project in which the hooks of one version of it run. */
export class Stage {
  readonly #scratch: TempFolder
  readonly #copy: string
  /** The folder that it is a copy of. */
  readonly #original: string
  readonly #options: PlacedOptions
  readonly #engines = new Map<string, Promise<Engine>>()
  readonly #maps = new Map<string, PathMap>()

  /** Use `openStage`. */
  constructor(scratch: TempFolder, { copy, original }: { copy: string; original: string }, options: PlacedOptions) {
    this.#scratch = scratch
    this.#copy = copy
    this.#original = original
    const plugins = options.plugins?.map((folder) =>
      findFolderInCopy(folder, { copy, of: [original, options.project] }),
    )
    this.#options = { ...options, ...(plugins && { plugins }), env: removeLogVariable(options.env ?? process.env) }
  }

  /** Runs the hooks of an event; paths of the project stand for the copy while they run, and for the project again in the record. */
  async run(event: EventInput, signal?: AbortSignal): Promise<StagedOutcome> {
    const session = String(event.session_id)
    const map = this.#findPathMap(session, event.cwd)
    const engine = await this.#findEngine(session)
    const mapped = map.there(event)
    const input = { ...mapped, transcript_path: event.transcript_path, cwd: this.#findFolderInCopy(mapped.cwd) }
    try {
      const record = await engine.dispatch(input, signal === undefined ? {} : { signal })
      return { staged: 'record', record: map.back(record) }
    } catch (error) {
      if (error instanceof HooklineError) return { staged: 'unfit', reason: error.message }
      throw error
    }
  }

  /** Ends what still runs and removes the copy. */
  async close(): Promise<void> {
    await this.closeSessions()
    await this.#scratch.remove()
  }

  /** Ends the sessions under way: what is left of them in memory, and what runs in the background. */
  async closeSessions(): Promise<void> {
    const engines = [...this.#engines.values()]
    this.#engines.clear()
    this.#maps.clear()
    for (const opened of await Promise.allSettled(engines)) {
      if (opened.status === 'fulfilled') await opened.value.close() // one that did not open was told to its caller
    }
  }

  #findEngine(session: string): Promise<Engine> {
    const known = this.#engines.get(session)
    if (known) return known
    const opening = this.#makeRoom().then(() =>
      openEngine({ ...this.#options, project: this.#copy, sessionId: session, trust: this.#trust, rehearsal: true }),
    )
    this.#engines.set(session, opening)
    return opening
  }

  async #makeRoom(): Promise<void> {
    const [oldest] = this.#engines
    if (!oldest || this.#engines.size < MAX_ENGINES) return
    this.#engines.delete(oldest[0])
    await (await oldest[1]).close()
  }

  /** Trust in a folder counts for a copy of it that asks for the same. */
  get #trust(): NonNullable<EngineOptions['trust']> {
    const { trust = 'stored', home } = this.#options
    if (trust !== 'stored') return trust
    return (request) => isAccepted({ ...request, folder: resolveLinks(this.#original) }, { answer: 'stored', home })
  }

  /** Makes the map of a session's paths: where it began is what the project was called there. */
  #findPathMap(session: string, cwd: unknown): PathMap {
    const known = this.#maps.get(session)
    if (known) return known
    const { project } = this.#options
    const there = typeof cwd === 'string' && cwd !== '' ? cwd : project
    const map = makePathMap(there === project || there.startsWith(join(project, '/')) ? project : there, this.#copy)
    this.#maps.set(session, map)
    return map
  }

  /** Hooks run inside the copy, wherever the session was. */
  #findFolderInCopy(cwd: unknown): string {
    const inside = typeof cwd === 'string' && (cwd === this.#copy || cwd.startsWith(join(this.#copy, '/')))
    return inside && statSync(cwd, { throwIfNoEntry: false })?.isDirectory() ? cwd : this.#copy
  }
}

/** Copies a version of a project and gets its hooks ready to run there. */
export async function openStage(version: ProjectVersion, options: PlacedOptions): Promise<Stage> {
  if (version.kind === 'ref') await refuseUntrusted(options)
  const scratch = await makeTempFolder('scratch')
  const copy = join(scratch.path, 'project')
  try {
    await copyVersion(version, copy)
  } catch (error) {
    await scratch.remove()
    throw error
  }
  const original = version.kind === 'folder' ? version.folder : options.project
  return new Stage(scratch, { copy, original }, options)
}

/** git may run what a repository says, so it is started only in a project that the user trusts. */
async function refuseUntrusted(options: PlacedOptions): Promise<void> {
  const engine = await openEngine(options)
  const { accepted } = engine.trust
  await engine.close()
  if (!accepted)
    throw new HooklineError(
      `${options.project} is not trusted yet, so git is not started there. See hookline trust, or use --trust.`,
    )
}

/** Removes the log, since a trial is not part of what happened. */
function removeLogVariable({ HOOKLINE_LOG: _log, ...env }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return env
}
