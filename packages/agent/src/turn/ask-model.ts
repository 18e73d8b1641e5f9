import { isDeeperThan } from 'hookline/internal'
import * as z from 'zod'
import { type FiredEvent, fire, fireIfKnown, hasEvent } from '../hooks/fire.ts'
import { describeHalt } from '../hooks/words.ts'
import { hearModel } from '../models/hear-model.ts'
import type { ModelPiece, ToolSpec } from '../models/model.ts'
import { type Block, type Message, NESTED_TOO_DEEPLY, readMessageText, type Usage } from '../output/messages.ts'
import type { EarlyEnd } from '../output/result.ts'
import type { Tool } from '../tools/tool.ts'
import { addKeptMessage, inject } from '../transcript/conversation.ts'
import type { Loop } from './loop-state.ts'

/** Answer of the model, and the text of it that is shown. */
export interface Answer {
  readonly message: Message
  readonly text: string
}

/** Asks the model to go on; what it says becomes part of the conversation, also when it is cut off in the middle. */
export async function askModel(loop: Loop, signal: AbortSignal): Promise<Answer | EarlyEnd> {
  const answer = new AnswerSoFar(loop, { streams: !canBeShownOtherwise(loop) })
  const request = {
    system: loop.system,
    messages: mergeSides(loop.messages),
    tools: [...loop.tools.values()].map(toToolSpec),
    agentType: loop.agent?.type ?? null,
    signal,
  }
  const early = await hearModel(loop, request, (piece) => answer.add(piece))
  const notice = early === null ? await announceKey(loop, signal) : null
  const halted = notice?.decision.halt ? ({ ended: 'halted', reason: describeHalt(notice.record) } as const) : null
  const message = (early ?? halted) ? answer.makeCutOff() : answer.makeWhole()
  const text = message === null ? '' : await keepMessage(loop, message, { ...answer.facts, signal })
  if (early ?? halted) return early ?? halted ?? { ended: 'interrupted' }
  for (const context of notice?.contexts ?? []) inject(loop, context)
  return message === null ? { ended: 'interrupted' } : (findOutOfRoom(loop, message, answer.facts) ?? { message, text })
}

interface Facts {
  readonly usage: Usage
  readonly cutShort: boolean
}

/** Adds what the model said to the conversation; resolves with the text of it as it is shown. */
async function keepMessage(
  loop: Loop,
  message: Message,
  { usage, cutShort, signal }: Facts & { readonly signal: AbortSignal },
): Promise<string> {
  const { uuid } = loop.transcript.append({ kind: 'assistant', message, model: loop.model.name, usage, cutShort })
  const shown = await fireDisplay(loop, message, { id: `msg_${uuid}`, signal })
  addKeptMessage(loop, message, { injected: false, shown })
  return shown ?? readMessageText(message)
}

/** Asks hooks what they want shown in place of a message's text; null: nothing else. */
async function fireDisplay(
  loop: Loop,
  message: Message,
  { id, signal }: { readonly id: string; readonly signal: AbortSignal },
): Promise<string | null> {
  const { session } = loop
  const text = readMessageText(message)
  if (loop.agent !== null || text === '') return null
  // text before an interruption is shown too.
  const patience = signal.aborted ? AbortSignal.timeout(session.limits.endWithinMs) : signal
  const fields = { turn_id: session.turn.promptId ?? session.id, message_id: id, index: 0, final: true, delta: text }
  const fired = await fireIfKnown(loop, 'MessageDisplay', fields, { signal: patience })
  return fired?.decision.displayContent ?? null
}

/** True if hooks may want something else shown than what the model says: then it is not shown while it arrives. */
function canBeShownOtherwise({ session, agent }: Loop): boolean {
  if (agent !== null || !hasEvent(session, 'MessageDisplay')) return false
  return session.engine.listensTo('MessageDisplay')
}

/** An answer that reached the model's limit is an error of the provider, where hooks are told of those. */
function findOutOfRoom({ session, model }: Loop, { content }: Message, { cutShort }: Facts): EarlyEnd | null {
  if (!cutShort || content.some(({ type }) => type === 'tool_use') || !hasEvent(session, 'StopFailure')) return null
  const message = `${model.name} reached its limit of output tokens, and its answer is cut off.`
  return { ended: 'model-error', message, kind: 'max_output_tokens', waitMs: null }
}

/** Says, once a session, that the provider accepted the key. */
async function announceKey(loop: Loop, signal: AbortSignal): Promise<FiredEvent | null> {
  const { model, session } = loop
  if (!model.authenticated || session.signedIn) return null
  session.signedIn = true
  const fields = { message: `${model.name} accepted the key`, notification_type: 'auth_success' }
  return fire(loop, 'Notification', fields, { signal })
}

/** One message a side, and results before texts: what hooks add stands in the same message as what they add it to. */
export function mergeSides(messages: readonly Message[]): Message[] {
  const merged: Message[] = []
  for (const { role, content } of messages) {
    const last = merged.at(-1)
    if (last?.role === role) merged[merged.length - 1] = { role, content: [...last.content, ...content] }
    else merged.push({ role, content })
  }
  return merged.map(({ role, content }) => ({ role, content: sortResultsFirst(content) }))
}

function sortResultsFirst(blocks: readonly Block[]): Block[] {
  const isResult = ({ type }: Block): boolean => type === 'tool_result'
  return [...blocks.filter(isResult), ...blocks.filter((block) => !isResult(block))]
}

const specs = new WeakMap<Tool, ToolSpec>()

/** A tool as the model is told of it; made once. */
export function toToolSpec(tool: Tool): ToolSpec {
  const known = specs.get(tool)
  if (known) return known
  const { $schema, ...inputSchema } = tool.inputSchema ?? z.toJSONSchema(tool.input, { io: 'input' })
  const spec = { name: tool.name, description: tool.description, inputSchema }
  specs.set(tool, spec)
  return spec
}

/** No tool takes an input of more levels, and few programs can. */
const MAX_INPUT_DEPTH = 500

/** One message of the model, while it arrives. */
class AnswerSoFar {
  readonly #loop: Loop
  readonly #streams: boolean
  readonly #blocks: Block[] = []
  #usage: Usage = { inputTokens: 0, outputTokens: 0 }
  #cutShort = true

  /** `streams`: the host hears each piece of text as it arrives. */
  constructor(loop: Loop, { streams }: { readonly streams: boolean }) {
    this.#loop = loop
    this.#streams = streams
  }

  /** Facts of the provider about it. */
  get facts(): Facts {
    return { usage: this.#usage, cutShort: this.#cutShort }
  }

  /** Adds a piece. */
  add(piece: ModelPiece): void {
    const { session, agent } = this.#loop
    const last = this.#blocks.at(-1)
    switch (piece.type) {
      case 'text':
        if (this.#streams) session.emit({ type: 'text', text: piece.text, agent })
        if (last?.type === 'text') this.#replaceLast({ type: 'text', text: last.text + piece.text })
        else this.#blocks.push(piece)
        break
      case 'thinking':
        if (last?.type === 'thinking' && last.signature === undefined)
          this.#replaceLast({ type: 'thinking', thinking: last.thinking + piece.thinking })
        else this.#blocks.push(piece)
        break
      case 'signature':
        if (last?.type === 'thinking') this.#replaceLast({ ...last, signature: piece.signature })
        break
      case 'tool_use':
        this.#blocks.push(isDeeperThan(MAX_INPUT_DEPTH, piece.input) ? { ...piece, input: NESTED_TOO_DEEPLY } : piece)
        break
      case 'end':
        this.#end(piece)
    }
  }

  /** The whole message. */
  makeWhole(): Message {
    const content = this.#blocks.length > 0 ? this.#blocks : [{ type: 'text', text: '' } as const]
    return { role: 'assistant', content }
  }

  /** Text of a message that was cut off; calls in it were never complete enough to be made. */
  makeCutOff(): Message | null {
    const content = this.#blocks.filter((block) => block.type === 'text')
    return content.length === 0 ? null : { role: 'assistant', content }
  }

  #end({ usage, cutShort }: Extract<ModelPiece, { type: 'end' }>): void {
    const loop = this.#loop
    this.#usage = usage
    this.#cutShort = cutShort
    loop.answers++
    loop.answeredAt = Date.now()
    loop.contextTokens = usage.inputTokens + usage.outputTokens
    for (let spender: Loop | null = loop; spender !== null; spender = spender.parent) {
      spender.spent = {
        inputTokens: spender.spent.inputTokens + usage.inputTokens,
        outputTokens: spender.spent.outputTokens + usage.outputTokens,
      }
    }
    loop.session.emit({ type: 'usage', usage, agent: loop.agent })
  }

  #replaceLast(block: Block): void {
    this.#blocks[this.#blocks.length - 1] = block
  }
}
