import { AgentError } from '../output/agent-error.ts'
import type { Message, ToolUse } from '../output/messages.ts'
import { readTranscript } from '../transcript/read-transcript.ts'
import { findNewestSession, findSession } from '../transcript/sessions.ts'
import type { SettledOptions } from './options.ts'

/** A session that goes on. */
export interface EarlierSession {
  readonly id: string
  readonly messages: readonly Message[]
  readonly lastUuid: string | null
  /** Calls at its end that hooks put off. */
  readonly open: readonly ToolUse[]
  /** Title that hooks gave it; null: nothing. */
  readonly title: string | null
  /** Responses of tools, by the ids of their calls. */
  readonly responses: ReadonlyMap<string, unknown>
  /** Time of the model's last answer, and the tokens that it took; null: unknown. */
  readonly answered: { readonly at: Date; readonly tokens: number } | null
}

/** Reads an earlier session of the project: by its id, or `newest`. Throws an AgentError when there is none. */
export async function readEarlierSession(
  { sessionsFolder, places, emit }: Pick<SettledOptions, 'sessionsFolder' | 'places' | 'emit'>,
  which: string,
): Promise<EarlierSession> {
  const where = { folder: sessionsFolder, project: places.project }
  const { id, path } = which === 'newest' ? await findNewest(where) : { id: which, path: await findById(where, which) }
  const stored = await readTranscript(path)
  if ('fault' in stored) throw new AgentError(stored.fault)
  const { messages, lastUuid, open, title, responses, answered, unfinished, broken } = stored
  if (unfinished) emit({ type: 'told', to: 'user', text: 'The last line of the session was cut off and is left out.' })
  if (broken > 0)
    emit({ type: 'told', to: 'user', text: `${broken} lines of the session cannot be read and are left out.` })
  return { id, messages, lastUuid, open, title, responses, answered }
}

async function findNewest(where: Parameters<typeof findNewestSession>[0]): Promise<{ id: string; path: string }> {
  const session = await findNewestSession(where)
  if (session === null) throw new AgentError(`There is no earlier session of ${where.project} to continue.`)
  return session
}

async function findById(where: Parameters<typeof findSession>[0], id: string): Promise<string> {
  const path = await findSession(where, id)
  if (path === null) throw new AgentError(`There is no session "${id}" of ${where.project}.`)
  return path
}
