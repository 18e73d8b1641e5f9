import { isDeeperThan } from 'hookline/internal'
import type { ModelPiece, Usage } from '../models/model.ts'
import { type Block, type Message, NESTED_TOO_DEEPLY } from '../output/messages.ts'
import { answer } from '../transcript/conversation.ts'
import type { Loop } from './loop-state.ts'

/** No tool takes an input of more levels, and few programs can. */
const DEEPEST_INPUT = 500

/** One message of the model, on its way. */
export class Saying {
  readonly #loop: Loop
  readonly #blocks: Block[] = []
  #usage: Usage = { inputTokens: 0, outputTokens: 0 }
  #cutShort = true

  constructor(loop: Loop) {
    this.#loop = loop
  }

  /** Adds a piece to what was said so far. */
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
    this.#say(message)
    return message
  }

  /** Text of a message that was cut off; calls in it were never complete enough to be made. */
  keepWhatWasSaid(): void {
    const content = this.#blocks.filter((block) => block.type === 'text')
    if (content.length > 0) this.#say({ role: 'assistant', content })
  }

  #say(message: Message): void {
    answer(this.#loop, message, { usage: this.#usage, cutShort: this.#cutShort })
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
