import { listBlocked, openBlockers, type Task, type TaskChange, type TaskList } from './task-list.ts'

/** A change that may be made: the task as it will be, or why it may not. */
export type PlannedChange = { readonly before: Task; readonly after: Task; readonly fields: readonly string[] } | Fault

interface Fault {
  readonly fault: string
}

/** Party that changes a task: a teammate by name; null: the lead, or an agent without a team. */
export interface ChangedBy {
  readonly by: string | null
}

/** Plans a change, without making it. A task begins and ends only when what it depends on is done. */
export function planChange(list: TaskList, id: string, change: TaskChange, { by }: ChangedBy): PlannedChange {
  const before = list.tasks.get(id)
  if (!before) return { fault: `There is no task #${id}.${listKnownTasks(list)}` }
  const fault = findDependencyFault(list, id, change)
  if (fault !== null) return { fault }
  const kept = change.status === 'pending' && before.status !== 'pending' ? null : before.owner
  const after: Task = {
    ...before,
    subject: change.subject ?? before.subject,
    description: change.description ?? before.description,
    activeForm: change.activeForm ?? before.activeForm,
    status: change.status === undefined || change.status === 'deleted' ? before.status : change.status,
    owner: change.owner ?? kept ?? (change.status === 'in_progress' ? by : null),
    blockedBy: [...new Set([...before.blockedBy, ...(change.addBlockedBy ?? [])])],
  }
  const refused = findStatusFault(list, { before, after, change, by }) ?? findOwnerFault(before, change, by)
  return refused === null ? { before, after, fields: listTaskChanges(before, after, change) } : { fault: refused }
}

/** Makes a change that was planned a moment ago. */
export function applyChange({ tasks }: TaskList, after: Task, change: TaskChange): void {
  tasks.set(after.id, after)
  for (const id of change.addBlocks ?? []) {
    const other = tasks.get(id)
    if (other) tasks.set(id, { ...other, blockedBy: [...new Set([...other.blockedBy, after.id])] })
  }
  if (change.status !== 'deleted') return
  tasks.delete(after.id)
  for (const task of tasks.values()) {
    tasks.set(task.id, { ...task, blockedBy: task.blockedBy.filter((id) => id !== after.id) })
  }
}

function findStatusFault(
  list: TaskList,
  { before, after, change, by }: { before: Task; after: Task; change: TaskChange; by: string | null },
): string | null {
  const { id, status } = after
  if (change.status === 'in_progress' && before.status === status && (by === null || before.owner !== by))
    return `Task #${id} is already in progress${before.owner === null ? '' : `: ${before.owner} does it`}.`
  if (status === before.status || status === 'pending') return null
  const open = openBlockers(list, after)
  if (open.length > 0)
    return `Task #${id} waits for ${formatTaskIds(open)}: it cannot be ${status} before that is completed.`
  return null
}

/** The lead gives tasks to any teammate; a teammate leaves those of others alone. */
function findOwnerFault({ id, owner }: Task, change: TaskChange, by: string | null): string | null {
  const takes = change.status !== undefined || change.owner !== undefined
  return takes && by !== null && owner !== null && owner !== by ? `Task #${id} is ${owner}'s.` : null
}

/** Finds what is wrong with the dependencies that are to be added. */
function findDependencyFault(
  list: TaskList,
  id: string,
  { addBlocks = [], addBlockedBy = [] }: TaskChange,
): string | null {
  const unknown = [...addBlocks, ...addBlockedBy].find((other) => !list.tasks.has(other))
  if (unknown !== undefined) return `There is no task #${unknown}.${listKnownTasks(list)}`
  const edges = [
    ...addBlockedBy.map((other) => [id, other] as const),
    ...addBlocks.map((other) => [other, id] as const),
  ]
  const waitsFor = new Map([...list.tasks.values()].map((task) => [task.id, new Set(task.blockedBy)]))
  for (const [waiting, first] of edges) {
    if (isReached(waitsFor, first, waiting)) return `Task #${waiting} cannot wait for #${first}, which waits for it.`
    waitsFor.get(waiting)?.add(first)
  }
  return null
}

function isReached(waitsFor: ReadonlyMap<string, ReadonlySet<string>>, from: string, to: string): boolean {
  return from === to || [...(waitsFor.get(from) ?? [])].some((next) => isReached(waitsFor, next, to))
}

function listTaskChanges(before: Task, after: Task, { addBlocks = [], status }: TaskChange): string[] {
  const names = ['subject', 'description', 'activeForm', 'status', 'owner'] as const
  const changed: string[] = names.filter((name) => before[name] !== after[name])
  if (after.blockedBy.length > before.blockedBy.length) changed.push('blockedBy')
  if (addBlocks.length > 0) changed.push('blocks')
  return status === 'deleted' ? ['deleted'] : changed
}

/** Tasks that are free to begin now that one is completed. */
export function listFreed(list: TaskList, id: string): Task[] {
  return listBlocked(list, id).filter((task) => task.status === 'pending' && openBlockers(list, task).length === 0)
}

function listKnownTasks({ tasks }: TaskList): string {
  return tasks.size === 0 ? ' The list is empty.' : ` Tasks: ${formatTaskIds([...tasks.keys()])}.`
}

/** Task ids with their number signs. */
export function formatTaskIds(ids: readonly string[]): string {
  return ids.map((id) => `#${id}`).join(', ')
}
