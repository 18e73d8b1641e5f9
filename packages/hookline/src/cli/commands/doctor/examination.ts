import type { Renewal } from '../../../bridges/install/launcher.ts'
import type { BridgedHost } from '../../../bridges/install/standing.ts'
import type { TrialNote } from '../../../bridges/install/try-entry.ts'
import type { NeededProgram } from '../../../check/programs.ts'
import { formatProblem, isSilencingHooks } from '../../../config/problem.ts'
import { formatDoubt, type TrustStoreState } from '../../../config/trust.ts'
import type { Diagnosis } from '../../../engine/diagnosis.ts'
import type { FleetStanding, FleetTrouble } from '../../../fleet/standing.ts'
import type { ModelStanding } from '../../../models/address.ts'
import type { ResidentStanding } from '../../../resident/standing.ts'
import { type Cause, isNeverRead } from '../../input/elsewhere.ts'
import { isModelHook } from '../../start/models.ts'

/** Facts that the doctor looked at. */
export interface Examination extends Diagnosis {
  readonly versions: { readonly hookline: string; readonly node: string; readonly platform: string }
  readonly shells: readonly NeededProgram[]
  readonly programs: readonly NeededProgram[]
  /** Reason why hooks cannot start, by their ids. */
  readonly startFaults: ReadonlyMap<string, string>
  /** Way in which hooks are ended with all that they started, where there are two. */
  readonly processTrees?: string
  readonly model: ModelStanding & { readonly missingPackages: readonly string[] }
  /** Agents that call us, and what keeps them from it. */
  readonly bridges: readonly BridgedHost[]
  /** Fate of the launcher that entries of the user name. */
  readonly launcher: Renewal
  /** Use of the resident engine; null: no entry of the user calls us. */
  readonly resident: ResidentStanding | null
  /** Observations of entries that were started as their agents do. */
  readonly trials: readonly { readonly agent: string; readonly notes: readonly TrialNote[] }[]
  /** The fleet that this machine is in; null: none. */
  readonly fleet: FleetStanding | FleetTrouble | null
  /** Hooks that stand where nothing reads them here. */
  readonly elsewhere: readonly Cause[]
  /** Names of variables that change something; never their values. */
  readonly variables: readonly string[]
}

/** Trust is Hookline's own, so it is never why another client is silent. */
const UNTRUSTED =
  'This project is not trusted in Hookline yet, so Hookline does not run its hooks: hookline trust shows them. Claude Code does not know of this trust.'

/** Lists what the user should do something about, each as a sentence. */
export function listAttention(examination: Examination): string[] {
  const { refusal, problems, hooks, temp, trustStore, shells, programs, startFaults } = examination
  const untrusted = hooks.some(({ standing }) => standing.verdict === 'untrusted')
  return [
    ...(refusal === null ? [] : [refusal]),
    ...problems.filter(isSilencingHooks).map(formatProblem),
    ...listUnread(examination),
    ...listSwitchedOff(hooks),
    ...shells.flatMap(listProgramFaults),
    ...listStartFaults(startFaults),
    ...programs.filter(({ neededBy }) => !neededBy.some((id) => startFaults.has(id))).flatMap(listProgramFaults),
    ...(temp.fault === null ? [] : [`${temp.folder} cannot be written (${temp.fault}): hooks get no files there.`]),
    ...storeFaults(trustStore),
    ...listModelFaults(examination),
    ...listFleetFaults(examination),
    ...examination.bridges.flatMap(listBridgeFaults),
    ...(!untrusted ? [] : [UNTRUSTED]),
    ...(examination.launcher.is === 'left' ? [examination.launcher.why] : []),
    ...examination.trials.flatMap(({ agent, notes }) =>
      notes.flatMap(({ text, isFault }) => (isFault ? [`${agent}, ${text}`] : [])),
    ),
  ]
}

function listFleetFaults({ fleet }: Examination): string[] {
  if (fleet === null) return []
  if ('fault' in fleet) return [fleet.fault]
  return fleet.isEnrolled ? [] : ['This machine is not enrolled in its fleet: hookline ship enrol URL TOKEN.']
}

/** Files that nothing reads; where the project has no hook, also other folders that do. */
function listUnread({ elsewhere, hooks }: Examination): string[] {
  const isAlone = !hooks.some(({ hook }) => hook.trust === 'project')
  const told = elsewhere.filter((one) => isNeverRead(one) || (isAlone && one.cause === 'project-above'))
  return told.map(({ because, fix }) => `${because} Fix: ${fix}`)
}

/** Hooks that are switched off look like hooks that object to nothing. */
function listSwitchedOff(hooks: Examination['hooks']): string[] {
  const off = hooks.flatMap(({ standing }) =>
    standing.verdict === 'disabled' || standing.verdict === 'policy-off' ? [standing.because] : [],
  )
  return [...new Set(off)].map(
    (because) => `${off.length} ${off.length === 1 ? 'hook is' : 'hooks are'} off: ${because}.`,
  )
}

/** Hooks that cannot start, by what keeps them from it. */
function listStartFaults(faults: Examination['startFaults']): string[] {
  return [...new Set(faults.values())].map((because) => {
    const ids = [...faults].flatMap(([id, fault]) => (fault === because ? [id] : []))
    return `${because} (for ${ids.join(', ')}).`
  })
}

function listProgramFaults({ fault, neededBy }: NeededProgram): string[] {
  return fault === null || neededBy.length === 0 ? [] : [`${fault} (for ${neededBy.join(', ')}).`]
}

/** Guards that are installed in another agent and do not run there are open. */
function listBridgeFaults({ scopes, unread, notes }: BridgedHost): string[] {
  return [...new Set([...scopes, ...unread].flatMap(({ obstacles }) => obstacles.map(({ text }) => text))), ...notes]
}

/** A model is missed only where a hook wants to be judged by one. */
function listModelFaults({ hooks, model }: Examination): string[] {
  const judged = hooks.filter(({ hook }) => isModelHook(hook)).map(({ hook }) => hook.id)
  if (judged.length === 0) return []
  const missing = model.ready === true ? [] : [model.missing]
  const packages =
    model.missingPackages.length === 0 ? [] : [`To ask a model, install: npm i ${model.missingPackages.join(' ')}.`]
  return [...missing, ...packages].map((sentence) => `${sentence} (for ${judged.join(', ')})`)
}

function storeFaults(store: TrustStoreState): string[] {
  if (store.state === 'doubtful') return [formatDoubt(store)]
  if (store.state !== 'broken') return []
  return [`${store.path} cannot be read, so nothing is trusted. Fix it, or delete it and trust again.`]
}
