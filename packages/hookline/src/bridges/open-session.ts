import { join } from 'node:path'
import { openEngine } from '../engine/engine.ts'
import type { KeptEngineOptions } from '../engine/options.ts'
import { CLAUDE_CODE_PROFILE } from '../protocol/profiles.ts'
import { type AcceptedPayload, NO_SESSION } from './accept-payload.ts'
import { type AnswerSubject, type BridgeAnswer, makeNoOpinion } from './answer/answer.ts'
import { readOwnValue } from './call/parts.ts'
import { findSessionProject } from './call/project.ts'
import { reviewGuards } from './guards.ts'
import { SessionMemory } from './memory.ts'
import { type OpenedEngine, openReadable } from './open-readable.ts'

/** Opens the engine that an event is shown to, with the guards of its session. */
export async function openSession(accepted: AcceptedPayload, memory: SessionMemory): Promise<OpenedEngine> {
  const { until, home } = accepted
  const options = await makeEngineOptions(accepted, memory)
  // A part of the time that hooks have is gone when the engine opens.
  const within = until === null ? {} : { within: Math.max(0.001, (until - performance.now()) / 1000) }
  const life = options.keeper ? ({ warm: 'auto' } as const) : ({ warm: 'off', isShortLived: true } as const)
  return openReadable({ ...options, ...within, ...life, home })
}

async function makeEngineOptions(
  { request: { bridge, env, nativeTranscript, engine, only }, said, cwd, home, session }: AcceptedPayload,
  memory: SessionMemory,
): Promise<KeptEngineOptions> {
  const mode = (bridge.modes && readOwnValue(bridge.modes, said.permission_mode ?? said.permissionMode)) ?? 'default'
  const native = typeof said.transcript_path === 'string' ? said.transcript_path : null
  const transcriptPath = nativeTranscript ? native : join(memory.folder, 'transcript.jsonl')
  return {
    profile: CLAUDE_CODE_PROFILE,
    project: await findSessionProject(bridge, { cwd, home, env, memory: session === NO_SESSION ? null : memory }),
    host: engine.keeper === undefined ? { client: bridge.name } : { client: bridge.name, launcher: 'resident' },
    sessionId: session,
    permissionMode: mode,
    ...(transcriptPath === null ? {} : { transcriptPath }),
    onceFile: join(memory.folder, 'once.json'),
    env: { ...env, HOOKLINE_AGENT: bridge.name },
    ...engine,
    // configured hooks are not for us to run: the host calls the hook, and has asked the user about it.
    ...(only === undefined
      ? {}
      : { managedOnly: true, managed: join(memory.folder, 'no-policy.json'), plugins: [], rehearsal: true }),
  }
}

/** Loss of guards of a session, and what the user should hear. */
export interface MissingGuards {
  /** Reason why calls are refused; null: they are not. */
  readonly why: string | null
  readonly news: readonly string[]
}

/** Looks for guards that cannot be read, or that are not those that the session began with. */
export async function findMissing(
  { request: { only }, home, said, session }: AcceptedPayload,
  { engine, options, unread }: OpenedEngine,
  { memory }: AnswerSubject,
): Promise<MissingGuards> {
  if (only !== undefined) return { why: null, news: [] } // the host reads the files, and calls what it finds
  if (unread.length > 0) return { why: unread.join('. '), news: [] }
  if (session === NO_SESSION) return { why: null, news: [] }
  const isOld = said.source === 'resume' || said.source === 'compact'
  const { project = '' } = options
  const { refusal, news } = await reviewGuards(engine, { memory, project, home, isOld })
  return { why: refusal, news }
}

/** Records an event that is not in the agent's table; the host goes on, since no hook can be configured for it. */
export async function recordUnknownEvent(accepted: AcceptedPayload): Promise<BridgeAnswer> {
  const { request, home, session } = accepted
  const { bridge, hostEvent } = request
  const note = `Nothing is done for ${hostEvent}: ${bridge.title} has no event "${hostEvent}" that hooks know.`
  try {
    const options = await makeEngineOptions(accepted, await SessionMemory.open(home, bridge.name, session))
    const engine = await openEngine({ ...options, warm: 'off' })
    engine.recordUnread(hostEvent, { why: note, refused: false })
    await engine.close()
  } catch {
    // a record that cannot be written changes nothing about the answer
  }
  return { ...makeNoOpinion(bridge, hostEvent), notes: [note] }
}
