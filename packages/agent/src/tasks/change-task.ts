import { blocksOf, openBlockers, type Task, type TaskList, type Wish } from './task-list.ts'

/** A change that may be made: the task as it will be, or why it may not. */
export type Change = { readonly before: Task; readonly after: Task; readonly fields: readonly string[] } | Fault

interface Fault {
  readonly fault: string
}

/** Who changes a task: a teammate by name; null: the lead, or somebody without a team. */
export interface ChangedBy {
  readonly by: string | null
}

/** What a wish comes to; changes nothing. A task begins and ends only when what it depends on is done. */
export function plannedChange(list: TaskList, id: string, wish: Wish, { by }: ChangedBy): Change {
  const before = list.tasks.get(id)
  if (!before) return { fault: `There is no task #${id}.${known(list)}` }
  const fault = dependencyFault(list, id, wish)
  if (fault !== null) return { fault }
  const kept = wish.status === 'pending' && before.status !== 'pending' ? null : before.owner
  const after: Task = {
    ...before,
    subject: wish.subject ?? before.subject,
    description: wish.description ?? before.description,
    activeForm: wish.activeForm ?? before.activeForm,
    status: wish.status === undefined || wish.status === 'deleted' ? before.status : wish.status,
    owner: wish.owner ?? kept ?? (wish.status === 'in_progress' ? by : null),
    blockedBy: [...new Set([...before.blockedBy, ...(wish.addBlockedBy ?? [])])],
  }
  const refused = statusFault(list, { before, after, wish, by }) ?? ownerFault(before, wish, by)
  return refused === null ? { before, after, fields: changedFields(before, after, wish) } : { fault: refused }
}

/** Makes a change that was planned a moment ago. */
export function applyChange({ tasks }: TaskList, after: Task, wish: Wish): void {
  tasks.set(after.id, after)
  for (const id of wish.addBlocks ?? []) {
    const other = tasks.get(id)
    if (other) tasks.set(id, { ...other, blockedBy: [...new Set([...other.blockedBy, after.id])] })
  }
  if (wish.status !== 'deleted') return
  tasks.delete(after.id)
  for (const task of tasks.values()) {
    tasks.set(task.id, { ...task, blockedBy: task.blockedBy.filter((id) => id !== after.id) })
  }
}

function statusFault(
  list: TaskList,
  { before, after, wish, by }: { before: Task; after: Task; wish: Wish; by: string | null },
): string | null {
  const { id, status } = after
  if (wish.status === 'in_progress' && before.status === status && (by === null || before.owner !== by))
    return `Task #${id} is already in progress${before.owner === null ? '' : `: ${before.owner} does it`}.`
  if (status === before.status || status === 'pending') return null
  const open = openBlockers(list, after)
  if (open.length > 0) return `Task #${id} waits for ${inWords(open)}: it cannot be ${status} before that is completed.`
  return null
}

/** The lead gives tasks to whom it likes; a teammate leaves those of others alone. */
function ownerFault({ id, owner }: Task, wish: Wish, by: string | null): string | null {
  const takes = wish.status !== undefined || wish.owner !== undefined
  return takes && by !== null && owner !== null && owner !== by ? `Task #${id} is ${owner}'s.` : null
}

/** What is wrong with the dependencies somebody wants added. */
function dependencyFault(list: TaskList, id: string, { addBlocks = [], addBlockedBy = [] }: Wish): string | null {
  const unknown = [...addBlocks, ...addBlockedBy].find((other) => !list.tasks.has(other))
  if (unknown !== undefined) return `There is no task #${unknown}.${known(list)}`
  const edges = [
    ...addBlockedBy.map((other) => [id, other] as const),
    ...addBlocks.map((other) => [other, id] as const),
  ]
  const waitsFor = new Map([...list.tasks.values()].map((task) => [task.id, new Set(task.blockedBy)]))
  for (const [waiting, first] of edges) {
    if (reaches(waitsFor, first, waiting)) return `Task #${waiting} cannot wait for #${first}, which waits for it.`
    waitsFor.get(waiting)?.add(first)
  }
  return null
}

function reaches(waitsFor: ReadonlyMap<string, ReadonlySet<string>>, from: string, to: string): boolean {
  return from === to || [...(waitsFor.get(from) ?? [])].some((next) => reaches(waitsFor, next, to))
}

function changedFields(before: Task, after: Task, { addBlocks = [], status }: Wish): string[] {
  const names = ['subject', 'description', 'activeForm', 'status', 'owner'] as const
  const changed: string[] = names.filter((name) => before[name] !== after[name])
  if (after.blockedBy.length > before.blockedBy.length) changed.push('blockedBy')
  if (addBlocks.length > 0) changed.push('blocks')
  return status === 'deleted' ? ['deleted'] : changed
}

/** Tasks that are free to begin now that one is completed. */
export function freedBy(list: TaskList, id: string): Task[] {
  return blocksOf(list, id).filter((task) => task.status === 'pending' && openBlockers(list, task).length === 0)
}

function known({ tasks }: TaskList): string {
  return tasks.size === 0 ? ' The list is empty.' : ` Tasks: ${inWords([...tasks.keys()])}.`
}

/** Tasks as people write them. */
export function inWords(ids: readonly string[]): string {
  return ids.map((id) => `#${id}`).join(', ')
}
