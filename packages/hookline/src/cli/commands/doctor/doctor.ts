import type { Bridge } from '../../../bridges/bridge.ts'
import { toGuardBridge } from '../../../bridges/install/guard-entries.ts'
import { type HostPlace, readInstalledEntries } from '../../../bridges/install/installed.ts'
import { findLauncherPath, renewLauncher } from '../../../bridges/install/launcher.ts'
import {
  type BridgedHost,
  findBridgedHosts,
  findGuardedHosts,
  type HostSurroundings,
} from '../../../bridges/install/standing.ts'
import { describeTrials } from '../../../bridges/install/try-entry.ts'
import { findBridge } from '../../../bridges/list.ts'
import type { CommandContext } from '../../../check/command.ts'
import { findProgram, listNeededPrograms, type NeededProgram, startFaultsById } from '../../../check/programs.ts'
import type { ConfiguredHook } from '../../../config/hook.ts'
import { type Diagnosis, diagnose } from '../../../engine/diagnosis.ts'
import { nameState } from '../../../engine/listing.ts'
import { examineFleet } from '../../../fleet/standing.ts'
import { checkModelStanding } from '../../../models/address.ts'
import { listMissingPackages } from '../../../models/load.ts'
import type { Profile } from '../../../protocol/profile.ts'
import { DEFAULT_PROFILE } from '../../../protocol/profiles.ts'
import { describeResident } from '../../../resident/standing.ts'
import { VERSION } from '../../../text/version.ts'
import { findCausesElsewhere } from '../../input/elsewhere.ts'
import { listEventsUnder } from '../../input/event-argument.ts'
import {
  ENGINE_FLAGS,
  ENGINE_USAGE,
  MODEL_FLAGS,
  MODEL_USAGE,
  readArguments,
  refusePositionals,
  toEngineOptions,
} from '../../start/flags.ts'
import { provideModels, readModelOptions } from '../../start/models.ts'
import { fillDriverDefaults, openCommandTerminal, withEnabledPlugins } from '../../start/opening.ts'
import { print, printJson } from '../../start/print.ts'
import { withTrials } from '../../view/progress-bar.ts'
import { findFileState, formatExamination } from './doctor-view.ts'
import { type Examination, listAttention } from './examination.ts'

export const isVerdict = true

export const usage = `hookline doctor [flags]

Looks at everything that hooks depend on, and runs none of them: what is read
from where, versions, shells, the programs that hooks need, hooks that cannot
start, what is off and why, the temp folder, the trust store, the model that
judges hooks, the bridges to other agents, and which variables play a part.
Entries of bridges are started as their agents do, with a probe in place of an
event, and the launcher that they name is written anew where that is needed.

  hookline doctor
  hookline doctor --json
  hookline doctor --project ../other --plugin ./my-plugin

${MODEL_USAGE}${ENGINE_USAGE}
Exit codes: 0 all is well; 1 something needs attention, or the call is wrong.
`

/** Runs `hookline doctor`. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, { ...ENGINE_FLAGS, ...MODEL_FLAGS })
  refusePositionals(positionals)
  const options = await withEnabledPlugins(toEngineOptions(values))
  const diagnosis = await diagnose({ ...fillDriverDefaults(options), ...provideModels(values) })
  const standing = checkModelStanding(readModelOptions(values))
  const surroundings = { project: options.project, env: process.env }
  const examination: Examination = {
    ...diagnosis,
    versions: {
      hookline: VERSION,
      node: process.versions.node,
      platform: `${process.platform} ${process.arch}`,
    },
    shells: await listShells(
      diagnosis.hooks,
      diagnosis.configuration === null ? DEFAULT_PROFILE : await listEventsUnder(diagnosis.configuration.profiles),
      surroundings,
    ),
    programs: await listNeededPrograms(
      diagnosis.hooks.map(({ hook }) => hook),
      surroundings,
    ),
    startFaults: await startFaultsById(diagnosis.hooks, surroundings),
    ...(await findProcessTrees()),
    model: {
      ...standing,
      missingPackages: listMissingPackages(standing.ready === true ? standing.provider : 'anthropic'),
    },
    ...(await examineBridges({ project: options.project, home: options.home, env: process.env })),
    fleet: diagnosis.configuration === null ? null : await examineFleet(diagnosis.configuration.files, options.home),
    elsewhere: diagnosis.configuration === null ? [] : await findCausesElsewhere(options),
    variables: Object.keys(process.env)
      .filter((name) => /^(HOOKLINE|CLAUDE|ANTHROPIC|OPENAI)_/.test(name))
      .sort(),
  }
  const attention = listAttention(examination)
  if (values.json) printJson({ ...toDoctorJson(examination), attention })
  else print(`${formatExamination(examination, attention, openCommandTerminal(values)).join('\n')}\n`)
  return attention.length === 0 ? 0 : 1
}

/** Looks at the agents that call us, writes the launcher anew that their entries name, and starts each entry as its agent does. */
async function examineBridges(
  here: HostSurroundings,
): Promise<Pick<Examination, 'bridges' | 'launcher' | 'trials' | 'resident'>> {
  const [bridged, guarded] = [await findBridgedHosts(here), await findGuardedHosts(here)]
  const toPlaces = ({ agent, scopes }: BridgedHost, toMeant = (bridge: Bridge): Bridge => bridge): HostPlace[] => {
    const bridge = findBridge(agent)
    return bridge === null ? [] : scopes.map(({ scope }) => ({ ...here, bridge: toMeant(bridge), scope }))
  }
  const places = [
    ...bridged.flatMap((host) => toPlaces(host)),
    ...guarded.flatMap((host) => toPlaces(host, toGuardBridge)),
  ]
  const guards = guarded.filter(({ scopes }) => scopes.length > 0)
  const bridges = [
    ...bridged,
    ...guards.map((host) => ({ ...host, agent: `${host.agent} guard`, unread: [], notes: [] })),
  ]
  const entries = (await Promise.all(places.map(readInstalledEntries))).flat()
  const launchers = [true, false].map((resident) => findLauncherPath(here.home, { resident }))
  const isWanted = entries.some(({ program }) => launchers.includes(program))
  const launcher = await renewLauncher(here.home, here.project, { isAsked: true, isWanted })
  const trials = await withTrials((ofDoctor) =>
    Promise.all(
      places.map(async (place) => ({
        agent: `${place.bridge.name}${place.bridge.runs === 'guards' ? ' guard' : ''}`,
        notes: await describeTrials(place, process.env, ofDoctor),
      })),
    ),
  )
  const resident = launcher.is === 'none' ? null : describeResident(here.home, here.env)
  return { bridges, launcher, trials, resident }
}

/** The shell that runs commands, and the one that reads the files in which hooks leave variables. */
async function listShells(
  hooks: Diagnosis['hooks'],
  { events }: Pick<Profile, 'events'>,
  here: CommandContext,
): Promise<NeededProgram[]> {
  const listIds = (needs: (hook: ConfiguredHook) => boolean): string[] =>
    hooks.filter(({ hook }) => needs(hook)).map(({ hook }) => hook.id)
  const forCommands = listIds(({ written }) => written.command !== undefined)
  const forEnvFiles = listIds(({ event }) => (events.get(event)?.envFile ?? null) !== null)
  if (process.platform === 'win32') {
    const { listWindowsShells } = await import('../../../process/windows/programs.ts')
    const { bash, cmd } = listWindowsShells()
    if (bash.path !== null) return [{ ...bash, fault: null, neededBy: [...forCommands, ...forEnvFiles] }]
    return [
      { ...cmd, fault: null, neededBy: forCommands },
      { ...bash, fault: NO_GIT_BASH, neededBy: forEnvFiles },
    ]
  }
  return [
    { ...(await findProgram('/bin/sh', here)), neededBy: forCommands },
    { ...(await findProgram('bash', here)), neededBy: forEnvFiles },
  ]
}

const NO_GIT_BASH = 'there is no Git Bash, so variables that hooks leave for later commands are not read'

/** Finds how hooks are ended with all that they started, where there are two ways. */
async function findProcessTrees(): Promise<Pick<Examination, 'processTrees'>> {
  if (process.platform !== 'win32') return {}
  const { hasJobs } = await import('../../../process/windows/job.ts')
  return { processTrees: hasJobs() ? BY_JOBS : BY_TOOL }
}

const BY_JOBS = 'hooks end with all that they started, also when the host is killed (job objects)'
const BY_TOOL = 'hooks end with what they started while they run (taskkill); npm i koffi has the rest end too'

function toDoctorJson({ configuration, hooks, startFaults, ...rest }: Examination): object {
  return {
    ...rest,
    profiles: configuration?.profiles ?? null,
    files:
      configuration?.files.map((file) => ({ scope: file.scope, file: file.file, state: findFileState(file) })) ?? [],
    components: configuration?.components.map(({ path, kind }) => ({ kind, path })) ?? [],
    hooks: hooks.map((listed) => ({
      id: listed.hook.id,
      state: nameState(listed),
      ...('because' in listed.standing ? { because: listed.standing.because } : {}),
      ...(startFaults.has(listed.hook.id) ? { cannotStart: startFaults.get(listed.hook.id) } : {}),
    })),
  }
}
