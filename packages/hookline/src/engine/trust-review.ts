import { readConfiguration } from '../config/configuration.ts'
import type { TrustRequest } from '../config/folder-request.ts'
import type { ConfiguredHook } from '../config/hook.ts'
import { findOtherProfileUse } from '../config/other-profile-use.ts'
import { makeSnapshot, type TrustStanding } from '../config/snapshot.ts'
import { diffFile, type PendingChange } from '../config/text-diff.ts'
import { type Acceptance, findStoreDoubt, maskSecrets, readAcceptance } from '../config/trust.ts'
import { toCanonicalJson } from '../text/digest.ts'
import { type EngineOptions, settle } from './options.ts'

/** Facts that the user looks at before letting a project's hooks run. */
export interface TrustReview extends TrustStanding {
  /** Acceptance that the user gave last; null when nothing ever was. */
  readonly last: Acceptance | null
  /** Reason why nothing that was trusted counts; null when it does. */
  readonly doubt: string | null
  /** From what was trusted last to what is there now, by file; null when it is not known what that was. */
  readonly changes: readonly PendingChange[] | null
  /** Every hook that would run, those of components included. */
  readonly hooks: readonly ConfiguredHook[]
}

/** Reads what a project asks to be trusted with. Nothing of it runs. */
export async function reviewTrust(options: EngineOptions): Promise<TrustReview> {
  const { places, profiles: source } = await settle(options)
  const configuration = await readConfiguration(places, source)
  const { hooks, trust } = await makeSnapshot(configuration, places, { profiles: source, trust: 'stored' })
  const last = await readAcceptance(trust.request.folder, places.home)
  const all = [...configuration.components.flatMap((component) => component.hooks), ...hooks]
  return {
    ...trust,
    last,
    doubt: await findStoreDoubt(places.home),
    changes: last?.definitions ? await listChangesSince(last.definitions, maskSecrets(trust.request.files)) : null,
    hooks: all.filter((hook) => hook.trust !== 'none'),
  }
}

/** Reason why it is open which profile a project is meant for: it uses what only another one has than its user chose; null otherwise. */
export async function findUndecidedProfile(options: EngineOptions): Promise<string | null> {
  const { places, profiles: source } = await settle(options)
  const configuration = await readConfiguration(places, source)
  const { files, components, profiles } = configuration
  const { profile, by } = profiles.project
  if (by !== 'user') return null
  const own = [...files, ...components.map((component) => ({ ...component, file: component.path }))]
  const ofProject = own.filter(({ needsTrust }) => needsTrust)
  return findOtherProfileUse(ofProject, await source.load(profile))
}

async function listChangesSince(
  before: Readonly<Record<string, unknown>>,
  now: TrustRequest['files'],
): Promise<PendingChange[]> {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])]
  const formatDefinition = (definition: unknown): string | null =>
    definition === undefined ? null : `${toCanonicalJson(definition, 2)}\n`
  const changes = await Promise.all(
    names.map((name) =>
      diffFile(name, formatDefinition(before[name]), formatDefinition(now[name]), { haveSecrets: false }),
    ),
  )
  return changes.filter((change) => change !== null)
}
