import type { Leftovers, RecordedEvent } from '../../../replay/recorded-event.ts'
import type { Planned, Replayed } from '../../../replay/replay.ts'
import { differences, type Totals } from '../../../replay/totals.ts'

/** An event whose hooks ran, for programs. */
export function replayedEntry({ event, now, against, difference }: Replayed): object {
  const { input, before } = event
  return { ...placeOf(event), input, before, now, ...(against === undefined ? {} : { against }), difference }
}

/** An event whose hooks were only matched, for programs. */
export function plannedEntry({ event, hooks }: Planned): object {
  return { ...placeOf(event), wouldRun: hooks?.map(({ id }) => id) ?? null }
}

/** What it all comes to, for programs. */
export function totalsEntry(totals: Totals, { skipped, torn }: Leftovers, sessions: number): object {
  const { hooks, modelHooks, untrusted, ...counts } = totals
  return {
    totals: {
      sessions,
      ...counts,
      differences: differences(totals),
      hooks: Object.fromEntries(hooks),
      modelHooks: [...modelHooks],
      untrusted: [...untrusted],
      skipped: Object.fromEntries(skipped),
      torn,
    },
  }
}

function placeOf({ input, subject, file, line }: RecordedEvent): object {
  const { hook_event_name: event, session_id: session } = input
  return { event, subject, session, file, line }
}
