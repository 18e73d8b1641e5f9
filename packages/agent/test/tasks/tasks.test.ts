import { stat, writeFile } from 'node:fs/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { commands } from '../../../hookline/test/support/project.ts'
import { applyChange, planChange } from '../../src/tasks/change-task.ts'
import { addTask, openBlockers, type TaskList } from '../../src/tasks/task-list.ts'
import { askedOf, loggedEvents } from '../subagents/support.ts'
import { openAgent, textsOf, worldWithHooks } from '../support/opened-agent.ts'

const create = (subject: string, description = '') => ({ name: 'TaskCreate', input: { subject, description } })
const update = (taskId: string, change: object) => ({ name: 'TaskUpdate', input: { taskId, ...change } })
const list = { name: 'TaskList', input: {} }

/** What the model reads of the calls of one answer. */
async function resultsOf(tools: { name: string; input: object }[], opening: Parameters<typeof openAgent>[1] = {}) {
  const opened = await openAgent({ turns: [{ tools }] }, opening)
  await opened.agent.run('Go')
  return { opened, results: textsOf(askedOf(opened, null)[1]?.messages.at(-1)) }
}

describe('the task list', () => {
  it('is made, shown and changed by tools that need no permission', async () => {
    const { results } = await resultsOf([
      create('Sow', 'in rows'),
      create('Reap'),
      update('2', { addBlockedBy: ['1'] }),
      list,
      { name: 'TaskGet', input: { taskId: '1' } },
      update('1', { status: 'completed' }),
      list,
    ])
    expect(results).toEqual([
      'Task #1 created successfully: Sow',
      'Task #2 created successfully: Reap',
      'Updated task #2 blockedBy',
      '#1 [pending] Sow\n#2 [pending] Reap [blocked by #1]',
      'Task #1: Sow\nStatus: pending\nDescription: in rows\nBlocks: #2',
      'Updated task #1 status',
      '#1 [completed] Sow\n#2 [pending] Reap',
    ])
  })

  it('is there again when the session is resumed, and the numbers go on', async () => {
    const first = await resultsOf([
      create('Sow', 'in rows'),
      create('Reap'),
      create('Gone'),
      update('2', { addBlockedBy: ['1'] }),
      update('1', { status: 'in_progress' }),
      update('3', { status: 'deleted' }),
    ])
    const { agent, world } = first.opened
    await agent.close()
    const { results } = await resultsOf([list, create('Bake'), { name: 'TaskGet', input: { taskId: '1' } }], {
      world,
      resume: agent.sessionId,
    })
    expect(results).toEqual([
      '#1 [in_progress] Sow\n#2 [pending] Reap [blocked by #1]',
      'Task #4 created successfully: Bake',
      'Task #1: Sow\nStatus: in_progress\nDescription: in rows\nBlocks: #2',
    ])
    const { results: fresh } = await resultsOf([list], { world })
    expect(fresh).toEqual(['No tasks'])
  })

  it('gives back what a teammate had begun who is gone when the session is resumed', async () => {
    const { opened } = await resultsOf([create('Sow'), update('1', { status: 'in_progress', owner: 'ann' })])
    await opened.agent.close()
    const { results } = await resultsOf([list, update('1', { status: 'in_progress' })], {
      world: opened.world,
      resume: 'newest',
    })
    expect(results).toEqual(['#1 [pending] Sow', 'Updated task #1 status'])
  })

  it('starts empty, and says so, when what was kept of it cannot be read', async () => {
    const { opened } = await resultsOf([create('Sow')])
    await opened.agent.close()
    const file = opened.agent.transcriptPath.replace(/\.jsonl$/, '/tasks.json')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    await writeFile(file, '{"tasks": 7}')
    const again = await resultsOf([list], { world: opened.world, resume: 'newest' })
    expect(again.results).toEqual(['No tasks'])
    expect(again.opened.told().user.join()).toContain('tasks.json')
  })

  it('lets a task begin and end only when what it waits for is completed', async () => {
    const { results } = await resultsOf([
      create('Sow'),
      create('Reap'),
      update('1', { addBlocks: ['2'] }),
      update('2', { status: 'in_progress' }),
      update('2', { status: 'completed' }),
      update('1', { status: 'completed' }),
      update('2', { status: 'in_progress' }),
      update('2', { status: 'in_progress' }),
    ])
    expect(results.slice(3)).toEqual([
      'Task #2 waits for #1: it cannot be in_progress before that is completed.',
      'Task #2 waits for #1: it cannot be completed before that is completed.',
      'Updated task #1 status',
      'Updated task #2 status',
      'Task #2 is already in progress.',
    ])
  })

  it('lets go of a task that goes back to pending, and drops one that is under way', async () => {
    const { results } = await resultsOf([
      create('Sow'),
      update('1', { status: 'in_progress', owner: 'Ada' }),
      update('1', { status: 'pending' }),
      list,
      update('1', { status: 'in_progress' }),
      update('1', { status: 'deleted' }),
      list,
    ])
    expect(results.slice(2)).toEqual([
      'Updated task #1 status, owner',
      '#1 [pending] Sow',
      'Updated task #1 status',
      'Updated task #1 deleted',
      'No tasks',
    ])
  })

  it('refuses tasks that wait for each other, and tasks that are not there', async () => {
    const { results } = await resultsOf([
      create('One'),
      create('Two'),
      update('1', { addBlockedBy: ['2'] }),
      update('2', { addBlockedBy: ['1'] }),
      update('1', { addBlockedBy: ['1'] }),
      update('7', { status: 'completed' }),
      update('2', { status: 'deleted' }),
      list,
    ])
    expect(results.slice(3)).toEqual([
      'Task #2 cannot wait for #1, which waits for it.',
      'Task #1 cannot wait for #1, which waits for it.',
      'There is no task #7. Tasks: #1, #2.',
      'Updated task #2 deleted',
      '#1 [pending] One',
    ])
  })

  it('never lets a task be under way before what it waits for, whatever is asked in whatever order', () => {
    const change = fc.record(
      {
        status: fc.constantFrom('pending' as const, 'in_progress' as const, 'completed' as const, 'deleted' as const),
        addBlockedBy: fc.array(fc.constantFrom('1', '2', '3', '4'), { maxLength: 2 }),
        addBlocks: fc.array(fc.constantFrom('1', '2', '3', '4'), { maxLength: 2 }),
      },
      { requiredKeys: [] },
    )
    const asked = fc.tuple(fc.constantFrom('1', '2', '3', '4'), change, fc.constantFrom(null, 'Ada', 'Bob'))
    fc.assert(
      fc.property(fc.array(asked, { maxLength: 30 }), (changes) => {
        const tasks: TaskList = { tasks: new Map(), last: 0, keep: async () => {} }
        for (const subject of ['a', 'b', 'c', 'd']) addTask(tasks, { subject, description: '', activeForm: null })
        for (const [id, change, by] of changes) {
          const planned = planChange(tasks, id, change, { by })
          if ('fault' in planned) continue
          const begins = planned.after.status !== planned.before.status && planned.after.status !== 'pending'
          if (begins) expect(openBlockers(tasks, planned.after)).toEqual([])
          applyChange(tasks, planned.after, change)
          for (const task of tasks.tasks.values()) expect(task.blockedBy).not.toContain(task.id)
        }
      }),
    )
  })
})

describe('TaskCompleted', () => {
  it('keeps a task open until its check passes, and gives the model the hook’s words', async () => {
    const world = await worldWithHooks({
      TaskCompleted: [commands('test -e tested || { echo "run the tests" >&2; exit 2; }')],
    })
    const { results, opened } = await resultsOf(
      [
        create('Build', 'all of it'),
        update('1', { status: 'completed' }),
        list,
        { name: 'Bash', input: { command: 'touch tested' } },
        update('1', { status: 'completed' }),
        list,
      ],
      { world, allowedTools: ['Bash'] },
    )
    expect(results[1]).toBe(
      'TaskCompleted hook feedback:\n[test -e tested || { echo "run the tests" >&2; exit 2; }]: run the tests',
    )
    expect([results[2], results[4], results[5]]).toEqual([
      '#1 [pending] Build',
      'Updated task #1 status',
      '#1 [completed] Build',
    ])
    const kept = askedOf(opened, null)[1]?.messages.at(-1)?.content[1]
    expect(kept).not.toHaveProperty('is_error')
    await opened.agent.close()
    const [first, second] = loggedEvents(opened).filter(({ input }) => input.hook_event_name === 'TaskCompleted')
    expect(first?.input).toMatchObject({ task_id: '1', task_subject: 'Build', task_description: 'all of it' })
    expect(first?.input).not.toHaveProperty('teammate_name')
    expect(second?.record.decision.blocked).toBe(false)
  })

  it('is not fired for a task that is completed already', async () => {
    const { opened } = await resultsOf([
      create('Build'),
      update('1', { status: 'completed' }),
      update('1', { status: 'completed', subject: 'Build it' }),
    ])
    await opened.agent.close()
    expect(loggedEvents(opened).filter(({ input }) => input.hook_event_name === 'TaskCompleted')).toHaveLength(1)
  })

  it('ends the turn when its hook halts', async () => {
    const world = await worldWithHooks({ TaskCompleted: [commands(`echo '{"continue":false,"stopReason":"enough"}'`)] })
    const opened = await openAgent(
      { turns: [{ tools: [create('Build'), update('1', { status: 'completed' })] }, { text: 'not reached' }] },
      { world },
    )
    expect(await opened.agent.run('Go')).toMatchObject({ subtype: 'error_stopped_by_hook', error: 'enough' })
    expect(opened.requests).toHaveLength(1)
  })
})
