import { HooklineError } from '../files/error.ts'
import { joinProfiles } from '../protocol/join-profiles.ts'
import type { CompleteProfile } from '../protocol/profile.ts'
import { PROFILE_NAMES } from '../protocol/profiles.ts'
import type { Configuration } from './configuration.ts'
import { makeTrustRequest, type TrustRequest } from './folder-request.ts'
import { type ConfiguredHook, isFault } from './hook.ts'
import { findMisplacedHooks } from './misplaced-hooks.ts'
import { makePluginShares, type PluginShare } from './plugin-options.ts'
import { formatProblem, isUnreadFile, type Problem } from './problem.ts'
import { chooseFileProfile, loadProfiles, type ProfileSource, type Profiles } from './profile-choice.ts'
import { findCountedCopies, type GroupCounter, readHooks } from './read-hooks.ts'
import type { ConfigPlaces } from './scopes.ts'
import type { SettingsFile } from './settings-file.ts'
import type { HostChoice } from './standing.ts'
import { listSwitchProblems, readSwitches, type Switches } from './switches.ts'
import { explainWrongDigest, findTrustedRepository, isAccepted, type TrustAnswer } from './trust.ts'
import type { WorktreeClaim } from './trusted-worktree.ts'

/** True if a project is trusted. */
export interface TrustStanding {
  readonly request: TrustRequest
  readonly accepted: boolean
  /** Reason why the digest in HOOKLINE_TRUST does not count; null when it does, or there is none. */
  readonly wrongDigest: string | null
  /** The trusted repository that the project is a git worktree of, and why that is not enough; null when it is trusted, or none. */
  readonly worktree: WorktreeClaim | null
}

/** Snapshot that a session runs on: nothing that happens on disk changes it. */
export interface Snapshot<P extends CompleteProfile = CompleteProfile> {
  readonly places: ConfigPlaces
  readonly configuration: Configuration
  /** Profiles that hooks are read under: those of the project, and all others. */
  readonly profiles: Profiles<P>
  /** Profile that holds for events: the own profile, joined by that of a trusted project which has another one. */
  readonly profile: P
  /** The hooks of all settings files, in configuration order. */
  readonly hooks: readonly ConfiguredHook[]
  readonly problems: readonly Problem[]
  readonly switches: Switches
  /** Values that hooks of the plugins get besides their root, by that root; empty where the protocol knows of no such thing. */
  readonly plugins: ReadonlyMap<string, PluginShare>
  readonly trust: TrustStanding
}

/** Makes the snapshot of a configuration. Rejects with a HooklineError when policy cannot be read. */
export async function makeSnapshot<P extends CompleteProfile>(
  configuration: Configuration,
  places: ConfigPlaces,
  {
    profiles: source,
    trust,
    hostChoice = null,
  }: { profiles: ProfileSource<P>; trust: TrustAnswer; hostChoice?: HostChoice | null },
): Promise<Snapshot<P>> {
  const { files } = configuration
  const profiles = await loadProfiles(configuration.profiles, source)
  const { own, project } = profiles
  let isUnderPolicy = false
  for (const { scope, content } of files) isUnderPolicy ||= scope === 'managed' && content.read !== 'missing'
  if (isUnderPolicy) refuseBrokenPolicy(files, own)

  const counter: GroupCounter = new Map()
  const hooks: ConfiguredHook[] = []
  const problems: Problem[] = []
  for (const file of files) {
    const origin = { ...file, name: file.plugin?.name ?? null, pluginRoot: file.plugin?.root ?? null }
    const profile = chooseFileProfile(profiles, file)
    problems.push(...file.problems, ...findMisplacedHooks(file, profile), ...listSwitchProblems(file))
    if (file.root === null) continue
    for (const node of findCountedCopies(file.root, 'hooks', { profile, origin })) {
      const read = await readHooks(node, origin, { profile, counter })
      for (const hook of read.hooks) hooks.push(hook)
      problems.push(...read.problems)
    }
  }
  const told = new Set<string>()
  for (const { path } of files) told.add(path)
  for (const { path, content, problems: found } of configuration.serverFiles) {
    if (content.read !== 'missing' && !told.has(path)) problems.push(...found)
  }
  const request = makeTrustRequest({ configuration, hooks, ...places, profile: project })
  const accepted = await isAccepted(request, { answer: trust, home: places.home })
  const switches = readCountingSwitches(files, { own, accepted, hostChoice })
  const worktree = accepted || trust !== 'stored' ? null : await findTrustedRepository(request, places.home)
  if (isUnderPolicy && switches.policyOff === null) refuseAbsentPolicy(hooks, own)
  return {
    places,
    configuration,
    profiles,
    profile: own === project || own.twin === project || !accepted ? own : joinProfiles(own, project),
    hooks: Object.freeze(hooks),
    problems,
    switches,
    plugins: configuration.plugins.length === 0 ? NO_SHARES : makePluginShares(configuration, places, profiles),
    trust: { request, accepted, wrongDigest: accepted || trust !== 'stored' ? null : explainWrongDigest(), worktree },
  }
}

const NO_SHARES: ReadonlyMap<string, PluginShare> = new Map()

/** Reads what the settings beside the hooks say: those of an untrusted project, and of scopes that the host leaves out, say nothing. */
function readCountingSwitches(
  files: readonly SettingsFile[],
  { own, accepted, hostChoice }: { own: CompleteProfile; accepted: boolean; hostChoice: HostChoice | null },
): Switches {
  const counting: SettingsFile[] = []
  for (const file of files) {
    const isLeftOut = hostChoice !== null && !hostChoice.scopes.has(file.scope)
    if ((accepted || !file.needsTrust) && !isLeftOut) counting.push(file)
  }
  return readSwitches(counting, own.rules.scopes)
}

/** The same snapshot as it would be with the project trusted: its switches count then too. */
export function makeTrustedSnapshot<P extends CompleteProfile>(
  snapshot: Snapshot<P>,
  { hostChoice }: { readonly hostChoice: HostChoice | null },
): Snapshot<P> {
  const { configuration, profiles, trust } = snapshot
  return {
    ...snapshot,
    switches: readCountingSwitches(configuration.files, { own: profiles.own, accepted: true, hostChoice }),
    trust: { ...trust, accepted: true },
  }
}

/** An engine does not open when its policy cannot be read: running without it would be less strict. */
function refuseBrokenPolicy(files: readonly SettingsFile[], { rules }: CompleteProfile): void {
  for (const { scope, content, root, problems, repeatedInPolicy } of files) {
    const ambiguous = rules.repeatedPolicy === 'refused' ? repeatedInPolicy : undefined
    const problem = root ? ambiguous : problems[0]
    if (scope !== 'managed' || content.read === 'missing' || !problem) continue
    throw new HooklineError(`${formatProblem(problem)} Policy is unknown, so nothing is run: fix or remove the file.`)
  }
}

/** Nor does it open when only another profile could run a guard of the policy. */
function refuseAbsentPolicy(hooks: readonly ConfiguredHook[], profile: CompleteProfile): void {
  for (const { scope, event, handler, file, line } of hooks) {
    if (scope !== 'managed' || !isFault(handler) || !profile.events.get(event)?.canBlock) continue
    const { because, elsewhere } = handler
    if (!elsewhere?.decides) continue
    throw new HooklineError(
      `${file}:${line}  The hook cannot run in the profile "${profile.name}": ${because}. Policy would not hold, so nothing is run: ${describeRemedy(elsewhere.profile)}`,
    )
  }
}

/** Names the profile to choose, and what else can be done. */
function describeRemedy(profile: string): string {
  return PROFILE_NAMES.some((name) => name === profile)
    ? `choose the profile "${profile}" (--profile ${profile}).`
    : `choose the profile "${profile}", which this version of Hookline does not have yet, or write the hook for this one.`
}

/** A sentence for each file that contributes nothing. */
export function listUnreadFiles({ problems }: Snapshot): string[] {
  return problems.filter(isUnreadFile).map(formatProblem)
}
