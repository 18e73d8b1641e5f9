import type { AnyEngine } from '../engine/engine-interface.ts'
import type { EventInput } from '../protocol/event-input.ts'
import type { DispatchRecord } from '../protocol/record.ts'
import { noticesOf, warn } from './notices.ts'
import type { GuardOptions } from './tool-call.ts'

/** How one event is fired. */
interface Fired {
  readonly signal: AbortSignal | undefined
  /** Whether its tool is one of an MCP server; undefined: the name says so. */
  readonly mcp?: boolean | undefined
}

/** Dispatches an event about a call of a loop, and tells the host what came of it. */
export async function fire(
  engine: AnyEngine,
  event: EventInput,
  {
    agent,
    dispatch = (one, options) => engine.dispatch(one, options),
    onRecord,
    onNotice = warn,
    signal,
    mcp,
  }: GuardOptions & Fired,
): Promise<DispatchRecord> {
  const input: EventInput = agent === undefined ? event : { ...event, agent_id: agent }
  const record = await dispatch(input, {
    ...(signal === undefined ? {} : { signal }),
    ...(mcp === undefined ? {} : { mcp }),
  })
  onRecord?.(record)
  for (const notice of noticesOf(engine, record)) onNotice(notice)
  return record
}
