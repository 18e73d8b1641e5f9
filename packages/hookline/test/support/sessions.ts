import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Leftovers, makeLeftovers, type PastEvent } from '../../src/replay/past-event.ts'
import { readSessionEvents } from '../../src/replay/session-events.ts'
import { findSessions } from '../../src/replay/sessions.ts'
import { makeWorld, type World } from './project.ts'

/** Session files as real clients wrote them. */
export const transcripts = fileURLToPath(new URL('../fixtures/transcripts', import.meta.url))

/** What files and folders hold. */
export interface Held {
  readonly sessions: number
  readonly events: PastEvent[]
  readonly leftovers: Leftovers
}

/** Reads everything that files and folders hold. */
export async function eventsIn(...paths: string[]): Promise<Held> {
  const leftovers = makeLeftovers()
  const sessions = await findSessions(paths)
  const events: PastEvent[] = []
  for (const session of sessions) {
    for await (const some of readSessionEvents(session, { leftovers })) events.push(...some)
  }
  return { sessions: sessions.length, events, leftovers }
}

/** A transcript of these lines in a folder of its own; a text is written as it is. */
export async function transcriptOf(lines: readonly (object | string)[], name = 'session.jsonl'): Promise<string> {
  const { root } = await makeWorld()
  const path = join(root, name)
  await writeFile(path, lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''))
  return path
}

const common = { sessionId: 's1', cwd: '/home/dev/project', timestamp: '2026-11-15T09:00:00.000Z', isSidechain: false }

/** A line in which a person says something. */
export function prompt(content: unknown, fields: object = {}): object {
  return { ...common, type: 'user', message: { role: 'user', content }, ...fields }
}

/** A line in which the model answers. */
export function answer(content: unknown, { stop = 'end_turn', id = 'msg_1', ...fields }: Answer = {}): object {
  return { ...common, type: 'assistant', message: { id, role: 'assistant', content, stop_reason: stop }, ...fields }
}

interface Answer {
  readonly stop?: string | null
  readonly id?: string
  readonly [field: string]: unknown
}

/** A line in which the model calls a tool. */
export function call(id: string, command = 'ls', fields: Answer = {}): object {
  return answer([{ type: 'tool_use', id, name: 'Bash', input: { command } }], {
    stop: 'tool_use',
    id: `msg_${id}`,
    ...fields,
  })
}

/** A line with the result of a call. */
export function result(
  id: string,
  content: unknown,
  { failed = false, ...fields }: { failed?: boolean; [field: string]: unknown } = {},
): object {
  return prompt([{ type: 'tool_result', tool_use_id: id, content, is_error: failed }], fields)
}

/** A transcript of calls of Bash in the project of a world; some were refused, with words for the model. */
export function writeTranscript(
  { project: cwd }: World,
  commands: readonly string[],
  refusals: Readonly<Record<number, string>> = {},
): Promise<string> {
  const lines = commands.flatMap((command, at) => [
    call(`t${at}`, command, { cwd }),
    result(`t${at}`, refusals[at] ?? 'ok', { failed: refusals[at] !== undefined, cwd }),
  ])
  return transcriptOf(lines)
}
