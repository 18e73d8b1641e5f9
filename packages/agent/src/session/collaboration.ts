import type { Engine } from 'hookline'
import type { OwnHooks } from '../hooks/register-hooks.ts'
import { findAgents } from '../subagents/find-agents.ts'
import type { SubagentSetup } from '../subagents/subagent.ts'
import { makeTaskTool } from '../subagents/task-tool.ts'
import { openTaskList } from '../tasks/kept-tasks.ts'
import type { TaskList } from '../tasks/task-list.ts'
import { makeTaskCreateTool, makeTaskGetTool, makeTaskListTool } from '../tasks/task-tools.ts'
import { makeTaskUpdateTool } from '../tasks/update-tool.ts'
import { makeSendMessageTool } from '../team/send-message-tool.ts'
import { Team } from '../team/team.ts'
import { makeTeammatePrompt, startTeammate } from '../team/teammate.ts'
import type { Tool } from '../tools/tool.ts'
import type { Session } from '../turn/loop-state.ts'
import { makeSystemPrompt } from '../turn/system-prompt.ts'
import type { SettledOptions } from './options.ts'

/** Parts that the agents of a session have in common: the kinds that can be started, their tasks, their team. */
export interface Collaboration {
  readonly setup: SubagentSetup
  readonly tasks: TaskList
  readonly team: Team
}

interface CollaborationOpening {
  readonly engine: Pick<Engine, 'configuration' | 'trust'>
  /** Notes that the project wants agents to know. */
  readonly notes: string
  readonly ownHooks: OwnHooks
  /** File in which the session keeps its task list. */
  readonly tasksFile: string
  readonly lead: ConstructorParameters<typeof Team>[0]
}

/** Reads which agents a session can start; what is wrong with their files is told. */
export async function openCollaboration(
  options: SettledOptions,
  opening: CollaborationOpening,
): Promise<Collaboration> {
  const { engine, notes, ownHooks, tasksFile, lead } = opening
  const { places, emit, modelOf } = options
  const { agents, problems } = await findAgents({ ...places, engine }, options.agents)
  for (const text of problems) emit({ type: 'told', to: 'user', text })
  const writeSystemPrompt: SubagentSetup['systemFor'] = ({ prompt }, teammate) => {
    const instructions = teammate === null ? prompt : `${prompt}\n\n${makeTeammatePrompt(teammate)}`
    return makeSystemPrompt({ places, notes, instructions })
  }
  return {
    setup: { agents, modelOf, ownHooks, systemFor: writeSystemPrompt },
    tasks: await openTaskList(tasksFile, { tell: (text) => emit({ type: 'told', to: 'user', text }) }),
    team: new Team(lead),
  }
}

/** The tools with which agents start others, share tasks and write to each other, without those that are forbidden. */
export function makeCollaborationTools(
  session: Session,
  { setup, tasks, team }: Collaboration,
  { deny, teams, hasSubagents }: Pick<SettledOptions, 'deny' | 'teams' | 'hasSubagents'>,
): Tool[] {
  if (!hasSubagents) return []
  const tools = [
    makeTaskTool(session, {
      setup,
      startTeammate: teams ? (lead, task, starting) => startTeammate(team, lead, task, starting) : null,
    }),
    makeTaskCreateTool(session, tasks),
    makeTaskUpdateTool(session, { tasks, tell: (teammate, text) => team.tell(teammate, text) }),
    makeTaskListTool(tasks),
    makeTaskGetTool(tasks),
    ...(teams ? [makeSendMessageTool(session, team)] : []),
  ]
  return tools.filter(({ name }) => !deny.includes(name))
}
