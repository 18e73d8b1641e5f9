import * as z from 'zod'
import { fire } from '../hooks/fire.ts'
import { describeHalt, formatHookFeedback } from '../hooks/words.ts'
import { defineTool } from '../tools/define-tool.ts'
import { type Tool, ToolError, type ToolOutcome } from '../tools/tool.ts'
import { findCaller, type Loop, type Session } from '../turn/loop-state.ts'
import { applyChange, listFreed, type PlannedChange, planChange } from './change-task.ts'
import type { Task, TaskChange, TaskList } from './task-list.ts'
import { makeTaskFields, ON_THE_LIST } from './task-tools.ts'

const ids = z.array(z.string().min(1)).optional()

/** The tasks, and how their owners are told of them. */
interface SharedTasks {
  readonly tasks: TaskList
  readonly tell: (teammate: string, text: string) => void
}

/** Changes a task; hooks may keep one open that is being marked completed. */
export function makeTaskUpdateTool(session: Pick<Session, 'loops'>, shared: SharedTasks): Tool {
  return defineTool({
    ...ON_THE_LIST,
    name: 'TaskUpdate',
    description:
      'Changes a task. Mark it in_progress before you begin: it is yours then. Mark it completed when it is done. A task ' +
      'can begin only when every task it waits for is completed.',
    input: z.strictObject({
      taskId: z.string().min(1),
      status: z.enum(['pending', 'in_progress', 'completed', 'deleted']).optional(),
      subject: z.string().min(1).optional(),
      description: z.string().optional(),
      activeForm: z.string().optional(),
      owner: z.string().min(1).optional().describe('The teammate who is to do it'),
      addBlocks: ids.describe('Tasks that must wait for this one'),
      addBlockedBy: ids.describe('Tasks that this one must wait for'),
    }),
    run: ({ taskId, ...change }, { agent, signal }) =>
      changeTask(findCaller(session, agent), { taskId, change, signal, shared }),
  })
}

interface TaskRequest {
  readonly taskId: string
  readonly change: TaskChange
  readonly signal: AbortSignal
  readonly shared: SharedTasks
}

async function changeTask(loop: Loop, { taskId, change, signal, shared }: TaskRequest): Promise<ToolOutcome> {
  const { tasks } = shared
  const by = loop.teammate?.name ?? null
  const wanted = throwIfFaulty(planChange(tasks, taskId, change, { by }))
  const completes = wanted.after.status === 'completed' && wanted.before.status !== 'completed'
  const kept = completes ? await askWhetherDone(loop, wanted.after, signal) : null
  if (kept !== null) return { content: kept, response: { success: false, taskId, updatedFields: [], error: kept } }
  // While hooks looked at it, others may have changed it.
  const { before, after, fields } = throwIfFaulty(planChange(tasks, taskId, change, { by }))
  applyChange(tasks, after, change)
  await tasks.keep()
  tellOwners(shared, { by, before, after, completes })
  const statusChange = before.status === after.status ? {} : { statusChange: { from: before.status, to: after.status } }
  return {
    content: `Updated task #${taskId} ${fields.join(', ') || '(nothing changed)'}`,
    response: { success: true, taskId, updatedFields: fields, ...statusChange },
  }
}

function throwIfFaulty(change: PlannedChange): Exclude<PlannedChange, { fault: string }> {
  if ('fault' in change) throw new ToolError(change.fault)
  return change
}

/** Asks the hooks whether a task is done; what they say against it, or null. */
async function askWhetherDone(loop: Loop, task: Task, signal: AbortSignal): Promise<string | null> {
  const { record, decision } = await fire(loop, 'TaskCompleted', makeTaskFields(loop, task), { signal })
  if (decision.halt)
    throw new ToolError('The task stays open: a hook stopped the turn.', { halted: describeHalt(record) })
  if (signal.aborted) throw new ToolError('The task stays open: interrupted.')
  return decision.blocked ? formatHookFeedback(record) : null
}

/** Teammates hear of tasks that became theirs, and of theirs that are free to begin. */
function tellOwners(
  { tasks, tell: tellTeammate }: SharedTasks,
  { by, before, after, completes }: { by: string | null; before: Task; after: Task; completes: boolean },
): void {
  const tell = (owner: string | null, text: string): void => {
    if (owner !== null && owner !== by) tellTeammate(owner, text)
  }
  if (after.owner !== before.owner) tell(after.owner, `Task #${after.id} is yours now: ${after.subject}`)
  if (!completes) return
  for (const { id, subject, owner } of listFreed(tasks, after.id)) {
    tell(owner, `Task #${id} can begin, for what it waited for is completed: ${subject}`)
  }
}
