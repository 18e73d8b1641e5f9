import { findHome } from '../files/home.ts'
import { canBeVariable, findSpelling, IGNORES_CASE, readVariable } from '../process/variables.ts'
import type { EventInput } from '../protocol/event-input.ts'
import type { HookVariable } from '../protocol/rules.ts'

/** For a host that has none of its own. Windows looks into the folders of the system in any case. */
const USUAL_PATH = '/usr/local/bin:/usr/bin:/bin'

/** Variables that only some hooks have. */
const OWN_VARIABLES: ReadonlySet<string> = new Set(['CLAUDE_PLUGIN_ROOT', 'CLAUDE_PLUGIN_DATA', 'CLAUDE_ENV_FILE'])
/** Beginning of the names of a plugin's options. */
const OPTION_VARIABLE = 'CLAUDE_PLUGIN_OPTION_'

const DEPTH_VARIABLE = 'HOOKLINE_DEPTH'

/** Number of hooks this process is inside of: a hook may call an agent, whose hooks call an agent. */
export function readDepth(env: NodeJS.ProcessEnv, { ignoresCase = IGNORES_CASE } = {}): number {
  const depth = Number(readVariable(env, DEPTH_VARIABLE, { ignoresCase }) ?? 0)
  return Number.isInteger(depth) && depth > 0 ? depth : 0
}

/** Facts that hooks are told of the host. */
interface AboutHost {
  readonly project: string
  readonly remote: boolean
}

/** The variables that say something of an event; all others are of the host. */
type EventVariable = Extract<HookVariable, 'CLAUDE_CODE_SESSION_ID' | 'CLAUDE_EFFORT' | 'CLAUDE_CODE_AGENT'>

const EVENT_VARIABLES: ReadonlyMap<HookVariable, EventVariable> = new Map([
  ['CLAUDE_CODE_SESSION_ID', 'CLAUDE_CODE_SESSION_ID'],
  ['CLAUDE_EFFORT', 'CLAUDE_EFFORT'],
  ['CLAUDE_CODE_AGENT', 'CLAUDE_CODE_AGENT'],
])

/** The variables that say something of a host, whether a protocol has them or not; undefined: not in this one. */
function describeHost({
  project,
  remote,
}: AboutHost): Readonly<Record<Exclude<HookVariable, EventVariable>, string | undefined>> {
  return {
    CLAUDE_PROJECT_DIR: project,
    CLAUDE_CODE_REMOTE: remote ? 'true' : undefined,
    CLAUDECODE: '1',
    CLAUDE_CODE_ENTRYPOINT: 'hookline',
    CLAUDE_CODE_CHILD_SESSION: '1',
    CLAUDE_CODE_SESSION_ATTENDED: '0', // a hook must not wait for a user
    CLAUDE_PID: String(process.pid),
  }
}

/** The same of an event; undefined: not at this one. */
function describeEvent({
  session_id,
  effort,
  agent_type,
  agent_id,
}: EventInput): Readonly<Record<EventVariable, string | undefined>> {
  const level = typeof effort === 'object' && effort !== null && 'level' in effort ? effort.level : undefined
  return {
    CLAUDE_CODE_SESSION_ID: readText(session_id),
    CLAUDE_EFFORT: readText(level),
    CLAUDE_CODE_AGENT: agent_id === undefined ? readText(agent_type) : undefined,
  }
}

const readText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** Environment that the last event made of the host's. */
interface EventEnvironment {
  readonly base: NodeJS.ProcessEnv
  readonly values: readonly (string | undefined)[]
  readonly made: Readonly<NodeJS.ProcessEnv>
}

/**
 * The host's environment with what the protocol adds for every hook. It is read for every event, since the host
 * may change it; what is made of it stays the same object until that has happened.
 */
export class HostEnvironment {
  readonly #host: NodeJS.ProcessEnv
  readonly #ignoresCase: boolean
  readonly #added: NodeJS.ProcessEnv
  #names: readonly string[] = []
  #values: readonly (string | undefined)[] = []
  #made: Readonly<NodeJS.ProcessEnv> | undefined
  readonly #ofEvent: readonly EventVariable[]
  #lastEvent: EventEnvironment | undefined

  constructor(
    host: NodeJS.ProcessEnv,
    {
      variables,
      ignoresCase = IGNORES_CASE,
      ...about
    }: AboutHost & { variables: readonly HookVariable[]; ignoresCase?: boolean },
  ) {
    this.#host = host
    this.#ignoresCase = ignoresCase
    const ofHost: Readonly<Partial<Record<HookVariable, string | undefined>>> = describeHost(about)
    const added: NodeJS.ProcessEnv = {}
    const ofEvent: EventVariable[] = []
    for (const name of variables) {
      const variable = EVENT_VARIABLES.get(name)
      if (variable !== undefined) ofEvent.push(variable)
      else if (ofHost[name] !== undefined) added[name] = ofHost[name]
    }
    this.#added = added
    this.#ofEvent = ofEvent
  }

  /** Makes the environment of every process that is started now. */
  makeForProcess(): Readonly<NodeJS.ProcessEnv> {
    const names = Object.getOwnPropertyNames(this.#host) // a list of keys would ask the process about each
    if (this.#made === undefined || !this.#isAsRead(names)) this.#made = this.#read(names)
    return this.#made
  }

  /** Makes the environment of every hook of an event that happens now. */
  makeForEvent(input: EventInput): Readonly<NodeJS.ProcessEnv> {
    const base = this.makeForProcess()
    if (this.#ofEvent.length === 0) return base
    const ofEvent = describeEvent(input)
    const values: (string | undefined)[] = []
    for (const name of this.#ofEvent) {
      const value = ofEvent[name]
      values.push(value !== undefined && canBeVariable(name, value) ? value : undefined) // else no hook could be started
    }
    const last = this.#lastEvent
    if (last?.base === base && values.every((value, at) => value === last.values[at])) return last.made
    const made: NodeJS.ProcessEnv = { ...base }
    for (const [at, variable] of this.#ofEvent.entries()) {
      const name = this.#ignoresCase ? findSpelling(made, variable) : variable
      if (values[at] === undefined)
        delete made[name] // the host's value is about another event
      else made[name] = values[at]
    }
    this.#lastEvent = { base, values, made }
    return made
  }

  #isAsRead(names: readonly string[]): boolean {
    const [host, knownNames, knownValues] = [this.#host, this.#names, this.#values]
    if (names.length !== knownNames.length) return false
    for (let at = 0; at < names.length; at++) {
      const name = knownNames[at] ?? '' // a name that was asked for before is found sooner than an equal one
      if (names[at] !== name || host[name] !== knownValues[at]) return false
    }
    return true
  }

  #read(names: readonly string[]): NodeJS.ProcessEnv {
    this.#names = names
    const values: (string | undefined)[] = []
    const inherited: NodeJS.ProcessEnv = {}
    for (const name of names) {
      const value = this.#host[name]
      values.push(value)
      if (isInherited(this.#ignoresCase ? name.toUpperCase() : name)) inherited[name] = value
    }
    this.#values = values
    const added = {
      ...this.#added,
      [DEPTH_VARIABLE]: String(readDepth(inherited, { ignoresCase: this.#ignoresCase }) + 1),
    }
    if (this.#ignoresCase) return addWithoutTwins(inherited, added)
    inherited.HOME ??= findHome()
    inherited.PATH ??= USUAL_PATH
    return { ...inherited, ...added }
  }
}

/** Adds variables under the spelling that is there: of two that differ in case, Windows would take either. */
function addWithoutTwins(env: NodeJS.ProcessEnv, added: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const made = { ...env }
  made[findSpelling(made, 'HOME')] ??= findHome()
  for (const [name, value] of Object.entries(added)) made[findSpelling(made, name)] = value
  return made
}

/** The host's environment for the hooks of each protocol; one that was made is not made again. */
export function makeHostEnvironments(
  host: NodeJS.ProcessEnv,
  about: AboutHost,
): (variables: readonly HookVariable[]) => HostEnvironment {
  const made = new Map<readonly HookVariable[], HostEnvironment>()
  return (variables) => {
    const environment = made.get(variables) ?? new HostEnvironment(host, { ...about, variables })
    made.set(variables, environment)
    return environment
  }
}

/** True if hooks inherit a variable of the host: not what is another hook's, and not what lets its holder speak for the host. */
function isInherited(name: string): boolean {
  return !OWN_VARIABLES.has(name) && !name.startsWith(OPTION_VARIABLE) && !MESSAGING.test(name)
}

/** Address at which the host takes messages, and the proof that one may send them. */
const MESSAGING = /^CLAUDE_.*MESSAG/

/** Variables that only one hook gets. */
export interface OwnVariables {
  readonly pluginRoot: string | null
  /** Values that hooks of that plugin get besides; null: nothing. */
  readonly plugin: { readonly data: string; readonly options: Readonly<Record<string, string>> } | null
  readonly envFile: string | null
}

/** Makes the environment of one hook: with its plugin's folder and options, and with a file it may write variables into. */
export function makeHookEnvironment(
  event: NodeJS.ProcessEnv,
  { pluginRoot, plugin, envFile }: OwnVariables,
): NodeJS.ProcessEnv {
  if (pluginRoot === null && envFile === null) return event
  const options = Object.entries(plugin?.options ?? {}).map(([key, value]) => [
    `${OPTION_VARIABLE}${key.toUpperCase()}`,
    value,
  ])
  return {
    ...event,
    ...(pluginRoot === null ? {} : { CLAUDE_PLUGIN_ROOT: pluginRoot }),
    ...(plugin === null ? {} : { CLAUDE_PLUGIN_DATA: plugin.data }),
    ...Object.fromEntries(options),
    ...(envFile === null ? {} : { CLAUDE_ENV_FILE: envFile }),
  }
}
