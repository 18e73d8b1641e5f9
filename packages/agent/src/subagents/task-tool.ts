import * as z from 'zod'
import { hasEvent } from '../hooks/fire.ts'
import { defineTool } from '../tools/define-tool.ts'
import { type Tool, ToolError, type ToolOutcome } from '../tools/tool.ts'
import { countDepth, findCaller, type Loop, type Session } from '../turn/loop-state.ts'
import { type AgentDefinition, GENERAL_PURPOSE } from './definition.ts'
import { runSubagent } from './run-subagent.ts'
import type { SubagentSetup, SubagentStart, SubagentTask } from './subagent.ts'

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

const isolation = z
  .enum(['worktree'])
  .optional()
  .describe('Lets it work in a git worktree of its own, which stays if it holds changes')

const DESCRIPTION =
  'Gives a task to another agent, which works by itself with a conversation of its own; its last answer is the result. ' +
  'Several in one answer run side by side.'

const TEAM_DESCRIPTION =
  'With a `name` it becomes a teammate: it works on beside you, shares your tasks, reads your messages, and you are told ' +
  'when it goes idle.'

/** A subagent that is to work beside the lead, under a name of its own. */
export interface TeammateTask extends SubagentTask {
  readonly name: string
  readonly team: string | undefined
}

/** Starts a teammate; resolves when it is at work. */
type StartTeammate = (lead: Loop, task: TeammateTask, starting: SubagentStart) => Promise<ToolOutcome>

/** Starts subagents and, where teams are on, teammates. What they do is held against hooks and rules call by call. */
export function makeTaskTool(
  session: Pick<Session, 'loops' | 'limits' | 'engine'>,
  { setup, startTeammate }: { readonly setup: SubagentSetup; readonly startTeammate: StartTeammate | null },
): Tool {
  const { agents } = setup
  const teams = startTeammate !== null
  const list = [...agents.values()].map(({ name, description }) => `- ${name}: ${description}`)
  const named = teams ? InTeam : Alone
  const isolates = hasEvent(session, 'WorktreeCreate')
  const input: z.ZodType<z.infer<typeof InTeam> & { isolation?: 'worktree' | undefined }> = isolates
    ? named.extend({ isolation })
    : named
  return defineTool({
    name: 'Task',
    description: [DESCRIPTION, ...(teams ? [TEAM_DESCRIPTION] : []), 'Kinds of agents:', ...list].join('\n'),
    input,
    readOnly: true,
    sideBySide: true,
    edits: false,
    run: async (
      { prompt, description, subagent_type, model = null, name, team_name, ...asking },
      { agent, signal },
    ) => {
      const loop = findCaller(session, agent)
      const { maxAgentDepth } = session.limits
      if (countDepth(loop) >= maxAgentDepth)
        throw new ToolError(`Agents can be nested ${maxAgentDepth} deep, and you are that deep: do it yourself.`)
      const definition = findDefinition(agents, subagent_type)
      const isolated = isolates && (asking.isolation ?? definition.isolation) === 'worktree'
      const asked = { definition, prompt, description, model, isolated }
      if (name === undefined || startTeammate === null) return runSubagent(loop, asked, { setup, signal })
      return startTeammate(loop, { ...asked, name, team: team_name }, { setup, signal })
    },
  })
}

function findDefinition(agents: ReadonlyMap<string, AgentDefinition>, type: string): AgentDefinition {
  const definition = agents.get(type)
  if (definition) return definition
  throw new ToolError(`There is no agent "${type}". Agents: ${[...agents.keys()].join(', ')}.`)
}
