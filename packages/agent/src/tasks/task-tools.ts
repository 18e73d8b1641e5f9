import * as z from 'zod'
import { fireIfKnown } from '../hooks/fire.ts'
import { formatHookFeedback } from '../hooks/words.ts'
import { defineTool } from '../tools/define-tool.ts'
import { type Tool, ToolError } from '../tools/tool.ts'
import { findCaller, type Loop, type Session } from '../turn/loop-state.ts'
import { formatTaskIds } from './change-task.ts'
import { addTask, listBlocked, openBlockers, type Task, type TaskList } from './task-list.ts'

/** Facts that the tools of the list have in common: they touch nothing but the list, one after the other. */
export const ON_THE_LIST = { readOnly: true, sideBySide: false, edits: false } as const

/** Makes a task. */
export function makeTaskCreateTool(session: Pick<Session, 'loops'>, list: TaskList): Tool {
  return defineTool({
    ...ON_THE_LIST,
    name: 'TaskCreate',
    description: 'Adds a task to the list that everybody in this session shares. It begins as pending.',
    input: z.strictObject({
      subject: z.string().min(1).describe('What is to be done, in a few words'),
      description: z.string().default('').describe('What is to be done, in full'),
      activeForm: z.string().optional().describe('What it is called while somebody does it, such as "Running tests"'),
    }),
    run: async ({ subject, description, activeForm = null }, { agent, signal }) => {
      const task = addTask(list, { subject, description, activeForm })
      const { id } = task
      const refused = await askTaskHooks(findCaller(session, agent), task, signal)
      if (refused !== null) list.tasks.delete(id)
      await list.keep()
      if (refused !== null) throw new ToolError(refused)
      return { content: `Task #${id} created successfully: ${subject}`, response: { task: { id, subject } } }
    },
  })
}

/** Asks the hooks about a task that was just made; what they say against it, or null. */
async function askTaskHooks(loop: Loop, task: Task, signal: AbortSignal): Promise<string | null> {
  const fired = await fireIfKnown(loop, 'TaskCreated', makeTaskFields(loop, task), { signal })
  return fired?.decision.blocked ? formatHookFeedback(fired.record) : null
}

/** Makes what hooks read of a task. */
export function makeTaskFields({ teammate }: Loop, { id, subject, description }: Task): Record<string, string> {
  return {
    task_id: id,
    task_subject: subject,
    ...(description === '' ? {} : { task_description: description }),
    ...(teammate === null ? {} : { teammate_name: teammate.name, team_name: teammate.team }),
  }
}

/** Shows every task. */
export function makeTaskListTool(list: TaskList): Tool {
  return defineTool({
    ...ON_THE_LIST,
    name: 'TaskList',
    description: 'Shows the tasks of this session: how far they are, whose they are, and what they wait for.',
    input: z.strictObject({}),
    run: async () => {
      const tasks = [...list.tasks.values()].map((task) => ({ ...task, blockedBy: openBlockers(list, task) }))
      return { content: tasks.map(formatTask).join('\n') || 'No tasks', response: { tasks } }
    },
  })
}

/** Shows one task in full. */
export function makeTaskGetTool(list: TaskList): Tool {
  return defineTool({
    ...ON_THE_LIST,
    name: 'TaskGet',
    description: 'Shows one task in full.',
    input: z.strictObject({ taskId: z.string().min(1) }),
    run: async ({ taskId }) => {
      const task = list.tasks.get(taskId)
      if (!task) throw new ToolError(`There is no task #${taskId}.`)
      const blocks = listBlocked(list, taskId).map(({ id }) => id)
      return { content: formatTaskInFull(task, blocks), response: { task: { ...task, blocks } } }
    },
  })
}

function formatTask({ id, status, subject, owner, blockedBy }: Task): string {
  const whose = owner === null ? '' : ` (${owner})`
  const waits = blockedBy.length === 0 ? '' : ` [blocked by ${formatTaskIds(blockedBy)}]`
  return `#${id} [${status}] ${subject}${whose}${waits}`
}

function formatTaskInFull(
  { id, subject, status, description, owner, blockedBy }: Task,
  blocks: readonly string[],
): string {
  const lines = [
    `Task #${id}: ${subject}`,
    `Status: ${status}`,
    ...(owner === null ? [] : [`Owner: ${owner}`]),
    ...(description === '' ? [] : [`Description: ${description}`]),
    ...(blockedBy.length === 0 ? [] : [`Blocked by: ${formatTaskIds(blockedBy)}`]),
    ...(blocks.length === 0 ? [] : [`Blocks: ${formatTaskIds(blocks)}`]),
  ]
  return lines.join('\n')
}
