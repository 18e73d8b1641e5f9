import type { OwnHooks } from '../hooks/register-hooks.ts'
import type { Model } from '../models/model.ts'
import type { ComponentPlaces } from '../skills/component.ts'
import type { AgentDefinition } from '../subagents/definition.ts'
import { findAgents } from '../subagents/find-agents.ts'
import { taskTool } from '../subagents/task-tool.ts'
import { openTaskList } from '../tasks/kept-tasks.ts'
import type { TaskList } from '../tasks/task-list.ts'
import { taskCreateTool, taskGetTool, taskListTool } from '../tasks/task-tools.ts'
import { taskUpdateTool } from '../tasks/update-tool.ts'
import { sendMessageTool } from '../team/send-message-tool.ts'
import { Team } from '../team/team.ts'
import { teammatePrompt } from '../team/teammate.ts'
import type { Tool } from '../tools/tool.ts'
import type { TeammateName } from '../turn/loop-state.ts'
import { systemPrompt } from '../turn/system-prompt.ts'
import type { Session } from './session.ts'
import type { Settled } from './settled.ts'

/** What the agents of a session have in common. */
export interface Society {
  readonly agents: ReadonlyMap<string, AgentDefinition>
  readonly tasks: TaskList
  readonly team: Team
  /** Finds a model by name; null: every agent uses the session's. */
  readonly modelOf: ((name: string) => Promise<Model>) | null
  /** The host's hooks, which count in every loop. */
  readonly ownHooks: OwnHooks
  readonly systemFor: (definition: AgentDefinition, teammate: TeammateName | null) => string
}

interface Founding {
  readonly engine: ComponentPlaces['engine']
  readonly notes: string
  readonly ownHooks: OwnHooks
  /** Where the session keeps its task list. */
  readonly tasksFile: string
  readonly lead: ConstructorParameters<typeof Team>[0]
}

/** Reads which agents a session can start; what is wrong with their files is told. */
export async function openSociety(settled: Settled, founding: Founding): Promise<Society> {
  const { engine, notes, ownHooks, tasksFile, lead } = founding
  const { places, emit, modelOf } = settled
  const { agents, problems } = await findAgents({ ...places, engine }, settled.agents)
  for (const text of problems) emit({ type: 'told', to: 'user', text })
  return {
    ...{ agents, modelOf, ownHooks },
    tasks: await openTaskList(tasksFile, { tell: (text) => emit({ type: 'told', to: 'user', text }) }),
    team: new Team(lead),
    systemFor: ({ prompt }, teammate) => {
      const instructions = teammate === null ? prompt : `${prompt}\n\n${teammatePrompt(teammate)}`
      return systemPrompt({ places, notes, instructions })
    },
  }
}

/** The tools with which agents start others, share tasks and write to each other, without those that are forbidden. */
export function societyTools(session: Session, { deny, teams, societyOffered }: Settled): Tool[] {
  if (!societyOffered) return []
  const { tasks } = session.society
  const tools = [
    taskTool(session, { teams }),
    taskCreateTool(tasks),
    taskUpdateTool(session),
    taskListTool(tasks),
    taskGetTool(tasks),
    ...(teams ? [sendMessageTool(session)] : []),
  ]
  return tools.filter(({ name }) => !deny.includes(name))
}
