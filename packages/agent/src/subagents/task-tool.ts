import * as z from 'zod'
import type { Session } from '../session/session.ts'
import { startTeammate } from '../team/teammate.ts'
import { defineTool } from '../tools/define-tool.ts'
import { type Tool, ToolError } from '../tools/tool.ts'
import { callerOf, depthOf } from '../turn/loop-family.ts'
import { type AgentDefinition, GENERAL_PURPOSE } from './definition.ts'
import { runSubagent } from './run-subagent.ts'

const Alone = z.strictObject({
  prompt: z.string().min(1).describe('The whole task: the agent knows nothing else of what was said so far'),
  description: z.string().default('').describe('The task in a few words'),
  subagent_type: z.string().min(1).default(GENERAL_PURPOSE.name).describe('The kind of agent'),
  model: z.string().min(1).optional().describe('Another model than its own'),
})

const InTeam = Alone.extend({
  name: z
    .string()
    .regex(/^[\w-]+$/, 'letters, digits, _ and - only')
    .optional()
    .describe('Makes it a teammate of this name'),
  team_name: z.string().min(1).optional().describe('What the team is called; the first who names it decides'),
})

const OFFER =
  'Gives a task to another agent, which works by itself with a conversation of its own; its last answer is the result. ' +
  'Several in one answer run side by side.'

const TEAM_OFFER =
  'With a `name` it becomes a teammate: it works on beside you, shares your tasks, reads your messages, and you are told ' +
  'when it goes idle.'

/** Starts subagents and, where teams are on, teammates. What they do is held against hooks and rules call by call. */
export function taskTool(session: Session, { teams }: { readonly teams: boolean }): Tool {
  const { agents } = session.society
  const list = [...agents.values()].map(({ name, description }) => `- ${name}: ${description}`)
  const input: z.ZodType<z.infer<typeof InTeam>> = teams ? InTeam : Alone
  return defineTool({
    name: 'Task',
    description: [OFFER, ...(teams ? [TEAM_OFFER] : []), 'Kinds of agents:', ...list].join('\n'),
    input,
    readOnly: true,
    sideBySide: true,
    edits: false,
    run: async ({ prompt, description, subagent_type, model = null, name, team_name }, { agent, signal }) => {
      const loop = callerOf(session, agent)
      const { maxAgentDepth } = session.limits
      if (depthOf(loop) >= maxAgentDepth)
        throw new ToolError(`Agents can be nested ${maxAgentDepth} deep, and you are that deep: do it yourself.`)
      const asked = { definition: definitionOf(agents, subagent_type), prompt, description, model }
      if (name === undefined) return runSubagent(loop, asked, signal)
      return startTeammate(loop, { ...asked, name, team: team_name }, signal)
    },
  })
}

function definitionOf(agents: ReadonlyMap<string, AgentDefinition>, type: string): AgentDefinition {
  const definition = agents.get(type)
  if (definition) return definition
  throw new ToolError(`There is no agent "${type}". Agents: ${[...agents.keys()].join(', ')}.`)
}
