import { type Fired, fire } from '../hooks/fire.ts'
import { haltReason } from '../hooks/words.ts'
import type { Block, Message } from '../output/messages.ts'
import { specOf } from '../tools/spec.ts'
import { inject } from '../transcript/conversation.ts'
import { hearModel } from './hear-model.ts'
import type { EarlyEnd, Loop } from './loop-state.ts'
import { Saying } from './saying.ts'

/** Asks the model to go on; what it says becomes part of the conversation, also when it is cut off in the middle. */
export async function askModel(loop: Loop, signal: AbortSignal): Promise<Message | EarlyEnd> {
  const said = new Saying(loop)
  const request = {
    system: loop.system,
    messages: together(loop.messages),
    tools: [...loop.tools.values()].map(specOf),
    agentType: loop.agent?.type ?? null,
    signal,
  }
  const early = await hearModel(loop, request, (piece) => said.add(piece))
  const notice = early === null ? await tellSignIn(loop, signal) : null
  const halted = notice?.decision.halt ? ({ ended: 'halted', reason: haltReason(notice.record) } as const) : null
  if (early ?? halted) said.keepWhatWasSaid()
  if (early) return early
  if (halted) return halted
  const message = said.whole()
  for (const text of notice?.contexts ?? []) inject(loop, text)
  return message
}

/** Says, once a session, that the provider accepted the key. */
async function tellSignIn(loop: Loop, signal: AbortSignal): Promise<Fired | null> {
  const { model, session } = loop
  if (!model.authenticated || session.signedIn) return null
  session.signedIn = true
  const fields = { message: `${model.name} accepted the key`, notification_type: 'auth_success' }
  return fire(loop, 'Notification', fields, { signal })
}

/** One message a side, and results before texts: what hooks add stands in the same message as what they add it to. */
export function together(messages: readonly Message[]): Message[] {
  const merged: Message[] = []
  for (const { role, content } of messages) {
    const last = merged.at(-1)
    if (last?.role === role) merged[merged.length - 1] = { role, content: [...last.content, ...content] }
    else merged.push({ role, content })
  }
  return merged.map(({ role, content }) => ({ role, content: resultsFirst(content) }))
}

function resultsFirst(blocks: readonly Block[]): Block[] {
  const isResult = ({ type }: Block): boolean => type === 'tool_result'
  return [...blocks.filter(isResult), ...blocks.filter((block) => !isResult(block))]
}
