/** Statuses of a task. */
export const TASK_STATUSES = ['pending', 'in_progress', 'completed'] as const

/** Status of a task. */
export type TaskStatus = (typeof TASK_STATUSES)[number]

/** Task that all agents of a session share. */
export interface Task {
  readonly id: string
  readonly subject: string
  readonly description: string
  /** Title while an agent does it. */
  readonly activeForm: string | null
  readonly status: TaskStatus
  /** The teammate who does it, or is to do it. */
  readonly owner: string | null
  /** Tasks that must be completed before it can begin. */
  readonly blockedBy: readonly string[]
}

/** The tasks of a session, in the order they were made. */
export interface TaskList {
  readonly tasks: Map<string, Task>
  /** The number of the last task; numbers are not used again. */
  last: number
  /** Writes the list down, so that a session that is resumed has it. Never rejects. */
  readonly keep: () => Promise<void>
}

/** Change of a task. */
export interface TaskChange {
  readonly status?: TaskStatus | 'deleted' | undefined
  readonly subject?: string | undefined
  readonly description?: string | undefined
  readonly activeForm?: string | undefined
  readonly owner?: string | undefined
  /** Tasks that must wait for it. */
  readonly addBlocks?: readonly string[] | undefined
  /** Tasks that it must wait for. */
  readonly addBlockedBy?: readonly string[] | undefined
}

/** Adds a task that waits for nothing. */
export function addTask(
  list: TaskList,
  { subject, description, activeForm }: Pick<Task, 'subject' | 'description' | 'activeForm'>,
): Task {
  const id = String(++list.last)
  const task: Task = { id, subject, description, activeForm, status: 'pending', owner: null, blockedBy: [] }
  list.tasks.set(id, task)
  return task
}

/** Lists what a task still waits for. */
export function openBlockers({ tasks }: TaskList, { blockedBy }: Task): string[] {
  return blockedBy.filter((id) => tasks.get(id)?.status !== 'completed')
}

/** The tasks that wait for a task. */
export function listBlocked({ tasks }: TaskList, id: string): Task[] {
  return [...tasks.values()].filter(({ blockedBy }) => blockedBy.includes(id))
}
