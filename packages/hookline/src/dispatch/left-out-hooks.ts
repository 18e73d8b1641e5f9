import type { Stage } from './pipe.ts'
import { makeUnreadLine } from './record.ts'

/** Leaves out hooks that have seen the call in another run of the event, or that are to run in another one. */
export const leftOutHooks: Stage = {
  plan: (_session, { following: { except, only } }, planned) => {
    const isElsewhere = ({ waits }: { readonly waits: boolean }): boolean =>
      only !== undefined && waits !== (only === 'awaited')
    const left = planned.runs.filter(({ hook }) => except?.has(hook.id) || isElsewhere(hook))
    const lines = [...planned.lines]
    for (const { at, hook } of left) lines[at] = makeUnreadLine(hook, 'not-reached', 'another run of this event has it')
    return { ...planned, lines, runs: planned.runs.filter((run) => !left.includes(run)) }
  },
}
