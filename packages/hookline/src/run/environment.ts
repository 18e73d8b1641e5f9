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

/** The variables that a protocol may have, by where they come from; undefined: not in this host, or at this event. */
const HOOK_VARIABLES: Readonly<
  Record<
    HookVariable,
    | { readonly always: string }
    | { readonly ofHost: (host: AboutHost) => string | undefined }
    | { readonly ofEvent: (input: EventInput) => string | undefined }
  >
> = {
  CLAUDE_PROJECT_DIR: { ofHost: ({ project }) => project },
  CLAUDE_CODE_REMOTE: { ofHost: ({ remote }) => (remote ? 'true' : undefined) },
  CLAUDECODE: { always: '1' },
  CLAUDE_CODE_ENTRYPOINT: { always: 'hookline' },
  CLAUDE_CODE_CHILD_SESSION: { always: '1' },
  CLAUDE_CODE_SESSION_ATTENDED: { always: '0' }, // a hook must not wait for a user
  CLAUDE_PID: { ofHost: () => String(process.pid) },
  CLAUDE_CODE_SESSION_ID: { ofEvent: ({ session_id }) => readText(session_id) },
  CLAUDE_EFFORT: {
    ofEvent: ({ effort }) =>
      typeof effort === 'object' && effort !== null && 'level' in effort ? readText(effort.level) : undefined,
  },
  CLAUDE_CODE_AGENT: {
    ofEvent: ({ agent_type, agent_id }) => (agent_id === undefined ? readText(agent_type) : undefined),
  },
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
  readonly #ofEvent: readonly (readonly [HookVariable, (input: EventInput) => string | undefined])[]
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
    const added: NodeJS.ProcessEnv = {}
    const ofEvent: [HookVariable, (input: EventInput) => string | undefined][] = []
    for (const name of variables) {
      const one = HOOK_VARIABLES[name]
      if ('always' in one) added[name] = one.always
      else if ('ofEvent' in one) ofEvent.push([name, one.ofEvent])
      else {
        const value = one.ofHost(about)
        if (value !== undefined) added[name] = value
      }
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
    const values = this.#ofEvent.map(([name, lookUp]) => {
      const value = lookUp(input)
      return value !== undefined && canBeVariable(name, value) ? value : undefined // else no hook could be started
    })
    const last = this.#lastEvent
    if (last?.base === base && values.every((value, at) => value === last.values[at])) return last.made
    const made: NodeJS.ProcessEnv = { ...base }
    for (const [at, [variable]] of this.#ofEvent.entries()) {
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
    for (const [at, name] of names.entries()) {
      if (name !== knownNames[at] || host[name] !== knownValues[at]) return false
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
      if (isPassedOn(this.#ignoresCase ? name.toUpperCase() : name)) inherited[name] = value
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
function isPassedOn(name: string): boolean {
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
