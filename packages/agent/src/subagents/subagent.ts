import { randomUUID } from 'node:crypto'
import { fire } from '../hooks/fire.ts'
import { type Model, ModelError } from '../models/model.ts'
import type { AgentName } from '../output/events.ts'
import { userText } from '../output/messages.ts'
import { ToolError } from '../tools/tool.ts'
import { inject, say } from '../transcript/conversation.ts'
import { subagentTranscriptPath } from '../transcript/sessions.ts'
import { Transcript } from '../transcript/transcript.ts'
import { childOf } from '../turn/loop-family.ts'
import type { Loop, TeammateName } from '../turn/loop-state.ts'
import { addHooksOf } from './agent-hooks.ts'
import type { AgentDefinition } from './definition.ts'

/** What an agent is sent to do. */
export interface Errand {
  readonly definition: AgentDefinition
  readonly prompt: string
  /** In a few words, for the person. */
  readonly description: string
  /** Asked for by name; null: the one of its definition. */
  readonly model: string | null
}

/** A subagent that is ready for its first request. */
export interface Subagent {
  readonly agent: AgentName
  readonly loop: Loop
  /** Takes its hooks away and lets go of its transcript. */
  readonly close: () => Promise<void>
}

/**
 * Opens the loop of a subagent: its hooks count, SubagentStart hooks have spoken, and its prompt is said. Fails with a
 * ToolError when something keeps it from beginning.
 */
export async function openSubagent(
  parent: Loop,
  errand: Errand & { readonly teammate: TeammateName | null },
  signal: AbortSignal,
): Promise<Subagent> {
  const { definition, teammate, description, prompt } = errand
  const { session } = parent
  const id = `a${randomUUID().replaceAll('-', '').slice(0, 12)}`
  const agent = { id, type: definition.name }
  const model = await modelFor(parent, errand)
  const loop = childOf(parent, {
    agent,
    teammate,
    model,
    system: session.society.systemFor(definition, teammate),
    tools: toolsOf(parent, definition),
    transcript: transcriptOf(parent, id),
  })
  session.loops.set(id, loop)
  let takeAway = (): void => {}
  const close = async (): Promise<void> => {
    takeAway()
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
    takeAway = await addHooksOf(definition, { id, session })
    await begin(loop, { agent, parent, prompt, signal })
    return { agent, loop, close }
  } catch (error) {
    await close()
    throw error
  }
}

interface Begun {
  readonly agent: AgentName
  readonly parent: Loop
  readonly prompt: string
  readonly signal: AbortSignal
}

/** Says the prompt, beside what SubagentStart hooks add. They are asked in the loop that starts the agent. */
async function begin(loop: Loop, { agent, parent, prompt, signal }: Begun): Promise<void> {
  const { model, tools, session, transcript } = loop
  const permissionMode = session.permissions.mode
  transcript.append({ kind: 'init', model: model.name, tools: [...tools.keys()], permissionMode })
  const fields = { agent_id: agent.id, agent_type: agent.type }
  const { decision, contexts } = await fire(parent, 'SubagentStart', fields, { signal })
  if (decision.halt) throw new ToolError(`The ${agent.type} agent has not begun: a hook stopped it.`)
  if (signal.aborted) throw new ToolError('Interrupted before the agent began.')
  for (const text of contexts) inject(loop, text)
  say(loop, userText(prompt), { origin: 'person' })
}

/** The model that was asked for, else the definition's, else its parent's. */
async function modelFor(parent: Loop, { model, definition }: Errand): Promise<Model> {
  const { modelOf } = parent.session.society
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
function toolsOf(parent: Loop, { name, tools }: AgentDefinition): Loop['tools'] {
  const { session } = parent
  const all = session.loops.get(null)?.tools ?? parent.tools
  if (tools === null) return all
  const missing = tools.filter((tool) => !all.has(tool))
  const text = `The agent ${name} asks for tools that this session does not have: ${missing.join(', ')}.`
  if (missing.length > 0) session.emit({ type: 'told', to: 'verbose', text })
  return new Map([...all].filter(([tool]) => tools.includes(tool)))
}

function transcriptOf({ session }: Loop, agentId: string): Transcript {
  return new Transcript({
    path: subagentTranscriptPath(session.transcriptPath, agentId),
    sessionId: session.id,
    cwd: session.cwd,
    agentId,
    onProblem: (text) => session.emit({ type: 'told', to: 'user', text }),
  })
}
