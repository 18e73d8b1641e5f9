import * as z from 'zod'
import { fire } from '../hooks/fire.ts'
import { haltReason, hookFeedback } from '../hooks/words.ts'
import type { Session } from '../session/session.ts'
import { defineTool } from '../tools/define-tool.ts'
import { type Tool, ToolError, type ToolOutcome } from '../tools/tool.ts'
import { callerOf } from '../turn/loop-family.ts'
import type { Loop } from '../turn/loop-state.ts'
import { applyChange, type Change, freedBy, plannedChange } from './change-task.ts'
import type { Task, Wish } from './task-list.ts'
import { ON_THE_LIST } from './task-tools.ts'

const ids = z.array(z.string().min(1)).optional()

/** Changes a task; hooks may keep one open that is being marked completed. */
export function taskUpdateTool(session: Session): Tool {
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
    run: ({ taskId, ...wish }, { agent, signal }) => change(callerOf(session, agent), { taskId, wish, signal }),
  })
}

interface Asked {
  readonly taskId: string
  readonly wish: Wish
  readonly signal: AbortSignal
}

async function change(loop: Loop, { taskId, wish, signal }: Asked): Promise<ToolOutcome> {
  const { tasks } = loop.session.society
  const by = loop.teammate?.name ?? null
  const wanted = sound(plannedChange(tasks, taskId, wish, { by }))
  const completes = wanted.after.status === 'completed' && wanted.before.status !== 'completed'
  const kept = completes ? await keptOpen(loop, wanted.after, signal) : null
  if (kept !== null) return { content: kept, response: { success: false, taskId, updatedFields: [], error: kept } }
  // While hooks looked at it, others may have changed it.
  const { before, after, fields } = sound(plannedChange(tasks, taskId, wish, { by }))
  applyChange(tasks, after, wish)
  await tasks.keep()
  tellOwners(loop, { before, after, completes })
  const statusChange = before.status === after.status ? {} : { statusChange: { from: before.status, to: after.status } }
  return {
    content: `Updated task #${taskId} ${fields.join(', ') || '(nothing changed)'}`,
    response: { success: true, taskId, updatedFields: fields, ...statusChange },
  }
}

function sound(change: Change): Exclude<Change, { fault: string }> {
  if ('fault' in change) throw new ToolError(change.fault)
  return change
}

/** Asks the hooks whether a task is done; what they say against it, or null. */
async function keptOpen(loop: Loop, { id, subject, description }: Task, signal: AbortSignal): Promise<string | null> {
  const { teammate } = loop
  const fields = {
    task_id: id,
    task_subject: subject,
    ...(description === '' ? {} : { task_description: description }),
    ...(teammate === null ? {} : { teammate_name: teammate.name, team_name: teammate.team }),
  }
  const { record, decision } = await fire(loop, 'TaskCompleted', fields, { signal })
  if (decision.halt)
    throw new ToolError('The task stays open: a hook stopped the turn.', { halted: haltReason(record) })
  if (signal.aborted) throw new ToolError('The task stays open: interrupted.')
  return decision.blocked ? hookFeedback(record) : null
}

/** Teammates hear of tasks that became theirs, and of theirs that are free to begin. */
function tellOwners(loop: Loop, { before, after, completes }: { before: Task; after: Task; completes: boolean }): void {
  const { tasks, team } = loop.session.society
  const self = loop.teammate?.name ?? null
  const tell = (owner: string | null, text: string): void => {
    if (owner !== null && owner !== self) team.tell(owner, text)
  }
  if (after.owner !== before.owner) tell(after.owner, `Task #${after.id} is yours now: ${after.subject}`)
  if (!completes) return
  for (const { id, subject, owner } of freedBy(tasks, after.id)) {
    tell(owner, `Task #${id} can begin, for what it waited for is completed: ${subject}`)
  }
}
