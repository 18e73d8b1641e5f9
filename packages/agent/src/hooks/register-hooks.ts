import type { Engine, FunctionHook } from 'hookline'
import { readSettingsFile } from 'hookline/settings'
import { AgentError } from '../output/agent-error.ts'
import type { AgentEvent } from '../output/events.ts'

/** Hooks for one agent: as in a settings file, and functions among them. */
export type AgentHooks = Readonly<
  Record<string, readonly { readonly matcher?: string; readonly hooks: readonly (FunctionHook | object)[] }[]>
>

/** The hooks that belong to an agent alone, for as long as its session lasts. */
export interface OwnHooks {
  /** Hooks of the settings file for this agent; not checked yet. */
  readonly written: object
  readonly given: AgentHooks
}

/** Reads them. */
export async function readOwnHooks({
  hooks,
  settings,
}: {
  readonly hooks: AgentHooks
  /** A settings file that counts for this agent only. */
  readonly settings: string | null
}): Promise<OwnHooks> {
  return { written: settings === null ? {} : await readHooksFile(settings), given: hooks }
}

/** Registers them for one loop: the session's own, or that of a subagent. The answer takes them away again. */
export async function registerHooks(
  engine: Engine,
  { written, given }: OwnHooks,
  { agent, emit = () => {} }: { readonly agent?: string; readonly emit?: (event: AgentEvent) => void } = {},
): Promise<() => void> {
  const loop = agent === undefined ? {} : { agent }
  const isHeard = (event: string): boolean => agent === undefined || !isAboutAgent(event, engine)
  const removals: (() => void)[] = []
  for (const own of [written, omitFunctions(given)]) {
    const heard = Object.fromEntries(Object.entries(own).filter(([event]) => isHeard(event)))
    const { problems, remove } = await engine.register(heard, loop)
    for (const { message } of problems) emit({ type: 'told', to: 'user', text: message })
    removals.push(remove)
  }
  for (const { event, matcher, call } of listFunctions(given).filter((hook) => isHeard(hook.event))) {
    const { remove } = await engine.on(event, call, { ...loop, ...(matcher === undefined ? {} : { matcher }) })
    removals.push(remove)
  }
  return () => {
    for (const remove of removals) remove()
  }
}

/** True if an event tells of a subagent: then the session's own hooks hear of it anyway. */
function isAboutAgent(event: string, { profile }: Engine): boolean {
  return profile.events.get(event)?.agentId === 'subject'
}

/** The hooks of a settings file; comments and trailing commas are tolerated, anything else that is not JSON is not. */
async function readHooksFile(path: string): Promise<object> {
  const { content, root, problems } = await readSettingsFile(
    { scope: 'user', path, plugin: null, needsTrust: false },
    path,
  )
  if (content.read !== 'text') {
    const why = content.read === 'missing' ? 'does not exist' : content.reason
    throw new AgentError(`The settings file ${path} ${why}.`)
  }
  const [fault] = problems
  if (!root) throw new AgentError(`${path}:${fault?.line ?? 1}  ${fault?.message ?? 'It is not a settings file.'}`)
  const hooks = root.fields?.get('hooks')?.node.value
  return typeof hooks === 'object' && hooks !== null ? hooks : {}
}

function omitFunctions(hooks: AgentHooks): object {
  const groups = Object.entries(hooks).map(([event, list]) => [
    event,
    list
      .map((group) => ({ ...group, hooks: group.hooks.filter((hook) => typeof hook !== 'function') }))
      .filter((group) => group.hooks.length > 0),
  ])
  return Object.fromEntries(groups)
}

function listFunctions(hooks: AgentHooks): { event: string; matcher: string | undefined; call: FunctionHook }[] {
  return Object.entries(hooks).flatMap(([event, groups]) =>
    groups.flatMap(({ matcher, hooks: list }) =>
      list.flatMap((hook) => (typeof hook === 'function' ? [{ event, matcher, call: hook as FunctionHook }] : [])),
    ),
  )
}
