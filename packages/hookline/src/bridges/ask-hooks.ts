import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Engine } from '../engine/engine-interface.ts'
import { readText } from '../files/read.ts'
import type { AcceptedPayload } from './accept-payload.ts'
import { findAgentFacts } from './agent-facts.ts'
import { type AnswerSubject, answer, type BridgeAnswer, isAwaited, makeNoOpinion } from './answer/answer.ts'
import { decideParts } from './answer/decide-parts.ts'
import { makeBridgeRefusal } from './answer/refusal.ts'
import { rewriteInput, writePrefixedInput } from './answer/rewrite-input.ts'
import type { Bridge, JsonObject } from './bridge.ts'
import { type FoldedDecision, fold, SILENCE } from './call/fold.ts'
import type { HostCall, TranslatedPayload } from './call/payload.ts'
import { formatExports } from './memory.ts'
import type { OpenedEngine } from './open-readable.ts'
import type { MissingGuards } from './open-session.ts'
import { listSessionNews } from './session-news.ts'

/** Surroundings in which hooks are asked. */
export interface AskedSession {
  readonly accepted: AcceptedPayload
  readonly opened: OpenedEngine
  /** The folder that the session began in. */
  readonly base: string
  readonly missing: MissingGuards
}

/** Things that one call may do: more would take longer to ask about than any host waits. */
const MAX_PARTS = 100

/** Dispatches the events of a payload, and answers with what all hooks decided together. */
export async function askHooks(
  asked: AnswerSubject,
  translated: TranslatedPayload,
  asking: AskedSession,
): Promise<BridgeAnswer> {
  const { bridge, memory, event } = asked
  const { engine } = asking.opened
  const { call, parts } = translated
  const halted = beginEvent(asked)
  if (halted !== null) return { ...answer(asked, { ...SILENCE, permission: 'deny', reason: halted }), notes: [] }
  if (parts.length > MAX_PARTS)
    return makeBridgeRefusal(
      asked,
      engine,
      `one call does ${parts.length} things, and hooks are asked about ${MAX_PARTS}: do it in smaller steps`,
    )
  if (parts.length > 0) memory.makeTranscript()
  const { decided, left, isCutShort, shortage } = await decideParts(parts, {
    ...{ engine, event, memory, until: asking.accepted.until },
    isCutShort: asking.accepted.request.only?.isCutShort ?? null,
  })
  const all = fold(decided)
  // Of a hook that the host has not waited for only the words count.
  const isOnlyHeard = all !== SILENCE && asked.only !== undefined && asked.observes
  const folded = isOnlyHeard ? { ...SILENCE, context: all.context, toUser: all.toUser } : all
  const isRefused = folded.halt !== null || folded.permission === 'deny' || folded.permission === 'defer'
  if ((isCutShort || shortage !== null) && isAwaited(event) && !isRefused) {
    if (call !== null) memory.refuse(call.id)
    const late = `the hooks did not end within the time that ${bridge.title} gives them`
    return makeBridgeRefusal(asked, engine, shortage === null ? late : `a hook could not be started: ${shortage}`)
  }
  if (left.length > 0) await runLater(asked, left, asking)
  const variables = engine.listEnvironmentFiles().length === 0 ? null : await keepVariables(asked, asking)
  if (call !== null) await noteCall(asked, engine, call, folded)
  const isStart = event === 'SessionStart' || (memory.isNew && !findAgentFacts(bridge).tells.has('SessionStart'))
  const outcome = {
    ...{ folded, call, missing: asking.missing },
    atStart: isStart && asked.only === undefined ? await listSessionNews(engine, asking.opened.options) : [],
    unlisted: call?.isUnlisted ? await describeUnlisted(asked, call, engine.home) : [],
  }
  const { why, news } = asking.missing
  const hasWords = why !== null || news.length + outcome.atStart.length + outcome.unlisted.length > 0
  const isSilent = folded === SILENCE && variables === null && !hasWords && (asked.observes || !memory.hasWaiting)
  if (isSilent && memory.prefix === null) return { ...makeNoOpinion(bridge, asked.hostEvent), notes: [] }
  return tellOutcome(variables === null ? asked : { ...asked, variables }, outcome, asking)
}

/** Notes what an event says of the turn; gives the reason why its call is refused, null: it is not. */
function beginEvent({ bridge, event, memory }: AnswerSubject): string | null {
  // A host that does not tell of prompts tells of the end of a turn.
  if (event === 'UserPromptSubmit' || (event === 'Stop' && !findAgentFacts(bridge).tells.has('UserPromptSubmit')))
    memory.startTurn()
  const { halted, stops } = memory.kept
  if (event !== 'PreToolUse') return null
  if (halted === null && stops > 0) memory.change((kept) => ({ ...kept, stops: 0 }))
  return halted
}

/** Decision of hooks, and what else there is to say. */
interface Outcome {
  readonly folded: FoldedDecision
  readonly call: HostCall | null
  readonly missing: MissingGuards
  readonly atStart: readonly string[]
  readonly unlisted: readonly string[]
}

/** Writes what hooks decided, with what waited for an event that can carry it. */
async function tellOutcome(asked: AnswerSubject, outcome: Outcome, asking: AskedSession): Promise<BridgeAnswer> {
  const { bridge, memory, event } = asked
  const { folded, call, missing, atStart, unlisted } = outcome
  const place = { cwd: asking.accepted.cwd, base: asking.base }
  // Of several hooks that the host calls, one would undo what another one changed in the call.
  const input = await (asked.only === undefined
    ? writePrefixedInput(bridge, call, folded, { ...place, memory })
    : rewriteInput(bridge, call, folded, place))
  if (memory.hasWaiting && !asked.observes) await memory.claim()
  const unguarded = missing.why === null ? [] : [`Hookline refuses every call: ${missing.why}.`]
  const untold = unguarded.filter((text) => !memory.hasQueued('toUser', text))
  const held = [...atStart, ...untold, ...missing.news, ...unlisted]
  const toUser = isShownStderr(bridge) ? folded.toUser : [...folded.toUser, ...held]
  const context = [...folded.context, ...unguarded.filter((text) => !memory.hasQueued('context', text))]
  // A text for the model at the end of a turn would send the agent on.
  const isEnd = event === 'Stop' || event === 'SubagentStop'
  return { ...answer(asked, { ...folded, toUser, context: isEnd ? folded.context : context }, input), notes: held }
}

/** Said once a session: a tool that the table of an agent does not have is shown by what its input suggests. */
async function describeUnlisted(
  { bridge, memory }: AnswerSubject,
  { tool, parts }: HostCall,
  home: string,
): Promise<string[]> {
  if (!memory.isFirstUnlisted(tool)) return []
  const { keepUnlistedTool } = await import('./call/unknown.ts')
  await keepUnlistedTool(bridge.name, tool, home)
  const shown = [...new Set(parts.flatMap(({ calls }) => calls.map((call) => call.tool)))].filter(
    (name) => name !== tool,
  )
  const as = shown.length === 0 ? 'by its own name' : `by its own name and as ${shown.join(', ')}`
  return [`${bridge.title} called "${tool}", a tool that Hookline does not know: hooks see it ${as}.`]
}

/** True if stderr is what a host shows its user; of a hook that succeeds, others hide it. */
const isShownStderr = ({ answers: { toUser } }: Bridge): boolean =>
  toUser.how === 'exact' && toUser.write === 'errorText'

/** Hooks that the host does not wait for: what they say comes with a later event. */
async function runLater(
  { bridge, memory }: AnswerSubject,
  events: readonly (readonly JsonObject[])[],
  { accepted: { request }, opened: { engine, options } }: AskedSession,
): Promise<void> {
  const { markLateWork: noteWork, runLate } = await import('./answer/late.ts')
  const { env = {}, within: _within, keeper: _keeper, isShortLived: _life, ...settled } = options
  const marker = join(memory.folder, 'late', `${process.pid}-${Date.now()}`)
  const work = { agent: bridge.name, session: engine.sessionId, options: settled, events, marker }
  noteWork(work)
  if (request.handOver === null) await runLate(work, env)
  else await request.handOver(JSON.stringify(work))
}

/** Keeps the variables that hooks wrote for later commands. */
async function keepVariables(
  { bridge, memory }: AnswerSubject,
  { accepted: { request }, opened: { engine } }: AskedSession,
): Promise<Readonly<Record<string, string>>> {
  const variables = await engine.readEnvironment()
  const { environment } = bridge.answers
  if (environment.how === 'emulated') await memory.keepVariables(variables)
  const file = request.env.CLAUDE_ENV_FILE
  if (environment.how === 'exact' && environment.write === 'envFile' && file)
    await appendFile(file, formatExports(variables))
  return variables
}

/** Notes what events after a call need to know of it. */
async function noteCall(
  { event, memory, only }: AnswerSubject,
  engine: Engine,
  { id, parts }: HostCall,
  { permission, halt }: FoldedDecision,
): Promise<void> {
  // In another hook of the event that the host calls, what the call was is still needed.
  if (event.startsWith('PostToolUse') && only === undefined) memory.callEnded(id)
  if (event !== 'PreToolUse') return
  if (permission === 'deny' || permission === 'defer' || halt !== null) memory.refuse(id)
  let isFollowed = only !== undefined
  for (const hook of engine.hooks) isFollowed ||= hook.event === 'PostToolUse'
  if (!isFollowed) return
  const originals = await Promise.all(
    parts.map(async ({ calls: [{ tool, input }] }, index) => {
      if (tool !== 'Write' && tool !== 'Edit') return []
      const content = await readText(String(input.file_path), { largest: MAX_ORIGINAL_BYTES })
      return [[parts.length === 1 ? id : `${id}#${index + 1}`, content.read === 'text' ? content.text : null] as const]
    }),
  )
  if (parts.length > 1 || originals.flat().length > 0) memory.remember(id, parts, Object.fromEntries(originals.flat()))
}

/** Larger files are not kept for the event after the call. */
const MAX_ORIGINAL_BYTES = 256 * 1024
