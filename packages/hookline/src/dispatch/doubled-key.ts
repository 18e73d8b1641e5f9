import { clipName } from '../text/nearest.ts'
import type { Stage } from './pipe.ts'
import { makeUnreadLine } from './record.ts'

/** Refuses an event in which a key stands twice, before hooks are shown it: they and the host might take different values of it. */
export function refuseDoubledKey(key: string): Stage {
  const why = `The key "${clipName(key)}" stands twice in this event, and hooks might read another of its values than the host: write it once.`
  let isRefused = false
  return {
    plan: ({ notices }, _event, planned) => {
      isRefused = planned.runs.length > 0
      if (!isRefused) return planned
      notices.push(why)
      const lines = [...planned.lines]
      for (const { at, hook } of planned.runs) lines[at] = makeUnreadLine(hook, 'not-reached', why)
      return { lines, runs: [], absent: planned.absent }
    },
    decision: (_session, { row }, decision) =>
      isRefused && row.blocksOn !== 'never' ? { ...decision, blocked: true, reason: why } : decision,
  }
}
