import { readText, replaceFile } from 'hookline/internal'
import * as z from 'zod'
import { TASK_STATUSES, type Task, type TaskList } from './task-list.ts'

const stored = z.object({
  last: z.number().int().nonnegative(),
  tasks: z.array(
    z.object({
      id: z.string(),
      subject: z.string(),
      description: z.string(),
      activeForm: z.string().nullable(),
      status: z.enum(TASK_STATUSES),
      owner: z.string().nullable(),
      blockedBy: z.array(z.string()),
    }),
  ),
})

/** The task list of a session, as an earlier run of it left it; it is written down with every change. */
export async function openTaskList(
  path: string,
  { tell }: { readonly tell: (text: string) => void },
): Promise<TaskList> {
  const { tasks, last } = await readTasks(path, tell)
  let writing: Promise<void> = Promise.resolve()
  let isTold = false
  const write = async (): Promise<void> => {
    const text = JSON.stringify({ last: list.last, tasks: [...list.tasks.values()] }, null, 2)
    try {
      await replaceFile(path, `${text}\n`, { mode: 0o600, folderMode: 0o700 })
    } catch (error) {
      if (!isTold) tell(`The task list will not be there when the session is resumed: ${String(error)}`)
      isTold = true // once is enough: the session goes on
    }
  }
  const list: TaskList = {
    tasks: new Map(tasks.map((task) => [task.id, task])),
    last,
    keep: () => {
      writing = writing.then(write)
      return writing
    },
  }
  return list
}

async function readTasks(path: string, tell: (text: string) => void): Promise<{ tasks: Task[]; last: number }> {
  const nothing = { tasks: [], last: 0 }
  const content = await readText(path)
  if (content.read === 'missing') return nothing
  try {
    const { tasks, last } = stored.parse(JSON.parse(content.read === 'text' ? content.text : ''))
    return { tasks: tasks.map(freeTask), last: Math.max(last, ...tasks.map(({ id }) => Number(id) || 0)) }
  } catch {
    tell(`The task list of the session cannot be read (${path}); it starts empty.`)
    return nothing
  }
}

/** A teammate who was at work is gone: what it did not finish can be begun again. */
function freeTask(task: Task): Task {
  return task.status === 'in_progress' && task.owner !== null ? { ...task, status: 'pending', owner: null } : task
}
