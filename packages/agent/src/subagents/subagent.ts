import { randomUUID } from 'node:crypto'
import { fire } from '../hooks/fire.ts'
import type { OwnHooks } from '../hooks/register-hooks.ts'
import { type Model, ModelError } from '../models/model.ts'
import type { AgentName } from '../output/events.ts'
import { makeUserMessage } from '../output/messages.ts'
import { ToolError } from '../tools/tool.ts'
import { addMessage, inject } from '../transcript/conversation.ts'
import { makeSubagentTranscriptPath } from '../transcript/sessions.ts'
import { Transcript } from '../transcript/transcript.ts'
import { type Loop, makeLoop, type TeammateName } from '../turn/loop-state.ts'
import { addAgentHooks } from './agent-hooks.ts'
import type { AgentDefinition } from './definition.ts'

/** Parts that the subagents of a session are made from. */
export interface SubagentSetup {
  /** The kinds of subagents, by name. */
  readonly agents: ReadonlyMap<string, AgentDefinition>
  /** Finds a model by name; null: every agent uses the session's. */
  readonly modelOf: ((name: string) => Promise<Model>) | null
  /** The host's hooks, which count in every loop. */
  readonly ownHooks: OwnHooks
  readonly systemFor: (definition: AgentDefinition, teammate: TeammateName | null) => string
}

/** Task of a subagent. */
export interface SubagentTask {
  readonly definition: AgentDefinition
  readonly prompt: string
  /** In a few words, for the user. */
  readonly description: string
  /** Asked for by name; null: the one of its definition. */
  readonly model: string | null
  /** True for work in a worktree of its own. */
  readonly isolated: boolean
}

/** Start of a subagent; the signal ends what waits. */
export interface SubagentStart {
  readonly setup: SubagentSetup
  readonly signal: AbortSignal
}

/** A subagent that is ready for its first request. */
export interface Subagent {
  readonly agent: AgentName
  readonly loop: Loop
  /** Removes its hooks and closes its transcript. */
  readonly close: () => Promise<void>
}

/**
 * Opens the loop of a subagent: its hooks count, SubagentStart hooks have spoken, and its prompt is in the conversation. Fails with a
 * ToolError when something keeps it from beginning.
 */
export async function openSubagent(
  parent: Loop,
  task: SubagentTask & { readonly teammate: TeammateName | null; readonly cwd?: string },
  { setup, signal }: SubagentStart,
): Promise<Subagent> {
  const { definition, teammate, description, prompt } = task
  const { session } = parent
  const id = `a${randomUUID().replaceAll('-', '').slice(0, 12)}`
  const agent = { id, type: definition.name }
  const model = await chooseSubagentModel(parent, task, setup)
  const loop = makeLoop({
    session,
    parent,
    agent,
    cwd: task.cwd ?? parent.cwd,
    teammate,
    model,
    system: setup.systemFor(definition, teammate),
    tools: listSubagentTools(parent, definition),
    transcript: openSubagentTranscript(parent, id),
  })
  session.loops.set(id, loop)
  let removeHooks = (): void => {}
  const close = async (): Promise<void> => {
    removeHooks()
    session.loops.delete(id)
    await loop.transcript.close()
    session.emit({ type: 'agent_ended', agent })
  }
  session.emit({
    type: 'agent_started',
    agent,
    name: teammate?.name ?? null,
    description,
    transcriptPath: loop.transcript.path,
  })
  try {
    removeHooks = await addAgentHooks(definition, { id, session, ownHooks: setup.ownHooks })
    await begin(loop, { agent, parent, prompt, signal })
    return { agent, loop, close }
  } catch (error) {
    await close()
    throw error
  }
}

interface BegunSubagent {
  readonly agent: AgentName
  readonly parent: Loop
  readonly prompt: string
  readonly signal: AbortSignal
}

/** Adds the prompt, beside what SubagentStart hooks add. They are asked in the loop that starts the agent. */
async function begin(loop: Loop, { agent, parent, prompt, signal }: BegunSubagent): Promise<void> {
  const { model, tools, session, transcript } = loop
  const permissionMode = session.permissions.mode
  transcript.append({ kind: 'init', model: model.name, tools: [...tools.keys()], permissionMode })
  const fields = { agent_id: agent.id, agent_type: agent.type }
  const { decision, contexts } = await fire(parent, 'SubagentStart', fields, { signal })
  if (decision.halt) throw new ToolError(`The ${agent.type} agent has not begun: a hook stopped it.`)
  if (signal.aborted) throw new ToolError('Interrupted before the agent began.')
  for (const text of contexts) inject(loop, text)
  addMessage(loop, makeUserMessage(prompt), { origin: 'user' })
}

/** The model that was asked for, else the definition's, else its parent's. */
async function chooseSubagentModel(
  parent: Loop,
  { model, definition }: SubagentTask,
  { modelOf }: SubagentSetup,
): Promise<Model> {
  const name = model ?? definition.model
  if (name === null || name === 'inherit' || modelOf === null) return parent.model
  try {
    return await modelOf(name)
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    throw new ToolError(`The ${definition.name} agent has no model: ${error.message}`)
  }
}

/** The session's tools that a definition names. Its parent's list is no limit: hooks and rules are. */
function listSubagentTools(parent: Loop, { name, tools }: AgentDefinition): Loop['tools'] {
  const { session } = parent
  const all = session.loops.get(null)?.tools ?? parent.tools
  if (tools === null) return all
  const missing = tools.filter((tool) => !all.has(tool))
  const text = `The agent ${name} asks for tools that this session does not have: ${missing.join(', ')}.`
  if (missing.length > 0) session.emit({ type: 'told', to: 'verbose', text })
  return new Map([...all].filter(([tool]) => tools.includes(tool)))
}

function openSubagentTranscript({ session }: Loop, agentId: string): Transcript {
  return new Transcript({
    path: makeSubagentTranscriptPath(session.transcriptPath, agentId),
    sessionId: session.id,
    cwd: session.project,
    agentId,
    onProblem: (text) => session.emit({ type: 'told', to: 'user', text }),
  })
}
