import { setTimeout as pause } from 'node:timers/promises'
import { formatProblem } from '../config/problem.ts'
import type { SettingsFile } from '../config/settings-file.ts'
import { readAcceptance } from '../config/trust.ts'
import { readEnabledPlugins } from '../engine/enabled-plugins.ts'
import { openEngine } from '../engine/engine.ts'
import type { Engine } from '../engine/engine-interface.ts'
import type { EngineOptions, KeptEngineOptions } from '../engine/options.ts'
import { HooklineError } from '../files/error.ts'

/** An engine, and what it could not read although hooks may stand there. */
export interface OpenedEngine {
  readonly engine: Engine
  /** The options that it was opened with. */
  readonly options: KeptEngineOptions
  /** A sentence for each settings file of the user, of policy or of a trusted project that cannot be read. */
  readonly unread: readonly string[]
}

/** Pauses before a file that cannot be read is read again: editors write in two steps. */
const REREAD_PAUSES_MS = [100, 200]

/**
 * Opens an engine for an event of a host. While a settings file cannot be read it is read again, twice within 300 ms; no older copy
 * stands in for it. Rejects with a HooklineError where policy cannot be read by then.
 */
export async function openReadable(given: KeptEngineOptions): Promise<OpenedEngine> {
  for (const ms of REREAD_PAUSES_MS) {
    const opened = await openWithPlugins(given).catch(rethrowUnlessPolicy)
    if (opened !== null && findUnread(opened.engine).length === 0) return { ...opened, unread: [] }
    await opened?.engine.close()
    await pause(ms)
  }
  const { engine, options } = await openWithPlugins(given)
  const files = findUnread(engine)
  const isTrusted = files.some(({ needsTrust }) => needsTrust) && (await hasBeenTrusted(engine, options))
  return { engine, options, unread: files.filter(({ needsTrust }) => !needsTrust || isTrusted).map(describeUnread) }
}

/** Opens an engine with the plugins that Claude Code would load; not where the host says whose hooks run. */
async function openWithPlugins(given: KeptEngineOptions): Promise<Pick<OpenedEngine, 'engine' | 'options'>> {
  if (given.managedOnly) return { options: given, engine: await openEngine(given) }
  const { enabled, settingsRead } = await readEnabledPlugins(given)
  const options = { ...given, ...enabled }
  return { options, engine: await openEngine(options, { settingsRead }) }
}

function rethrowUnlessPolicy(error: unknown): null {
  if (error instanceof HooklineError) return null
  throw error
}

/** The files that are there and say nothing. */
function findUnread({ configuration: { files } }: Engine): SettingsFile[] {
  const unread: SettingsFile[] = []
  for (const file of files) if (file.root === null && file.content.read !== 'missing') unread.push(file)
  return unread
}

/** True if hooks of the project have run: a broken file asks for nothing, so the digest of now does not tell. */
async function hasBeenTrusted({ trust: { request } }: Engine, { trust, home = '' }: EngineOptions): Promise<boolean> {
  if (trust === 'accepted' || process.env.HOOKLINE_TRUST) return true
  return (await readAcceptance(request.folder, home)) !== null
}

function describeUnread({ path, problems: [problem] }: SettingsFile): string {
  const what = problem === undefined ? `${path} cannot be read.` : formatProblem({ ...problem, file: path })
  return `${what} The hooks in it do not run, so no call is made until the user has fixed the file; hookline validate shows what is wrong`
}
