import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DispatchRecord } from 'hookline'
import type { ModelRequest } from '../../src/models/model.ts'
import { makeLogPath } from '../../src/transcript/sessions.ts'
import { linesIn } from '../support/command.ts'
import { type OpenedAgent, textsOf } from '../support/opened-agent.ts'

/** A call that a scripted model makes to give work away. */
export function task(subagent_type: string, more: object = {}) {
  return {
    name: 'Task',
    input: { prompt: `Work as ${subagent_type}`, description: 'some work', subagent_type, ...more },
  }
}

/** What the model of one kind of agent was asked, in order; null: the session's own. */
export function askedOf({ requests }: OpenedAgent, type: string | null): ModelRequest[] {
  return requests.filter(({ agentType }) => agentType === type)
}

/** All that a model reads in a request. */
export function readIn(request: ModelRequest | undefined): string {
  return (request?.messages ?? []).flatMap(textsOf).join('\n')
}

/** One event of a session, as its log keeps it. */
export interface Logged {
  readonly record: DispatchRecord
  readonly input: Readonly<Record<string, unknown>>
}

/** The events of a session that was closed, in the order in which they ended. */
export function loggedEvents({ agent }: OpenedAgent): Logged[] {
  const path = makeLogPath(agent.transcriptPath)
  // Lines of a log have this shape; the engine's own tests hold it.
  return linesIn(readFileSync(path, 'utf8')) as unknown as Logged[]
}

/** The transcripts of a session's subagents, by file name. */
export function subagentTranscripts({ agent }: OpenedAgent): Record<string, Record<string, unknown>[]> {
  const folder = join(agent.transcriptPath.replace(/\.jsonl$/, ''), 'subagents')
  const names = existsSync(folder) ? readdirSync(folder) : []
  return Object.fromEntries(names.map((name) => [name, linesIn(readFileSync(join(folder, name), 'utf8'))]))
}
