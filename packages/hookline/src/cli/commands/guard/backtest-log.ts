import { join } from 'node:path'
import { makeTempFolder } from '../../../files/temp-folder.ts'
import type { Finding } from '../../../guards/guard.ts'
import { openFileStore } from '../../../log/file-store.ts'
import type { HookLine } from '../../../protocol/record/record.ts'
import { toPlannedLogEntry } from '../../../replay/as-entries.ts'
import { makeLeftovers, type PastEvent } from '../../../replay/past-event.ts'
import { readSessionEvents } from '../../../replay/session-events.ts'
import type { SessionFiles } from '../../../replay/sessions.ts'
import type { MadeLog } from '../../input/serve-inspector.ts'

/** Findings on the calls that guards would have spoken about, by the place of the call. */
export type SpokenCalls = Map<string, { readonly session: string; readonly findings: readonly Finding[] }>

const NOTE =
  'From past sessions: outcomes are those of then, and guards would have spoken as they do today. Nothing was run.'

/** Notes a call that guards would have spoken about. */
export function addSpokenCall(spoken: SpokenCalls, event: PastEvent, findings: readonly Finding[]): void {
  spoken.set(nameCall(event), { session: readSession(event), findings })
}

/**
 * Makes a log of the sessions in which guards would have spoken, in a temporary folder: each event with its outcome of then, and a line
 * for each guard that has something against it. Runs nothing.
 */
export async function makeBacktestLog(sessions: readonly SessionFiles[], spoken: SpokenCalls): Promise<MadeLog> {
  const shown = new Set([...spoken.values()].map(({ session }) => session))
  const scratch = await makeTempFolder('backtest')
  const file = join(scratch.path, 'hooks.jsonl')
  const store = openFileStore(file, { maxBytes: Number.MAX_SAFE_INTEGER })
  const [only, ...others] = shown
  const view =
    only === undefined || others.length > 0 ? {} : { view: `/session/${encodeURIComponent(only)}?only=spoke` }
  let events = 0
  try {
    for (const session of sessions)
      for await (const batch of readSessionEvents(session, { leftovers: makeLeftovers() })) {
        const entries = batch.filter((event) => shown.has(readSession(event)))
        await store.append(
          entries.map((event) => toPlannedLogEntry({ event, plan: listLines(spoken, event) }, events++)),
        )
      }
  } catch (error) {
    await scratch.remove()
    throw error
  }
  return { file, note: NOTE, ...view, remove: () => scratch.remove() }
}

function listLines(spoken: SpokenCalls, event: PastEvent): readonly HookLine[] {
  const { findings = [] } = spoken.get(nameCall(event)) ?? {}
  return findings.map(toHookLine)
}

/** A line that a guard would have in the record of a call. */
function toHookLine({ guard, answer, says, instead }: Finding): HookLine {
  return {
    id: `guard ${guard}`,
    ...{ verdict: 'ran', planned: true, outcome: answer === 'deny' ? 'blocking' : 'success' },
    because: `${says}. Instead: ${instead}`,
    ...{ scope: '', file: null, line: null, matcher: null, type: 'guard', warnings: [] },
  }
}

function nameCall({ input, file, line }: PastEvent): string {
  return `${file}:${line} ${String(input.tool_use_id ?? '')}`
}

function readSession({ input }: PastEvent): string {
  return String(input.session_id)
}
