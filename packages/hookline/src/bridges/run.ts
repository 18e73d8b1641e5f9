import type { Engine } from '../engine/engine-interface.ts'
import { HooklineError } from '../files/error.ts'
import { type AcceptedPayload, acceptPayload, type HostRequest } from './accept-payload.ts'
import { findAgentFacts } from './agent-facts.ts'
import { type AnswerSubject, type BridgeAnswer, isAwaited, makeNoOpinion } from './answer/answer.ts'
import { isHeard, makeBridgeRefusal, refuseUnguarded } from './answer/refusal.ts'
import { askHooks } from './ask-hooks.ts'
import type { EventRule } from './bridge.ts'
import { findMcpNames, type McpNames } from './call/mcp-names.ts'
import { isOfCall, isSpurious, type Translation, translate } from './call/payload.ts'
import { followSubagents } from './call/subagent-calls.ts'
import { SessionMemory } from './memory.ts'
import { registerOnly } from './only-hook.ts'
import type { OpenedEngine } from './open-readable.ts'
import { findMissing, openSession, recordUnknownEvent } from './open-session.ts'

/**
 * Shows a host's event to the hooks that were written for Claude Code, and answers in the host's form. Never rejects: what
 * cannot be done is a refusal where a hook guards it.
 */
export async function runBridge(request: HostRequest): Promise<BridgeAnswer> {
  const accepted = acceptPayload(request)
  const {
    rule,
    request: { bridge, hostEvent },
  } = accepted
  if (rule === undefined) return recordUnknownEvent(accepted)
  if (rule === null) return { ...makeNoOpinion(bridge, hostEvent), notes: [] }
  if (rule.as === null)
    return { ...makeNoOpinion(bridge, hostEvent), notes: [`Nothing is done for ${hostEvent}: ${rule.why}.`] }
  const asked = await recallSession(accepted, rule)
  const { memory } = asked
  let engine: Engine | null = null
  // Some hosts go on while hooks still look at what a tool gave.
  const isGoingOn = rule.as === 'PostToolUse' && rule.observes === true
  const endShowing = isGoingOn ? memory.beginShowing(request.caller?.pid ?? process.pid) : null
  try {
    const opened = await openSession(accepted, memory)
    engine = opened.engine
    request.signal?.addEventListener('abort', () => void opened.engine.close())
    return await showEvent(accepted, opened, { asked, rule })
  } catch (error) {
    const why =
      error instanceof HooklineError ? error.message.replace(/\.$/, '') : `a fault in Hookline itself (${error})`
    return makeBridgeRefusal(asked, engine, why)
  } finally {
    await Promise.allSettled([engine?.close(), memory.save()])
    endShowing?.()
    if (rule.as === 'SessionEnd') memory.forget()
    else if (memory.isNew) memory.forgetOld() // not every session ends with an event
  }
}

/** Rule of an event that hooks can be shown. */
type ShownRule = Exclude<EventRule, { readonly as: null }>

/** Reads what is remembered of the session of an event, and notes what the event says of it. */
async function recallSession(
  { request, said, home, folder, cwd, named, session }: AcceptedPayload,
  rule: ShownRule,
): Promise<AnswerSubject> {
  const { bridge, hostEvent, attended, only } = request
  const facts = findAgentFacts(bridge)
  const memory = await SessionMemory.open(home, bridge.name, session, {
    // Some hosts go on to the next call while hooks still look at the last one, which may end the turn.
    afterOthers: rule.unless === 'endOfSubagent' || (rule.as === 'PreToolUse' && facts.goesOnAfterTools),
    startsAnew: named === null && rule.as === 'SessionStart',
    hook: only === undefined ? null : JSON.stringify([only.matcher, only.words]),
  })
  if (only === undefined && bridge.install.loadsClaude !== null && !memory.kept.bridged)
    memory.change((kept) => ({ ...kept, bridged: true }))
  if (facts.isToldByCalls) followSubagents(bridge, rule, said, memory)
  const isMoved = bridge.call.folderOfCommand === true && folder !== null
  if (isMoved && memory.kept.began === null && !isOfCall(rule.as)) memory.change((kept) => ({ ...kept, began: cwd }))
  const observes = rule.observes === true || only?.decidesNothing === true
  const asked = { bridge, hostEvent, event: rule.as, attended, observes, memory }
  return only === undefined ? asked : { ...asked, only: only.event }
}

/** Surroundings in which an event is shown. */
interface Showing {
  readonly asked: AnswerSubject
  readonly rule: ShownRule
}

/** Shows an event to the hooks of its session. Refuses where guards are missing, or where it cannot be read. */
async function showEvent(
  accepted: AcceptedPayload,
  opened: OpenedEngine,
  { asked, rule }: Showing,
): Promise<BridgeAnswer> {
  const { request, payload, said } = accepted
  const { bridge, hostEvent, only } = request
  const { engine } = opened
  const registered = only && (await registerOnly(engine, only, { said, bridge }))
  const missing = await findMissing(accepted, opened, asked)
  if (missing.why !== null && (isAwaited(rule.as) || typeof payload === 'string'))
    return refuseUnguarded(asked, engine, missing.why)
  if (typeof payload === 'string') return makeBridgeRefusal(asked, engine, payload)
  if (rule.unless !== undefined && isSpurious(bridge, rule, payload, asked.memory))
    return { ...makeNoOpinion(bridge, hostEvent), notes: [] }
  // A payload that names no folder says nothing about where its command runs.
  const isMoved = bridge.call.folderOfCommand === true && accepted.folder !== null
  const base = isMoved ? (asked.memory.kept.began ?? opened.options.project ?? accepted.cwd) : accepted.cwd
  const translated = await readEvent(accepted, opened, { asked, rule, base })
  if (translated.kind === 'unreadable') return makeBridgeRefusal(asked, engine, translated.why, translated.tools)
  const agent = translated.parts[0]?.inputs[0].agent_id
  if (only !== undefined && only.answers === undefined && typeof agent === 'string') {
    registered?.remove() // hooks of the session's own loop see no call of a subagent
    await registerOnly(engine, only, { said, bridge, loop: { agent } })
  }
  return askHooks({ ...asked, event: translated.event }, translated, { accepted, opened, base, missing })
}

/** Reads an event as hooks know it: nothing of the payload is looked into where no hook listens, since it may name files that are none of our business. */
async function readEvent(
  accepted: AcceptedPayload,
  opened: OpenedEngine,
  { asked, rule, base }: Showing & { readonly base: string },
): Promise<Translation> {
  const {
    request: { bridge, hostEvent },
    said,
    cwd,
    named,
    home,
  } = accepted
  const { memory } = asked
  const isShown = isHeard(opened.engine, asked) || (rule.as === 'PreToolUse' && memory.prefix !== null)
  if (!isShown) return { kind: 'events', event: rule.as, parts: [], call: null }
  const readAllowed = async (): Promise<ReadonlySet<string>> =>
    (await import('./call/unknown.ts')).readAllowedFields(bridge.name, home)
  const readNames = (): Promise<McpNames> => readMcpNames(accepted, opened)
  return translate(bridge, hostEvent, said, { cwd, session: named, memory, base, readAllowed, readMcpNames: readNames })
}

/** Reads what tells the names of tools of MCP servers; files of the host are read for calls that may be theirs alone. */
async function readMcpNames(
  { request: { bridge, env, only }, home, cwd }: AcceptedPayload,
  { engine, options: { project = cwd } }: OpenedEngine,
): Promise<McpNames> {
  const { readServers } = await import('./install/mcp-servers.ts')
  const servers = await readServers(bridge, { home, env, folders: [...new Set([project, cwd])] })
  const texts = engine.hooks.flatMap(({ matcherText, condition }) => [matcherText, condition?.text])
  const wanted = [...texts, only?.matcher, only?.condition].flatMap((text) => findMcpNames(text ?? ''))
  return { servers, wanted }
}
