import type { Engine } from '../../engine/engine-interface.ts'
import { type AnswerSubject, type BridgeAnswer, isAwaited, makeNoOpinion, refuseUnasked } from './answer.ts'

/** True if a hook that can run listens to an event, or to what it may turn out to be. */
export function isHeard(engine: Engine, { event, only }: AnswerSubject): boolean {
  if (only !== undefined) return only === event || (event === 'PostToolUse' && only === 'PostToolUseFailure')
  return engine.listensTo(event) || (event === 'PostToolUse' && engine.listensTo('PostToolUseFailure'))
}

/** True where a hook of an event listens to one of these tools. */
function isListening(engine: Engine, { event }: AnswerSubject, tools: readonly string[]): boolean {
  const names = tools.includes('Agent') ? [...tools, 'Task'] : tools
  return engine.listListeners(event).some(({ hook: { matcher }, verdict }) => {
    if (verdict !== 'active') return false
    if (matcher.kind === 'names') return names.some((name) => matcher.names.has(name))
    return matcher.kind !== 'regex' || names.some((name) => matcher.test(name))
  })
}

/** Refuses where a hook would have been asked; elsewhere the host goes on. */
export function makeBridgeRefusal(
  asked: AnswerSubject,
  engine: Engine | null,
  why: string,
  tools?: readonly string[],
): BridgeAnswer {
  const isGuarded =
    engine === null || (isHeard(engine, asked) && (tools === undefined || isListening(engine, asked, tools)))
  const note = `${asked.bridge.title}, ${asked.hostEvent}: ${why}.`
  engine?.recordUnread(asked.only ?? asked.event, { why: note, refused: isGuarded })
  if (!isGuarded) return { ...makeNoOpinion(asked.bridge, asked.hostEvent), notes: [note] }
  return { ...refuseUnasked(asked, why), notes: [note] }
}

/** Refuses a call whose guards are missing; at any other event user and model are told. */
export function refuseUnguarded(asked: AnswerSubject, engine: Engine, why: string): BridgeAnswer {
  const note = `${asked.bridge.title}, ${asked.hostEvent}: ${why}.`
  engine.recordUnread(asked.event, { why: note, refused: isAwaited(asked.event) })
  return { ...refuseUnasked(asked, why), notes: [note] }
}
