import { HooklineError } from 'hookline'
import { type OwnHooks, registerHooks } from '../hooks/register-hooks.ts'
import { ToolError } from '../tools/tool.ts'
import type { Session } from '../turn/loop-state.ts'
import type { AgentDefinition } from './definition.ts'

/** The loop that hooks are added to. */
interface JoiningHooks {
  readonly id: string
  readonly session: Pick<Session, 'engine' | 'emit'>
  /** The host's hooks, which count in every loop. */
  readonly ownHooks: OwnHooks
}

/**
 * Lets hooks count for a subagent's loop: those of its definition, and those that the host gave for the whole session.
 * The answer takes them away. Fails with a ToolError: without its hooks an agent does not run.
 */
export async function addAgentHooks(definition: AgentDefinition, joining: JoiningHooks): Promise<() => void> {
  const { id, session, ownHooks } = joining
  const removeOwn = await registerHooks(session.engine, ownHooks, { agent: id })
  const removeDefined = await addDefined(definition, joining).catch((error: unknown) => {
    removeOwn()
    throw error // of the author of the definition
  })
  return () => {
    removeOwn()
    removeDefined()
  }
}

async function addDefined({ name, hooks }: AgentDefinition, { id, session }: JoiningHooks): Promise<() => void> {
  const { engine, emit } = session
  if (hooks === null) return () => {}
  if ('written' in hooks) {
    const { problems, remove } = await engine.register(hooks.written, { agent: id })
    for (const { message } of problems) emit({ type: 'told', to: 'user', text: `The agent ${name}: ${message}` })
    return remove
  }
  try {
    await engine.activate(hooks.file, { agent: id })
  } catch (error) {
    if (!(error instanceof HooklineError)) throw error
    throw new ToolError(`The ${name} agent cannot begin, for its hooks cannot be read: ${error.message}`)
  }
  return () => engine.deactivate(hooks.file, { agent: id })
}
