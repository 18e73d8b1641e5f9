import type { Delivery } from 'hookline'
import { reminder } from 'hookline/tools'
import type { Usage } from '../models/model.ts'
import { type Message, type ToolResult, userText } from '../output/messages.ts'
import type { Loop } from '../turn/loop-state.ts'
import type { UserEntry } from './entry.ts'

/** Where a message to the model comes from. */
type Origin = 'person' | 'tool' | 'injected' | 'summary'

/** Adds something to the conversation that the model is told. */
export function say(loop: Loop, message: Message, { origin }: { readonly origin: Origin }): void {
  loop.transcript.append({ kind: 'user', message, origin })
  tellModel(loop, message, { injected: origin === 'injected' })
}

/** The same for what the transcript has already. */
export function tellModel(loop: Loop, message: Message, { injected }: { readonly injected: boolean }): void {
  loop.messages.push(message)
  loop.session.emit({ type: 'message', message, injected, agent: loop.agent })
}

/** The result of a call as the transcript keeps it, with the tool's own response where there is one. */
export function resultEntry(result: ToolResult, response: unknown): UserEntry {
  const own = response === undefined ? {} : { toolUseResult: response }
  return { kind: 'user', message: { role: 'user', content: [result] }, origin: 'tool', ...own }
}

/** Adds what the model said. */
export function answer(
  loop: Loop,
  message: Message,
  spent: { readonly usage: Usage; readonly cutShort: boolean },
): void {
  loop.messages.push(message)
  loop.transcript.append({ kind: 'assistant', message, model: loop.model.name, ...spent })
  loop.session.emit({ type: 'message', message, injected: false, agent: loop.agent })
}

/** Adds a text of a hook, marked as such. */
export function inject(loop: Loop, text: string): void {
  say(loop, userText(reminder(text)), { origin: 'injected' })
}

/** Hands over what other agents wrote, each thing once. */
export function readInbox(loop: Loop): void {
  for (const text of loop.inbox.splice(0)) inject(loop, text)
}

/** Hands over what background hooks have said since the last turn, each thing once. */
export function deliverLateResults(loop: Loop): void {
  if (loop.agent !== null) return // they were started by the session, whichever loop fired the event
  const { engine, emit } = loop.session
  for (const late of engine.delivered()) {
    for (const text of late.context) inject(loop, `Async hook ${late.hook} additional context: ${text}`)
    tellLateResult(emit, late)
  }
}

/** Gives the person what a background hook said, and what became of it. */
export function tellLateResult(
  emit: Loop['session']['emit'],
  { hook, messages, dropped }: Delivery,
  { dropped: to = 'verbose' }: { readonly dropped?: 'user' | 'verbose' } = {},
): void {
  for (const { to: reader, text } of messages)
    emit({ type: 'told', to: reader === 'verbose' ? 'verbose' : 'user', text })
  for (const what of dropped) emit({ type: 'told', to, text: `${hook}: ${what}` })
}
