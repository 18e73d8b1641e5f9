import { isDeeperThan } from 'hookline/internal'
import * as z from 'zod'
import { type Fired, fire } from '../hooks/fire.ts'
import { haltReason } from '../hooks/words.ts'
import { hearModel } from '../models/hear-model.ts'
import type { ModelPiece, ToolSpec } from '../models/model.ts'
import { type Block, type Message, NESTED_TOO_DEEPLY, type Usage } from '../output/messages.ts'
import type { EarlyEnd } from '../output/result.ts'
import type { Tool } from '../tools/tool.ts'
import { addAnswer, inject } from '../transcript/conversation.ts'
import type { Loop } from './loop-state.ts'

/** Asks the model to go on; what it says becomes part of the conversation, also when it is cut off in the middle. */
export async function askModel(loop: Loop, signal: AbortSignal): Promise<Message | EarlyEnd> {
  const answer = new AnswerSoFar(loop)
  const request = {
    system: loop.system,
    messages: together(loop.messages),
    tools: [...loop.tools.values()].map(specOf),
    agentType: loop.agent?.type ?? null,
    signal,
  }
  const early = await hearModel(loop, request, (piece) => answer.add(piece))
  const notice = early === null ? await tellSignIn(loop, signal) : null
  const halted = notice?.decision.halt ? ({ ended: 'halted', reason: haltReason(notice.record) } as const) : null
  if (early ?? halted) answer.keepText()
  if (early) return early
  if (halted) return halted
  const message = answer.whole()
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

const specs = new WeakMap<Tool, ToolSpec>()

/** A tool as the model is told of it; made once. */
export function specOf(tool: Tool): ToolSpec {
  const known = specs.get(tool)
  if (known) return known
  const { $schema, ...inputSchema } = tool.inputSchema ?? z.toJSONSchema(tool.input, { io: 'input' })
  const spec = { name: tool.name, description: tool.description, inputSchema }
  specs.set(tool, spec)
  return spec
}

/** No tool takes an input of more levels, and few programs can. */
const DEEPEST_INPUT = 500

/** One message of the model, while it arrives. */
class AnswerSoFar {
  readonly #loop: Loop
  readonly #blocks: Block[] = []
  #usage: Usage = { inputTokens: 0, outputTokens: 0 }
  #cutShort = true

  constructor(loop: Loop) {
    this.#loop = loop
  }

  /** Adds a piece. */
  add(piece: ModelPiece): void {
    const { session, agent } = this.#loop
    const last = this.#blocks.at(-1)
    switch (piece.type) {
      case 'text':
        session.emit({ type: 'text', text: piece.text, agent })
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
        this.#blocks.push(isDeeperThan(DEEPEST_INPUT, piece.input) ? { ...piece, input: NESTED_TOO_DEEPLY } : piece)
        break
      case 'end':
        this.#end(piece)
    }
  }

  /** The message, as part of the conversation. */
  whole(): Message {
    const content = this.#blocks.length > 0 ? this.#blocks : [{ type: 'text', text: '' } as const]
    const message: Message = { role: 'assistant', content }
    this.#keep(message)
    return message
  }

  /** Text of a message that was cut off; calls in it were never complete enough to be made. */
  keepText(): void {
    const content = this.#blocks.filter((block) => block.type === 'text')
    if (content.length > 0) this.#keep({ role: 'assistant', content })
  }

  #keep(message: Message): void {
    const facts = { model: this.#loop.model.name, usage: this.#usage, cutShort: this.#cutShort }
    addAnswer(this.#loop, message, facts)
  }

  #end({ usage, cutShort }: Extract<ModelPiece, { type: 'end' }>): void {
    const loop = this.#loop
    this.#usage = usage
    this.#cutShort = cutShort
    loop.answers++
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
