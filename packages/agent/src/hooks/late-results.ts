import type { Delivery, Engine } from 'hookline'
import type { AgentEvent } from '../output/events.ts'
import { type Conversation, inject } from '../transcript/conversation.ts'

/** A conversation that background hooks can add to. */
interface ReceivingLoop extends Conversation {
  readonly session: Conversation['session'] & {
    readonly engine: Pick<Engine, 'takeDeliveries' | 'waitForDelivery'>
    /** Deliveries taken from the engine, and not handed over yet. */
    readonly late: Delivery[]
  }
}

/** Waits until a background hook asks to wake the model; false: none does, and none runs any more. */
export async function waitForWake({ session: { engine, late } }: Pick<ReceivingLoop, 'session'>): Promise<boolean> {
  while (!late.some(({ rewake }) => rewake !== undefined)) {
    if (!(await engine.waitForDelivery())) return false
    late.push(...engine.takeDeliveries())
  }
  return true
}

/** Hands over what background hooks have said since the last turn, each thing once. */
export function deliverLateResults(loop: ReceivingLoop): void {
  if (loop.agent !== null) return // background hooks were started by the session, whichever loop fired the event
  const { engine, emit, late: taken } = loop.session
  for (const late of [...taken.splice(0), ...engine.takeDeliveries()]) {
    for (const text of late.context) inject(loop, `Async hook ${late.hook} additional context: ${text}`)
    for (const { to, text } of late.messages) if (to === 'model') inject(loop, text)
    tellLateResult(emit, late)
  }
}

/** Gives the user what a background hook said, and what became of it. */
export function tellLateResult(
  emit: (event: AgentEvent) => void,
  { hook, messages, dropped }: Delivery,
  { dropped: to = 'verbose' }: { readonly dropped?: 'user' | 'verbose' } = {},
): void {
  for (const { to: reader, text } of messages)
    emit({ type: 'told', to: reader === 'verbose' ? 'verbose' : 'user', text })
  for (const what of dropped) emit({ type: 'told', to, text: `${hook}: ${what}` })
}
