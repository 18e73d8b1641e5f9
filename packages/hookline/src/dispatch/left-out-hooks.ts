import type { Stage } from './pipe.ts'
import { makeUnreadLine } from './record.ts'

/** Leaves out hooks that have seen the call in another run of the event. */
export const leftOutHooks: Stage = {
  plan: (_session, { following: { except } }, planned) => {
    const left = planned.runs.filter(({ hook }) => except?.has(hook.id))
    const lines = [...planned.lines]
    for (const { at, hook } of left) lines[at] = makeUnreadLine(hook, 'not-reached', 'another run of this event has it')
    return { ...planned, lines, runs: planned.runs.filter((run) => !left.includes(run)) }
  },
}
