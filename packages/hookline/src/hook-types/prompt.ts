import type { Handler } from '../config/hook.ts'
import { abortedRun } from '../process/process.ts'
import { millisecondsSince } from '../process/process-run.ts'
import type { SpokenMessage } from '../protocol/spoken-message.ts'
import { type Limits, underDeadline } from '../run/deadline.ts'
import type { ModelReply } from '../run/ports.ts'
import type { JudgeRequest } from '../run/request.ts'
import type { Run, Spent } from '../run/run.ts'
import { thrownMessage } from '../run/thrown.ts'
import { costOf } from './cost.ts'
import { asData, filledPrompt } from './fill-prompt.ts'
import { PROMPT_POLICY, VERDICT_SCHEMA } from './judge.ts'

type PromptHook = Extract<Handler, { type: 'prompt' }>

/** One hook's conversation with a model. */
interface Inquiry {
  readonly hook: PromptHook
  readonly request: JudgeRequest
  readonly limits: Limits
  attempts: number
  readonly replies: ModelReply[]
}

/** Asks a model about an event (PROTOCOL.md, section 10). An answer that cannot be read is asked for once more. */
export function runPrompt(hook: PromptHook, request: JudgeRequest): Promise<Run> {
  return underDeadline(request, async (limits) => {
    const inquiry: Inquiry = { hook, request, limits, attempts: 0, replies: [] }
    try {
      const text = await answerIn(inquiry)
      return text === null ? abortedRun() : { ended: 'judged', text, ...spentOn(inquiry) }
    } catch (error) {
      return { ended: 'unanswered', message: thrownMessage(error), ...spentOn(inquiry) } // the provider, or the host
    }
  })
}

/** The model's answer, readable if it can be had; null when nobody waits for it any more. */
async function answerIn(inquiry: Inquiry): Promise<string | null> {
  const { hook, request } = inquiry
  const conversation = (await request.models.conversation?.(request.payload.copy)) ?? []
  const messages: SpokenMessage[] = [
    ...asData(conversation),
    { role: 'user', text: filledPrompt(hook.prompt, request.payload) },
  ]
  const first = await ask(inquiry, messages)
  const fault = first === null ? null : request.answerFault(first)
  return first === null || fault === null ? first : ask(inquiry, [...messages, ...complaint(first, fault)])
}

async function ask(inquiry: Inquiry, messages: readonly SpokenMessage[]): Promise<string | null> {
  const { hook, request, limits, replies } = inquiry
  const { signal, deadline } = limits
  if (signal.aborted) return null
  const { askModel } = request.models
  if (!askModel) throw new TypeError('no model is lent, and planning has to say so')
  inquiry.attempts++
  const { model } = hook
  const reply = await askModel({ model, system: PROMPT_POLICY, messages, schema: VERDICT_SCHEMA, signal, deadline })
  if (typeof reply?.text !== 'string') throw new TypeError('the model that the host lends answered without a text')
  replies.push(reply)
  return reply.text
}

/** What the model said, and what was wrong with it. Providers take no message without text. */
function complaint(text: string, fault: string): SpokenMessage[] {
  const wanted = 'Answer with nothing but the JSON object, {"ok": true} or {"ok": false, "reason": "…"}.'
  return [
    { role: 'assistant', text: text.trim() === '' ? '(no text)' : text },
    { role: 'user', text: `This cannot be read: ${fault}. ${wanted}` },
  ]
}

function spentOn({ replies, attempts, limits }: Inquiry): Spent {
  return { ...costOf(replies), attempts, turns: null, durationMs: millisecondsSince(limits.started) }
}
