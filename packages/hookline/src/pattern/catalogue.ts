import type { EventRow } from '../protocol/event-row.ts'
import { TOOL_NAME } from './matcher.ts'

/** Tools that agents of this protocol are known to have, as hooks see their names. */
export const KNOWN_TOOLS: readonly string[] = [
  'Agent',
  'apply_patch', // of Codex
  'AskUserQuestion',
  'Bash',
  'BashOutput',
  'CronCreate',
  'CronDelete',
  'CronList',
  'Edit',
  'EnterPlanMode',
  'EnterWorktree',
  'ExitPlanMode',
  'ExitWorktree',
  'Glob',
  'Grep',
  'KillShell',
  'ListAgents',
  'ListMcpResources',
  'ListMcpResourcesTool',
  'LS',
  'LSP',
  'Monitor',
  'MultiEdit',
  'NotebookEdit',
  'NotebookRead',
  'PowerShell',
  'Read',
  'ReadMcpResource',
  'ReadMcpResourceTool',
  'ReportFindings',
  'ScheduleWakeup',
  'SendMessage',
  'Skill',
  'SlashCommand',
  'Task',
  'TaskCreate',
  'TaskGet',
  'TaskList',
  'TaskOutput',
  'TaskStop',
  'TaskUpdate',
  'TeamCreate',
  'TeamDelete',
  'TodoWrite',
  'ToolSearch',
  'WebFetch',
  'WebSearch',
  'Workflow',
  'Write',
]

/** MCP tools have names of their own making: there is no list of them. */
export const MCP_PREFIX = 'mcp__'

/** The values that a matcher of an event is known to be tested against; none when there is no list of them. */
export function listKnownValues({ matchOn, values }: EventRow): readonly string[] {
  return matchOn === TOOL_NAME ? KNOWN_TOOLS : values
}
