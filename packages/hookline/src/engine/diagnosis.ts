import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { type Configuration, readConfiguration } from '../config/configuration.ts'
import type { Problem } from '../config/problem.ts'
import type { ConfigPlaces } from '../config/scopes.ts'
import { readTrustStoreState, type TrustStoreState } from '../config/trust.ts'
import { HooklineError } from '../files/error.ts'
import { readErrorCode } from '../files/read.ts'
import { openEngine } from './engine.ts'
import type { ListedHook } from './listing.ts'
import { type EngineOptions, readPlaces } from './options.ts'
import { makeProfileSource } from './profiles.ts'

/** The state of everything that an engine depends on. */
export interface Diagnosis {
  /** Reason why no engine opens; null when one does. */
  readonly refusal: string | null
  /** Configuration that was looked for, and found; null when it is unknown. */
  readonly configuration: Configuration | null
  /** True if the project is trusted as it is. */
  readonly trusted: boolean
  readonly hooks: readonly ListedHook[]
  readonly problems: readonly Problem[]
  readonly temp: { readonly folder: string; readonly fault: string | null }
  readonly trustStore: TrustStoreState
}

/** Looks at everything and runs no hook. */
export async function diagnose(options: EngineOptions): Promise<Diagnosis> {
  const opened = await openAndListHooks(options)
  const places = readPlaces(options)
  return {
    ...opened,
    configuration: await readFoundConfiguration(places, options).catch(() => null), // the refusal says why
    temp: { folder: tmpdir(), fault: await findTempFault() },
    trustStore: await readTrustStoreState(places.home),
  }
}

async function readFoundConfiguration(
  places: ConfigPlaces,
  { profile, env = process.env }: EngineOptions,
): Promise<Configuration> {
  return readConfiguration(places, makeProfileSource(profile, { env }))
}

async function openAndListHooks(
  options: EngineOptions,
): Promise<Pick<Diagnosis, 'refusal' | 'trusted' | 'hooks' | 'problems'>> {
  try {
    const engine = await openEngine(options)
    const found = {
      refusal: null,
      trusted: engine.trust.accepted,
      hooks: engine.list(),
      problems: engine.problems,
    }
    await engine.close()
    return found
  } catch (error) {
    if (error instanceof HooklineError) return { refusal: error.message, trusted: false, hooks: [], problems: [] }
    throw error
  }
}

/** Reason why no file can be made in the temp folder. To try would be to write. */
async function findTempFault(): Promise<string | null> {
  try {
    await access(tmpdir(), constants.W_OK | constants.X_OK)
    return null
  } catch (error) {
    return readErrorCode(error)
  }
}
