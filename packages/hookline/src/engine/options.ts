import { delimiter, resolve } from 'node:path'
import { readProfileChoices } from '../config/configuration.ts'
import { loadProfiles, type ProfileChoices, type Profiles } from '../config/profile-choice.ts'
import { type ConfigPlaces, findDefaultManagedFile, type WritableScope } from '../config/scopes.ts'
import type { HostChoice } from '../config/standing.ts'
import type { TrustAnswer } from '../config/trust.ts'
import type { DebugOptions } from '../dispatch/debug-log.ts'
import type { RecordListener, UntrustedListener } from '../dispatch/host-listeners.ts'
import type { SettledOptions, TraceSource } from '../dispatch/settled.ts'
import { HooklineError } from '../files/error.ts'
import { findHome } from '../files/home.ts'
import { statOrUndefined } from '../files/read.ts'
import {
  type HookLauncher,
  LAUNCHER_CHOICES,
  Launcher,
  type LauncherChoice,
  WARM_CHOICES,
  type WarmChoice,
} from '../process/launcher.ts'
import { LoneLauncher } from '../process/lone-launcher.ts'
import type { Profile } from '../protocol/profile.ts'
import { DEFAULT_PROFILE, type ProfileName } from '../protocol/profiles.ts'
import type { RecordHost } from '../protocol/record/record.ts'
import { SCOPES, type Scope } from '../protocol/scope.ts'
import { type LogOptions, type RecordSink, settleEngineLog } from '../record/log-options.ts'
import { makeHostEnvironments, readDepth } from '../run/environment.ts'
import type { CallMcpTool, ModelPorts } from '../run/ports.ts'
import { makeProfileSource, type RunnableProfile } from './profiles.ts'

/** Envoy runs hooks one after the other, without a shell, for as long as they take. */
const PRESETS = {
  envoy: { order: 'sequential', defaultTimeout: null, shell: false, profile: DEFAULT_PROFILE },
} as const

/** Options of a host that opens an engine; everything has a default. */
export interface EngineOptions {
  /** The project's folder; the current one by default. */
  readonly project?: string | undefined
  /** Folder of user settings and the trust store; the user's home by default. */
  readonly home?: string | undefined
  /** The policy file; the system's own place by default. */
  readonly managed?: string | undefined
  /** Roots of the enabled plugins, before those that CLAUDE_CODE_PLUGIN_DIRS names in `env`. */
  readonly plugins?: readonly string[] | undefined
  /** Ids of plugins by their roots, under which the user's settings have their options: `name@marketplace`; `name@inline` by default. */
  readonly pluginIds?: Readonly<Record<string, string>> | undefined
  /** A settings file for this session alone, whose hooks need no trust. */
  readonly settings?: string | undefined
  /** Settings files of the user and the project that count; all of them by default. Policy, `settings` and plugins count all the same. */
  readonly sources?: readonly WritableScope[] | undefined
  /** Only hooks of the policy run, and those that the host registers itself. */
  readonly managedOnly?: boolean | undefined
  /** No hook runs at all. */
  readonly bare?: boolean | undefined
  /**
   * Edits of settings files count from the next event on, without a review; not those of the project's own files, which stay
   * as they were trusted. false by default.
   */
  readonly liveSettings?: boolean | undefined
  /** True if the project's own hooks may run; `stored`, what the user trusted earlier, by default. */
  readonly trust?: TrustAnswer | undefined
  /**
   * The version of the protocol, by its name or as a table of the host's own. By default HOOKLINE_PROFILE, else what settings
   * choose: those of the project for its own hooks, those of the user for all others, else the default one. Policy comes first.
   */
  readonly profile?: Profile | ProfileName | undefined
  /** A trial run, not a session of the user: notices for the next session stay unread. */
  readonly rehearsal?: boolean | undefined
  /** Filled into events that have none. */
  readonly sessionId?: string | undefined
  readonly transcriptPath?: string | undefined
  readonly permissionMode?: string | undefined
  /** File that keeps which `once` hooks have run, for a session that is resumed; nowhere by default. */
  readonly onceFile?: string | undefined
  /** The environment hooks inherit; this process's by default. */
  readonly env?: NodeJS.ProcessEnv | undefined
  /** Name of another agent whose way of running hooks holds, for `order`, `defaultTimeout` and `shell` where they are not given themselves. */
  readonly preset?: keyof typeof PRESETS | undefined
  /** `sequential`: one after the other, until one halts; a rewritten input reaches the next. */
  readonly order?: 'parallel' | 'sequential' | undefined
  /** Seconds for hooks that set no timeout; null: no limit. By default 60, for prompt hooks 30. */
  readonly defaultTimeout?: number | null | undefined
  /** Seconds from now by which every hook that is waited for has ended, whatever its timeout; no limit by default. */
  readonly within?: number | undefined
  /** false: commands are split into arguments and run without a shell. */
  readonly shell?: boolean | undefined
  /** Scopes whose hooks block when they fail, or cannot run here although they should; `all` of them. */
  readonly failClosed?: readonly Scope[] | 'all' | undefined
  /** Bytes kept of each output stream; 1 MiB by default. */
  readonly outputLimit?: number | undefined
  /** The host runs on a remote machine. */
  readonly remote?: boolean | undefined
  /**
   * Way in which commands are started: as children of this process, `direct`; by small resident shells once the session has some,
   * `auto`; always by them, as far as they can, `pool`. HOOKLINE_LAUNCHER by default, else `auto`.
   */
  readonly launcher?: LauncherChoice | undefined
  /**
   * Choice whether hooks in Node and Python have their interpreters started ahead of the events, on Linux: `auto` from the second run of a
   * hook on, if one is ready; `on` waits for it from the first run on; `off` never. HOOKLINE_WARM by default, else `auto`.
   */
  readonly warm?: WarmChoice | undefined
  /** Ports of the host for prompt and agent hooks; a type without its port is `unsupported`. `hookline/models` makes them. */
  readonly models?: ModelPorts | undefined
  /**
   * Calls a tool of an MCP server for an mcp_tool hook; such hooks fail without it. No hook may fire for a call that is made
   * this way.
   */
  readonly callMcpTool?: CallMcpTool | undefined
  /**
   * A file to which every record is appended, with its event and without secrets, or a store of `hookline/log`; HOOKLINE_LOG
   * by default, else none.
   */
  readonly log?: string | LogOptions | RecordSink | undefined
  /** Characters of the end of each output of a hook that its line of the record has, without secrets; none by default. */
  readonly outputTail?: number | undefined
  /** The host itself, as records name it: `{ client: 'my-agent', version: '1.2.0' }`. */
  readonly host?: RecordHost | undefined
  /**
   * Gets every record with its event, also those of events that `hookline/tools` fires, and how hooks ended in the background
   * (`lateOf`). It is called before the record is there for others; what it throws or rejects with decides nothing.
   */
  readonly onRecord?: RecordListener | undefined
  /** Told once when hooks of the project do not run since it is not trusted, with what it asks for; not where `trust` says what counts. */
  readonly onUntrusted?: UntrustedListener | undefined
  /** The span that events happen in, or a function that is asked at each: commands find it as TRACEPARENT and TRACESTATE. */
  readonly trace?: TraceSource | undefined
  /** Target of the debug log, and its categories. */
  readonly debug?: DebugOptions | undefined
}

/** Options of an engine for one call alone, or of a process that serves many. */
export interface KeptEngineOptions extends EngineOptions {
  /** Closed after one call, so that nothing is started for hooks to come. */
  readonly isShortLived?: boolean | undefined
  /** Launcher that outlives the engine and keeps interpreters for the next one. */
  readonly keeper?: Launcher | undefined
}

const ONE_MEBIBYTE = 1024 * 1024
/** A hook that calls an agent is fine; a hook inside a hook inside a hook is a loop. */
const MAX_HOOK_DEPTH = 3

/** Fills in the defaults. Rejects with a HooklineError for an option that cannot be right. */
export async function settle(options: KeptEngineOptions): Promise<SettledOptions> {
  const preset = options.preset === undefined ? {} : readPreset(options)
  const { defaultTimeout = preset.defaultTimeout } = options
  if (
    defaultTimeout !== undefined &&
    defaultTimeout !== null &&
    !(typeof defaultTimeout === 'number' && defaultTimeout > 0)
  ) {
    throw new HooklineError(`defaultTimeout must be a positive number of seconds or null, not ${defaultTimeout}.`)
  }
  const env = options.env ?? process.env
  if (readDepth(env) >= MAX_HOOK_DEPTH) {
    throw new HooklineError(
      `Hooks call agents whose hooks call agents, ${MAX_HOOK_DEPTH} deep: no further one is opened.`,
    )
  }
  const places = readPlaces(options)
  const { project } = places
  const hostChoice = readHostChoice(options)
  return {
    places,
    trust: options.trust ?? 'stored',
    hostChoice,
    liveSettings: options.liveSettings ?? false,
    profiles: makeProfileSource(options.profile ?? preset.profile, { env, hostChoice }),
    rehearsal: options.rehearsal ?? false,
    isShortLived: options.isShortLived ?? false,
    order: options.order ?? preset.order ?? 'parallel',
    defaultTimeout,
    until: options.within === undefined ? null : performance.now() + options.within * 1000,
    failClosed: new Set(options.failClosed === 'all' ? SCOPES : options.failClosed),
    log: settleEngineLog(options.log, env),
    outputTail: options.outputTail === undefined ? 0 : readOutputTail(options),
    host: options.host === undefined ? null : readHost(options.host),
    trace: options.trace ?? null,
    onUntrusted: options.onUntrusted ?? null,
    models: options.models ?? {},
    run: {
      project,
      env,
      environment: makeHostEnvironments(env, { project, remote: options.remote ?? false }),
      shell: options.shell ?? preset.shell ?? true,
      outputLimit: options.outputLimit ?? ONE_MEBIBYTE,
      launcher: makeLauncher(options),
      callMcpTool: options.callMcpTool ?? null,
    },
  }
}

function readOutputTail({ outputTail = 0 }: EngineOptions): number {
  if (Number.isInteger(outputTail) && outputTail >= 0) return outputTail
  throw new HooklineError(`outputTail must be a number of characters, not ${outputTail}.`)
}

/** Reads what the host says of itself; a copy, since every record names it. */
function readHost({ client, version, launcher }: RecordHost): RecordHost {
  if (typeof client !== 'string' || client === '')
    throw new HooklineError('host needs a "client", the name of the program.')
  return Object.freeze({
    client,
    ...(version === undefined ? {} : { version: String(version) }),
    ...(launcher === 'resident' ? { launcher } : {}),
  })
}

/** The settings files that a host may leave out. */
export const SOURCES = ['user', 'project', 'local'] as const satisfies readonly WritableScope[]

function readHostChoice({ bare, managedOnly, sources }: EngineOptions): HostChoice | null {
  if (bare === true) return { scopes: new Set(), because: 'the host runs no hooks' }
  if (managedOnly === true)
    return { scopes: new Set(['managed', 'session']), because: 'the host runs managed hooks only' }
  if (sources === undefined) return null
  const unknown = sources.find((source) => !SOURCES.includes(source))
  if (unknown !== undefined)
    throw new HooklineError(`"${unknown}" is not a source of settings. Sources: ${SOURCES.join(', ')}.`)
  const left = new Set<Scope>(SOURCES.filter((source) => !sources.includes(source)))
  const scopes = new Set(SCOPES.filter((scope) => !left.has(scope)))
  return { scopes, because: 'the host leaves its settings file out' }
}

/** The folders and files that an engine with these options reads from. */
export function readPlaces(options: EngineOptions): ConfigPlaces {
  const { home, managed, plugins = [], pluginIds, settings, env = process.env } = options
  const project = resolve(options.project ?? process.cwd())
  return {
    project,
    home: resolve(home || findHome()),
    managed: resolve(managed ?? findDefaultManagedFile(process.platform)),
    plugins: env.CLAUDE_CODE_PLUGIN_DIRS ? [...plugins, ...listPluginFolders(env, project, plugins)] : [...plugins],
    ...(pluginIds === undefined ? {} : { pluginIds }),
    ...(settings === undefined ? {} : { settings: resolve(settings) }),
  }
}

/** The plugins that the host's environment names beside the given ones, as PATH names folders; those that are not there are left out. */
function listPluginFolders(
  { CLAUDE_CODE_PLUGIN_DIRS: folders = '' }: NodeJS.ProcessEnv,
  project: string,
  given: readonly string[],
): string[] {
  const named = folders.split(delimiter).filter((folder) => folder !== '')
  const known = new Set(given.map((folder) => resolve(folder)))
  return [...new Set(named.map((folder) => resolve(project, folder)))].filter(
    (folder) => !known.has(folder) && statOrUndefined(folder)?.isDirectory() === true,
  )
}

/** The profiles that an engine with these options reads hooks under, with why. */
export interface ProfilesInForce extends Profiles<RunnableProfile> {
  readonly choices: ProfileChoices
}

/** The profiles in force for an engine with these options. Rejects with a HooklineError for a name that is not a profile. */
export async function findProfilesInForce(options: EngineOptions): Promise<ProfilesInForce> {
  const { env = process.env } = options
  const source = makeProfileSource(options.profile ?? readPreset(options).profile, {
    env,
    hostChoice: readHostChoice(options),
  })
  const choices = await readProfileChoices(readPlaces(options), source)
  return { choices, ...(await loadProfiles(choices, source)) }
}

function readPreset({ preset }: EngineOptions): Pick<EngineOptions, 'order' | 'defaultTimeout' | 'shell' | 'profile'> {
  if (preset === undefined) return {}
  if (!Object.hasOwn(PRESETS, preset)) {
    throw new HooklineError(`There is no preset "${preset}". Presets: ${Object.keys(PRESETS).join(', ')}.`)
  }
  return PRESETS[preset]
}

/** Makes what starts hooks: one event takes no more than one shell that helps with them. */
function makeLauncher(options: KeptEngineOptions): HookLauncher {
  const byLife = options.isShortLived === true ? 'direct' : 'auto'
  const launcher = options.launcher ?? (process.env.HOOKLINE_LAUNCHER || byLife)
  const choice = findChoice(LAUNCHER_CHOICES, launcher)
  if (choice === undefined)
    throw new HooklineError(`There is no launcher "${launcher}". Launchers: ${LAUNCHER_CHOICES.join(', ')}.`)
  const asked = options.warm ?? (process.env.HOOKLINE_WARM || 'auto')
  const warm = findChoice(WARM_CHOICES, asked)
  if (warm === undefined) throw new HooklineError(`warm must be one of ${WARM_CHOICES.join(', ')}, not "${asked}".`)
  const isLone = options.isShortLived === true && choice === 'direct' && warm !== 'on'
  return isLone && LoneLauncher.isPossible ? new LoneLauncher() : new Launcher(choice, { warm, keeper: options.keeper })
}

const findChoice = <Choice extends string>(choices: readonly Choice[], asked: string): Choice | undefined => {
  for (const choice of choices) if (choice === asked) return choice
  return undefined
}
