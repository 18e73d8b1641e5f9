import { openFileStore } from '../log/file-store.ts'
import { openEventReader, UNKNOWN_AGENT } from './event-reader.ts'
import { readLineBatches } from './line-batches.ts'
import { readLogEvents } from './log-events.ts'
import { type Leftovers, makeLeftovers, type PastEvent } from './past-event.ts'
import type { SessionFiles } from './sessions.ts'

/** Listeners while a session is read. */
export interface ReadingOptions {
  readonly leftovers: Leftovers
  /** So many bytes more have been read. */
  readonly onBytes?: (bytes: number) => void
}

/** So many events are handed over at once. */
const BATCH = 1000

/** The events of a session in the order of their times, those of its subagents among them, some at a time. */
export async function* readSessionEvents(
  { files, isLog, bytes }: SessionFiles,
  options: ReadingOptions,
): AsyncGenerator<readonly PastEvent[], void, undefined> {
  const [transcript = ''] = files
  if (isLog) {
    yield* readLogEvents(openFileStore(transcript), options.leftovers)
    options.onBytes?.(bytes)
    return
  }
  const feeds = files.map((file) => readFileEvents(file, transcript, options))
  const merged = feeds.length === 1 ? feeds[0] : mergeByTime(feeds)
  const agentTypes = new Map<string, string>()
  for await (const events of merged ?? []) yield events.map((event) => withAgentType(event, agentTypes))
}

/** Counts the events of sessions. Reads all of them, and runs nothing. */
export async function countEvents(sessions: readonly SessionFiles[], signal?: AbortSignal): Promise<number> {
  let count = 0
  for (const session of sessions) {
    for await (const events of readSessionEvents(session, { leftovers: makeLeftovers() })) {
      if (signal?.aborted) return count
      count += events.length
    }
  }
  return count
}

/** The events of several sessions, one after the other and one at a time; tells when a session is over. */
export async function* iterateEvents(
  sessions: readonly SessionFiles[],
  { signal, onSessionEnd, ...reading }: ReadingOptions & OneByOne,
): AsyncGenerator<PastEvent, void, undefined> {
  for (const session of sessions) {
    for await (const events of readSessionEvents(session, reading)) {
      if (signal?.aborted) return
      yield* events
    }
    await onSessionEnd()
  }
}

interface OneByOne {
  readonly signal?: AbortSignal | undefined
  readonly onSessionEnd: () => Promise<unknown>
}

async function* readFileEvents(
  file: string,
  transcript: string,
  { leftovers, onBytes = () => {} }: ReadingOptions,
): AsyncGenerator<PastEvent[], void, undefined> {
  const reader = openEventReader({ file, transcript, leftovers })
  for await (const { lines, bytes } of readLineBatches(file)) {
    onBytes(bytes)
    yield lines.flatMap((line) => reader.take(line))
  }
  yield [...reader.end()]
}

interface Feed {
  readonly batches: AsyncIterator<PastEvent[]>
  ahead: PastEvent[]
  at: number
}

/** Takes the earliest of the next events of all files, again and again. */
async function* mergeByTime(
  files: readonly AsyncGenerator<PastEvent[], void, undefined>[],
): AsyncGenerator<PastEvent[], void, undefined> {
  const feeds: Feed[] = files.map((batches) => ({ batches, ahead: [], at: 0 }))
  let batch: PastEvent[] = []
  for (const feed of feeds) await refillFeed(feed)
  for (;;) {
    const [next] = feeds.filter(({ ahead, at }) => at < ahead.length).sort((a, b) => readHeadTime(a) - readHeadTime(b))
    const event = next?.ahead[next.at]
    if (!next || !event) break
    next.at++
    await refillFeed(next)
    batch.push(event)
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  yield batch
}

async function refillFeed(feed: Feed): Promise<void> {
  while (feed.at >= feed.ahead.length) {
    const { value, done } = await feed.batches.next()
    if (done) return
    feed.ahead = value
    feed.at = 0
  }
}

const readHeadTime = ({ ahead, at }: Feed): number => ahead[at]?.time ?? 0

/** The call that started a subagent names its type, which older clients do not write into the subagent's own file. */
function withAgentType(event: PastEvent, agentTypes: Map<string, string>): PastEvent {
  const { tool_input: call, agent_type } = event.input
  if (event.subject === 'call' && typeof call === 'object' && call !== null && 'subagent_type' in call) {
    if ('prompt' in call) agentTypes.set(String(call.prompt), String(call.subagent_type))
  }
  const type = agent_type === UNKNOWN_AGENT ? agentTypes.get(event.agentPrompt ?? '') : undefined
  return type === undefined ? event : { ...event, input: { ...event.input, agent_type: type } }
}
